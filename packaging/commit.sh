#!/bin/sh
# Print the commit of these sources, "-dirty" behind it if they differ from it.
# Git knows it, or packaging/commit of an archive; else the line is empty.
cd "$(dirname "$0")/.." || exit 1
case $(cat packaging/commit) in
'$'*) [ ! -e .git ] || git describe --always --dirty --abbrev=10 \
    --exclude='*' 2> /dev/null ;;
*) cat packaging/commit ;;
esac || :
