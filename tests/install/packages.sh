#!/usr/bin/env bash
# Installs the Debian packages of a directory in a system that has nothing else (debootstrap), and uses
# them: the programs answer the demo, Python answers, and a project builds against the libraries. As
# root.
#
#     tests/install/packages.sh build/packages
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
packages=$(readlink -f "$1")
root=$(mktemp -d)
chmod 755 "$root"
trap 'rm -rf --one-file-system "$root"' EXIT

debootstrap --variant=minbase bookworm "$root" >/dev/null
mkdir "$root/trial"
cp -r "$packages"/*.deb "$here" "$here"/../../docs/examples/{relu.smt2,net.safetensors,net.vnnlib} \
  "$root/trial"

inside() {
  chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive \
    bash -euo pipefail -c "$1"
}
installed() { # PACKAGE...
  inside "apt-get install -y -qq --no-install-recommends $* >/dev/null 2>/trial/log ||
          { cat /trial/log >&2; exit 1; }"
}

inside "apt-get update -qq"
installed "/trial/wmi_*.deb"
inside "wmi /trial/relu.smt2 | grep -qx '3/4 = 0.75'"
inside "ciber demo --out /trial/demo.svg >/dev/null 2>&1"
[ -s "$root/trial/demo.svg" ]
[ -e "$root/usr/share/bash-completion/completions/ciber" ]
echo "wmi: installed alone, it answers the demo"

installed "/trial/python3-ciber_*.deb"
inside "cd /trial && python3 install/answers.py"
echo "python3-ciber: installed, it answers"

installed "/trial/libwmi-dev_*.deb" g++ cmake ninja-build
inside "cmake -S /trial/install -B /trial/build -G Ninja >/dev/null && cmake --build /trial/build >/dev/null"
inside "/trial/build/example"
echo "libwmi-dev: a project builds against it"
