"""`python -m mxtorch` is `mxtorch`."""

from mxtorch.cli.main import main

if __name__ == "__main__":
    main()
