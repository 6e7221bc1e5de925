# storm.bash - storm under tq-capture, and whether all it did was recorded; for
# files that load fakecuda and capture as well

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
	jq -s "map(.$1 | .runtime -= .silent | .$2) | add" "$numbers"
}

# records KIND: how many records there are in the stream, as storm counts.
records() {
	case $1 in
	runtime | driver) grep -c "\"api\":\"cuda-$1\"" "$tq" ;;
	memcpy) grep '^{"kind":"memcpy"' "$tq" | grep -vc '"src_device"' ;;
	memcpy2) grep '^{"kind":"memcpy"' "$tq" | grep -c '"src_device"' ;;
	memory) grep '^{"kind":"alloc"' "$tq" | grep -c '"op":"\(alloc\|free\)"' ;;
	# one whose name comes late is defined again
	stream) grep '^{"kind":"stream"' "$tq" | sed 's/"name":"[^"]*",//' |
	    sort -u | wc -l ;;
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

	{
		jq -sr "map(.$1 | .runtime -= .silent | to_entries[]) |
		    group_by(.key)[] | [.[0].key, (map(.value) | add)] | @tsv" \
		    "$numbers"
		echo recorded
		for kind in "${@:2}"; do
			echo "$kind $(records "$kind")"
		done
	} | awk '
	$1 == "recorded" { now = 1; next }
	!now { did[$1] = $2; next }
	!($1 in did) || $2 != did[$1] {
		print $1 ": recorded " $2 ", done " did[$1]
		bad = 1
	}
	END { exit bad || !now }'
}
