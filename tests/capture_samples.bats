#!/usr/bin/env bats
# CPU samples with their stacks, and context switches, under tq-capture

load helper
load capture

SPIN=$CLIENTS/spin

setup() {
	cd "$BATS_TEST_TMPDIR"
	[ "$(uname -m)" = x86_64 ] || skip "tables to unwind by are for x86-64"
}

# sampled OPTION ... -- COMMAND ...: run it, and have samples in $tq
sampled() {
	capture -q -t none "$@"
	! grep -q perf_event_open "$said" ||
	    skip "the kernel allows no perf_event_open"
	whole
}

# folded: stacks and how often, root first
folded() {
	tq-stats -r folded:samples "$tq"
}

@test "stacks are whole, through functions of libc that keep no frame pointers" {
	sampled -s process-tree -- "$SPIN" sort 400
	folded | awk '
	/;compare \(spin\)/ {
		n += $NF
		if (/;main \(spin\);sort \(spin\);.*qsort.*;compare \(spin\);burn \(spin\) / &&
		    /__libc_start/ && !/truncated/)
			whole += $NF
		if (!/;burn \(spin\) /) # compare itself
			n -= $NF
	}
	END { print n, whole > "/dev/stderr"; exit !(n > 100 && whole >= n * 99 / 100) }'
	[ "$(tail -n 1 "$tq" | jq .dropped)" = 0 ]
}

@test "the samples of a program add up to its processor time" {
	sampled -s process-tree --sampling-frequency 500 -- "$SPIN" sort 800
	ms=$(grep -x '[0-9]*' "$said")
	n=$(said_of sample 'select(.pid == .tid) | .count // 1' | wc -l)
	echo "$n samples of 2 ms, $ms ms" # of start and end of the program, too
	((n * 2 * 100 > ms * 90 && n * 2 * 100 < ms * 110 + 2000))
	[[ $(head -n 1 "$tq") = *'"mode":"none,sample:perf@500:dwarf"'* ]]
	[ "$(said_of sample '.state' | sort -u)" = Running ]
}

@test "a process that the kernel and the program itself name is defined once" {
	sampled -t osrt -s process-tree --cpuctxsw process-tree -- \
	    sh -c 'for i in 1 2 3; do sleep 0.05; done'
	[ "$(grep -E '^[{]"kind":"(process|thread)"' "$tq" | sort | uniq -d)" = "" ]
	grep -c '^{"kind":"process".*"name":"sleep"' "$tq" | grep -x 3
}

@test "a handler of a signal stands on the function that it interrupted" {
	sampled -s process-tree -- "$SPIN" signal 400
	folded | grep -q ';compare (spin);burn (spin);[^;]* (libc.so.6);handle (spin);burn (spin) '
}

@test "--backtrace fp takes the frames of the kernel, none takes one frame" {
	sampled -s cpu -b none -- "$SPIN" sort 100
	[ "$(said_of stack '.frames | length' | sort -u)" = 1 ]
	said_of stack '.frames[0]' | grep -qx 'burn (spin)'
	sampled -s cpu -b fp -- "$SPIN" sort 100
	said_of stack '.frames[0]' | grep -qx 'burn (spin)'
	[[ $(head -n 1 "$tq") = *':fp"'* ]]
}

@test "children are sampled, with the code that they have from their parent" {
	sampled -s process-tree -- sh -c "$SPIN child 300; :"
	folded | grep -q ';main (spin);run_child (spin);sort (spin);'
	[ "$(said_of process .name | sort -u | xargs)" = 'sh spin' ]
	child=$(said_of stack '.frames | index("run_child (spin)") // empty' | wc -l)
	((child > 0))
}

@test "a thread that another one names has that name, and the process its own" {
	need python3
	cat > naming.py <<-'EOF'
	import ctypes, threading, time
	def work():
	    while not done: sum(range(10000))
	done = False
	t = threading.Thread(target=work)
	t.start()
	name = ctypes.CDLL(None).pthread_setname_np
	name(ctypes.c_ulong(t.ident), b"other")
	time.sleep(0.2)
	done = True
	t.join()
	open("tid", "w").write(str(t.native_id))
	EOF
	sampled -s process-tree -- python3 naming.py
	[ "$(said_of thread 'select(.name == "other").tid' | sort -u)" = "$(< tid)" ]
	[ -z "$(said_of process 'select(.name == "other")')" ]
}

