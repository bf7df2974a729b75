#!/usr/bin/env bash
# Installs a wheel in an empty virtual environment of a system that has Python and nothing else of
# ours (debootstrap), and asks the package what the README asks. As root.
#
#     tests/install/wheel.sh build/wheels/ciber-0.2.0-cp311-cp311-manylinux_2_36_x86_64.whl
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
wheel=$(readlink -f "$1")
root=$(mktemp -d)
chmod 755 "$root"
trap 'umount -q "$root/proc" || true; rm -rf --one-file-system "$root"' EXIT

debootstrap --variant=minbase --include=python3,python3-venv bookworm "$root" >/dev/null
mkdir "$root/trial"
cp "$wheel" "$here/answers.py" "$here"/../../docs/examples/{relu.smt2,net.safetensors,net.vnnlib} \
  "$root/trial"
mount -t proc proc "$root/proc"  # by which programs find the libraries beside them
inside() {
  chroot "$root" /usr/bin/env -i PATH=/trial/venv/bin:/usr/bin:/bin bash -euo pipefail -c "$1"
}
inside "python3 -m venv /trial/venv"
inside "cd /trial && pip install --quiet --no-index *.whl && python3 answers.py"
inside "wmi /trial/relu.smt2 | grep -qx '3/4 = 0.75'"
inside "ciber verify /trial/net.safetensors /trial/net.vnnlib | grep -q '^violated: probability 49/380'"
inside "wmi --certificate /trial/proof /trial/relu.smt2 >/dev/null"
inside "wmi-check /trial/relu.smt2 /trial/proof | grep -q '^accepted'"
inside "cd /trial && python3 -c 'print(\"x,y\"); [print(f\"{i / 20},{i * i / 400}\") for i in range(40)]' >rows.csv"
inside "cd /trial && ciber train rows.csv --target y --epochs 20 --samples 4 --every 1 --out rows.run >/dev/null 2>&1"
inside "cd /trial && ciber predict rows.run rows.csv | grep -q '^39,'"
# Jobs by Dask, which is an extra, and not there: one line says how to install it.
inside "cd /trial && wmi split relu.smt2 --out job 2>/dev/null"
inside "ciber-dask --help | grep -q -- '--scheduler ADDRESS'"
inside "(ciber-dask /trial/job --workers 1 2>&1 || true) | grep -q \"pip install 'ciber\""
echo "$(basename "$wheel"): installed alone, it answers"
