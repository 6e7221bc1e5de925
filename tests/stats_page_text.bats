#!/usr/bin/env bats
# tq-stats: the page on a terminal and in a pipe: its width, colours and pager.

load helper

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

# on_terminal COLUMNS COMMAND: what it writes on a terminal
on_terminal() {
	need script C.UTF-8
	TERM=xterm script -qec "stty cols $1; $2" /dev/null < /dev/null |
	    tr -d '\r'
}

# page_of NAME: x.tq becomes the stream of that export
page_of() {
	[[ $1 = demo ]] || need data
	ln -sf "$(correlated "$1")" x.tq
}

# columns SECTION: the titles of its columns in the page on stdin
columns() {
	grep -A 1 "^$1" | sed -n '2s/^ *//; 2s/  */ /gp'
}

# plain: the page on stdin without colours
plain() {
	sed 's/\x1b\[[0-9]*m//g'
}

# ---- width ----

# fits NAME: at each width no line of its page is wider
fits() {
	local width

	page_of "$1"
	for width in 60 80 120 200; do
		on_terminal $width 'tq-stats x.tq' | plain > page
		if (($(wc -L < page) > width)); then
			echo "$1 at $width columns:"
			awk -v width=$width 'length > width' page
			return 1
		fi
	done
	# nothing failed
	[[ $(sed -n 1p page) != tq-stats:* ]]
}

@test "no line of the page is wider than the terminal" {
	fits demo
}

@test "real exports: no line of the page is wider than the terminal" {
	local name

	need data
	for name in "${EXPORTS[@]}" "${SYNTHETIC[@]}"; do
		fits "$name"
	done
}

@test "COLUMNS is the width, else the terminal's, else 80; in a pipe 120" {
	page_of demo
	on_terminal 90 'tq-stats x.tq' > terminal
	COLUMNS=90 on_terminal 200 'tq-stats x.tq' > columns
	diff terminal columns
	on_terminal 80 'tq-stats x.tq' > terminal
	on_terminal 0 'tq-stats x.tq' > unknown
	diff terminal unknown
	tq-stats x.tq > pipe
	COLUMNS=120 tq-stats x.tq | diff pipe -
	COLUMNS=x tq-stats x.tq | diff pipe -
	# a page is never narrower than 60 columns
	on_terminal 60 'tq-stats x.tq' > terminal
	on_terminal 20 'tq-stats x.tq' | diff terminal -
}

@test "columns go in their order until names have their due" {
	page_of demo
	COLUMNS=120 tq-stats x.tq > page
	[[ $(columns KERNELS < page) = '% Time N Median Min Max Spread Kernel' ]]
	[[ $(columns WHERE < page) = '% Idle N Mean Longest Cause' ]]
	[[ $(columns MEMCPY < page) = '% Time N Size Rate Median Direction' ]]
	[[ $(columns CUDA < page) = '% Time N Median Max Call' ]]
	COLUMNS=80 tq-stats x.tq > page
	[[ $(columns KERNELS < page) = '% Time N Median Kernel' ]]
	[[ $(columns WHERE < page) = '% Idle N Longest Cause' ]]
	COLUMNS=60 tq-stats x.tq > page
	[[ $(columns KERNELS < page) = '% Time N Kernel' ]]
	[[ $(columns MEMCPY < page) = 'Time N Size Rate Direction' ]]
	[[ $(columns CUDA < page) = '% Time N Median Call' ]]
}

@test "names are cut in the middle on a terminal, and never in a pipe" {
	local name='a range whose name is far too long for the terminal, and so cut'

	stream '{"kind":"range","ts":0,"dur":5000,"pid":1,"tid":1,"name":"'"$name"'"}' > x.tq
	on_terminal 60 'tq-stats x.tq' > page
	grep '…' page
	! grep -F "$name" page || return 1
	COLUMNS=60 tq-stats x.tq | grep -F "  $name"
}

@test "sentences wrap at 110 columns; a number stays beside its unit" {
	page_of demo
	on_terminal 200 'tq-stats x.tq' | plain | sed '/^GPU TIME/,$d' > page
	(($(wc -L < page) <= 110))
	on_terminal 60 'tq-stats x.tq' | plain | sed '/^GPU TIME/,$d' > page
	! grep -E '^ +([mun]?s|%|[kMGT]?B)( |$)' page || return 1
}

@test "a control character of a name does not reach the terminal" {
	stream '{"kind":"range","ts":0,"dur":5,"pid":1,"tid":1,"name":"a\u001b[31mb\nc"}' > x.tq
	tq-stats x.tq | grep -F '  a?[31mb c'
}

# ---- signs ----

