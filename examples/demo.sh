#!/bin/sh
# Build tq and turn the demo, a training run on two GPUs, into a trace that a
# browser shows.  Installs what is missing, and asks for nothing.
set -eu

cd "$(dirname "$0")/.."
build=${BUILD:-build}
sh tests/packages.sh build demo

echo "building"
make -s -j "$(nproc)" BUILD="$build"
work=$(mkdir -p "$build/demo" && cd "$build/demo" && pwd)
PATH=$(cd "$build" && pwd):$PATH

cat <<EOF

$ sqlite3 demo.sqlite < examples/demo.sql
$ tq-extract demo.sqlite | tq-correlate -o demo.tq
$ tq-chrome -o demo.json demo.tq

EOF
rm -f "$work/demo.sqlite"
sqlite3 "$work/demo.sqlite" < examples/demo.sql
tq-extract "$work/demo.sqlite" | tq-correlate -o "$work/demo.tq"
tq-chrome -o "$work/demo.json" "$work/demo.tq"

echo "what is in it:"
jq -r .kind "$work/demo.tq" | sort | uniq -c | sort -k 1,1nr -k 2

cat <<EOF

made:
  $work/demo.tq    $(wc -c < "$work/demo.tq") bytes, the events
  $work/demo.json  $(wc -c < "$work/demo.json") bytes, the trace

To look at the trace, go to https://ui.perfetto.dev and choose "Open trace
file", or to chrome://tracing in Chromium or Chrome and choose "Load". The file
is read by the page in your browser; it is not sent anywhere.

The other scripts in examples/ ask questions of the same data.
EOF
