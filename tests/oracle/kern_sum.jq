# kern_sum.jq - nvtx_kern_sum of tq-stats, of a whole stream, by brute force:
# [range, ranges, kernels, total, median, min, max, deviation, kernel] for each
# range and the kernels k0 and k1 whose calls lie in it

def round1: . * 10 + 0.5 | floor / 10;

def rows: [inputs] |
    map(select(.kind == "kernel")) as $k |
    (map(select(.ts) | .ts + (.dur // 0)) | max) as $last |
    map(select(.kind == "range")) | group_by(.name)[] | . as $place |
    ["k0", "k1"][] as $name |
    [$place[] | (.ts + (.dur // ($last - .ts))) as $to | .ts as $from |
	[$k[] | select(.name == $name and .api_ts >= $from and
	    .api_ts + .api_dur <= $to) | .dur]] |
    (map(select(length > 0)) | length) as $ranges |
    add | sort | select(length > 0) |
    length as $n | add as $sum | ($sum / $n) as $mean |
    [$place[0].name, $ranges, $n, $sum,
	((.[($n - 1) / 2 | floor] + .[$n / 2 | floor]) / 2 | round1),
	.[0], .[-1],
	(if $n > 1 then (map(. - $mean | . * .) | add) / ($n - 1) | sqrt
	    else 0 end | round1), $name];
