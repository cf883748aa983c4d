#!/bin/sh
# Renews requirements/*.txt: complete pins, for every Python that is supported.
# Usage: lock.sh PYTHON; uv is installed for the moment only.
set -eu
python=$1
cd "$(dirname "$0")/../requirements"

tool=$(mktemp -d)
trap 'rm -rf "$tool"' EXIT
"../$python" -m venv "$tool"
"$tool/bin/pip" install --quiet uv
compile() {
    "$tool/bin/uv" pip compile --quiet --upgrade --no-header --no-annotate --no-emit-index-url "$@"
}

for name in runtime test oldest; do
    compile --universal --python-version 3.10 "$name.in" --output-file "$name.txt"
done
for name in record record-frames; do
    compile --python-version 3.11 "$name.in" --output-file "$name.txt"
done
