# merge_short.awk - what there has to be of the kernels of a stream with
# --merge-short limit: ts, dur, count, busy of each record.  Reads operations in
# order: stream, kind, ts, dur.

function finish(s) {
	if (n[s]) printf "%.0f %.0f %d %.0f\n", from[s], to[s] - from[s], n[s], busy[s]
	n[s] = 0
}
{ short = $2 == "kernel" && $4 != "" && $4 >= 0 && $4 < limit }
!short || $3 - to[$1] >= limit { finish($1) }
short {
	if (!n[$1]++) { from[$1] = to[$1] = $3; busy[$1] = 0 }
	if (to[$1] < $3 + $4) to[$1] = $3 + $4
	busy[$1] += $4
}
!short && $2 == "kernel" { printf "%.0f %s 1 %s\n", $3, $4, $4 }
END { for (s in n) finish(s) }
