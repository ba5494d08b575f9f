#!/bin/sh
# Prints a Python >= 3.10 that can make environments: $1 if given, else the first that is found.
usable='import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))'

for python in ${1:-python3 python3.13 python3.12 python3.11 python3.10 python3.14 python}; do
    if "$python" -c "$usable" >/dev/null 2>&1; then
        command -v "$python"
        exit 0
    fi
done
if [ -n "$1" ]; then
    echo "PYTHON=$1: not a Python >= 3.10 with venv and ensurepip" >&2
else
    echo "no Python >= 3.10 with venv found; install one (Debian: apt-get install python3-venv)," >&2
    echo "or name it: make PYTHON=/path/to/python3" >&2
fi
exit 1