@test "where the locale is not UTF-8 the page is ASCII" {
	page_of demo
	LC_ALL=C tq-stats x.tq > page
	! LC_ALL=C grep '[^ -~]' page || return 1
	grep '^GPU 0  *###*=' page
	tq-stats x.tq | grep '^GPU 0  *███*▓'
	tq-stats x.tq | grep '^median .* █'
}

# ---- colours ----

@test "colours are for a terminal, and change no text" {
	page_of demo
	on_terminal 200 'tq-stats x.tq' > page
	grep $'\e\[1mKERNELS\e\[m' page
	grep $'^GPU 0   \e\[34m█' page
	COLUMNS=200 tq-stats x.tq | diff - <(plain < page)
	! tq-stats x.tq | grep $'\e' || return 1
	tq-stats --color=always x.tq | grep -q $'\e'
	tq-stats --color=always -o page x.tq
	grep -q $'\e' page
}

@test "NO_COLOR, TERM=dumb and --color=never: no colours" {
	page_of demo
	on_terminal 80 'tq-stats --color=never x.tq' > page
	on_terminal 80 'NO_COLOR=1 tq-stats x.tq' | diff page -
	on_terminal 80 'TERM=dumb tq-stats x.tq' | diff page -
	on_terminal 80 'NO_COLOR=1 tq-stats --color=auto x.tq' | diff page -
	! grep -q $'\e' page || return 1
	on_terminal 80 'NO_COLOR=1 tq-stats --color=always x.tq' | grep -q $'\e'
	on_terminal 80 'NO_COLOR= tq-stats x.tq' | grep -q $'\e'
	run -2 tq-stats --color=sometimes x.tq
	[[ $output = "tq-stats: --color sometimes: expected auto, always or never" ]]
}

# ---- the pager ----

# paged COMMAND: what of its output a pager was given, which is in $paged
paged() {
	rm -f paged
	on_terminal 200 "$1" > shown
	[[ -e paged ]]
}

@test "on a terminal a pager gets the page: TQ_PAGER, else PAGER" {
	page_of demo
	paged 'PAGER="cat > paged" tq-stats x.tq'
	[[ ! -s shown ]]
	COLUMNS=200 tq-stats x.tq | diff - <(plain < paged)
	paged 'TQ_PAGER="cat > paged" PAGER=false tq-stats x.tq'
	! paged 'TQ_PAGER= PAGER="cat > paged" tq-stats x.tq' || return 1
	COLUMNS=200 tq-stats x.tq | diff - <(plain < shown)
	! paged 'TQ_PAGER="cat > paged" tq-stats --no-pager x.tq' || return 1
	! paged 'TQ_PAGER="cat > paged" tq-stats x.tq | cat' || return 1
	! paged 'TQ_PAGER="cat > paged" tq-stats -o y x.tq' || return 1
}

@test "a pager gets the tables of reports, too, and what is written for people alone" {
	page_of demo
	paged 'TQ_PAGER="cat > paged" tq-stats -r nvtx_sum,cuda_gpu_trace x.tq'
	[[ ! -s shown ]]
	grep -q 'NVTX ranges (nvtx_sum):' paged
	grep -q '(cuda_gpu_trace):' paged
	for option in '-g name' '-r hist' '-r folded' '--digest 4k'; do
		paged "TQ_PAGER='cat > paged' tq-stats $option x.tq"
		[[ -s paged ]]
	done
	on_terminal 200 'TQ_PAGER= tq-stats -r nvtx_sum x.tq' > shown
	grep -q 'NVTX ranges (nvtx_sum):' shown
	for option in '-r nvtx_sum --no-pager' '-f csv -r nvtx_sum' \
	    '-f json' '-r nvtx_sum -o y'; do
		! paged "TQ_PAGER='cat > paged' tq-stats $option x.tq" || return 1
	done
}

@test "a pager gets what tq-advise, tq-diff and tq-align print for people" {
	page_of demo
	stream '{"kind":"kernel","ts":5,"dur":9,"pid":1,"device":0,"name":"k"}' |
	    jq -c 'if .kind == "trace" then . + {rank: 0} else . end' > r0.tq
	sed 's/"rank":0/"rank":1/' r0.tq > r1.tq
	for command in 'advise x.tq' 'advise --explain hang' 'diff x.tq x.tq' \
	    'align --by none --report r0.tq r1.tq'; do
		paged "TQ_PAGER='cat > paged' tq-$command"
		[[ -s paged && ! -s shown ]]
		! paged "TQ_PAGER='cat > paged' tq-${command/ / --no-pager }" || return 1
		[[ -s shown ]]
		! paged "TQ_PAGER= tq-$command" || return 1
	done
	! paged "TQ_PAGER='cat > paged' tq-advise -f json x.tq" || return 1
	! paged "TQ_PAGER='cat > paged' tq-diff -f ndjson x.tq x.tq" || return 1
}

