#!/bin/sh
# Which kernels ran for each roctx range of an AMD program, and for how long?
set -eu
demo=amd
. "$(dirname "$0")/prepare"

tq-extract "$file" | tq-correlate | tq-stats -r nvtx_kern_sum -f csv |
    cut -d , -f 1,7,8,13
