#!/bin/sh
# run.sh BUILD TEST: runs a test of the Python package, in the virtual environment of the build.
python=$1/venv/bin/python3
if ! "$python" -c 'import pytest, numpy, hypothesis' 2>/dev/null; then
  echo "skipped: no pytest in $1/venv; ./run test installs it"
  exit 0
fi
WMI_BUILD=$1 exec "$python" -m pytest -q "$2"
