#!/usr/bin/env bats
# tq-stats -f html: the page of a recording in one file.

load helper
load browser

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

# training STEPS: two GPUs of a process compute, copy and communicate in each
# step of 10 ms, and wait for the host
training() {
	awk -v steps="$1" 'function op(kind, ts, dur, device, name, more) {
		printf "{\"kind\":\"%s\",\"ts\":%d,\"dur\":%d,\"pid\":1," \
		    "\"tid\":1,\"corr\":%d,\"name\":\"%s\",\"device\":%d," \
		    "\"context\":1,\"stream\":7%s,\"api_ts\":%d," \
		    "\"api_dur\":5000,\"api_name\":\"cudaLaunchKernel\"}\n",
		    kind, ts, dur, ++corr, name, device, more, ts - 9000
	}
	BEGIN {
		print "{\"kind\":\"trace\",\"version\":1,\"source\":\"nsys\"," \
		    "\"command\":\"/usr/bin/python /home/me/train.py\"}"
		for (g = 0; g < 2; g++)
			printf "{\"kind\":\"device\",\"pid\":1,\"device\":%d," \
			    "\"name\":\"NVIDIA H100\"}\n", g
		for (s = 0; s < steps; s++) {
			t = 1000000 + s * 10000000
			printf "{\"kind\":\"range\",\"ts\":%d,\"dur\":9900000," \
			    "\"pid\":1,\"tid\":1,\"name\":\"Step %d\"}\n", t - 50000, s
			for (g = 0; g < 2; g++) {
				op("memcpy", t + g, 500000, g, "[HtoD]", \
				    ",\"bytes\":4000000,\"copy\":\"HtoD\"")
			}
			for (g = 0; g < 2; g++)
				op("kernel", t + 1000000 + g, 5000000 + s * 1000, g, \
				    "void ns::gemm<float, 128>(int)", "")
			for (g = 0; g < 2; g++)
				op("kernel", t + 7000000 + g, 1000000, g, \
				    "ncclDevKernel_AllReduce", "")
		}
		print "{\"kind\":\"end\",\"events\":" 2 + 7 * steps ",\"dropped\":0}"
	}'
}

# one_kernel NAME: a stream of a kernel, whose name is in JSON
one_kernel() {
	stream '{"kind":"kernel","ts":0,"dur":5000000,"pid":1,"device":0,'`
	    `'"context":1,"stream":7,"name":"'"$1"'"}'
}

# sums CLASS: data-v of the parts of the bars of GPUs, of that class
sums() {
	grep -o '<i style="width:[0-9.]*%;--c:var(--'"$1"')" data-v="[0-9]*"' |
	    sed 's/.*data-v="//; s/"//'
}

# ---- one file ----

@test "the page is well-formed, and loads nothing" {
	training 10 > in
	tq-stats -f html in > out.html
	run -1 grep -nE '(src|href) *=|url\(|@import|https?:' out.html
	[[ $(head -n 1 out.html) = '<!DOCTYPE html>' ]]
	need xmllint
	xmllint --noout out.html
}

@test "the script of the page is below 2 kB" {
	training 2 > in
	size=$(tq-stats -f html in | sed -n '/^<script>/,/^<\/script>/p' | wc -c)
	((size < 2000))
}

@test "the page of the same stream is the same" {
	training 10 > in
	tq-stats -f html in > a
	tq-stats -f html in > b
	cmp a b
}

@test "the page is below 200 kB, however long the recording" {
	training 2000 > in
	tq-stats -f html in > out.html
	(($(wc -c < out.html) < 200000))
}

@test "names that look like HTML are shown, and do nothing" {
	one_kernel '</title><script>alert(1)</script><b title=\"x&amp;\u0001' > in
	tq-stats -f html in > out.html
	[[ $(grep -c '<script>' out.html) == 1 ]]
	run -1 grep -F 'alert(1)</' out.html
	run -1 grep $'\x01' out.html
	grep -qF '&lt;script&gt;alert(1)&lt;/script&gt;' out.html
	need xmllint
	xmllint --noout out.html
}

@test "names of kernels are short, and have the full one on hover" {
	training 3 > in
	tq-stats -f html in > out.html
	grep -qF 'title="void ns::gemm&lt;float, 128&gt;(int)"><span class="m">gemm' out.html
}

