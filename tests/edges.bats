#!/usr/bin/env bats
# What a tool does at its edges where the system fails: reads, writes, memory.

load helper

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# ---- helpers ----

# traces: skip the test where programs cannot be traced
traces() {
	need strace native no-sanitizer # that of leaks cannot be traced
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
		! wait $! || return 1
		[[ $(tail -n 1 err) = "tq-filter: in.tq: changed while it was read" ]]
		[[ $(cat out) = old ]]
	done
}

@test "a pipe that ends with an error is read again as far as it came" {
	launches | gzip | head -c -20 > cut.gz
	run --separate-stderr bash -c 'cat cut.gz | tq-filter --top 3'
	((status == 1))
	[[ $stderr = *"tq-filter: <stdin>: gzip data is truncated"* ]]
	[[ $stderr != *changed* && $output = *'"kind":"kernel"'* ]]
	[[ $output != *'"kind":"end"'* ]]
}

# ---- what an error is called ----

# shim NAME <<< CODE: a library that replaces functions of others
shim() {
	need cc native no-sanitizer
	cat > "$1.c"
	cc -shared -fPIC -o "$1.so" "$1.c"
}

@test "a compressor that gets no memory ends the tool, and the old file stays" {
	shim none <<< '
	void *ZSTD_createCStream(void) { return 0; }
	void *ZSTD_createDStream(void) { return 0; }
	int deflateInit2_(void) { return -4; }
	int inflateInit2_(void) { return -4; }'
	stream '{"kind":"mark","ts":1,"name":"m"}' > in.tq
	gzip -k in.tq
	zstd -q in.tq
	for tool in tq-filter tq-correlate; do
		for name in out.gz out.zst; do
			echo old > $name
			run --separate-stderr env LD_PRELOAD="$PWD/none.so" \
			    "$tool" -o $name in.tq
			((status == 1))
			says "$tool: $name: Cannot allocate memory"
			[[ $(cat $name) = old ]]
		done
		for name in in.tq.gz in.tq.zst; do
			run --separate-stderr env LD_PRELOAD="$PWD/none.so" \
			    "$tool" $name
			((status == 1))
			[[ ${stderr_lines[0]} = "$tool: $name: out of memory" ]]
		done
	done
}

@test "no memory while it decompresses is not called corrupt data" {
	shim none <<< '
	unsigned long ZSTD_decompressStream(void) { return -64; }
	int inflate(void) { return -4; }'
	stream '{"kind":"mark","ts":1,"name":"m"}' > in.tq
	gzip -k in.tq
	zstd -q in.tq
	for name in in.tq.gz in.tq.zst; do
		run --separate-stderr env LD_PRELOAD="$PWD/none.so" tq-filter $name
		((status == 1))
		[[ ${stderr_lines[0]} = "tq-filter: $name: out of memory" ]]
	done
}

@test "the window of zstd --long, and a dictionary, are called what they are" {
	head -c 200M /dev/zero | zstd -qc --long=28 > long
	run --separate-stderr tq-filter long
	((status == 1))
	[[ ${stderr_lines[0]} = "tq-filter: long: zstd data needs a window of "`
	    `"more than 128 MiB (zstd --long)" ]]
	for ((i = 0; i < 2000; i++)); do
		echo "{\"kind\":\"mark\",\"ts\":$i,\"name\":\"m\"}" > part.$i
	done
	zstd -q --train part.* -o dictionary --maxdict=4096 2> /dev/null
	stream '{"kind":"mark","ts":1,"name":"m"}' | zstd -qc -D dictionary > in
	run --separate-stderr tq-filter in
	((status == 1))
	[[ ${stderr_lines[0]} = "tq-filter: in: zstd data needs a dictionary" ]]
}

@test "a folder for temporary files that is not there is named" {
	launches > in.tq
	for tool in "tq-filter --top 3" "tq-stats --filter-nvtx r1"; do
		run --separate-stderr bash -c "TMPDIR=/nowhere $tool < <(cat in.tq)"
		((status == 1))
		says "${tool%% *}: /nowhere: No such file or directory"
	done
}

@test "a disk that fails is not called a malformed database" {
	traces
	cp "$(demo)" in.sqlite
	for reader in direct sqlite; do
		all=$(calls pread64 in.sqlite tq-extract --reader $reader in.sqlite)
		((all > 10))
		for ((n = 1; n <= all; n += 1 + all / 20)); do
			keeps_old failing pread64 in.sqlite:$n+:EIO \
			    tq-extract --reader $reader -o out in.sqlite
			says "tq-extract: in.sqlite: Input/output error"
		done
	done
}

# ---- -o ----

