#!/bin/sh
# How does one step look?  Writes a small trace of the range "step 1" alone.
set -eu
. "$(dirname "$0")/prepare"

name=${2:-step 1} trace=${3:-step.json}
tq-extract -k range "$file" | jq -r --arg name "$name" '
    select(.kind == "range" and .name == $name and .dur) |
    "\(.ts) \(.ts + .dur)"' | sort -n | head -n 1 | (
	read -r from to || { echo "no range is called $name" >&2; exit 1; }
	tq-extract --from "$from" --to "$to" "$file" | tq-correlate |
	    tq-chrome -q -o "$trace")
ls -l "$trace"