@test "the page and its title name the file, behind tq, too" {
	training 3 > in
	tq-stats -f html in > out.html
	grep -qF '<title>in - tq-stats</title>' out.html
	grep -qF '<div class="m"><b>in</b> python train.py</div>' out.html
	# a recording that tq-extract reads for it
	tq-chrome -o 'a run.json' in
	tq stats -f html 'a run.json' > out.html
	grep -qF '<title>a run.json - tq-stats</title>' out.html
	grep -qF '<div class="m"><b>a run.json</b>' out.html
	tq stats -f html -r kernels 'a run.json' > out.html
	grep -qF '<title>a run.json - tq-stats</title>' out.html
	tq stats 'a run.json' | grep -q '^a run.json'
	tq-stats in | grep -qx 'in: python train.py'
	# of a pipe from somewhere, what ran
	tq-stats -f html < in | grep -qF '<title>python train.py - tq-stats</title>'
}

# ---- its parts ----

@test "the bars of the page add up to what device_time says" {
	training 10 > in
	tq-stats -f html in > out.html
	tq-stats -r device_time -f csv in > times
	[[ $(sums compute < out.html) = $(cut -d, -f4 times | tail -n +2) ]]
	[[ $(sums comm < out.html) = $(cut -d, -f5 times | tail -n +2) ]]
	[[ $(sums copy < out.html) = $(cut -d, -f6 times | tail -n +2) ]]
}

@test "the scale of the spread ends at the longest duration" {
	one_kernel k > in
	tq-stats -f html in > out.html
	# 5 ms, in a bin of half an octave
	grep -qF 'spread on one log scale, 23.2 us to 5.93 ms' out.html
	# the bar at the right edge
	grep -qF '<path d="M60 21v-20.0h3V21z"/>' out.html
}

@test "five GPUs stand in two halves, each with an axis" {
	for g in {0..4}; do
		echo '{"kind":"kernel","ts":0,"dur":5000000,"pid":1,"device":'"$g"`
		    `',"context":1,"stream":7,"name":"k"}'
	done | stream > in
	tq-stats -f html in > out.html
	[[ $(grep -c '<svg class="strip"' out.html) == 5 ]]
	[[ $(grep -c '<div class="ax">' out.html) == 2 ]]
}

@test "each GPU has a strip of 60 rectangles with numbers, and steps below" {
	training 10 > in
	tq-stats -f html in > out.html
	[[ $(grep -c '<svg class="strip"' out.html) == 2 ]]
	[[ $(grep -c '<rect ' out.html) == 120 ]]
	[[ $(grep -c '<small>steps</small>' out.html) == 2 ]]
	[[ $(grep -c 'title="Step [0-9], 9.90 ms"' out.html) == 20 ]]
	# a line where each begins
	[[ $(grep -o '<path class="at" d="[^"]*"' out.html | grep -o M | wc -l) == 20 ]]
}

@test "without steps the outermost ranges that cover the time stand below" {
	training 10 | sed 's/Step/turn/' > in
	tq-stats -f html in > out.html
	[[ $(grep -c '<small>ranges</small>' out.html) == 2 ]]
	run -1 grep 'class="at"' out.html
}

@test "a thread with steps stands below, though another one launched more" {
	training 10 | awk '
	/"kind":"end"/ { print "{\"kind\":\"end\",\"events\":" NR - 2 + n ",\"dropped\":0}"; next }
	/"kind":"kernel"/ { sub(/"tid":1/, "\"tid\":2") }
	{ print }
	/"name":"Step/ {
		n++
		sub(/"tid":1/, "\"tid\":2")
		sub(/Step [0-9]*/, "backward")
		print
	}' > in
	tq-stats -f html in > out.html
	[[ $(grep -c '<small>steps</small>' out.html) == 2 ]]
	[[ $(grep -c 'title="Step [0-9], 9.90 ms"' out.html) == 20 ]]
}

@test "a pipe is called what recorded it" {
	training 2 | sed 's/,"command":"[^"]*"//; s/"nsys"/"kineto"/' > in
	tq-stats -f html < in | grep -q '<title>kineto - tq-stats</title>'
	tq-stats -f html in | grep -q '<title>in - tq-stats</title>'
	mkdir -p a
	cp in a/other
	tq-stats -f html a/other in in |
	    grep -q '<title>other and 2 more - tq-stats</title>'
}