@test "a pager gets a table of any length, and may be quit" {
	for i in {1..9000}; do
		echo '{"kind":"range","ts":'"$i"'0,"dur":5,"pid":1,"tid":1,"name":"r"}'
	done | stream > long.tq
	paged 'TQ_PAGER="cat > paged" tq-stats -r nvtx_pushpop_trace long.tq; echo $?'
	(($(wc -c < paged) > 600000))
	[[ $(grep -c ' r$' paged) == 9000 ]]
	[[ $(< shown) = 0* ]]
	on_terminal 200 'TQ_PAGER="head -n 3 > paged" tq-stats -r nvtx_pushpop_trace long.tq; echo $?' > shown
	[[ $(wc -l < paged) == 3 && $(< shown) = 0* ]]
}

@test "without them less gets the options FRX, but on a dumb terminal" {
	page_of demo
	mkdir bin
	printf '#!/bin/sh\necho "less $LESS: $(wc -l)" > paged\n' > bin/less
	chmod +x bin/less
	unset PAGER LESS
	export PATH="$PWD/bin:$PATH"
	paged 'tq-stats x.tq'
	[[ $(< paged) = 'less FRX: '[0-9]* ]]
	paged 'LESS=S tq-stats x.tq'
	[[ $(< paged) = 'less S: '* ]]
	! paged 'TERM=dumb tq-stats x.tq' || return 1
	grep '^GO ON' shown
}

@test "a pager that cannot be run does not cost the page" {
	page_of demo
	on_terminal 80 'TQ_PAGER=no-such-pager tq-stats x.tq; echo $?' > shown
	grep "tq-stats: the pager 'no-such-pager' could not be run" shown
	grep '^GO ON' <(plain < shown)
	[[ $(tail -n 1 shown) = 0 ]]
	on_terminal 80 'TQ_PAGER="no-such-pager -x" tq-stats x.tq; echo $?' > shown
	grep '^GO ON' <(plain < shown)
}

@test "a pager that cannot be run does not cost a table of any length" {
	local pager

	for i in {1..9000}; do
		echo '{"kind":"range","ts":'"$i"'0,"dur":5,"pid":1,"tid":1,"name":"r"}'
	done | stream > long.tq
	mkdir bin
	ln -s "$BUILD/tq-stats" bin
	: > bin/none # not executable
	for pager in no-such-pager ./bin/none 'no-such-pager -x' './bin/none -x'; do
		on_terminal 200 "TQ_PAGER='$pager' tq-stats -r nvtx_pushpop_trace long.tq; echo \$?" > shown
		[[ $(grep -c ' r$' shown) == 9000 ]]
		[[ $(grep -c "^tq-stats: the pager '$pager' could not be run" shown) = 1 ]]
		[[ $(tail -n 1 shown) = 0 ]]
	done
	# no less in PATH
	on_terminal 200 "unset PAGER; PATH=\$PWD/bin; tq-stats -r nvtx_pushpop_trace long.tq; echo \$?" > shown
	[[ $(grep -c ' r$' shown) == 9000 && $(tail -n 1 shown) = 0 ]]
	! grep tq-stats: shown || return 1
	# one that has read is not another's failure
	on_terminal 200 "TQ_PAGER='wc -l; exit 1' tq-stats -r nvtx_pushpop_trace long.tq; echo \$?" > shown
	(($(head -n 1 shown) > 9000)) && [[ $(tail -n +2 shown) = 0 ]]
}

@test "the exit status is that of the input, whatever the pager does" {
	page_of demo
	[[ $(on_terminal 80 'TQ_PAGER="exit 3" tq-stats x.tq; echo $?') = 0 ]]
	# an interrupt is the pager's
	[[ $(on_terminal 80 'TQ_PAGER="kill -INT \$PPID; cat > paged" tq-stats x.tq; echo $?') = 0 ]]
	grep -q 'GO ON' paged
	head -n 200 x.tq > cut.tq
	on_terminal 80 'TQ_PAGER="cat > paged" tq-stats cut.tq; echo $?' > shown
	[[ $(tail -n 1 shown) = 1 ]]
	grep -q 'GO ON' paged
}

@test "times up to 292 years have a page" {
	local last=9223372036854775807 least=-9223372036854775807

	stream '{"kind":"kernel","ts":'$least',"dur":'$last',"pid":1,"device":0,"name":"a"}' \
	    '{"kind":"kernel","ts":5,"dur":'$((last - 5))',"pid":1,"device":0,"name":"b"}' > x.tq
	COLUMNS=80 tq-stats x.tq > page
	grep '^The GPU computes 100.0 % of the time.$' page
	[[ $(sed -n '/^GPU 0/{n;p}' page) = *' ███'*'██ busy over time' ]]
}

