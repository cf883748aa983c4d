#!/bin/sh
# Makes sure that Node 20 or newer and npm are there, or says how to get them.
set -eu

usable() {
    command -v npm >/dev/null 2>&1 &&
        node -e 'process.exit(Number(process.versions.node.split(".")[0]) < 20 ? 1 : 0)' >/dev/null 2>&1
}

usable && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "No Node 20 or newer with npm found: trying Debian's." >&2
    { apt-get update -qq && apt-get install -y -qq --no-install-recommends nodejs npm; } >&2 || true
    usable && exit 0
fi
echo "The page's tests need Node 20 or newer with npm (the package itself does not)." >&2
echo "Found: $(node --version 2>/dev/null || echo no node), npm $(npm --version 2>/dev/null || echo none)." >&2
exit 1
