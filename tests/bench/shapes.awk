# shapes.awk - a stream in which ranges, calls or operations lie as no tool
# expects them to, so that what is more than n log n shows
#
#	awk -v shape=touching -v records=10000 -f shapes.awk
#
# touching, overlapping	ranges one after another, of 10 and of 15 ns every 10 ns
# nested		each range in the one before
# open			ranges that nothing ends
# domains		as touching, each range with a domain of its own
# crossing		each range crosses all others, and one encloses them all
# requests		the same with a call and its kernel in each
# kernels		operations of a stream, each of which crosses all others
# corr			the same of calls, all with one correlation id
# streams		each kernel on a stream of its own
# threads		as touching, each range on a thread of its own
# names			as touching, each range and kernel with a name of its own
# sections		each call and its kernel in a section of its own
#
# In each range but the crossing ones is a call, and the kernel that it launches.

function range(i, dur, more) {
	printf "{\"kind\":\"range\",\"ts\":%d,%s,\"pid\":1,\"tid\":%d," \
	    "\"name\":\"range%s\",\"id\":%d,\"mode\":\"push\"%s}\n", at(i),
	    dur == "" ? "\"open\":true" : sprintf("\"dur\":%d", dur), tid,
	    name, i + 1, more
	lines++
}

function call(i, ts, dur, corr) {
	printf "{\"kind\":\"api\",\"ts\":%d,\"dur\":%d,\"pid\":1,\"tid\":%d," \
	    "\"corr\":%d,\"name\":\"cudaLaunchKernel\"," \
	    "\"api\":\"cuda-runtime\",\"ret\":0,\"gpu\":1}\n", ts, dur, tid,
	    corr
	lines++
}

function kernel(i, ts, dur, corr, stream) {
	printf "{\"kind\":\"kernel\",\"ts\":%d,\"dur\":%d,\"pid\":1," \
	    "\"corr\":%d,\"name\":\"kernel%s\",\"device\":0,\"context\":1," \
	    "\"stream\":%d,\"grid\":[1,1,1],\"block\":[256,1,1]}\n", ts, dur,
	    corr, name, stream == "" ? 7 : stream
	lines++
}

function section() {
	print "{\"kind\":\"trace\",\"version\":1,\"source\":\"shapes\"}"
	lines = 0
}

function section_end() {
	printf "{\"kind\":\"end\",\"events\":%d,\"dropped\":0}\n", lines
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
	steps = records / (shape ~ /crossing|kernels/ ? 1 : \
	    shape ~ /corr|streams/ ? 2 : shape == "sections" ? 4 : 3)
	long = at(steps)
	tid = 1
	section()
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
		else if (shape == "threads") {
			tid = i + 1
			step(i, 10)
		} else if (shape == "names") {
			name = sprintf("%c%x_", 97 + i % 26, i)
			step(i, 10)
		} else if (shape == "crossing")
			range(i, i == 0 ? 3 * long : long)
		else if (shape == "requests")
			step(i, long)
		else if (shape == "kernels")
			kernel(i, at(i), long, i + 1)
		else if (shape == "corr") {
			call(i, at(i), long, 1)
			kernel(i, at(i) + 1, 2, 1)
		} else if (shape == "streams") {
			call(i, at(i), 3, i + 1)
			kernel(i, at(i) + 5, 2, i + 1, i + 1)
		} else if (shape == "sections") {
			if (i > 0) {
				section_end()
				section()
			}
			call(i, at(i), 3, 1)
			kernel(i, at(i) + 5, 2, 1)
		} else {
			print "shapes.awk: no shape " shape >"/dev/stderr"
			exit 2
		}
	section_end()
}
