# shapes.awk - a stream in which ranges, calls or operations lie as no tool
# expects them to, so that what is more than n log n shows
#
#	awk -v shape=touching -v steps=10000 -f shapes.awk
#
# The times of step i begin at 10 * i.  Shapes: touching and overlapping, ranges
# one after another; nested, each in the one before; open, ranges that no pop
# ends; domains, touching ones, each with a domain of its own: in each of these
# ranges is a call, and the kernel that it launches; crossing, ranges, each of
# which crosses all others; kernels, the same of operations on a stream; corr,
# the same of calls with one correlation id.

function range(i, dur, more) {
	printf "{\"kind\":\"range\",\"ts\":%d,%s,\"pid\":1,\"tid\":1," \
	    "\"name\":\"range\",\"id\":%d,\"mode\":\"push\"%s}\n", at(i),
	    dur == "" ? "\"open\":true" : sprintf("\"dur\":%d", dur), i + 1,
	    more
	records++
}

function call(i, ts, dur, corr) {
	printf "{\"kind\":\"api\",\"ts\":%d,\"dur\":%d,\"pid\":1,\"tid\":1," \
	    "\"corr\":%d,\"name\":\"cudaLaunchKernel\"," \
	    "\"api\":\"cuda-runtime\",\"ret\":0,\"gpu\":1}\n", ts, dur, corr
	records++
}

function kernel(i, ts, dur, corr) {
	printf "{\"kind\":\"kernel\",\"ts\":%d,\"dur\":%d,\"pid\":1," \
	    "\"corr\":%d,\"name\":\"kernel\",\"device\":0,\"context\":1," \
	    "\"stream\":7,\"grid\":[1,1,1],\"block\":[256,1,1]}\n", ts, dur,
	    corr
	records++
}

function at(i) {
	return 10 * i
}

# a range with a call, and its kernel
function step(i, dur, more) {
	range(i, dur, more)
	call(i, at(i) + 1, 3, i + 1)
	kernel(i, at(i) + 5, 2, i + 1)
}

BEGIN {
	long = at(steps)
	print "{\"kind\":\"trace\",\"version\":1,\"source\":\"shapes\"}"
	for (i = 0; i < steps; i++)
		if (shape == "touching")
			step(i, 10)
		else if (shape == "overlapping")
			step(i, 15)
		else if (shape == "nested")
			step(i, 2 * (long - at(i)))
		else if (shape == "open")
			step(i)
		else if (shape == "domains")
			step(i, 10, sprintf(",\"domain\":\"domain %d\"", i))
		else if (shape == "crossing")
			range(i, long)
		else if (shape == "kernels")
			kernel(i, at(i), long, i + 1)
		else if (shape == "corr") {
			call(i, at(i), long, 1)
			kernel(i, at(i) + 1, 2, 1)
		} else {
			print "shapes.awk: no shape " shape >"/dev/stderr"
			exit 2
		}
	printf "{\"kind\":\"end\",\"events\":%d,\"dropped\":0}\n", records
}
