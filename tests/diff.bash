# diff.bash - what the tests of tq-diff share

# random SEED: a recording of two devices with streams that overlap, of one
# program; the durations vary by some per mille
random() {
	awk -v seed="$1" '
	function dur(ns) { return int(ns * (1 + off + (rand() - 0.5) / 100)) }
	function put(kind, device, stream, ns, name) {
		printf "{\"kind\":\"%s\",\"ts\":%d,\"dur\":%d,\"pid\":%d,%s" \
		    "\"device\":0,\"stream\":%d,%s\"api_ts\":%d,\"api_dur\":2000}\n",
		    kind, ts, ns, device + 1,
		    kind == "kernel" ? "\"name\":\"" name "\"," : "", stream,
		    kind == "kernel" ? "\"grid\":[" ns % 2 + 1 ",1,1]," : \
			"\"bytes\":4096,\"copy\":\"HtoD\",", ts - 3000
	}
	BEGIN {
		srand(seed)
		off = (rand() - 0.5) / 200
		print "{\"kind\":\"trace\",\"version\":1,\"source\":\"nsys\"," \
		    "\"origin_utc_ns\":\"" 1000 + seed "\",\"host\":\"h\"}"
		n = split("gemm,softmax,norm,ncclDevKernel_AllReduce,add,copy", name, ",")
		ts = 10000
		for (i = 0; i < 60; i++)
			for (k = 1; k <= n; k++)
				for (d = 0; d < 2; d++) {
					ns = dur(20000 * k)
					put(k == 6 ? "memcpy" : "kernel", d,
					    k == 4 ? 2 : 1, ns, name[k])
					ts += k == 4 ? int(ns / 3) : ns + dur(3000)
				}
		print "{\"kind\":\"end\",\"events\":" 60 * n * 2 ",\"dropped\":0}"
	}'
}

# plant SPEC FILE: see oracle/plant.py
plant() {
	python3 "$top/tests/oracle/plant.py" "$1" < "$2" 2> planted
}
