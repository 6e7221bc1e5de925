# rules.awk - streams for the rules of tq-advise, see tests/data/rules/README
#
# awk -v dir=DIR -f rules.awk FILE ...: writes DIR/RULE.N.tq for each case, and
# prints a line for each: RULE N fault|clean HOLE GAIN ALSO NAME

function put(line) {
	records = records line "\n"
	count++
}

function at(offset) {
	return begin + offset
}

# host: a step that is hole ns longer, and nothing in it
function host_step(n, hole,    length_) {
	length_ = kernels * 101000 + 9000 + hole
	put(sprintf("{\"kind\":\"range\",\"ts\":%d,\"dur\":%d,\"pid\":1,\"tid\":1,\"name\":\"step %d\",\"id\":%d,\"mode\":\"push\"}",
	    now, length_, n, n + 1))
	now += length_
}

# 25 kernels: their calls, 2 us after the begin of the step, 5 us each; each
# kernel follows the one before by 1 us
function step(n,    i, call, ts) {
	if (host) {
		host_step(n, 0)
		return
	}
	if (ranges)
		put(sprintf("{\"kind\":\"range\",\"ts\":%d,\"dur\":%d,\"pid\":1,\"tid\":1,\"name\":\"step %d\",\"id\":%d,\"mode\":\"push\"}",
	    now, kernels * 101000 + 9000, n, n + 1))
	for (i = 0; i < kernels; i++) {
		corr++
		call = now + 2000 + i * 6000
		ts = now + 10000 + i * 101000
		put(sprintf("{\"kind\":\"api\",\"ts\":%d,\"dur\":5000,\"pid\":1,\"tid\":1,\"corr\":%d,\"name\":\"cudaLaunchKernel\",\"api\":\"cuda-runtime\"}",
		    call, corr))
		put(sprintf("{\"kind\":\"kernel\",\"ts\":%d,\"dur\":100000,\"pid\":1,\"corr\":%d,\"name\":\"k%d\",\"device\":0,\"context\":1,\"stream\":7,\"grid\":[1000,1,1],\"block\":[256,1,1],\"regs\":32}",
		    ts, corr, i % 5))
	}
	now = ts + 100000
}

function finish(    file) {
	if (what == "")
		return
	file = dir "/" rule "." number ".tq"
	now = 1000000
	corr = 0
	records = ""
	count = 0
	step(0)
	step(1)
	begin = now
	if (host)
		host_step(2, hole)
	for (i = 1; i <= planted; i++) {
		line = plant[i]
		while (match(line, /@-?[0-9]+/))
			line = substr(line, 1, RSTART - 1) \
			    at(substr(line, RSTART + 1, RLENGTH - 1)) \
			    substr(line, RSTART + RLENGTH)
		put(line)
	}
	now = begin + hole
	if (!host)
		step(2)
	print "{\"kind\":\"trace\",\"version\":1,\"source\":\"test\",\"slack\":1000000000}" > file
	print "{\"kind\":\"device\",\"pid\":1,\"name\":\"GPU\",\"device\":0,\"sms\":100,\"cc\":\"8.0\"}" > file
	printf "%s", records > file
	print "{\"kind\":\"end\",\"events\":" count + 1 ",\"dropped\":0}" > file
	close(file)
	print rule, number, what, hole, gain, also, name
	what = ""
}

FNR == 1 {
	finish()
	rule = FILENAME
	sub(/.*\//, "", rule)
	number = 0
}
/^#/ || /^$/ { next }
/^also/ { also = $2; next }
/^kernels/ { kernels = $2; next }
/^no-ranges/ { ranges = 0; next }
/^host/ { host = 1; next }
/^(fault|clean)/ {
	finish()
	what = $1
	name = $2
	hole = $3
	gain = $4 == "" ? "-" : $4
	also = "-"
	planted = 0
	kernels = 25
	ranges = 1
	host = 0
	number++
	next
}
/^repeat/ {
	# repeat N STEP RECORD: N times, each STEP ns and a correlation id later
	line = $0
	sub(/^repeat [0-9]+ [0-9]+ /, "", line)
	for (n = 0; n < $2; n++) {
		copy = line
		out = ""
		while (match(copy, /[@#]-?[0-9]+/)) {
			sign = substr(copy, RSTART, 1)
			v = substr(copy, RSTART + 1, RLENGTH - 1)
			out = out substr(copy, 1, RSTART - 1) \
			    (sign == "@" ? "@" (v + n * $3) : v + n)
			copy = substr(copy, RSTART + RLENGTH)
		}
		plant[++planted] = out copy
	}
	next
}
{ plant[++planted] = $0 }
END { finish() }
