#!/bin/sh
# How does one step look?  Writes a small trace of the one of median duration,
# or of another: sh one-step.sh r.sqlite 'iteration/7' step.json
set -eu
. "$(dirname "$0")/prepare"

step=${2:-median} trace=${3:-step.json}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tq-extract -o "$work/all.tq.zst" "$file"
tq-filter --step "$step" --scope process "$work/all.tq.zst" |
    tq-correlate --scope process | tq-chrome -q -o "$trace"
ls -l "$trace"
