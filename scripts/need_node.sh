#!/bin/sh
# Makes sure that Node 20 or newer and npm are there, or says how to get them.
set -eu
here=$(dirname "$0")
packages="nodejs npm"

usable() {
    command -v npm >/dev/null 2>&1 &&
        node -e 'process.exit(Number(process.versions.node.split(".")[0]) < 20 ? 1 : 0)' >/dev/null 2>&1
}

usable && exit 0
# shellcheck disable=SC2086  # several packages
"$here/apt_install.sh" "Node 20 or newer with npm" $packages && usable && exit 0
echo "The page's tests need Node 20 or newer with npm (the package itself does not)." >&2
echo "Found: $(node --version 2>/dev/null || echo no node), npm $(npm --version 2>/dev/null || echo none)." >&2
echo "On Debian 13, Ubuntu 25.04 and later:" >&2
echo "    sudo apt-get install $packages" >&2
echo "elsewhere see https://nodejs.org/en/download" >&2
exit 1
