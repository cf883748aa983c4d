#!/bin/sh
# Prints the Chromium that the browser tests drive: $MEMLEAK_CHROMIUM, or one on the PATH.
# As root on Debian it installs one rather than give up.
set -eu
here=$(dirname "$0")
packages="chromium fonts-dejavu-core"

first_found() {
    for candidate in chromium chromium-browser google-chrome google-chrome-stable; do
        command -v "$candidate" && return 0
    done
    return 1
}

if [ -n "${MEMLEAK_CHROMIUM:-}" ]; then
    command -v "$MEMLEAK_CHROMIUM" && exit 0
    echo "MEMLEAK_CHROMIUM names no program: $MEMLEAK_CHROMIUM" >&2
    exit 1
fi
first_found && exit 0
# shellcheck disable=SC2086  # several packages
"$here/apt_install.sh" Chromium $packages && first_found && exit 0
echo "The browser tests need Chromium. On Debian and Ubuntu:" >&2
echo "    sudo apt-get install $packages" >&2
echo "or name one: MEMLEAK_CHROMIUM=/path/to/chrome make test" >&2
exit 1
