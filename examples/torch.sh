#!/bin/sh
# Which operators of a PyTorch trace cost most on the GPU, and who calls them?
set -eu
demo=torch
. "$(dirname "$0")/prepare"

tq-extract "$file" | tq-correlate |
    tq-stats -r key_averages --sort self_device_ns -f csv --plain-keys |
    cut -d , -f 1,3,7,9,11
