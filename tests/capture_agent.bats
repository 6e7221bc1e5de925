# capture_agent.bats - the agent of tq-capture, in programs with the stand-in
# for the NVTX header and, where there is one, the real one; what it sends is
# read by tests/capture/launcher.c in place of tq-capture.

load helper

# capture [OPTION ...] ACTION ...: run the client, both of them in turn, and
# check each of what they print against the lines on stdin: "what count", or
# "what" that must not be there.  $client says which one it is.
capture() {
	local options=() expected line

	while [[ $1 = -* ]]; do
		options+=("$1")
		[[ $1 != -a ]] || { options+=("$2") && shift; }
		shift
	done
	mapfile -t expected
	for client in "$BUILD"/capture/*/client; do
		run "$BUILD/capture/launcher" "${options[@]}" "${before[@]}" \
		    "$client" "${@//DSO/${client%/*}/dso.so}"
		for line in "${expected[@]}" malformed undefined unpaired \
		    unordered; do
			if [[ $line = *' '* ]]; then
				grep -qxF -- "$line" <<< "$output"
			elif grep -q "^$line " <<< "$output"; then
				false
			fi || { echo "$client: not so: $line"; echo "$output"
				return 1; }
		done
	done
}

# sum WHAT ...: of these counts in $output
sum() {
	local pattern="^($(IFS='|'; echo "$*")) "

	grep -E "$pattern" <<< "$output" | awk '{n += $2} END {print n + 0}'
}

@test "marks and ranges of all kinds arrive" {
	capture marks 1000 pairs 500 nested 100 ranges 7 <<-'END'
		arena 1
		mark 1000
		push 600
		pop 600
		start 7
		end 7
	END
	[[ $status = 0 ]]
}

@test "an event has what its attributes say" {
	capture -d styled 1 wide 1 registered 1 <<-'END'
		category 1
	END
	[[ $output = *' mark domain=0 color=ff336699 category=7 payload=5:fffffffe text=styled'* ]]
	[[ $output = *' mark domain=0 text=ü€😀.'* ]]
	[[ $output = *' push domain=1 string=1'* ]]
	[[ $output = *' category domain=0 id=7 text=a category'* ]]
}

@test "threads and objects of CUDA are named" {
	capture -d names 1 <<< 'arena 1'
	[[ $output = *' thread domain=0 id=77 text=a thread'* ]]
	# the last client is that of the stand-in, which needs no CUDA for it
	[[ $output = *' object domain=5 id=4660 text=a stream'* ]]
}

@test "domains and strings are the same for all libraries of a process" {
	capture registered 10 dso DSO 10 <<-'END'
		push 20
		pop 20
		domain 1
		string 1
	END
}

@test "many strings are defined once each, before they are used" {
	capture strings 20000 strings 20000 <<-'END'
		mark 40000
		string 20000
	END
}

@test "extended payloads come with their schema" {
	capture -d payloads 2 <<-'END'
		push 2
		pop 2
		mark 2
		schema 1
	END
	# type 1, 16 bytes, 2 entries; then schema, bytes, rank, loss
	[[ $output = *'schema domain=1 id=4294967296 text=sample blob=216 1 0 10 0 2 '* ]]
	[[ $output = *' mark domain=1 blob=32 100000000 10 3 3fe0000000000000'* ]]
	[[ $output = *' pop domain=1 blob=32 100000000 10 3 3fe0000000000000'* ]]
}

@test "counters come with their definition" {
	capture -d counters 2 <<-'END'
		counter 4
		counterdef 1
	END
	[[ $output = *' counter domain=0 id=4294967296 blob=16 0 1'* ]]
	[[ $output = *' counter domain=0 id=4294967296 blob=16 1 3fe0000000000000'* ]]
}

@test "what a program does wrong is survived" {
	capture odd 10 <<-'END'
		mark 51
		push
		pop
		text
	END
	[[ $status = 0 ]]
}

@test "a text of any length arrives whole" {
	capture long 300000 long 31744 long 31745 long 0 <<-'END'
		mark 4
		text 363489
	END
}

@test "threads have chunks of their own, and give them back" {
	capture threads 16 1000 threads 100 10 <<-'END'
		push 17000
		pop 17000
		lost-range
	END
}

@test "more threads in a row than there are chunks" {
	local actions=() i

	for ((i = 0; i < 60; i++)); do
		actions+=(threads 1 100 wait 2)
	done
	capture -a chunks=8 "${actions[@]}" <<-'END'
		push 6000
		pop 6000
	END
}

@test "all that was written survives each end of a process" {
	local how

	for how in kill _exit exit_group abort crash; do
		capture marks 1000 pairs 100 "$how" <<-'END'
			mark 1000
			push 100
			pop 100
		END
	done
	[[ $status = 139 ]]
}

@test "a program that closes all descriptors is captured on" {
	capture marks 1000 closeall marks 2000 <<-'END'
		arena 1
		mark 3000
	END
}

@test "a child after fork is a process of its own, by whatever call" {
	local raw

	for raw in 0 1; do
		capture push registered 1 marks 10 fork $raw 100 marks 5 <<-'END'
			arena 2
			mark 115
			push 3
			pop 2
			domain 2
			string 2
		END
	done
}

@test "many children at once" {
	capture marks 1 forks 50 200 marks 1 <<-'END'
		arena 51
		mark 10002
	END
}

@test "children of a process whose threads are in the midst of it all" {
	capture storm 30 10 <<-'END'
		arena 31
		lost-range
	END
	# two pairs of threads, and one of the child
	[[ $(sum push) = 90 && $(sum pop) = 90 ]]
}

@test "a program that runs another, or itself anew, is captured in both" {
	capture marks 10 exec marks 100 spawn 1000 <<-'END'
		arena 3
		mark 1110
	END
}

@test "what is paused is not recorded, but for names" {
	capture -a on=0 pairs 10 marks 10 registered 10 ranges 10 styled 1 \
	    counters 1 <<-'END'
		arena 1
		push
		pop
		mark
		start
		end
		counter
		string 1
		category 1
	END
}

@test "what there is no room for is counted, and no pop is lost" {
	capture -n -a chunks=4 pairs 30000 marks 1000 ranges 1000 \
	    counters 500 nested 100 <<-'END'
		arena 1
	END
	[[ $(sum push lost-range start) = 31100 ]]
	[[ $(sum push) = $(sum pop) ]]
	[[ $(sum start) = $(sum end lost-range-end) ]]
	[[ $(sum mark lost-mark) = 1000 ]]
	[[ $(sum counter lost-counter) = 1000 ]]
	(($(sum lost-range) > 0))
}

@test "nothing is lost uncounted while the reader keeps up as it can" {
	capture -a chunks=4 threads 2 100000 marks 1000 <<-'END'
		arena 1
	END
	[[ $(sum push lost-range) = 200000 ]]
	[[ $(sum push) = $(sum pop) ]]
	[[ $(sum mark lost-mark) = 1000 ]]
}

@test "full=block waits for room, and loses nothing" {
	capture -a 'chunks=4 full=block' pairs 300000 <<-'END'
		push 300000
		pop 300000
		blocked 1
		lost-range
	END
}

@test "full=block does not wait where only other threads could make room" {
	capture -a 'chunks=2 full=block' threads 8 2000 <<-'END'
		arena 1
	END
	[[ $(sum push lost-range) = 16000 ]]
}

@test "full=block waits no longer when the launcher has died" {
	local client launcher pid file=$BATS_TEST_TMPDIR/pid

	for client in "$BUILD"/capture/*/client; do
		"$BUILD/capture/launcher" -n -a 'chunks=4 full=block' \
		    sh -c 'echo $$ > "$1"; exec "$2" pairs 100000' sh \
		    "$file" "$client" 3>&- &
		launcher=$!
		until_true test -s "$file"
		pid=$(< "$file")
		until_true eval '[[ $(< "/proc/$pid/stat") = *" (client) S "* ]]'
		kill -KILL "$launcher"
		wait "$launcher" || true
		timeout 120 tail -f --pid="$pid" /dev/null
		rm "$file"
	done
}