@test "each thread gets and leaves a processor in turn, and waiting is blocked" {
	sampled --cpuctxsw process-tree -- "$SPIN" pingpong 500
	for tid in $(said_of sched .tid | sort -u); do
		said_of sched "select(.tid == $tid) | .on" | awk '
		NR > 1 && $0 == last { exit bad = 1 }
		{ last = $0 }
		END { exit bad }'
	done
	blocked=$(said_of sched 'select(.on == false) | .reason' | grep -c blocked)
	echo "$blocked times blocked"
	((blocked >= 500))
	[ "$(count sample)" = 0 ]
	[[ $(head -n 1 "$tq") = *'"mode":"none,sched:perf"'* ]]
}

# waits: stacks of the samples of threads that wait, root first
waits() {
	jq -rs '
	    (map(select(.kind == "stack") | {key: "\(.id)", value: .frames}) |
	        from_entries) as $f |
	    .[] | select(.kind == "sample" and .state == "Interruptible") |
	    $f["\(.stack)"] | reverse | join(";")' "$tq"
}

# naps [N]: each of four naps was seen once, at least N of them, and the wait
# for the thread that takes them
naps() {
	waits > stacks
	local n

	# built with frame pointers, it is where the walk ends
	n=$(grep -c '\(^\|;\)nap (spin);.*nanosleep' stacks)
	((n >= ${1:-4} && n <= 5))
	# libc from 2.41 on has no names inside of pthread_join
	(($(grep -c '\(^\|;\)wait_for_naps (spin);.*\(join\|futex\|0x[0-9a-f]* (libc\)' stacks) == 1))
	said_of sample 'select(.state == "Interruptible") | [.count, .stack > 0]' |
	    sort -u | grep -qx '\[0,true\]'
}

@test "a wait of 20 ms or more has one sample, which stands for no time" {
	sampled -s process-tree --cpuctxsw process-tree -- "$SPIN" nap 4
	naps
	[[ $(head -n 1 "$tq") = *',sched:perf,blocked:read"'* ]]
	run -0 tq-stats -r cpu_sum -f json1 "$tq"
	[ "$(jq '[.[] | select(.State == "Blocked").Samples] | add' <<< "$output")" = 0 ]
	[[ $(folded) != *" 0" ]]
	sampled -s process-tree -- "$SPIN" nap 1
	[ -z "$(waits)" ]
	sampled -s process-tree -b none --cpuctxsw process-tree -- "$SPIN" nap 1
	(($(waits | wc -l) > 0))
	run ! grep ';' <(waits)
}

@test "where the kernel records no switches, waits are found by looking" {
	"$SPIN" deny tq-capture -q -t none -s process-tree --cpuctxsw \
	    process-tree "$SPIN" nap 4 > "$tq" 2> "$said" ||
	    skip "no seccomp filter"
	whole
	naps 3 # a busy machine looks late
	[[ $(head -n 1 "$tq") = *',blocked:read"'* ]]
}

@test "what hides the stacks of threads that wait is said" {
	"$SPIN" blind true || skip "no seccomp filter"
	wanted="tq-capture: stacks of threads that wait are not recorded:\
 process_vm_readv: Operation not permitted"
	run -125 "$SPIN" blind tq-capture --strict -q -t none -s process-tree \
	    --cpuctxsw process-tree touch run
	[ "${lines[0]}" = "$wanted" ]
	[ ! -e run ]
	"$SPIN" blind tq-capture -q -t none -s process-tree \
	    --cpuctxsw process-tree "$SPIN" nap 1 > "$tq" 2> "$said"
	grep -qx "$wanted" "$said"
	[ -z "$(waits)" ]
	said_of diagnostic .text | grep -qx "${wanted#*: }"
}

@test "a process that runs already is seen in the wait that it is in" {
	"$SPIN" nap 10 > n &
	pid=$!
	tq-capture --attach $pid -d 0.5 -s process-tree --cpuctxsw process-tree \
	    > "$tq" 2> "$said"
	wait $pid
	! grep -q perf_event_open "$said" ||
	    skip "the kernel allows no perf_event_open"
	waits > stacks
	grep -q '\(^\|;\)wait_for_naps (spin);' stacks
}

