#!/usr/bin/env bash
# Installs what the build and `tgc check' need and lack, from Debian's packages; with the argument `tests', what the
# tests need too. Run by demo.sh and test.sh; safe to run twice.
set -euo pipefail
packages=(build-essential cmake pkg-config clang-19 libclang-19-dev libcyaml-dev libyaml-dev libjansson-dev
          libsqlite3-dev libjs-chart.js python3 ccache)
[ "${1:-}" = tests ] && packages+=(libcmocka-dev libclang-rt-19-dev llvm-19 valgrind graphviz clangd-19 neovim
                                        python3-matplotlib python3-numpy)
# In the long mode: the pages of `tgc view', a new Debian, a wheel.
[ "${1:-}" = tests ] && [ "${TGC_LONG:-0}" = 1 ] && packages+=(chromium debootstrap python3-venv)

missing=()
for p in "${packages[@]}"; do
  dpkg-query -W -f='${Status}' "$p" 2>/dev/null | grep -q 'install ok installed' || missing+=("$p")
done
if [ ${#missing[@]} -eq 0 ]; then
  echo "setup: everything needed is installed"
  exit 0
fi
sudo=
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || {
    echo "setup: these packages are missing, and there is no sudo to install them: ${missing[*]}" >&2
    exit 1
  }
  sudo=sudo
fi
echo "setup: installing ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
$sudo apt-get update -qq
# A system without LLVM 19 gets another one that has what is used; the tests need 19.
has() { apt-cache show "$1" >/dev/null 2>&1; }
for version in 19 18 17 20 21 22 none; do
  if has "libclang-$version-dev"; then break; fi
done
if [ "$version" = none ] && [[ " ${missing[*]} " == *" libclang-19-dev "* ]]; then
  echo "setup: apt offers no libclang of LLVM 17 or later: docs/reference/compatibility.md says what to do" >&2
  exit 1
fi
missing=("${missing[@]//-19/-$version}")
$sudo apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
echo "setup: installed ${#missing[@]} packages"