@test "-o replaces no file where the input is cut, empty or unreadable" {
	launches > in.tq
	head -n 3000 in.tq > cut.tq
	gzip -c in.tq | head -c 9000 > cut.gz
	for tool in tq-correlate tq-filter tq-stats tq-chrome tq-perfetto tq-extract; do
		for file in cut.tq cut.gz /dev/null; do
			[[ $tool-$file != tq-extract-/dev/null ]] || continue
			keeps_old "$tool" -o out "$file"
			[[ $tool-$file = tq-stats-/dev/null ||
			    $stderr = *"$tool: warning: out: is not replaced: "`
			    `"the input is not complete"* ]]
		done
		# where there was none, there is what came
		rm out
		run "$tool" -o out cut.tq
		((status == 1))
		[[ -s out ]]
	done
	run bash -c 'false | tq-filter -o in.tq true'
	((status == 1))
	[[ $(wc -l < in.tq) = 12002 ]]
}

@test "a file that -o replaces keeps its mode, which is no more open meanwhile" {
	launches > in.tq
	for mode in 600 640 666; do
		echo old > out
		chmod $mode out
		(umask 022 && tq-filter -o out in.tq)
		cmp in.tq out
		[[ $(stat -c %a out) = $mode ]]
	done
	(umask 027 && tq-filter -o new in.tq)
	[[ $(stat -c %a new) = 640 ]]
}

@test "-o follows symbolic links, and those that lead nowhere" {
	launches > in.tq
	mkdir -p a/b
	ln -s a/link link
	ln -s b/new a/link
	tq-filter -o link in.tq
	[[ -L link && -L a/link && -f a/b/new ]]
	cmp in.tq a/b/new
	echo old > a/b/new
	tq-filter -o a/link in.tq
	cmp in.tq a/b/new
	ln -s loop loop
	run --separate-stderr tq-filter -o loop in.tq
	((status <= 1))
}

@test "-o - is the standard output" {
	need native
	cp "$(demo)" in.sqlite
	for tool in tq-extract tq-correlate tq-filter tq-stats tq-chrome tq-perfetto; do
		file=$(operand "$tool")
		"$tool" "$file" > expect
		"$tool" -o - "$file" | cmp expect -
		"$tool" --output=- "$file" | cmp expect -
	done
	tq-capture -o - true | grep -q '"kind":"trace"'
	[[ ! -e ./- ]]
}

@test "a long name is written as well as a short one" {
	launches > in.tq
	long=$(printf 'x%.0s' {1..255})
	tq-filter -o "$long" in.tq
	cmp in.tq "$long"
}

# A folder that is bound over /proc is a system without one.
@test "without /proc -o uses a named temporary file, which no death leaves behind" {
	need unshare mount native no-sanitizer # which reads /proc
	launches > in.tq
	mkdir empty
	without_proc() {
		unshare -m bash -c 'mount --bind "$0/empty" /proc && "$@"' "$PWD" "$@"
	}
	echo old > out
	chmod 600 out
	without_proc tq-filter -o out in.tq
	cmp in.tq out
	[[ $(stat -c %a out) = 600 ]]
	mkfifo pipe
	for signal in HUP TERM; do
		without_proc bash -c 'tq-filter -o new pipe & exec 3> pipe
		    cat in.tq in.tq >&3; ls -A > seen; kill -'$signal' $!; wait $!' || true
		grep '^\.new\..*\.tmp$' seen
		[[ -z $(find . -name '.*.tmp') && ! -e new ]]
	done
}

@test "-o writes the data to the disk before it gives them a name" {
	traces
	launches > in.tq
	for old in no yes; do
		[[ $old = no ]] || echo old > out
		strace -f -o calls -e trace=fsync,linkat,rename,renameat,renameat2 \
		    tq-filter -o out in.tq
		cmp in.tq out
		[[ $(sed -n 's/^[0-9 ]*\([a-z]*\).*= 0$/\1/p' calls | head -n 1) = fsync ]]
		rm out
	done
}

@test "a tool does not append to its own input" {
	for tool in tq-correlate tq-filter tq-stats tq-chrome tq-perfetto tq-extract; do
		launches > in.tq
		cp in.tq copy
		for way in '>> in.tq' '1<> in.tq' '-o - >> in.tq'; do
			run --separate-stderr timeout 60 bash -c "$tool in.tq $way"
			((status == 2))
			says "$tool: input and output are the same file: in.tq"
			run --separate-stderr timeout 60 bash -c "$tool $way < in.tq"
			((status == 2))
			says "$tool: input and output are the same file: <stdin>"
			cmp copy in.tq
		done
	done
}

# ---- hostile input ----