@test "a string that there was no room to define is told as text" {
	capture -a chunks=2 strings 3000 wait 20 strings 3000 <<-'END'
		arena 1
	END
	[[ $(sum mark lost-mark) = 6000 ]]
}

@test "ranges deeper than can be told are counted" {
	capture nested 3000 <<-'END'
		push 2048
		pop 2048
		lost-range 952
	END
}

@test "a signal handler that interrupts NVTX loses its event, counted" {
	capture interrupted 100000 <<-'END'
		push 100000
		pop 100000
	END
	# the client says how many it made; one is before
	(($(sum mark reentered) == ${lines[0]} + 1))
}

@test "only the ranks that are asked for are captured" {
	local before

	before=(env RANK=3 SLURM_PROCID=1)
	capture -a ranks=1,2 pairs 1 <<< 'arena 0'
	before=(env SLURM_PROCID=2)
	capture -a ranks=1,2 pairs 1 <<< 'arena 1'
	before=(env RANK=12)
	capture -a ranks=1,2 pairs 1 <<< 'arena 0'
	before=()
	capture -a ranks=1,2 pairs 1 <<< 'arena 0'
}

@test "a process tells its name, its command and its variables" {
	local before=(env RANK=5 COLOR=red OTHER=x)

	capture -d -a env=COLOR,SHAPE marks 1 wait 0 <<< 'arena 1'
	[[ $output = *$'\nabout name=client\n'* ]]
	[[ $output = *$'\nabout env.RANK=5\n'* ]]
	[[ $output = *$'\nabout env.COLOR=red\n'* ]]
	[[ $output = *$'\nabout command='*'/client marks 1 wait 0'$'\n'* ]]
	[[ $output != *SHAPE* && $output != *OTHER* ]]
}

