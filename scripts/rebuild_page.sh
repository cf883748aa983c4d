#!/bin/sh
# Rebuilds the page and fails if a committed build was not made from the committed source.
set -eu
cd "$(dirname "$0")/../tensorboard_memleak"

before=$(mktemp -d)
trap 'rm -rf "$before"' EXIT
cp -R static onefile "$before"
(cd ../frontend && npm run --silent build)
for built in static onefile; do
    if ! diff -r "$before/$built" "$built" >/dev/null; then
        diff -rq "$before/$built" "$built" | sed "s|$before|committed|g" >&2 || true
        echo "$built is not what frontend/ builds to. It has just been rebuilt: commit it." >&2
        exit 1
    fi
done