# limited COMMAND ...: with so much memory for addresses
limited() {
	(ulimit -v 1500000; "$@")
}

@test "a line has at most 128 MiB, and memory a bound" {
	need native no-sanitizer
	for tool in tq-filter tq-correlate tq-stats tq-chrome tq-perfetto tq-extract \
	    'tq-table -o out'; do
		for start in '{"kind":"note","text":"' '{ "kind":"note","text":"' \
		    '{"kind":"mark","ts":1,"name":"'; do
			rm -rf out
			# shellcheck disable=SC2086 # words
			run --separate-stderr limited $tool < <(
				stream < /dev/null | head -n 1
				printf '%s' "$start"
				head -c 512M /dev/zero | tr '\0' x
			)
			((status == 1))
			[[ ${stderr_lines[0]} = "${tool%% *}: <stdin>: a line is longer than 128 MiB" ]]
		done
	done
	{
		printf '{"kind":"note","text":"'
		head -c 127M /dev/zero | tr '\0' x
		echo '"}'
	} > long
	for tool in tq-filter tq-correlate tq-extract; do
		limited "$tool" long | cmp long -
	done
	sed -i 's/{/{ /' long # to be read by the complete parser
	limited tq-filter long | cmp long -
}

@test "compressed data that grow without end take bounded memory" {
	need native no-sanitizer
	head -c 1G /dev/zero | tr '\0' x | zstd -q > bomb.zst
	head -c 1G /dev/zero | tr '\0' '{' | gzip -1 > bomb.gz
	for file in bomb.zst bomb.gz; do
		for tool in tq-filter tq-stats; do
			run --separate-stderr limited "$tool" $file
			((status == 1))
			[[ ${stderr_lines[0]} = "$tool: $file: a line is longer than 128 MiB" ]]
		done
	done
}

@test "a colour map's regular expressions have limits" {
	need native no-sanitizer
	stream '{"kind":"range","ts":1,"dur":1,"pid":1,"tid":1,"name":"'"$(
	    printf 'a%.0s' {1..60})"'!"}' > in.tq
	for tool in tq-chrome tq-perfetto; do
		echo '(((a{1,250}){1,250}){1,250}){1,250} good' > map
		run --separate-stderr limited "$tool" -o out --color-map map in.tq
		((status == 2))
		[[ $stderr = "$tool: map:1: (((a{1,250}){1,250}){1,250}){1,250}: "* ]]
		[[ $stderr != *"out of memory" ]]
		echo '(x+x+)+y|(a+)+(a+)+(a+)+b$ good' > map
		run --separate-stderr timeout 60 "$tool" -o out --color-map map in.tq
		((status == 1))
		[[ $stderr = "$tool: colour map: a regular expression took too many steps" ]]
	done
}

# ---- a file that is input and output ----

@test "no tool writes over a file that it reads, by any of its names" {
	tq-extract "$(demo)" | tq-correlate > in.tq
	cp in.tq kept.tq
	ln -s in.tq link.tq
	ln in.tq hard.tq
	for out in in.tq link.tq hard.tq ./in.tq; do
		for command in 'tq-filter -o OUT true' 'tq-correlate -o OUT' \
		    'tq-extract -o OUT' 'tq-stats -o OUT' \
		    'tq-stats -f html -o OUT' 'tq-stats --partial -o OUT' \
		    'tq-stats -r cuda_gpu_kern_sum -f csv -o OUT' 'tq-advise -o OUT' \
		    'tq-advise -f json1 -o OUT' 'tq-chrome -o OUT' \
		    'tq-perfetto -o OUT' 'tq-align -o OUT' \
		    'tq-diff -o OUT kept.tq' 'tq view -o OUT'; do
			run -2 ${command//OUT/$out} in.tq
			[[ $output = *": input and output are the same file: "* ]]
			cmp in.tq kept.tq
			[ -z "$(find . -name '.*tmp*')" ]
		done
	done
}

@test "nor does tq, whose tools read a pipe instead of the file" {
	need sqlite3
	cp "$(demo)" in.sqlite
	cp in.sqlite kept.sqlite
	for command in 'stats -o in.sqlite' 'stats -oin.sqlite' \
	    'stats --output=in.sqlite -f html' 'advise -o in.sqlite' \
	    'chrome -o in.sqlite' 'perfetto -o ./in.sqlite' 'view -o in.sqlite' \
	    'diff -o in.sqlite kept.sqlite' 'extract -o in.sqlite' \
	    'correlate -o in.sqlite' 'filter -o in.sqlite true'; do
		run -2 tq $command in.sqlite
		[[ $output = *": input and output are the same file: "* ]]
		cmp in.sqlite kept.sqlite
	done
}