@test "a command that is too long is cut" {
	local before=(env "COLOR=$(printf 'x%.0s' {1..4000})")

	capture -d -a env=COLOR $(printf 'marks 1 %.0s' {1..2000}) <<< 'arena 1'
	grep -qE 'about command=.*\.\.\.$' <<< "$output"
}

@test "without a launcher nothing happens" {
	local client

	for client in "$BUILD"/capture/*/client; do
		NVTX_INJECTION64_PATH=$BUILD/libtq-capture.so \
		    run -0 "$client" pairs 10
		[[ -z $output ]]
		NVTX_INJECTION64_PATH=$BUILD/libtq-capture.so \
		    TQ_CAPTURE='socket=tq-nobody on=1' run -0 "$client" pairs 10
		[[ -z $output ]]
	done
}

@test "a program that may not make large files is not harmed" {
	ulimit -f 100 # KiB; the arena is larger
	capture marks 5 <<< 'arena 0'
	[[ $status = 0 ]]
}

@test "the library exports its entry points and nothing else, and needs little room for threads" {
	entries() {
		# of NVTX, NCCL and Python
		printf '%s\n' InitializeInjectionNvtx{2,Extension} \
		    ncclProfiler_v{1..5} PyInit__tq_capture
		# of libtq-preload.so and libtq-mpi.so
		printf 'tq_capture_%s\n' gil{,_begin,_has} \
		    mpi_{begin,clock,over,put,start} osrt{,_begin,_forget{,_all},_thread{,_ends}} \
		    sample{,_begin,_blocked,_end,_every}
		# of the driver of CUDA, and of tq-capture
		! has cupti.h || printf '%s\n' InitializeInjection \
		    tq_capture_{attach,function,salvage}
	}
	nm -D --defined-only "$BUILD/libtq-capture.so" | awk '{ print $3 }' |
	    sort | diff <(entries | sort) -
	run -0 readelf -lW "$BUILD/libtq-capture.so"
	size=$(awk '$1 == "TLS" {print $6}' <<< "$output")
	((size > 0 && size <= 64))
}
