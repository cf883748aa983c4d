#!/bin/sh
# Rebuilds the page and fails if the committed build was not made from the committed source.
set -eu
cd "$(dirname "$0")/.."

built=tensorboard_memleak/static
before=$(mktemp -d)
trap 'rm -rf "$before"' EXIT
cp -R "$built/." "$before"
(cd frontend && npm run --silent build)
if ! diff -r "$before" "$built" >/dev/null; then
    diff -rq "$before" "$built" | sed "s|$before|committed|g" >&2 || true
    echo "$built is not what frontend/ builds to. It has just been rebuilt: commit it." >&2
    exit 1
fi