# goes_on: a program whose first thread ends before the other has done anything
goes_on() {
	cat > on.c <<- 'END'
	#include <fcntl.h>
	#include <pthread.h>
	#include <time.h>
	#include <unistd.h>
	static pthread_t first;
	static volatile unsigned long sum;
	__attribute__((noinline)) static void burn(void) {
	    struct timespec t;
	    do for (int i = 0; i < 100000; i++) sum += i;
	    while (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t) == 0 && t.tv_nsec < 200000000);
	}
	__attribute__((noinline)) static int nap(void) { return usleep(200000); }
	static void *go_on(void *arg) {
	    static char bytes[1 << 20];
	    pthread_join(first, NULL);
	    usleep(1000); /* for the kernel it goes on for a moment */
	    int n = read(open("/dev/zero", O_RDONLY), bytes, sizeof(bytes)) + nap();
	    burn();
	    return n ? arg : NULL;
	}
	int main(void) {
	    pthread_t t;
	    first = pthread_self();
	    pthread_create(&t, NULL, go_on, NULL);
	    pthread_exit(NULL);
	}
	END
	${CC:-cc} -O1 -w -o on on.c -lpthread
}

@test "threads that go on without the first one have their code, stacks and files" {
	goes_on
	sampled -s process-tree --cpuctxsw process-tree -- ./on
	folded | grep -q '(libc.so.6);go_on (on);burn (on) '
	waits | grep -q ';go_on (on);nap (on);.*nanosleep'
	tq-capture -q -t osrt --osrt-file-access true ./on > "$tq"
	[ "$(said_of osrt 'select(.name == "read").file')" = /dev/zero ]
	"$SPIN" deny tq-capture -q -t none -s process-tree --cpuctxsw \
	    process-tree ./on > "$tq" 2> "$said" || skip "no seccomp filter"
	folded | grep -q '(libc.so.6);go_on (on);burn (on) '
	waits | grep -q ';go_on (on);nap (on);.*nanosleep'
}

@test "with --split the samples of a process are in its file" {
	capture -q -s process-tree --split -o '%p.tq' "$CLIENT" marks 3
	! grep -q perf_event_open "$said" || skip "no perf_event_open"
	for file in [0-9]*.tq; do
		[ "$(jq -r 'select(.kind == "sample" or .kind == "mark").pid' \
		    "$file" | sort -u)" = "${file%.tq}" ]
	done
}

@test "a user without rights may sample what he runs" {
	(($(id -u) == 0)) || skip "this is one"
	need setpriv
	ulimit -l 64 # it is little in many containers
	(($(< /proc/sys/kernel/perf_event_paranoid) <= 2)) ||
	    skip "kernel.perf_event_paranoid is above 2"
	chmod 755 "$BATS_TEST_TMPDIR"
	cp "$SPIN" spin
	cp "$BUILD"/{tq-capture,libtq-capture.so} .
	setpriv --reuid 65534 --clear-groups test -r "$PWD/spin" ||
	    skip "he may not read the folder of the test"
	setpriv --reuid 65534 --clear-groups \
	    ./tq-capture -q -t none -s process-tree ./spin sort 200 > "$tq" 2> "$said"
	folded | grep -q ';sort (spin);.*;compare (spin);burn (spin) '
}

@test "a command that cannot be run ends the capture as ever" {
	printf '#!/nonexistent/x\n' > bad
	chmod 755 bad
	for _ in {1..10}; do
		run -127 tq-capture -q -t none -s process-tree ./bad
	done
}

@test "a program that was built again has the names of its new build" {
	cp "$SPIN" prog
	LC_ALL=C sed 's/compare/c0mpare/g' "$SPIN" > second
	capture -q -t none -s process-tree sh -c \
	    './prog sort 200; cat second > prog; ./prog sort 200'
	! grep -q perf_event_open "$said" || skip "no perf_event_open"
	folded > stacks
	grep -q ';compare (prog);' stacks
	grep -q ';c0mpare (prog);' stacks
}

# ---- modules ----

# id_of FILE: its build id
id_of() {
	readelf -n "$1" | sed -n 's/.*Build ID: //p'
}

