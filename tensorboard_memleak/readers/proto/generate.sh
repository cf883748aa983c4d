#!/bin/sh
# Regenerates *_pb2.py and *_pb2.pyi from the .proto files beside this script.
#
# The generator is pinned to the oldest runtime that setup.py accepts (protobuf 4.25): generated
# code runs on its own and on later runtimes, never on earlier ones.
#
#   usage: generate.sh [PYTHON]    PYTHON has grpcio-tools==1.62.3 (default: a fresh environment)
set -eu
package_root=$(cd "$(dirname "$0")/../../.." && pwd)
python=${1:-}
if [ -z "$python" ]; then
  environment=$(mktemp -d)
  trap 'rm -rf "$environment"' EXIT
  python3 -m venv "$environment"
  python="$environment/bin/python"
  "$python" -m pip install --quiet 'grpcio-tools==1.62.3' 'setuptools<81'
fi
cd "$package_root"
"$python" -m grpc_tools.protoc --proto_path=. --python_out=. --pyi_out=. \
  tensorboard_memleak/readers/proto/*.proto
