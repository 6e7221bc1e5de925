#!/bin/sh
# Compare new recordings with a baseline, and fail where a step got 3 % slower: a
# job for each pull request.
#
#	ci-gate.sh BASE.account NEW.tq ...	exit with 3 if it is slower
#	ci-gate.sh --update BASE.account NEW.tq ...	accept: a new baseline
#
# The baseline is a file of some 100 KB in the repository, so an accepted
# regression is a commit with a message.  Four recordings or more on both sides
# give a verdict; fewer only an estimate, which passes here.  In a workflow:
#
#	- run: sh ci-gate.sh perf/base.account runs/*.tq
#	- if: always()
#	  run: gh pr comment --body-file comment.md "$PULL_REQUEST"
set -eu

update=
if [ "${1-}" = --update ]; then
	update=1
	shift
fi
if [ $# -lt 2 ]; then
	echo "usage: ci-gate.sh [--update] base.account new.tq ..." >&2
	exit 2
fi
base=$1
shift

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for recording; do
	tq-correlate "$recording" | tq-stats --partial -r account
done > "$work/new.account"

if [ "$update" ] || [ ! -e "$base" ]; then
	mv "$work/new.account" "$base"
	echo "$base: the baseline of $# recordings"
	exit
fi

status=0
tq-diff --or-pass --fail-if "${GATE:-wall > +3%}" -f markdown \
    -o "${COMMENT:-comment.md}" "$base" "$work/new.account" || status=$?
# its first line is the gate, in Markdown
sed -n '1{s/\\\(.\)/\1/g;s/ *$//p;}' "${COMMENT:-comment.md}"
exit $status
