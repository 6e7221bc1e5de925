#!/usr/bin/env bats
# What a tool does at its edges where the system fails: reads, writes, memory.

load helper

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# ---- helpers ----

# traces: skip the test where programs cannot be traced
traces() {
	need strace no-sanitizer # that of leaks cannot be traced
	strace -qq -o /dev/null true 2> /dev/null || skip "strace is not allowed"
}

# calls CALL FILE COMMAND ...: how often the command makes this call of the file
calls() {
	strace -f -qq -o calls -e "trace=$1" -P "$PWD/$2" \
	    "${@:3}" > /dev/null 2>&1 || true
	wc -l < calls
}

# failing CALL FILE:WHEN:ERROR COMMAND ...: run the command, where the nth
# system call on this file fails
failing() {
	local call=$1 file when error

	IFS=: read -r file when error <<< "$2"
	strace -f -qq -o /dev/null -e "trace=$call" -P "$PWD/$file" \
	    -e "inject=$call:error=$error:when=$when" "${@:3}"
}

# says TEXT: all of stderr
says() {
	if [[ $stderr != "$1" ]]; then
		echo "stderr: $stderr"
		echo "instead of: $1"
		return 1
	fi
}

# keeps_old COMMAND ...: it fails, and the file "out" is as it was, alone
keeps_old() {
	echo old > out
	run --separate-stderr "$@"
	if ((status != 1)) || [[ $(cat out) != old ]]; then
		echo "$*: status $status"
		echo "stderr: $stderr"
		head -n 3 out
		return 1
	fi
	[[ -z $(find . -name '.*.tmp') ]]
}

# launches: a stream of more than two buffers, with calls, kernels and ranges
launches() {
	seq 4000 | awk '{
		t = $1 * 100
		id = ",\"pid\":1,\"tid\":1"
		printf "{\"kind\":\"range\",\"ts\":%d,\"dur\":90%s,\"name\":\"r\",\"id\":%d,\"mode\":\"push\"}\n", t, id, $1
		printf "{\"kind\":\"api\",\"ts\":%d,\"dur\":5%s,\"corr\":%d,\"name\":\"launch\"}\n", t + 5, id, $1
		printf "{\"kind\":\"kernel\",\"ts\":%d,\"dur\":%d,\"pid\":1,\"corr\":%d,\"name\":\"k\",\"device\":0,\"stream\":7}\n", t + 20, $1 % 50, $1
	}' | stream
}

# ---- reading a second time ----

@test "a file that cannot be read again ends tq-filter, without an end record" {
	traces
	launches > in.tq
	reads=$(calls read in.tq tq-filter -q 'kind == "none"' in.tq)
	((reads > 3))
	for options in "--top 3" "--step 3" "-k range dur>1"; do
		all=$(calls read in.tq tq-filter $options in.tq)
		((all >= 2 * reads))
		for ((n = reads + 1; n <= all; n++)); do
			keeps_old failing read in.tq:$n:EIO \
			    tq-filter -o out $options in.tq
			says "tq-filter: in.tq: Input/output error"
			run --separate-stderr failing read in.tq:$n:EIO \
			    tq-filter $options in.tq
			((status == 1))
			[[ $output != *'"kind":"end"'* ]]
		done
	done
	keeps_old failing read in.tq:$((reads + 2)):EIO \
	    tq-stats --filter-nvtx r -o out in.tq
	says "tq-stats: in.tq: Input/output error"
}

@test "a file that reads otherwise the second time ends tq-filter" {
	launches > in.tq
	mkfifo pipe
	for change in 'echo >> in.tq' 'touch in.tq' 'mv copy in.tq'; do
		cp in.tq copy
		echo old > out
		tq-filter -o out --top 3 in.tq pipe 2> err &
		exec {to}> pipe # in.tq was read once
		eval "$change"
		stream '{"kind":"mark","ts":1,"name":"m"}' >&"$to"
		exec {to}>&-
		! wait $!
		[[ $(tail -n 1 err) = "tq-filter: in.tq: changed while it was read" ]]
		[[ $(cat out) = old ]]
	done
}

@test "a pipe that ends with an error is read again as far as it came" {
	launches | gzip | head -c -20 > cut.gz
	run --separate-stderr bash -c 'cat cut.gz | tq-filter --top 3'
	((status == 1))
	[[ ${stderr_lines[1]} = "tq-filter: <stdin>: gzip data is truncated" ]]
	[[ $stderr != *changed* && $output = *'"kind":"kernel"'* ]]
	[[ $output != *'"kind":"end"'* ]]
}