@test "ranges that are too short to be seen are one" {
	for i in {1..1000}; do
		echo '{"kind":"range","ts":'"$i"'000,"dur":900,"pid":1,"tid":1,"name":"r"}'
		echo '{"kind":"kernel","ts":'"$i"'100,"dur":500,"pid":1,"tid":1,"corr":1,'`
		    `'"device":0,"context":1,"stream":7,"name":"k"}'
	done | stream > in
	tq-stats -f html in | grep 'class="z"' > short
	grep -q 'title="1,000 ranges, ' short
}

@test "a page of nothing says so, and has no tables" {
	stream '{"kind":"process","pid":1,"name":"a"}' > in
	tq-stats -f html in > out.html
	grep -q '<h1>Nothing was recorded' out.html
	run -1 grep -E '<table|<svg|<h2>GPU' out.html
}

@test "a page of all times there are is well-formed" {
	stream '{"kind":"range","ts":-9223372036854775808,"dur":9223372036854775807,"pid":1,"tid":1,"name":"step 0"}' \
	    '{"kind":"kernel","ts":-9223372036854775808,"dur":9223372036854775807,"pid":1,"tid":1,"corr":1,"device":0,"context":1,"stream":7,"name":"k"}' \
	    '{"kind":"kernel","ts":9223372036854775806,"dur":1,"pid":1,"tid":1,"corr":2,"device":0,"context":1,"stream":7,"name":"k"}' > in
	tq-stats -f html in > out.html
	[[ $(grep -c '<rect ' out.html) == 60 ]]
	run -1 grep -nE '="[^"]*(nan|inf)' out.html
	need xmllint
	xmllint --noout out.html
}

@test "lost events are red" {
	one_kernel k | sed 's/"dropped":0/"dropped":7/' > in
	tq-stats -f html in > out.html
	grep -qF '<span class="bad">7 events lost</span>' out.html
}

@test "-f html of other reports is a table" {
	one_kernel k > in
	tq-stats -f html -r cuda_gpu_kern_sum in > out.html
	run -1 grep -E '<svg|class="card"' out.html
	[[ $(grep -c '<table>' out.html) == 1 ]]
}

# ---- in a browser ----

@test "nothing of the page passes the right edge, from telephones to desktops" {
	need chromium
	training 10 > in
	tq-stats -f html in > out.html
	check_widths out.html
	for w in "${widths[@]}"; do
		check_picture out.html "$w"
	done
}

@test "on wide screens the cards stand in columns that end together" {
	need chromium
	training 10 > in
	tq-stats -f html in > out.html
	check_columns out.html > said
	diff - said <<- 'END'
	1280 2 level
	1920 3 level
	2560 4 level
	3840 6 level
	END
}

@test "a click on a title sorts the rows by it, another one the other way" {
	need chromium
	training 10 > in
	{
		tq-stats -f html in
		echo '<script>
const table = [...document.querySelectorAll("table")].find(
    one => one.tHead.textContent.includes("Kernel"));
for (const title of ["Time", "Time", "Kernel", "Kernel", "Spread"]) {
	for (const th of table.querySelectorAll("th"))
		if (th.textContent == title)
			th.click();
	document.body.append("\n" + title + ": " + [...table.tBodies[0].rows]
	    .map(row => row.querySelector(".nm").textContent.slice(0, 4))
	    .join(" ") + "\n");
}
</script>'
	} > probe.html
	browse --dump-dom "file://$PWD/probe.html" |
	    grep -E '^(Time|Kernel|Spread): ' > said
	diff - said << 'END'
Time: gemm nccl
Time: nccl gemm
Kernel: gemm nccl
Kernel: nccl gemm
Spread: gemm nccl
END
}

@test "nothing passes it with names without a blank, either" {
	need chromium
	long=$(printf 'x%.0s' {1..3000})
	{
		one_kernel "$long"
		training 3 | sed "s/Step/$long/; s/train.py/$long/; s/AllReduce/&$long/"
	} > in
	tq-stats -f html in > out.html
	check_widths out.html
}

@test "nothing passes it on pages of real recordings" {
	need chromium
	for name in 2026.2.1-mfu-2gpu 2024.6.2-torch-2.7b 2024.6.2-cuda-graphs \
	    2025.3.1-cupy-nvtx; do
		data "nsys/$name.sqlite"
		tq-stats -f html "$(correlated "$name")" > out.html
		(($(wc -c < out.html) < 200000))
		check_widths out.html
	done
}
