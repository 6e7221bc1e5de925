#!/usr/bin/env bats
# Programs under all that tq-capture records of the host at once do what they do
# without it, and nothing is lost

load helper
load capture

setup() {
	cd "$BATS_TEST_TMPDIR"
}

ALL=(-t cuda,nvtx,osrt,python-gil,mpi,nccl -s process-tree
	--cpuctxsw process-tree --python-sampling true --counters cpu,io,net
	--python-backtrace cuda,nvtx,osrt --osrt-file-access true
	--pytorch functions-trace)

# alike COMMAND ...: output and status are those without tq-capture, and the
# stream is whole
alike() {
	local plain=0 with=0

	rm -f x.tq
	"$@" > plain.out 2> plain.err || plain=$?
	tq-capture -q "${ALL[@]}" -o x.tq "$@" > with.out 2> with.err || with=$?
	[ "$plain" = "$with" ]
	diff plain.out with.out
	{ grep -v "^tq-capture: " with.err || true; } | diff plain.err -
	whole x.tq
}

# A machine with too much to do takes no sample now and then, and says so.  So is
# a call in a handler of the program for signals that came in the middle of a
# record: one of Python writes to a pipe.
nothing_but_samples_lost() {
	jq -c 'select(.kind == "lost" and .what != "sample" and
	    .reason != "in a signal handler")' x.tq > lost
	[ ! -s lost ] || { cat lost >&2; false; }
}

@test "a compile on four processors at once makes the same objects" {
	need make cc
	for n in 1 2 3 4 5 6; do
		printf '#include <stdio.h>\nint f%d(void) { return printf("%d"); }\n' $n $n > f$n.c
	done
	printf '%s\n' 'all: f1.o f2.o f3.o f4.o f5.o f6.o' > Makefile
	printf '%%.o: %%.c\n\tcc -O2 -g -c -o $@ $<\n' >> Makefile
	make -s -j4
	sha256sum ./*.o > sums
	rm ./*.o
	tq-capture -q "${ALL[@]}" -o x.tq make -s -j4
	sha256sum -c --quiet sums
	whole x.tq
	nothing_but_samples_lost
	(($(count process x.tq) >= 13))
	(($(count osrt x.tq) > 500))
	(($(count sample x.tq) + $(count sched x.tq) > 10))
}

@test "a database does its work" {
	need sqlite3
	alike sqlite3 x.db '
	    create table t(a, b);
	    with recursive c(x) as (select 1 union all select x + 1 from c where x < 30000)
	    insert into t select x, hex(x) from c;
	    create index i on t(b);
	    select count(*), sum(a), max(b) from t;
	    drop table t;
	    vacuum;
	    pragma integrity_check;'
	nothing_but_samples_lost
	jq -es 'any(.[]; .kind == "osrt" and ((.file // "") | endswith("/x.db")) and .bytes)' x.tq
}

@test "node does its work, with threads, children and files" {
	need node
	alike node -e '
	const fs = require("fs"), { Worker } = require("worker_threads");
	const sum = "let x = 0; for (let i = 0; i < 5e6; i++) x += i;" +
	    "require(\"worker_threads\").parentPort.postMessage(x)";
	let left = 3;
	for (let i = 0; i < 3; i++)
		new Worker(sum, { eval: true }).on("message", m => {
			if (--left === 0)
				console.log(m, fs.readFileSync("/proc/self/comm").length);
		});
	console.log(require("child_process").execSync("echo child; exit 0").toString());
	process.on("exit", () => console.log("end"));'
	nothing_but_samples_lost
}

@test "perl and a shell keep their statuses, signals and pipes" {
	need perl
	alike perl -e '$SIG{ALRM} = sub { print "alarm\n" }; alarm 1; select undef, undef, undef, 1.2;
	    open my $p, "-|", "sh", "-c", "echo piped; kill -USR1 \$\$" or die; print <$p>; close $p;
	    print $? & 127, "\n"; exit 7'
	alike sh -c 'trap "echo term" TERM; kill $$; (exit 3); echo $? | cat; sh -c "kill -9 \$\$"; echo $?'
}

@test "Python does its work: threads, processes, subprocesses, asyncio, sockets" {
	local python

	cat > work.py <<-'EOF'
	import asyncio, concurrent.futures as futures, multiprocessing, os, queue
	import signal, socket, subprocess, sys, tempfile, threading, time
	def square(x): return x * x
	def server(s):
	    c, _ = s.accept()
	    with c: c.sendall(c.recv(100).upper())
	if __name__ == "__main__":
	    with futures.ThreadPoolExecutor(8) as pool: print(sum(pool.map(square, range(2000))))
	    for how in "fork", "spawn", "forkserver":
	        with multiprocessing.get_context(how).Pool(2) as pool: print(sum(pool.map(square, range(100))))
	    print(subprocess.run([sys.executable, "-c", "print(40 + 2)"], capture_output=True, text=True).stdout)
	    async def tasks():
	        p = await asyncio.create_subprocess_exec("echo", "async", stdout=asyncio.subprocess.PIPE)
	        return await asyncio.gather(*(asyncio.sleep(.01, i) for i in range(50))), (await p.communicate())[0]
	    print(asyncio.run(tasks()))
	    s = socket.create_server(("127.0.0.1", 0))
	    t = threading.Thread(target=server, args=(s,)); t.start()
	    with socket.create_connection(s.getsockname()) as c: c.sendall(b"hello"); print(c.recv(100))
	    t.join(); s.close()
	    signal.signal(signal.SIGALRM, lambda *a: print("alarm")); signal.setitimer(signal.ITIMER_REAL, .05); signal.pause()
	    signal.signal(signal.SIGPROF, lambda *a: None); signal.setitimer(signal.ITIMER_PROF, .001, .001)
	    x = sum(range(3000000)); signal.setitimer(signal.ITIMER_PROF, 0); print(x)
	    with tempfile.TemporaryFile() as f: f.write(b"x" * 100000); f.seek(0); print(len(f.read()))
	    if os.fork() == 0: os._exit(9)
	    print(os.wait()[1])
	EOF
	for python in $(pythons); do
		alike "$python" work.py || { echo "$python" >&2; false; }
		nothing_but_samples_lost
	done
}

@test "Python's own tests end as without" {
	modules='test_thread test_queue test_fork1'
	[[ -z ${CHECK_ALL:-} ]] || modules+=' test_threading test_subprocess
	    test_signal test_io test_selectors test_posix test_pty'
	python_tests_alike tq-capture -q "${ALL[@]}" -o x.tq
	whole x.tq
}
