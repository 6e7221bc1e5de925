# judge.awk - clocks that tq-align found, against what ranks.c planted
#
#	awk -v end=NS -f judge.awk truth clocks.tq
#
# prints for each way of finding a clock how many there are, by how much the
# worst is wrong at the ends of the recording, and the largest error that was
# proved; then "missed", how many are wrong by more than was proved, and
# "misled", how many of those that UTC and the order of operations decided are
# wrong by more than their error.

function number(key) {
	if (!match($0, "\"" key "\":-?[0-9]+"))
		return "none"
	return substr($0, RSTART + length(key) + 3, RLENGTH - length(key) - 3) + 0
}

FNR == NR {
	offset[$1] = $2
	drift[$1] = $3
	next
}

/"kind":"clock"/ {
	rank = number("rank")
	error = number("clock_error")
	match($0, /"clock_by":"[a-z]+/)
	by = substr($0, RSTART + 12, RLENGTH - 12)
	worst = 0
	for (i = 0; i < 2; i++) {
		t = i ? end : 1e9 # true time: that of rank 0
		own = t + offset[rank] + t * drift[rank] / 1e9
		off = own + number("clock_offset") + \
		    own * number("clock_drift") / 1e9 - t
		if (off < 0)
			off = -off
		if (off > worst)
			worst = off
	}
	if (rank == 0)
		next # the reference
	count[by]++
	if (worst > most[by])
		most[by] = worst
	if (error != "none" && worst > error + 2) {
		if (by == "sequence")
			misled++
		else
			missed++
	}
	if (error != "none" && error > largest[by])
		largest[by] = error
}

END {
	for (by in count)
		printf "%s %d worst %d error %d\n", by, count[by], most[by],
		    largest[by] | "sort"
	close("sort")
	print "missed", missed + 0
	print "misled", misled + 0
}
