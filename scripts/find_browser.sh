#!/bin/sh
# Prints the Chromium that the browser tests drive: $MEMLEAK_CHROMIUM, or one on the PATH.
# As root on Debian it installs one rather than give up.
set -eu

first_found() {
    for candidate in "${MEMLEAK_CHROMIUM:-}" chromium chromium-browser google-chrome google-chrome-stable; do
        if [ -n "$candidate" ] && command -v "$candidate" 2>/dev/null; then
            return 0
        fi
    done
    return 1
}

first_found && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "No Chromium found: installing Debian's." >&2
    { apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core; } >&2
    first_found && exit 0
fi
echo "The browser tests need Chromium. On Debian and Ubuntu: apt-get install chromium" >&2
echo "or name one: MEMLEAK_CHROMIUM=/path/to/chrome make test" >&2
exit 1
