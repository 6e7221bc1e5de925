#!/usr/bin/env bats
# Samples where the kernel denies perf_event_open, as in a container: timers in
# the program take them

load helper
load capture

SPIN=$CLIENTS/spin
REASON='perf_event_open: Operation not permitted (denied by seccomp; a container can be given CAP_PERFMON)'

setup() {
	cd "$BATS_TEST_TMPDIR"
	"$SPIN" deny true || skip "no seccomp filter"
}

# denied [OPTION ...] COMMAND ...: sampled where perf_event_open is denied
denied() {
	"$SPIN" deny tq-capture -q -t none -s process-tree "$@" > "$tq" 2> "$said"
}

# periods [JQ-CONDITION]: how many of the samples stand for
periods() {
	jq -s "map(select(.kind == \"sample\" and (${1:-true})) | .count // 1) |
	    add // 0" "$tq"
}

@test "what is used instead is said, in the stream too" {
	denied --cpuctxsw process-tree "$SPIN" sort 30
	hz=$(sed -n '1s/.* at most \([0-9]*\) Hz$/\1/p' "$said")
	((hz >= 24 && hz <= 10000))
	[ "$(head -n 2 "$said")" = "\
tq-capture: sampling: $REASON: timers in the program are used, at most $hz Hz
tq-capture: context switches are not recorded (the same): time on and off\
 processors is counted 20 times a second" ]
	[ "$(said_of diagnostic .text)" = "$(sed -n '1,2s/^tq-capture: //p' "$said")" ]
	[ "$(said_of trace .mode)" = none,counters:cpu@20,sample:timers@1000:dwarf,blocked:read ]
	whole
}

@test "context switches alone are replaced, too, and --strict refuses both" {
	"$SPIN" deny tq-capture -q -t none --cpuctxsw process-tree \
	    "$SPIN" sort 100 > "$tq" 2> "$said"
	[ "$(head -n 1 "$said")" = "tq-capture: context switches are not recorded\
 ($REASON): time on and off processors is counted 20 times a second" ]
	jq -rs 'map(select(.kind == "counterdef").name)[]' "$tq" | grep -qx 'CPU usage'
	ends 125 denied --strict touch run
	[ ! -e run ]
}

# near A B: they differ by 10 % or 15 at most
near() {
	local d=$(($1 - $2))

	((${d#-} <= 15 + $2 / 10)) || { echo "$1 is not near $2"; return 1; }
}

@test "the samples stand for the time that the program took" {
	denied -o x.tq "$SPIN" sort 600
	ms=$(< "$tq")
	tq=x.tq
	whole
	[ "$(dropped)" = 0 ]
	near "$(periods)" "$ms"
	jq -es 'map(select(.kind == "sample")) |
	    all(.state == "Running" and .stack > 0 and .cpu >= 0)' x.tq > /dev/null
}

@test "stacks are whole, through code without frame pointers" {
	denied "$SPIN" sort 600
	jq -rs '
	    (map(select(.kind == "stack") | {key: "\(.id)", value: .frames}) |
	        from_entries) as $f |
	    .[] | select(.kind == "sample") | $f["\(.stack)"] | reverse | join(";")
	    ' "$tq" > stacks
	all=$(wc -l < stacks)
	good=$(grep -c '^_start (spin);.*;main (spin)' stacks)
	((all > 20 && good * 100 >= all * 99))
	run ! grep -q 'libtq-' stacks
	grep -q ';sort (spin);.*;compare (spin)' stacks
}

# said_process REASON: the only line but the first says it of a process, and so
# does a diagnostic
said_process() {
	[ "$(sed -n '2,$s/process [0-9]* /process N /p' "$said")" = "\
tq-capture: process N is not sampled: $1, and perf_event_open is denied" ]
	[ "$(said_of diagnostic .text | tail -n 1)" = \
	    "$(sed -n '2s/^tq-capture: //p' "$said")" ]
}

@test "a static program is named once, and runs as without" {
	cat > s.c <<-'EOF'
	#include <stdio.h>
	#include <unistd.h>
	int main(void) { usleep(300000); return printf("%d\n", getpid()) < 0; }
	EOF
	${CC:-cc} -static -o s s.c 2> /dev/null || skip "no static C library"
	denied -o x.tq sh -c './s > 1; ./s > 2; :'
	cp x.tq "$tq"
	whole
	said_process "it is statically linked"
	grep -q "process $(< 1) " "$said"
	denied -o x.tq ./s
	cp x.tq "$tq"
	said_process "it is statically linked"
}

@test "a program without the library is named, with the reason" {
	denied -o x.tq env -u LD_PRELOAD sleep 1.6
	cp x.tq "$tq"
	said_process "it began without our LD_PRELOAD"
	denied -o x.tq sh -c 'sleep 1.6; :'
	(($(wc -l < "$said") == 1))
	need other-user
	chmod 755 "$BATS_TEST_TMPDIR"
	cp "$(command -v sleep)" s
	chown 65534 s
	chmod u+s s
	denied -o x.tq sh -c './s 0.5; :'
	cp x.tq "$tq"
	said_process "it is setuid or setgid"
}

@test "threads, and children that fork and those that exec, are sampled each" {
	cat > work.py <<-'EOF'
	import os, subprocess, sys, threading, time
	def work():
	    end = time.thread_time() + 0.4
	    while time.thread_time() < end:
	        pass
	def main():
	    threads = [threading.Thread(target=work) for _ in range(3)]
	    for t in threads: t.start()
	    for t in threads: t.join()
	    pid = os.fork()
	    if pid == 0:
	        work()
	        os._exit(7)
	    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 7
	    child = "import sys; sys.argv = ['work.py', 'child']; exec(open('work.py').read())"
	    assert subprocess.run([sys.executable, "-c", child]).returncode == 0
	if sys.argv[1:] == ["child"]:
	    work()
	else:
	    main()
	EOF
	denied -o x.tq python3 work.py
	tq=x.tq
	whole
	# of 400 each, of which a busy machine loses some; the main thread waits,
	# and others only begin
	[ "$(jq -rs 'map(select(.kind == "sample")) |
	    (map(select(.tid != .pid))[0].pid) as $main | map(select(.tid != $main)) |
	    group_by([.pid, .tid]) |
	    map(select(map(.count // 1) | add >= 150)) | length' x.tq)" = 5 ]
	[ "$(jq -rs 'map(select(.kind == "sample").pid) | unique | length' x.tq)" -ge 3 ]
}

@test "many threads come and go, and no timer is left behind" {
	cat > many.py <<-'EOF'
	import threading, time
	def work(): sum(range(20000))
	def timers(): return open("/proc/self/timers").read().count("ClockID:")
	for _ in range(20):
	    threads = [threading.Thread(target=work) for _ in range(50)]
	    for t in threads: t.start()
	    for t in threads: t.join()
	# a thread goes on after it was joined, for a moment
	for _ in range(1000):
	    if timers() > 1: time.sleep(0.01)
	print(timers())
	EOF
	denied -o x.tq python3 many.py
	[ "$(< "$tq")" = 1 ]
	tq=x.tq
	whole
	(($(periods) > 0))
}

@test "a program that wants the signal gets it, and finds it untouched" {
	cat > wants.py <<-'EOF'
	import os, signal, time
	n = signal.SIGRTMIN + 7
	def work():
	    end = time.process_time() + 0.1
	    while time.process_time() < end: pass
	work()
	before = signal.signal(n, lambda *_: print("got it"))
	work()
	os.kill(os.getpid(), n)
	work()
	signal.signal(n, signal.SIG_DFL)
	work()
	EOF
	python3 wants.py > plain
	denied -o x.tq python3 wants.py
	diff plain "$tq"
	tq=x.tq
	whole
	grep -q "the program uses the signal of the timers: it is not sampled any more" "$said"
	n=$(periods)
	((n >= 80 && n <= 350))
}

@test "a program that waits for the signal gets it, and what was sent before" {
	cat > wants.py <<-'EOF'
	import os, signal, threading, time
	n = signal.SIGRTMIN + 7
	def work():
	    end = time.process_time() + 0.1
	    while time.process_time() < end: pass
	work()
	signal.pthread_sigmask(signal.SIG_BLOCK, [n])
	work()
	os.kill(os.getpid(), n)
	signal.pthread_kill(threading.get_ident(), n)
	for _ in range(2):
	    got = signal.sigwaitinfo([n])
	    print(got.si_signo == n, got.si_code, got.si_pid == os.getpid())
	print(signal.sigtimedwait([n], 0.1), signal.sigpending())
	EOF
	python3 wants.py | sort > plain
	denied -o x.tq python3 wants.py
	sort "$tq" | diff plain -
	tq=x.tq
	whole
	grep -q "the program uses the signal of the timers: it is not sampled any more" "$said"
}

@test "who waits for all signals gets none of the timers, and is not sampled" {
	cat > all.py <<-'EOF'
	import ctypes, os, signal, struct, threading, time
	every = signal.valid_signals()
	libc = ctypes.CDLL(None, use_errno=True)
	def work():
	    end = time.thread_time() + 0.05
	    while time.thread_time() < end: pass
	def waits(how):
	    work()
	    threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGUSR1)).start()
	    print(how())
	def descriptor():
	    full = (ctypes.c_char * 128)()
	    libc.sigfillset(full)
	    fd = libc.signalfd(-1, full, 0)
	    return struct.unpack("I", os.read(fd, 128)[:4])[0]
	signal.pthread_sigmask(signal.SIG_BLOCK, every)
	for how in (lambda: signal.sigwait(every),
	    lambda: signal.sigwaitinfo(every).si_signo,
	    lambda: signal.sigtimedwait(every, 10).si_signo, descriptor):
	    t = threading.Thread(target=waits, args=(how,))
	    t.start()
	    t.join()
	EOF
	denied -o x.tq python3 all.py
	printf '10\n10\n10\n10\n' | diff - "$tq"
	tq=x.tq
	whole
	[ "$(grep -c "threads that block all signals are not sampled" "$said")" = 1 ]
}

@test "a child that sets all signals to their defaults is sampled on" {
	cat > defaults.py <<-'EOF'
	import os, signal, time
	def work():
	    end = time.process_time() + 0.1
	    while time.process_time() < end: pass
	if os.fork() == 0:
	    for n in range(signal.SIGRTMIN, signal.SIGRTMAX + 1):
	        assert signal.signal(n, signal.SIG_DFL) in (signal.SIG_DFL, None)
	    work()
	    os._exit(0)
	pid, status = os.wait()
	print(pid)
	exit(status)
	EOF
	denied -o x.tq python3 defaults.py
	pid=$(< "$tq")
	tq=x.tq
	whole
	(($(wc -l < "$said") == 1))
	(($(periods ".pid == $pid") >= 80))
}

@test "calls that wait are not interrupted, and their results are the same" {
	cat > waits.py <<-'EOF'
	import os, select, socket, threading, time
	def burn():
	    end = time.thread_time() + 0.3
	    while time.thread_time() < end: pass
	r, w = os.pipe()
	threading.Timer(0.3, lambda: os.write(w, b"x")).start()
	t = threading.Thread(target=burn)
	t.start()
	print(os.read(r, 10))
	a, b = socket.socketpair()
	threading.Timer(0.2, lambda: b.send(b"y")).start()
	print(a.recv(10), select.select([], [], [], 0.05))
	time.sleep(0.05)
	t.join()
	EOF
	python3 waits.py > plain
	denied -o x.tq python3 waits.py
	diff plain "$tq"
}

@test "a stack is not read where it ends" {
	[ "$(uname -m)" = x86_64 ] || skip "it is written for x86-64"
	cat > empty.c <<-'EOF'
	#define _GNU_SOURCE
	#include <stdio.h>
	#include <sys/mman.h>
	/* the stack pointer of a fibre whose stack is empty: the end of a mapping */
	int main(void) {
	    unsigned long n = 1000000000;
	    char *p = mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE,
	        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	    munmap(p + (1 << 15), 1 << 15);
	    __asm__ volatile("movq %%rsp, %%rbx\n\tmovq %1, %%rsp\n"
	        "1:\tdecq %0\n\tjnz 1b\n\tmovq %%rbx, %%rsp"
	        : "+r"(n) : "r"(p + (1 << 15)) : "rbx", "memory", "cc");
	    return n != 0;
	}
	EOF
	${CC:-cc} -O1 -mno-red-zone -o empty empty.c
	denied -o x.tq ./empty
	tq=x.tq
	whole
	(($(periods) > 20))
	said_of stack '.frames[0]' | grep -qx 'main (empty)'
}

@test "the first sample asks the loader for nothing" {
	cat > asks.c <<-'EOF'
	#include <dlfcn.h>
	#include <stdio.h>
	#include <time.h>
	int main(void) {
	    void *none = dlopen("libnone.so", RTLD_NOW);
	    while (clock() < CLOCKS_PER_SEC / 5)
	        continue;
	    /* whoever asks the loader frees this text, perhaps within malloc */
	    puts(none == NULL && dlerror() != NULL ? "kept" : "gone");
	    return 0;
	}
	EOF
	${CC:-cc} -o asks asks.c -ldl
	denied -o x.tq ./asks
	[ "$(< "$tq")" = kept ]
	tq=x.tq
	whole
	(($(periods) > 0))
}

@test "the first sample calls no getenv of the program, which may call malloc" {
	cat > own.c <<-'EOF'
	#define _GNU_SOURCE
	#include <stddef.h>
	#include <string.h>
	#include <time.h>
	#include <unistd.h>
	static volatile int busy;
	char *getenv(const char *name) {
	    size_t n = strlen(name);
	    if (busy) _exit(9);
	    for (char **e = environ; e != NULL && *e != NULL; e++)
	        if (strncmp(*e, name, n) == 0 && (*e)[n] == '=') return *e + n + 1;
	    return NULL;
	}
	int main(void) {
	    busy = 1;
	    while (clock() < CLOCKS_PER_SEC / 5)
	        continue;
	    return 0;
	}
	EOF
	${CC:-cc} -rdynamic -o own own.c
	RANK=3 denied -o x.tq ./own
	tq=x.tq
	whole
	(($(periods) > 0))
	said_of process .rank | grep -x 3
}

@test "hundreds of programs that end at once, and a shell, end as without" {
	cat > many.sh <<-'EOF'
	i=0
	while [ $i -lt 200 ]; do
		/bin/true || echo "status $?"
		(exit 3) || [ $? = 3 ] || echo "status $?"
		i=$((i + 1))
	done
	kill -TERM $$
	EOF
	ends 143 denied -o x.tq sh many.sh
	[ ! -s "$tq" ]
	tq=x.tq
	whole
}

@test "with --max-overhead there are fewer samples, each for more periods" {
	denied -o x.tq --max-overhead 0.0001% "$SPIN" sort 2500
	ms=$(< "$tq")
	tq=x.tq
	whole
	said_of diagnostic .text | sed 1d | uniq > texts
	# after some seconds, in which a slow machine did little, there are none
	if grep -q '; no more samples$' texts; then
		(($(periods) <= ms + 15 + ms / 10))
		sed -i '$d' texts
	else
		near "$(periods)" "$ms"
	fi
	[ "$(< texts)" = \
	    "the capture costs more than --max-overhead; half as many samples" ]
	# the last ones stand for twice as many as the first
	jq -s 'map(select(.kind == "sample") | .count // 1)' x.tq > counts
	jq -ce '(.[-20:] | add / 20) > 1.5 * (.[:50] | add / 50)' counts ||
	    { jq -c . counts; false; }
}

@test "OS calls and Python stacks are recorded beside the samples" {
	cat > both.py <<-'EOF'
	import time
	def work():
	    for _ in range(20):
	        time.sleep(0.002)
	        sum(range(300000))
	work()
	EOF
	"$SPIN" deny tq-capture -q -t osrt -s process-tree \
	    --python-backtrace osrt -o x.tq python3 both.py 2> "$said"
	tq=x.tq
	whole
	(($(periods) > 20))
	(($(jq -c 'select(.kind == "osrt" and .dur > 2000000 and .stack)' x.tq |
	    wc -l) >= 20))
	run -0 tq-stats -r folded:samples x.tq
	[[ $output = *"_PyEval_"* ]]
}

@test "Python's own tests of signals and threads end as without" {
	modules='test_signal test_threading test_fork1 test_subprocess
	    test_threadsignals'
	python_tests_alike "$SPIN" deny tq-capture -q -t none -s process-tree \
	    -o x.tq
}
