#!/bin/sh
# Prints a Python that can make our virtual environment (3.10 or newer, with venv and pip inside).
# Usage: find_python.sh [CANDIDATE...]; as root on Debian it installs one rather than give up.
set -eu

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

if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "No Python 3.10 or newer with venv found: installing Debian's." >&2
    { apt-get update -qq && apt-get install -y -qq --no-install-recommends python3 python3-venv; } >&2
    first_usable "$@" /usr/bin/python3 && exit 0
fi
echo "Leak Finder needs Python 3.10 or newer with the venv module. On Debian and Ubuntu:" >&2
echo "    apt-get install python3 python3-venv" >&2
echo "or name one: make PYTHON=/path/to/python3 ..." >&2
exit 1
