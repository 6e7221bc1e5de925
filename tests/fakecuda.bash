# fakecuda.bash - programs on the GPU that is none; see fakecuda/fakecuda.h

FAKE=$BUILD/fakecuda
GENERATIONS="11.8 12.4 13.0 future"

# need_fakecuda: skip the test where it was not built.
need_fakecuda() {
	[[ -x $FAKE/storm ]] || skip "fakecuda was not built, for want of cupti.h"
}

# fake GENERATION COMMAND ...: run it with these libraries.
fake() {
	LD_LIBRARY_PATH=$FAKE/$1:$FAKE "${@:2}"
}

# storm GENERATION "[OPTION ...]" [STORM-OPTION ...]: storm under tq-capture
# with these options; its numbers are in $numbers.
storm() {
	numbers=$BATS_TEST_TMPDIR/numbers
	rm -f "$numbers"
	# shellcheck disable=SC2086 # options
	fake "$1" capture -q $2 "$FAKE/storm" -o "$numbers" "${@:3}"
}

# done_of all|range KIND: what storm did, without the calls that only ask.
done_of() {
	jq -s "map(.$1 | .runtime -= .silent | .$2) | add" \
	    "$BATS_TEST_TMPDIR/numbers"
}

# records KIND: how many records there are in the stream, as storm counts.
records() {
	case $1 in
	runtime | driver) grep -c "\"api\":\"cuda-$1\"" "$tq" ;;
	memcpy) grep '^{"kind":"memcpy"' "$tq" | grep -vc '"src_device"' ;;
	memcpy2) grep '^{"kind":"memcpy"' "$tq" | grep -c '"src_device"' ;;
	memory) grep '^{"kind":"alloc"' "$tq" | grep -c '"op":"\(alloc\|free\)"' ;;
	pool) grep '^{"kind":"alloc"' "$tq" | grep -vc '"op":"\(alloc\|free\)"' ;;
	overhead) grep '^{"kind":"overhead"' "$tq" |
	    grep -vc '"name":"tq-capture"' ;;
	*) count "$1" ;;
	esac || true
}

# same all|range KIND ...: there are as many records of these kinds as there
# were doings.
same() {
	local kind

	for kind in "${@:2}"; do
		echo "$kind $(records "$kind") $(done_of "$1" "$kind")"
	done | awk '$2 != $3 { print "recorded, done: " $0; bad = 1 }
	    END { exit bad }'
}