@test "each file with a frame in a stack is a module, with its build id" {
	need readelf
	sampled -s process-tree -- sh -c "$SPIN sort 100; exec $SPIN child 100"
	# before the stacks, of each process and each place once
	said_of module '[.pid, .name, .address]' > modules
	[ -z "$(sort modules | uniq -d)" ]
	run ! grep -q libtq- modules
	for file in "$SPIN" "$(ldd "$SPIN" | awk '/libc.so/ { print $3 }')"; do
		[ "$(said_of module "select(.name | endswith(\"/${file##*/}\")).build" |
		    sort -u)" = "$(id_of "$file")" ]
	done
	(($(grep -c '/spin"' modules) >= 2))
	jq -es '
	    (map(select(.kind == "module") | {key: "\(.pid) \(.name | split("/")[-1])", value: 1}) |
	        from_entries) as $m |
	    (map(select(.kind == "stack") | {key: "\(.id)", value: .frames}) |
	        from_entries) as $f |
	    map(select(.kind == "sample") | .pid as $p | $f["\(.stack)"][] |
	        capture("\\((?<file>[^()]*)\\)$").file |
	        select(. != "[unknown]") | $m["\($p) \(.)"]) | all' "$tq"
}

@test "modules go through all tools with the stacks that need them" {
	need readelf
	sampled -s process-tree -- "$SPIN" child 200
	n=$(count module)
	((n >= 2))
	tq-correlate "$tq" > c.tq
	[ "$(count module c.tq)" = "$n" ]
	child=$(said_of sample .pid | sort -un | tail -n 1)
	tq-filter -k sample "pid == $child" "$tq" > f.tq
	[ "$(jq -r 'select(.kind == "module").pid' f.tq | sort -u)" = "$child" ]
	[ "$(count module f.tq)" = "$(said_of module "select(.pid == $child) | 1" | wc -l)" ]
	tq-filter --redact "$tq" > r.tq
	[ "$(count module r.tq)" = "$n" ]
	run ! grep -q "$(id_of "$SPIN")" r.tq
	tq-chrome -q -o c.json "$tq"
	tq-perfetto -q -o c.pftrace "$tq"
	run -0 tq-stats -r folded:samples c.tq
	[[ $output = *"compare (spin)"* ]]
}

@test "an offset in a module is an address of its symbols" {
	need readelf
	need objcopy
	cp "$SPIN" prog
	strip prog
	sampled -s process-tree -- ./prog sort 200
	offset=$(said_of stack '.frames[0]' | sort | uniq -c | sort -rn |
	    sed -n 's/.* 0x\([0-9a-f]*\) (prog)$/\1/p' | head -n 1)
	[ -n "$offset" ]
	# here offsets are addresses
	addr2line -f -e "$SPIN" "0x$offset" | grep -qE '^(burn|compare|sort|main)$'
}

@test "symbols of a stripped file come from its .debug file, if it is that" {
	need mount
	need objcopy
	mkdir debug
	objcopy --only-keep-debug "$SPIN" symbols
	cp "$SPIN" prog
	strip prog
	id=$(id_of prog)
	mkdir -p "debug/.build-id/${id:0:2}"
	file=debug/.build-id/${id:0:2}/${id:2}.debug
	cp symbols "$file"
	unshare -m sh -c 'mkdir -p /usr/lib/debug && mount --bind debug /usr/lib/debug &&
	    exec "$@"' sh tq-capture -q -t none -s process-tree ./prog sort 200 > "$tq" 2> "$said"
	! grep -q perf_event_open "$said" || skip "no perf_event_open"
	folded | grep -q ';sort (prog);.*;compare (prog);burn (prog) '
	objcopy --remove-section .note.gnu.build-id symbols "$file"
	unshare -m sh -c 'mount --bind debug /usr/lib/debug && exec "$@"' sh \
	    tq-capture -q -t none -s process-tree ./prog sort 200 > "$tq" 2> "$said"
	run ! grep -q 'compare (prog)' <(folded)
}

@test "a file that was replaced gives no names to the program that runs" {
	dir=$(mktemp -d /dev/shm/tq.XXXXXX) || skip "no /dev/shm"
	source() {
		cat <<-END
		#include <unistd.h>
		static volatile unsigned long sum;
		__attribute__((noinline)) static void $1(void) {
			for (long i = 0; i < 300000000; i++) sum += i; }
		int main(void) { while (access("$dir/go", F_OK) != 0) usleep(1000);
			$1(); return sum == 1; }
		END
	}
	source first | ${CC:-cc} -Wl,--build-id -x c -o "$dir/prog" -
	source second | ${CC:-cc} -Wl,--build-id -x c -o "$dir/new" -
	tq-capture -q -t none -s process-tree sh -c \
	    "$dir/prog & sleep 0.2; mv $dir/new $dir/prog; : > $dir/go; wait" > "$tq" 2> "$said"
	rm -r "$dir"
	! grep -q perf_event_open "$said" || skip "no perf_event_open"
	folded > stacks
	grep -q '(prog' stacks
	run ! grep 'second (prog' stacks
}

@test "what makes no sense is refused, and the command is not run" {
	for options in '-s system-wide' '--cpuctxsw system-wide' '-s all' \
	    '-b deep' '--sampling-frequency 99' '--sampling-frequency 8001' \
	    '--sampling-frequency 1kHz'; do
		# shellcheck disable=SC2086 # they are words
		run -125 tq-capture $options touch run
		[[ $output = "tq-capture: --"* ]] && [ ! -e run ]
	done
}
