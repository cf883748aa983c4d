#!/bin/sh
# Prints a Python that can make our virtual environment (3.10 or newer, with venv and pip inside).
# Usage: find_python.sh [CANDIDATE...]; as root on Debian it installs one rather than give up.
set -eu
here=$(dirname "$0")
packages="python3 python3-venv"

usable() {
    "$1" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' >/dev/null 2>&1
}

first_usable() {
    for candidate in "$@"; do
        if usable "$candidate"; then
            command -v "$candidate"
            return 0
        fi
    done
    return 1
}

set -- "$@" python3 python3.13 python3.12 python3.11 python3.10
first_usable "$@" && exit 0
# What is on the PATH may hide what is installed.
# shellcheck disable=SC2086  # several packages
"$here/apt_install.sh" "Python 3.10 or newer with venv" $packages &&
    first_usable "$@" /usr/bin/python3 && exit 0
echo "Leak Finder needs Python 3.10 or newer with the venv module. On Debian and Ubuntu:" >&2
echo "    sudo apt-get install $packages" >&2
echo "or name one: make PYTHON=/path/to/python3 ..." >&2
exit 1
