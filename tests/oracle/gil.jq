# gil.jq - gil_sum of tq-stats, of a whole stream

# each thread's waits and holds: number, ns, of all ns with that name, the
# shortest, the median (in halves of a ns), the longest
def threads: [inputs | select(.kind == "gil" and has("dur"))] |
    group_by(.name)[] | (map(.dur) | add) as $all |
    group_by([.pid, .tid])[] | map(.dur) as $d | ($d | sort) as $s |
    [.[0].name, .[0].pid, .[0].tid, ($d | length), ($d | add), $all, $s[0],
	$s[($s | length - 1) / 2 | floor] + $s[$s | length / 2 | floor],
	$s[-1]];
