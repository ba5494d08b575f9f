"""Runs of programs, recorded, replayed and compared: `mxtorch port --prove`, `mxtorch verify`."""
