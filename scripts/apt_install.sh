#!/bin/sh
# Installs Debian packages where that needs no question: as root, with apt-get. Else it fails.
# Usage: apt_install.sh WHAT_IS_MISSING PACKAGE...
set -eu
missing=$1
shift
[ "$(id -u)" = 0 ] || exit 1
command -v apt-get >/dev/null || exit 1
echo "No $missing found: installing $*." >&2
export DEBIAN_FRONTEND=noninteractive
# One source of several that does not answer need not be the one that is needed.
apt-get update -qq >&2 || true
apt-get install -y -qq --no-install-recommends "$@" >&2