@test "the command of warnings of the profiler runs as it is laid out" {
	local folder='a folder whose name is long enough for a line/of its own'
	local width

	mkdir -p "$folder"
	{
		echo '{"kind":"range","ts":0,"dur":5,"pid":1,"tid":1,"name":"r"}'
		echo '{"kind":"diagnostic","ts":3,"text":"t","severity":"warning"}'
	} | stream > "$folder/x.tq"
	for width in 60 80 120; do
		COLUMNS=$width tq-stats "$folder/x.tq" > page
		sed -n '/^1 warning of the profiler:/,/^$/p' page > part
		sed '1s/.*profiler: *//; s/^ *[$] //' part > command
		[[ $(sh command | jq -r 'select(.kind == "diagnostic").text') = t ]]
	done
	# behind its title where there is room
	cp "$folder/x.tq" .
	COLUMNS=80 tq-stats x.tq > page
	grep -qx '1 warning of the profiler: tq-filter -k diagnostic x.tq' page
	tq-stats -f html x.tq |
	    grep -q '>Warnings</dt><dd>1 warning of the profiler: <code[^>]*>tq-filter -k diagnostic x.tq</code>'
}

@test "kernels shorter than their launch are of those whose launch is known" {
	local call='{"kind":"api","pid":1,"tid":1,"dur":50'
	local kernel='{"kind":"kernel","pid":1,"device":0,"stream":7,"context":1'

	stream "$call"',"ts":0,"corr":1,"name":"cudaLaunchKernel"}' \
	    "$call"',"ts":100,"corr":2,"name":"cudaLaunchKernel"}' \
	    "$call"',"ts":200,"corr":3,"name":"cudaGraphLaunch"}' \
	    "$kernel"',"ts":300,"dur":10,"corr":1,"name":"a"}' \
	    "$kernel"',"ts":400,"dur":90,"corr":2,"name":"b"}' \
	    "$kernel"',"ts":500,"dur":10,"corr":3,"graph_node":4,"name":"c"}' \
	    "$kernel"',"ts":600,"dur":10,"corr":9,"name":"d"}' |
	    tq-correlate > x.tq
	COLUMNS=120 tq-stats x.tq > page
	grep '^CUDA API CALLS .*; 1 of 2 kernels with a call of their own shorter than it$' page
	tq-filter --no-closure 'kind != "kernel" or corr < 3' x.tq > known.tq
	COLUMNS=120 tq-stats known.tq > page
	grep '^CUDA API CALLS .*; 1 of 2 kernels shorter than their launch$' page
}

# ---- threads ----

# both OPERAND ...: the page in one thread and in several, in text and in HTML,
# with the same messages and status
both() {
	local format threads status

	for format in table html; do
		for threads in 1 2 8; do
			status=0
			TQ_THREADS=$threads tq-stats -f $format "$@" \
			    > page.$threads 2> messages.$threads < input ||
			    status=$?
			echo "status $status" >> messages.$threads
		done
		cmp page.1 page.2 && cmp page.1 page.8 &&
		    cmp messages.1 messages.2 && cmp messages.1 messages.8 ||
		    return
	done
}

@test "the page does not depend on the number of threads" {
	local name

	for name in demo base graph mpi hosts v2023 overlap ranges rocpd empty; do
		correlated $name > /dev/null
		cp "$(correlated $name)" input
		both "$(correlated $name)"
		both          # a file that is stdin
		both --time 1us:2ms
	done
	both "$(correlated demo)" "$(correlated mpi)" - "$(correlated base)"
	grep -q 'status 0' messages.8
	# from a pipe, which is copied while rules survey it
	TQ_THREADS=2 tq-stats < <(cat "$(correlated demo)") > piped
	TQ_THREADS=1 tq-stats < "$(correlated demo)" | cmp - piped
}

@test "messages and status do not depend on the number of threads" {
	head -n 30 "$(correlated demo)" > input
	both
	grep -qx 'tq-stats: warning: <stdin>: stream ends without its end record' \
	    messages.8
	grep -qx 'status 1' messages.8
	both cut.tq
	{
		cat input
		echo '{"kind":"kernel","ts":'
	} > wrong.tq
	both wrong.tq
	grep -q '^tq-stats: wrong.tq:31: ' messages.8
	: > input
	both
	both input "$(correlated demo)"
	grep -qx 'tq-stats: warning: input: is empty' messages.8
}
