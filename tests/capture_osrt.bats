#!/usr/bin/env bats
# Calls of the C library under tq-capture -t osrt

load helper
load capture

OSCALLS=$CLIENTS/oscalls

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# recorded [OPTION ...] COMMAND ...: run it with osrt; the stream is whole
recorded() {
	capture -q -t osrt "$@"
	whole
	[[ -z $(grep '^tq-capture:' "$said") ]]
}

# beside [OPTION ...] COMMAND ...: the same; the stream is in x.tq, and what the
# command prints in out
beside() {
	tq-capture -q -t osrt -o x.tq "$@" > out 2> "$said"
	whole x.tq
	! grep '^tq-capture:' "$said"
}

# calls NAME JQ-EXPRESSION: what it says of each call of that function
calls() {
	jq -rc --arg name "$1" \
	    "select(.kind == \"osrt\" and .name == \$name) | $2" "$tq"
}

# ---- the program ----

@test "calls that are too short to be recorded are counted, and in the cost" {
	local ns

	# recorded or not, dd has two calls for each byte; the first that takes
	# a millisecond may be the one that waits for the end of the input
	for ns in 1000 1000000; do
		{ head -c 100000 /dev/zero; sleep 0.5; } |
		    tq-capture -t osrt --osrt-threshold $ns -o x.tq \
		        dd of=/dev/null bs=1 2> "$said"
		jq -se 'map(select(.kind == "overhead" and
		    (.what | test("^OS calls"))) | .args.events) | add |
		    . >= 200000 and . < 210000' x.tq
	done
	jq -se 'any(.kind == "overhead" and .args.spent_ns > 1000000 and
	    .what == "OS calls too short to be recorded")' x.tq
	grep -qE ', [0-9]+ OS calls too short to be recorded [0-9.]+ ms' "$said"
}

@test "a program does the same with its calls recorded and without" {
	"$OSCALLS" all > plain 2>&1
	[ "$(wc -l < plain)" -gt 30 ]
	for i in 1 2 3; do
		beside "$OSCALLS" all
		diff plain out
	done
	beside -t osrt,nvtx --osrt-threshold 0 --osrt-file-access true \
	    --osrt-backtrace-threshold 1 "$OSCALLS" all
	diff plain out
}

@test "so do shells, perl and python" {
	beside bash -c 'echo a | sed s/a/b/; (exit 3); echo $?'
	[ "$(paste -sd ' ' out)" = "b 3" ]
	need perl
	beside perl -e 'print `echo a`; print system("sh", "-c", "exit 3") >> 8'
	[ "$(paste -sd ' ' out)" = "a 3" ]
	need python3
	beside python3 -c 'import subprocess
print(subprocess.run(["sh", "-c", "echo a; exit 3"]).returncode)'
	[ "$(sort out | paste -sd ' ')" = "3 a" ]
}

@test "a function is not found by a tail call of the loader" {
	need objdump
	objdump -d "$BUILD/libtq-preload.so" > code
	# x86-64, and aarch64
	grep -qw '\(call\|bl\)\s.*<dlsym@plt>' code
	run ! grep -w '\(jmp\|b\)\s.*<dlsym@plt>' code
}

@test "static programs, and those with other rights, are left alone" {
	cat > s.c <<- 'END'
	#include <stdio.h>
	#include <unistd.h>
	int main(void) { usleep(2000); puts("here"); }
	END
	if ${CC:-cc} -static -o s s.c 2> /dev/null; then
		tq-capture -q -t osrt -o x.tq ./s > out 2> "$said"
		whole x.tq
		[ "$(< out)" = here ]
		[ "$(count osrt x.tq)" = 0 ]
	fi
	need other-user
	chmod 755 "$BATS_TEST_TMPDIR"
	${CC:-cc} -o s s.c
	chown 65534 s
	chmod u+s s
	tq-capture -q -t osrt -o x.tq ./s > out 2> "$said"
	whole x.tq
	[ "$(< out)" = here ]
	[ "$(count osrt x.tq)" = 0 ]
}

@test "what is in LD_PRELOAD stays there" {
	# of tq-capture itself, where the tests have sanitizers
	ours=$BUILD/libtq-capture.so:$BUILD/libtq-preload.so
	export ASAN_OPTIONS=${ASAN_OPTIONS:-}:verify_asan_link_order=0
	LD_PRELOAD=$BUILD/capture/stand-in/slow.so beside \
	    sh -c 'echo $LD_PRELOAD'
	[ "$(< out)" = "$BUILD/capture/stand-in/slow.so:$ours" ]
	LD_PRELOAD=$BUILD/capture/stand-in/slow.so beside -n false \
	    "$(command -v sh)" -c 'echo $LD_PRELOAD'
	[ "$(< out)" = "$ours" ]
	tq-capture -q -o x.tq sh -c 'echo "<$LD_PRELOAD>"' > with
	[ "$(< with)" = "<>" ]
}

# started HOW PROGRAM [VARIABLE ...]: a program starts another, which takes no
# arguments, with these variables and those of the capture but LD_PRELOAD
started() {
	cat > start.c <<- 'END'
	#define _GNU_SOURCE
	#include <fcntl.h>
	#include <spawn.h>
	#include <stdlib.h>
	#include <string.h>
	#include <sys/wait.h>
	#include <unistd.h>
	int main(int n, char **a)
	{
		const char *how = a[1], *what = a[2];
		char *arg[] = {a[2], NULL};
		int pid;
		unsetenv("LD_PRELOAD");
		for (int i = 3; i < n; i++)
			putenv(a[i]);
		if (!strcmp(how, "execve")) execve(what, arg, environ);
		if (!strcmp(how, "execv")) execv(what, arg);
		if (!strcmp(how, "execl")) execl(what, what, (char *)0);
		if (!strcmp(how, "execle")) execle(what, what, (char *)0, environ);
		if (!strcmp(how, "execvp")) execvp(what, arg);
		if (!strcmp(how, "execvpe")) execvpe(what, arg, environ);
		if (!strcmp(how, "execlp")) execlp(what, what, (char *)0);
		if (!strcmp(how, "execveat")) execveat(AT_FDCWD, what, arg, environ, 0);
		if (!strcmp(how, "fexecve")) fexecve(open(what, O_RDONLY), arg, environ);
		if (!strcmp(how, "vfork") && vfork() == 0) execve(what, arg, environ);
		if (!strcmp(how, "posix_spawn")) posix_spawn(&pid, what, 0, 0, arg, environ);
		if (!strcmp(how, "posix_spawnp")) posix_spawnp(&pid, what, 0, 0, arg, environ);
		wait(NULL);
		return 0;
	}
	END
	[[ start -nt start.c ]] || ${CC:-cc} -w -o start start.c
	# it may say that a program of musl is without the library
	tq-capture -q -t "${trace:-osrt}" -o x.tq ./start "$@" > out 2> "$said"
	whole x.tq
}

# ways HOW ...: those that started knows
ways="execve execv execl execle execvp execvpe execlp execveat fexecve vfork
	posix_spawn posix_spawnp"

# shows NAME [LOADER]: a program of that name, which prints its LD_PRELOAD
shows() {
	cat > shows.c <<- 'END'
	#include <stdio.h>
	#include <stdlib.h>
	int main(void)
	{
		const char *list = getenv("LD_PRELOAD");
		return printf("%s\n", list ? list : "none") < 0;
	}
	END
	${CC:-cc} ${2:+-Wl,--dynamic-linker="$2"} -o "$1" shows.c
}

# ours_in_front OURS OTHER WAY ...: started in each of the ways with OTHER as its
# LD_PRELOAD, p has OURS before it
ours_in_front() {
	local way

	for way in "${@:3}"; do
		started "$way" ./p "LD_PRELOAD=$2"
		[ "$(< out)" = "$1:$2" ] || {
			cat out
			echo "$way"
			return 1
		}
	done
}

@test "a program whose LD_PRELOAD another library has taken gets ours in front" {
	local ours=$BUILD/libtq-capture.so:$BUILD/libtq-preload.so
	local other=$BUILD/capture/stand-in/slow.so
	export ASAN_OPTIONS=${ASAN_OPTIONS:-}:verify_asan_link_order=0
	shows p
	# shellcheck disable=SC2086 # a word each
	ours_in_front "$ours" "$other" $ways
	started execve ./p "LD_PRELOAD=$other:$ours"
	[ "$(< out)" = "$other:$ours" ]
	started execve ./p
	[ "$(< out)" = none ]
	started execve ./p LD_PRELOAD=
	[ "$(< out)" = "" ]
	# shellcheck disable=SC2016 # of the inner shell
	recorded sh -c 'LD_PRELOAD=$0 exec "$@"' "$other" "$OSCALLS" sleep 50
	[ "$(calls usleep '.dur > 50e6')" = true ]
}

@test "so it does where calls of MPI alone are recorded" {
	local ours=$BUILD/libtq-capture.so:$BUILD/libtq-mpi.so trace=mpi
	local other=$BUILD/capture/stand-in/slow.so
	export ASAN_OPTIONS=${ASAN_OPTIONS:-}:verify_asan_link_order=0
	shows p
	# shellcheck disable=SC2086 # a word each
	ours_in_front "$ours" "$other" $ways
	# with both libraries, they come once
	ours=$BUILD/libtq-capture.so:$BUILD/libtq-preload.so:$BUILD/libtq-mpi.so
	trace=osrt,mpi
	ours_in_front "$ours" "$other" execve posix_spawn
}

@test "a program of musl starts without our libraries, and is named" {
	local musl=$PWD/ld-musl-x86_64.so.1 way
	local text="musl runs it, whose loader can't load our libraries"
	# the loader of this C library, by a name of musl's
	cp "$(readlink -f /lib64/ld-linux-x86-64.so.2)" "$musl" 2> none ||
	    skip "no loader of x86-64"
	export ASAN_OPTIONS=${ASAN_OPTIONS:-}:verify_asan_link_order=0
	shows m "$musl"
	tq-capture -q -t osrt -o x.tq ./m > out 2> "$said"
	[ "$(< out)" = none ]
	[ "$(< "$said")" = "tq-capture: ./m: $text: OS calls, MPI and samples by timers are not recorded" ]
	[ "$(jq -r 'select(.kind == "diagnostic").text' x.tq)" = "./m: $text: OS calls, MPI and samples by timers are not recorded" ]
	printf '#!%s/m\n' "$PWD" > script
	chmod +x script
	tq-capture -q -t osrt -o x.tq ./script > out 2> "$said"
	[ "$(< out)" = none ]
	run -125 --separate-stderr tq-capture --strict -t osrt -o x.tq ./m
	[ "$output" = "" ]
	# and one that another program starts
	for way in $ways; do
		started "$way" ./m \
		    "LD_PRELOAD=$BUILD/libtq-capture.so:$BUILD/libtq-preload.so"
		[ "$(< out)" = "" ] || { cat out; echo "$way"; false; }
	done
	started execvp ./script \
	    "LD_PRELOAD=$BUILD/libtq-capture.so:$BUILD/libtq-preload.so:other.so"
	[ "$(< out)" = other.so ]
}

# unloaded REASON COMMAND ...: a process that can't be recorded is named, with
# the reason, in both outputs, and --strict fails
unloaded() {
	local status=0
	timeout 60 tq-capture --strict -t osrt -o x.tq "${@:2}" 2> "$said" ||
	    status=$?
	[[ $status = 125 ]] || { cat "$said"; return 1; }
	grep -qxE "tq-capture: process [0-9]+ \\($1" "$said" ||
	    { cat "$said"; return 1; }
	jq -r 'select(.kind == "diagnostic").text' x.tq |
	    grep -qxE "process [0-9]+ \\($1"
}

@test "a process without the library is named with the reason, and --strict fails" {
	# it waits until it is named
	cat > wait.sh <<- 'END'
	until grep -q '(sh)' "$1"; do sleep .05; done
	END
	touch "$said"
	unloaded 'sh\) ran without the library: its environment was cleared' \
	    env -i sh wait.sh "$said"
	unloaded 'sh\) ran without the library: it began without our LD_PRELOAD' \
	    env -u LD_PRELOAD sh wait.sh "$said"
	unloaded 'sh\) ran without the library: its LD_PRELOAD was replaced' \
	    env -u LD_PRELOAD env "LD_PRELOAD=$BUILD/capture/stand-in/slow.so" \
	    sh wait.sh "$said"
	if python3 -c 1 2> none; then
		cat > train.py <<- 'END'
		import sys, time
		while "(train.py)" not in open(sys.argv[1]).read():
		    time.sleep(.05)
		END
		: > "$said"
		unloaded 'train.py\) ran without the library: its environment was cleared' \
		    env -i "$(command -v python3)" ./train.py "$said"
	fi
	need unshare
	unshare -n true 2> none || skip "no network name spaces"
	: > "$said"
	unloaded 'sh\) ran unrecorded: it is in another network name space' \
	    unshare -n sh wait.sh "$said"
}

@test "without the library there is no recording" {
	mkdir here
	cp "$BUILD"/{tq-capture,libtq-capture.so} here
	run -125 here/tq-capture -t osrt touch run
	[[ $output = "tq-capture: --trace osrt: $PWD/here/libtq-preload.so: No such file or directory" ]]
	[ ! -e run ]
	here/tq-capture -q -t nvtx "$CLIENT" marks 1 > "$tq"
	[ "$(count mark)" = 1 ]
	cp "$BUILD"/libtq-preload.so here
	mv here 'a b'
	run -125 'a b/tq-capture' -t osrt touch run
	[[ $output = *": LD_PRELOAD takes no path with a space or a colon" ]]
}

# ---- the records ----

@test "a call that waits has its time, its value and its stack" {
	recorded "$OSCALLS" sleep 50
	[ "$(calls usleep '.dur > 50e6, .ret')" = "true
0" ]
	[[ $(head -n 1 "$tq") = *'"mode":"none,osrt"'* ]]
	[ "$(uname -m)" = x86_64 ] || skip "stacks are for x86-64"
	id=$(calls usleep .stack)
	said_of stack "select(.id == $id) | .frames | .[0], (map(select(test(\"^__libc_start_main\"))) | length)" |
	    paste -sd ' ' | grep -x 'main (oscalls) 1'
	! said_of stack '.frames[]' | grep libtq || return 1
	recorded "$OSCALLS" fibre other-stack > out
	said_of stack '.frames[0]' > leaves
	grep -Fx 'run_fibre (oscalls)' leaves
	grep -Fx 'rest_in_handler (oscalls)' leaves
}

@test "a descriptor that is closed or replaced by syscall(3) has the name of its new file" {
	cat > reuse.c <<- 'END'
	#define _GNU_SOURCE
	#include <fcntl.h>
	#include <sys/syscall.h>
	#include <unistd.h>
	static char b[4096];
	int main(void)
	{
		int a = open("/dev/zero", O_RDONLY), d;

		read(a, b, 4096);
		syscall(SYS_close, a);
		a = syscall(SYS_openat, AT_FDCWD, "big", O_RDONLY);
		read(a, b, 4096);
		d = open("/etc/passwd", O_RDONLY);
		read(d, b, 4096);
		syscall(SYS_dup3, a, d, O_CLOEXEC);
		read(d, b, 4096);
		syscall(SYS_close_range, d, d, 0);
		syscall(SYS_openat, AT_FDCWD, "/dev/zero", O_RDONLY);
		read(d, b, 4096);
		return 0;
	}
	END
	head -c 8192 /dev/zero > big
	${CC:-cc} -w -o reuse reuse.c
	tq-capture -q -t osrt --osrt-threshold 0 --osrt-file-access true \
	    -o "$tq" ./reuse
	[ "$(jq -r 'select(.kind == "osrt" and .name == "read" and .ret > 0) |
	    .file' "$tq" | sed 's,.*/,,' | xargs)" = "zero big passwd big zero" ]
}

@test "a wait in getline, printf, scanf, a lock of C11 or a futex is a call" {
	cat > waits.c <<- 'END'
	#include <stdio.h>
	#include <linux/futex.h>
	#include <stdlib.h>
	#include <sys/syscall.h>
	#include <threads.h>
	#include <unistd.h>
	static mtx_t lock;
	static cnd_t condition;
	static int ready;
	static int hold(void *arg)
	{
		mtx_lock(&lock);
		thrd_sleep(&(struct timespec){0, 50000000}, NULL);
		ready = 1;
		cnd_signal(&condition);
		mtx_unlock(&lock);
		thrd_sleep(&(struct timespec){0, 50000000}, NULL);
		return arg == NULL;
	}
	int main(void)
	{
		char *line = NULL;
		size_t n = 0;
		thrd_t t;
		int value;
		getline(&line, &n, stdin);
		scanf("%d", &value);
		fclose(fopen("full", "w"));
		for (int i = 0; i < 20000; i++)
			printf("line %d of the output\n", i);
		mtx_init(&lock, mtx_plain);
		cnd_init(&condition);
		thrd_create(&t, hold, NULL);
		thrd_sleep(&(struct timespec){0, 20000000}, NULL);
		mtx_lock(&lock);
		mtx_unlock(&lock);
		syscall(SYS_futex, &ready, FUTEX_WAIT_PRIVATE, 1,
		    &(struct timespec){0, 20000000}, NULL, 0);
		return thrd_join(t, NULL);
	}
	END
	for flags in -O0 "-O2 -D_FORTIFY_SOURCE=2"; do
		# shellcheck disable=SC2086 # some words
		${CC:-cc} -w -D_GNU_SOURCE $flags -o waits waits.c -lpthread
		(sleep .1; echo text; sleep .1; echo 5) |
		    tq-capture -q -t osrt -o x.tq ./waits | {
			until [[ -e full ]]; do sleep .05; done
			sleep .1
			cat > out
		}
		rm full
		[ "$(wc -l < out)" = 20000 ]
		jq -r 'select(.kind == "osrt" and .dur > 10e6).name' x.tq |
		    sort -u > names
		grep -qxE 'getline|getdelim' names
		for name in scanf printf mtx_lock thrd_sleep thrd_join futex; do
			grep -qx "$name" names || { echo "$flags: $name"; cat names; false; }
		done
	done
}

@test "metadata calls are recorded by the threshold, and functions for large files as the others" {
	mkdir -p d/e
	touch d/f d/g
	cat > meta.c <<- 'END'
	#define _GNU_SOURCE
	#define _LARGEFILE64_SOURCE
	#include <dirent.h>
	#include <fcntl.h>
	#include <stdio.h>
	#include <sys/sendfile.h>
	#include <sys/stat.h>
	#include <unistd.h>
	int main(void)
	{
		struct stat st;
		struct stat64 st64;
		char link[64];
		DIR *d = opendir("d");
		while (readdir(d) != NULL) {}
		closedir(d);
		stat("d/f", &st);
		stat64("d/f", &st64);
		lstat("none", &st);
		fstat(0, &st);
		access("d/f", R_OK);
		mkdir("d/x", 0700);
		rename("d/x", "d/y");
		rmdir("d/y");
		symlink("f", "d/l");
		readlink("d/l", link, sizeof(link));
		unlink("d/l");
		int from = open64("d/f", O_RDWR), to = open("d/g", O_RDWR);
		ftruncate64(from, 100);
		sendfile64(to, from, NULL, 100);
		return 0;
	}
	END
	${CC:-cc} -w -o meta meta.c
	recorded --osrt-threshold 0 ./meta
	for name in opendir readdir closedir stat lstat fstat access mkdir \
	    rename rmdir symlink readlink unlink; do
		[[ -n $(calls "$name" .dur) ]] || { echo "$name"; false; }
	done
	[ "$(calls lstat '.file, .ret')" = "none
-2" ]
	[[ $(calls opendir .file) = *d ]]
	[ "$(calls open .ret | wc -l)" = 2 ]
	[ "$(calls stat .file | sort -u)" = d/f ]
	[ "$(calls stat .file | wc -l)" = 2 ]
	[ "$(calls open64 .ret)" = "" ]
	[ "$(calls sendfile '.bytes, .args.fd, .args.to')" = "100
$(calls open .ret | paste -sd '\n')" ]
	[ "$(calls sendfile '.file, .args.to_file' | sed 's|.*/d/|d/|')" = "d/f
d/g" ]
	recorded --osrt-threshold 100s --osrt-file-access true ./meta
	[ "$(calls stat .dur)" = "" ]
	[ "$(calls open .ret | wc -l)" = 2 ]
}

@test "-t osrt=GROUP+... records calls of these groups alone" {
	local groups
	cat > groups.c <<- 'END'
	#include <fcntl.h>
	#include <sys/socket.h>
	#include <sys/stat.h>
	#include <unistd.h>
	int main(void)
	{
		struct stat st;
		int fds[2];
		stat("/", &st);
		socketpair(AF_UNIX, SOCK_STREAM, 0, fds);
		send(fds[0], "x", 1, 0);
		close(open("/dev/null", O_RDONLY));
		usleep(1000);
		return 0;
	}
	END
	${CC:-cc} -w -o groups groups.c
	of_groups() { # GROUPS: the calls that are recorded
		tq-capture -q -t "nvtx,osrt=$1" --osrt-threshold 0 -o x.tq ./groups
		whole x.tq
		jq -r 'select(.kind == "osrt").name' x.tq | sort -u | paste -sd ' '
	}
	[ "$(of_groups meta)" = stat ]
	[ "$(of_groups wait)" = usleep ]
	[ "$(of_groups io+meta)" = "close open stat" ]
	[ "$(of_groups net)" = "send socketpair" ]
	[ "$(of_groups io+net+wait+lock+process+meta)" = \
	    "close open send socketpair stat usleep" ]
	tq-capture -q -t osrt=meta,osrt --osrt-threshold 0 -o x.tq ./groups
	grep -q '"name":"usleep"' x.tq
	# by the threshold as well
	tq-capture -q -t osrt=meta --osrt-threshold 100s -o x.tq ./groups
	[ "$(count osrt x.tq)" = 0 ]
	# calls that hang are there in any case
	ends 143 tq-capture -q -t osrt=meta -o x.tq -d 1 --kill sigterm sleep 100
	[ "$(jq -r 'select(.open).name' x.tq)" = clock_nanosleep ]
	for groups in "" x meta+x meta,x; do
		run -125 tq-capture -t "osrt=$groups" -o y.tq true
		[[ $output = "tq-capture: --trace "@(x|"''")": expected "* ]]
	done
	run -125 tq-capture -t osrt=metadata true
	[ "$output" = "tq-capture: --trace metadata: expected io, net, wait, lock, process or meta" ]
	[ ! -e y.tq ]
}

@test "an error is the negative errno" {
	recorded --osrt-threshold 0 --osrt-backtrace-threshold 0 \
	    "$OSCALLS" errno mutexes > out
	[ "$(calls open .ret | sort -n | uniq -c | awk '$2 < 0 { print $1, $2 }' |
	    paste -sd ,)" = "1 -14,1 -2" ]
	calls open 'select(.ret == -2).file' | grep -x /nowhere/at/all
	calls read 'select(.ret == -9)' | grep -q .
	calls fopen '[.ret, .file]' | grep -Fx '[-2,"/nowhere"]'
	calls mmap .ret | grep -x -- -22
	calls pthread_mutex_timedlock .ret | sort -u | paste -sd ' ' |
	    grep -x -- '-110 -35'
	[ "$(count stack)" = 0 ]
}

@test "a stream without a descriptor keeps the error of its call" {
	cat > cookie.c <<- 'END'
	#define _GNU_SOURCE
	#include <errno.h>
	#include <stdio.h>
	#include <unistd.h>
	static ssize_t fail(void *c, char *p, size_t n) { usleep(2000); errno = EIO; return -1; }
	int main(void) {
	    char line[8];
	    FILE *f = fopencookie(NULL, "r", (cookie_io_functions_t){.read = fail});
	    return fgets(line, 8, f) != NULL || errno != EIO;
	}
	END
	${CC:-cc} -w -o cookie cookie.c
	recorded ./cookie
	[ "$(calls fgets .ret)" = -5 ]
}

@test "shorter calls than --osrt-threshold are not recorded" {
	recorded --osrt-threshold 20ms "$OSCALLS" sleep 5 sleep 30
	[ "$(said_of osrt .name | paste -sd ' ')" = usleep ]
	recorded --osrt-threshold 1s "$OSCALLS" all > out
	[ "$(count osrt) $(count process)" = "0 0" ]
}

@test "all calls of files are recorded with --osrt-file-access" {
	recorded --osrt-threshold 1s --osrt-file-access true "$OSCALLS" \
	    fast 1000 sleep 5
	[ "$(calls read 'select(.file == "/dev/zero").bytes' | uniq -c | xargs)" = "1000 1" ]
	[ "$(calls usleep .name)" = "" ]
	calls open .file | grep -x /dev/zero
	calls close .file | grep -x /dev/zero
}

@test "a free lock is no call, and one that is held is" {
	recorded --osrt-threshold 0 "$OSCALLS" locks 100000
	[ "$(calls pthread_mutex_lock .)" = "" ]
	recorded "$OSCALLS" mutexes > out
	[ "$(calls pthread_mutex_lock 'select(.dur > 1e6 and .ret == 0).ret')" = 0 ]
	calls pthread_mutex_lock .address | grep -Eqx '0x[0-9a-f]+'
}

@test "bytes in the buffer of a file are no call" {
	recorded --osrt-threshold 0 "$OSCALLS" stdio > out
	n=$(said_of osrt 'select(.name | test("^(fgetc|fputs|putc|fwrite)$"))' | wc -l)
	echo "$n of 50000"
	((n > 0 && n < 400))
}

@test "a descriptor that is opened again is another file" {
	head -c 99 /dev/zero > a
	head -c 99 /dev/zero > b
	recorded --osrt-file-access true "$OSCALLS" reuse a b
	[ "$(calls read 'select(.file // "" | test("/[ab]$")) |
	    "\(.file | split("/")[-1])\(.bytes)"' | paste -sd ' ')" = \
	    "a16 b16 a1 b2 b3" ]
	[ "$(calls read 'select(.file // "" | test("/[ab]$")).args.fd' | sort -u |
	    wc -l)" = 1 ]
}

@test "the child of a vfork does not change the files of its parent" {
	recorded --osrt-file-access true "$OSCALLS" vfork > out
	[ "$(calls read 'select(.bytes == 1).file')" = /dev/zero ]
	pid=$(said_of process 'select(.name == "oscalls").pid' | head -n 1)
	[ "$(calls dup2 "select(.pid == $pid)" | wc -l)" = 0 ]
}

@test "sockets have their peer, pipes are pipes" {
	recorded --osrt-file-access true --osrt-threshold 0 "$OSCALLS" \
	    sockets polling fork > out
	calls recv .file | grep -Eqx 'socket:127[.]0[.]0[.]1:[0-9]+'
	calls send 'select(.bytes == 5).file' | grep -Eq '^socket:127'
	calls write 'select(.bytes == 1).file' | sort -u | paste -sd ' ' |
	    grep -x 'pipe socket:unix'
	calls epoll_wait .file | grep -Fx 'anon_inode:[eventpoll]'
}

@test "a stack is copied whose end another thread unmaps" {
	[ "$(uname -m)" = x86_64 ] || skip "stacks are for x86-64"
	cat > ends.c <<-'EOF'
	#define _GNU_SOURCE
	#include <pthread.h>
	#include <stdatomic.h>
	#include <sys/mman.h>
	#include <unistd.h>
	enum { STACK = 1 << 20, PAGE = 4096 };
	static atomic_int done;
	static void *calls(void *p) {
	    for (int i = 0; i < 5000; i++) usleep(1);
	    done = 1;
	    return p;
	}
	static char *map(void *at, size_t n, int how) {
	    return mmap(at, n, PROT_READ | PROT_WRITE,
	        MAP_PRIVATE | MAP_ANONYMOUS | how, -1, 0);
	}
	int main(void) {
	    char *stack = map(NULL, STACK + PAGE, 0);
	    pthread_attr_t a;
	    pthread_t t;
	    pthread_attr_init(&a);
	    pthread_attr_setstack(&a, stack, STACK);
	    if (pthread_create(&t, &a, calls, NULL) != 0) return 1;
	    while (!done) {
	        munmap(stack + STACK, PAGE);
	        map(stack + STACK, PAGE, MAP_FIXED);
	    }
	    return pthread_join(t, NULL);
	}
	EOF
	${CC:-cc} -O1 -o ends ends.c -lpthread
	recorded --osrt-backtrace-threshold 1 ./ends
	(($(calls usleep .stack | grep -c '^[0-9]') > 4000))
	"$CLIENTS/spin" blind true || skip "no seccomp filter"
	"$CLIENTS/spin" blind tq-capture -q -t osrt -o "$tq" \
	    --osrt-backtrace-threshold 1 ./ends
	(($(calls usleep .stack | grep -c '^[0-9]') > 4000))
}

@test "a library sees the wrappers, unless it was opened with RTLD_DEEPBIND" {
	recorded "$OSCALLS" library "$CLIENTS/slow.so"
	[ "$(calls usleep '.dur > 2.9e6')" = true ] # one of two
}

@test "a library that is opened late is in the stacks of its calls at once" {
	[ "$(uname -m)" = x86_64 ] || skip "stacks are for x86-64"
	tq-capture -q -t osrt -o x.tq "$OSCALLS" late "$CLIENTS/slow.so" hang \
	    > out &
	pid=$!
	until_true grep -q hang out
	until_true grep -q '"slow_rest (slow.so)","main' x.tq
	kill $pid
	ends 143 wait $pid
	whole x.tq
}

@test "a file has the calls while the program runs" {
	tq-capture -q -t osrt -o x.tq sh -c 'sleep 0.1; exec sleep 60' &
	pid=$!
	until_true grep -q '^{"kind":"osrt",.*nanosleep' x.tq
	kill $pid
	ends 143 wait $pid
	whole x.tq
}

@test "functions that check sizes are those that they check for" {
	cat > fortified.c <<- 'END'
	#include <fcntl.h>
	#include <stdlib.h>
	#include <unistd.h>
	int main(int argc, char *argv[]) {
		char text[8];
		int fd = open(argv[argc - 1], O_RDONLY);
		return read(fd, text, (size_t)atoi(argv[1])) != 4;
	}
	END
	${CC:-cc} -O2 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 -o fortified \
	    fortified.c
	recorded --osrt-threshold 0 ./fortified 4 /dev/zero
	[ "$(calls read 'select(.file == "/dev/zero").bytes')" = 4 ]
}

# ---- losses, ends ----

@test "delivered and lost calls are those that were made, however it ends" {
	local extra how n

	recorded --osrt-threshold 0 "$OSCALLS" fast 1
	extra=$(($(count osrt) - 1))
	for how in return _exit abort crash kill; do
		for n in 1 50000; do
			capture -q -t osrt --osrt-threshold 0 --buffer 256KiB \
			    "$OSCALLS" fast "$n" die "$how" || true
			whole
			echo "$how: $(count osrt) + $(lost osrt) of $n + $extra"
			(($(count osrt) + $(lost osrt) == n + extra))
			[ "$(dropped)" = "$(lost)" ]
		done
	done
}

@test "so they are of threads and children" {
	local n

	capture -q -t osrt --osrt-threshold 0 --osrt-backtrace-threshold 0 \
	    "$OSCALLS" threads 5000 child 5000 die kill || true
	whole
	n=$(calls read 'select(.file == "/dev/zero")' | wc -l)
	[ "$n $(dropped)" = "25000 0" ]
	[ "$(calls read 'select(.file == "/dev/zero").tid' | sort -u | wc -l)" = 5 ]
}

@test "nor does it lose annotations, however a program ends or forks" {
	local how
	while read -r how; do
		# shellcheck disable=SC2086 # actions
		capture -q -t osrt,nvtx --osrt-threshold 0 "$CLIENT" $how || true
		whole
		echo "$how: $(count mark)"
		[ "$(count mark) $(dropped)" = "1000 0" ]
	done <<- 'END'
	marks 1000
	marks 1000 _exit
	marks 1000 exit_group
	marks 1000 abort
	marks 1000 crash
	marks 1000 kill
	marks 400 closeall marks 600 kill
	closeall marks 1000
	marks 100 fork 0 400 fork 1 400 marks 100 kill
	marks 300 exec marks 700
	marks 300 spawn 700
	END
}

@test "--on-full block loses no call" {
	recorded --osrt-threshold 0 --buffer 256KiB --on-full block \
	    "$OSCALLS" fast 50000
	[ "$(calls read 'select(.file == "/dev/zero")' | wc -l)" = 50000 ]
	[ "$(dropped)" = 0 ]
}

@test "a stack that has no room is lost, and its call is not" {
	capture -q -t osrt --osrt-threshold 0 --osrt-backtrace-threshold 1 \
	    --osrt-backtrace-stack-size 32768 --buffer 256KiB \
	    "$OSCALLS" fast 3000
	whole
	[ "$(uname -m)" = x86_64 ] || return 0
	(($(lost stack) > 0))
	[ "$(dropped)" = "$(lost)" ]
}

# ---- calls that never return ----

# open_reads [FILE]: the calls of read(2) that are open
open_reads() {
	jq -c 'select(.kind == "osrt" and .open and .name == "read") |
	    [.file, .args.fd > 2, has("dur"), .stack > 0]' "${1:-$tq}"
}

@test "a call that never returned is in the recording, with its stack" {
	tq-capture -q -t osrt -o x.tq "$OSCALLS" sleep 5 hang > out &
	pid=$!
	until_true grep -q hang out
	sleep 0.1 # it is in the next call
	kill $pid
	ends 143 wait $pid
	whole x.tq
	open_reads x.tq | grep -Fx '["pipe",true,false,true]'
	[ "$(uname -m)" = x86_64 ] || return 0
	jq -c 'select(.kind == "stack").frames[:2]' x.tq |
	    grep -E '^[[]"[a-z_]*read[^"]*","hang [(]oscalls[)]"[]]$'
	tq-stats -r osrt_sum x.tq > table
	tq-stats -r io_sum -f csv x.tq | grep 'pipe,pipe$'
}

@test "a call that returns after a look is not open" {
	tq-capture -q -t osrt -o x.tq sh -c 'trap "sleep 0.02" TERM
	    "$0" sleep 5; echo here; "$0" sleep 400' "$OSCALLS" > out &
	pid=$!
	until_true grep -q here out
	sleep 0.1
	kill $pid
	ends 143 wait $pid || true
	whole x.tq
	[ "$(jq -c 'select(.open and .name != "wait4")' x.tq)" = "" ]
}

@test "calls of a process that goes on are open where the recording ends" {
	tq-capture -q -t osrt --wait primary -o x.tq sh -c \
	    '"$0" sleep 5 hang > out & echo $! > pid
	     until grep -q hang out; do sleep 0.01; done; sleep 0.1' "$OSCALLS"
	kill "$(< pid)"
	whole x.tq
	open_reads x.tq | grep -F '["pipe",true,false,true]'
}

@test "and where it is stopped" {
	tq-capture -q -t osrt -c signal -o x.tq "$OSCALLS" sleep 5 hang > out &
	pid=$!
	until_true grep -q hang out
	kill -USR1 $pid
	sleep 0.1
	kill -USR2 $pid
	sleep 0.1
	kill $pid
	ends 143 wait $pid
	whole x.tq
	open_reads x.tq | grep -F '["pipe",true,false,true]'
}

# hanging PROGRAM: the calls that it and its children are in when it is killed
hanging() {
	tq-capture -q -t osrt -o x.tq "$@" &
	pid=$!
	until_true pgrep -P $pid > pids
	sleep 0.5
	kill $pid
	ends 143 wait $pid
	whole x.tq
	jq -r 'select(.kind == "osrt" and .open).name' x.tq | sort | xargs
}

@test "a program that has recorded nothing, or has not our library, hangs somewhere, too" {
	cat > hangs.c <<-'EOF'
	#include <unistd.h>
	__attribute__((noinline)) static int hang(void) { return usleep(400000000); }
	int main(void) { return hang() + 1; }
	EOF
	${CC:-cc} -o dynamic hangs.c
	${CC:-cc} -static -o static hangs.c 2> /dev/null || cp dynamic static
	for program in dynamic static; do
		[ "$(hanging ./$program)" = clock_nanosleep ]
		[ "$(jq -r 'select(.kind == "thread" or .kind == "process").name' \
		    x.tq | sort -u)" = $program ]
		jq -c 'select(.kind == "stack").frames' x.tq > stacks
		[ "$(uname -m)" != x86_64 ] || grep -q "\"hang ($program)\"" stacks
	done
	# it records from its first call that returned on
	[ "$(hanging sh -c './dynamic & kill $!; wait; exec sleep 100')" = clock_nanosleep ]
	[ "$(jq -c 'select(.kind == "osrt" and .open and .dur)' x.tq)" = "" ]
}

@test "and that is known of one that the same signal ends as tq-capture gets" {
	local wait
	# it was looked at twice, once a second
	for wait in 3 6 12; do
		ends 124 timeout $wait tq-capture -q -t osrt -o x.tq sleep 100
		whole x.tq
		[ "$(count osrt x.tq)" = 0 ] || break
	done
	[ "$(jq -r 'select(.open).name' x.tq)" = clock_nanosleep ]
}

# hangs: make a program of that name, which hangs in what its argument names,
# once there is a file "here".
hangs() {
	cat > hangs.c <<-'EOF'
	#include <fcntl.h>
	#include <pthread.h>
	#include <string.h>
	#include <unistd.h>
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	static void *watch(void *p) { for (;;) usleep(100000); return p; }
	static void *take(void *p) { pthread_mutex_lock(&lock); return p; }
	int main(int argc, char *argv[]) {
		pthread_t t;
		usleep(2000);
		pthread_mutex_lock(&lock);
		if (strcmp(argv[argc - 1], "watched") == 0)
			pthread_create(&t, NULL, watch, NULL);
		if (strcmp(argv[argc - 1], "locks") == 0)
			pthread_create(&t, NULL, take, NULL);
		close(open("here", O_CREAT | O_WRONLY, 0600));
		if (strcmp(argv[argc - 1], "open") == 0)
			open("fifo", O_RDONLY);
		else if (strcmp(argv[argc - 1], "locks") == 0)
			pthread_join(t, NULL);
		else
			pthread_mutex_lock(&lock);
		return argc;
	}
	EOF
	${CC:-cc} -pthread -o hangs hangs.c
	mkfifo fifo
}

# is_there PROGRAM-PID: it hangs
is_there() {
	[[ -e here ]] && grep -q '^State:.S' "/proc/$1/status"
}

# were_open: the calls that are open in x.tq; what the watchdog does is left out
were_open() {
	whole x.tq
	jq -r 'select(.kind == "osrt" and .open and .name != "usleep").name' \
	    x.tq | sort | xargs
}

# every WAY: for each way to hang, WAY runs ./hangs WAY-TO-HANG under
# tq-capture, and ends it.
every() {
	local how
	local -A calls=([open]=open [locks]="pthread_join pthread_mutex_lock"
		[watched]=pthread_mutex_lock)

	for how in open locks watched; do
		rm -f here x.tq
		"$1" "$how"
		[[ $(were_open) = "${calls[$how]}" ]] ||
		    { echo "$how: $(were_open)"; return 1; }
	done
}

@test "a call that hangs is there after -d, with and without --kill" {
	hangs
	duration() {
		ends 143 tq-capture -q -t osrt -o x.tq -d 1 --kill sigterm \
		    ./hangs "$1"
	}
	goes_on() {
		ends 124 tq-capture -q -t osrt -o x.tq -d 1 --kill none \
		    timeout 2 ./hangs "$1"
	}
	every duration
	# timeout waits, too, where the recording ends
	goes_on open
	were_open | grep -w open
}

@test "and after timeout, of the program and of tq-capture" {
	hangs
	inside() {
		ends 124 tq-capture -q -t osrt -o x.tq timeout 1 ./hangs "$1"
	}
	outside() {
		ends 124 timeout 1 tq-capture -q -t osrt -o x.tq ./hangs "$1"
	}
	every inside
	every outside
}

# of_group SIGNAL HOW: the program and tq-capture get it, as by Ctrl-C
of_group() {
	local pid child

	env --default-signal=INT setsid \
	    tq-capture -q -t osrt -o x.tq ./hangs "$2" &
	pid=$!
	until_true pgrep -x -P $pid hangs > pids
	child=$(< pids)
	until_true is_there "$child"
	kill -s "$1" -- -$pid
	wait $pid || true
}

@test "and after Ctrl-C" {
	hangs
	interrupt() { of_group INT "$1"; }
	every interrupt
}

@test "and after SIGKILL of the program" {
	hangs
	killed() {
		local pid

		tq-capture -q -t osrt -o x.tq ./hangs "$1" &
		pid=$!
		until_true pgrep -x -P $pid hangs > pids
		until_true is_there "$(< pids)"
		kill -KILL "$(< pids)"
		ends 137 wait $pid
	}
	every killed
}

@test "a lock that hangs has its owner, and a call that opens its file" {
	hangs
	ends 143 tq-capture -q -t osrt -o x.tq -d 1 --kill sigterm ./hangs locks
	jq -c 'select(.open and .name == "pthread_mutex_lock") |
	    [.args.owner == .pid, .tid != .pid, .address != null]' x.tq |
	    grep -Fx '[true,true,true]'
	ends 143 tq-capture -q -t osrt -o x.tq -d 1 --kill sigterm ./hangs open
	jq -r 'select(.open).file' x.tq | grep -x fifo
}

@test "a library has its name that is loaded when 4,000 pieces of code are mapped" {
	[ "$(uname -m)" = x86_64 ] || skip "stacks are of x86-64"
	cat > maps.c <<-'EOF'
		#include <dlfcn.h>
		#include <fcntl.h>
		#include <sys/mman.h>
		#include <unistd.h>
		int main(void)
		{
			int fd = open("/proc/self/exe", O_RDONLY);
			for (int i = 0; i < 4000; i++)
				mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
			for (int i = 0; i < 100; i++)
				usleep(2000);
			void *late = dlopen("./late.so", RTLD_NOW);
			((void (*)(void))dlsym(late, "late"))();
		}
	EOF
	printf '#include <unistd.h>\nvoid late(void) { usleep(300000); }\n' > late.c
	${CC:-cc} -g -shared -fPIC -o late.so late.c
	${CC:-cc} -o maps maps.c -ldl
	beside ./maps
	grep -F '"late (late.so)"' x.tq
}

# hang.c: threads that wait for each other as soon as they run
hang_at_once() {
	cat > hang.c <<-'EOF'
		#include <pthread.h>
		static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
		static void *take(void *p)
		{
			pthread_mutex_lock(&lock);
			return p;
		}
		int main(void)
		{
			pthread_t t;
			pthread_mutex_lock(&lock);
			pthread_create(&t, NULL, take, NULL);
			return pthread_join(t, NULL);
		}
	EOF
}

@test "calls that hang have the line of the source, if the program was compiled with -g" {
	local compiler version programs=()

	[ "$(uname -m)" = x86_64 ] || skip "stacks are of x86-64"
	hang_at_once
	# other units stand before it, and code that is dropped
	printf 'int unused_%d(int x)\n{\n\treturn x;\n}\n' 1 2 > a.c
	for compiler in gcc clang; do
		command -v $compiler > /dev/null || continue
		for version in 2 3 4 5; do
			programs+=("hang-$compiler-$version")
			$compiler -gdwarf-$version -O1 -ffunction-sections \
			    -Wl,--gc-sections -pthread -o "${programs[-1]}" a.c hang.c
		done
	done
	tq-capture -q -t osrt -o x.tq -d 1.5 --kill none \
	    sh -c 'for p; do timeout 3 ./$p & done; wait' - "${programs[@]}"
	jq -r 'select(.open and .args.source) | [.name, .args.source] |
	    join(" ")' x.tq | sort | uniq -c | sed 's/^ *//' > sources
	diff sources - <<-EOF
		${#programs[@]} pthread_join hang.c:13
		${#programs[@]} pthread_mutex_lock hang.c:5
	EOF
	mv "${programs[0]}" hang
	# the mutex was seen at a look, of which there is one a second
	ends 143 tq-capture -q -t osrt -o x.tq -d 2.5 --kill sigterm ./hang
	tq-advise x.tq | grep -F 'in pthread_mutex_lock at hang.c:5 in take (hang), held by the main thread'
	tq-stats -r waits -f json x.tq |
	    jq -e '[.reports[0].rows[].source] | sort == ["hang.c:13", "hang.c:5"]'
	strip --strip-debug hang
	ends 143 tq-capture -q -t osrt -o x.tq -d 2.5 --kill sigterm ./hang
	jq -se 'map(select(.open)) | length == 2 and all(.args.source == null)' x.tq
	tq-advise x.tq | grep -E 'in pthread_mutex_lock at take [(]hang[)], held by the main thread'
}

@test "a thread that waits for a mutex since before the first record has its owner, too" {
	[ "$(uname -m)" = x86_64 ] || skip "stacks are of x86-64"
	hang_at_once
	${CC:-cc} -pthread -o hang hang.c
	# no call takes so long
	ends 143 tq-capture -q -t osrt --osrt-threshold 1000s -o x.tq -d 1.2 \
	    --kill sigterm ./hang
	jq -ce 'select(.open and .tid != .pid) |
	    [.name, .args.owner == .pid, .address != null]' x.tq |
	    grep -Fx '["pthread_mutex_lock",true,true]'
}

@test "reports have the calls that hang, their stacks, and who holds the lock" {
	hangs
	ends 143 tq-capture -q -t osrt -o x.tq -d 1.2 --kill sigterm ./hangs locks
	run -0 tq-stats -r waits -f csv x.tq
	[ "${#lines[@]}" = 3 ]
	[[ $output = *pthread_mutex_lock,0x*,"hangs ("*pthread_join,,,* ||
	    $output = *pthread_join,,,*pthread_mutex_lock,0x*,"hangs ("* ]]
	[ "$(tq-stats -r folded:waits x.tq | wc -l)" = 2 ]
	tq-advise x.tq > advice
	grep -E '^note  *2 threads wait since [0-9.]+ s$' advice
	grep -E 'The main thread in pthread_join( at [^;]*)?; thread [0-9]+ in pthread_mutex_lock( at [^;]*)?, held by the main thread|Thread [0-9]+ in pthread_mutex_lock( at [^;]*)?, held by the main thread; the main thread in pthread_join' advice
	tq-stats x.tq > page
	grep -q '2 threads wait since' page
	[ "$(uname -m)" = x86_64 ] || return 0
	tq-stats -r folded:waits x.tq | grep -E ';main [(]hangs[)];.*join.* [0-9]{9,}$'
	grep -E 'main thread in pthread_join at main [(]hangs[)]' advice
	grep -E 'in pthread_mutex_lock at [a-z]+ [(]hangs[)], held' advice
}

@test "a call in which Python hangs has its Python stack, with lines, and the native one" {
	local python
	python=$(pythons | tail -n 1)
	[[ -n $python ]] || skip "no Python whose stacks are read"
	cat > dead.py <<-'END'
	import os, threading
	lock = threading.Lock()
	def takes():
	    lock.acquire()
	def main():
	    takes()
	    threading.Thread(target=takes, daemon=True).start()
	    os.read(os.pipe()[0], 1)
	main()
	END
	ends 143 tq-capture -q -t osrt -o x.tq -d 1.2 --kill sigterm \
	    "$python" dead.py
	tq-stats -r waits -f csv x.tq | sed 's/^[0-9]*,//' > waits.csv
	grep -E ',read,.*,main [(]dead.py:8[)] < <module> [(]dead.py:9[)]$' waits.csv
	grep -E ',takes [(]dead.py:4[)] < (Thread[.])?run ' waits.csv
	tq-stats -r folded:waits x.tq |
	    grep -E ';<module> [(]dead.py:9[)];main [(]dead.py:8[)] [0-9]{9,}$'
	tq-advise x.tq | grep -E 'the main thread in read at main [(]dead.py:8[)]' -i
	tq-advise x.tq | grep -E 'thread [0-9]+ in [a-z_]+ at takes [(]dead.py:4[)]' -i
	[ "$(uname -m)" = x86_64 ] || return 0
	jq -es '(map(select(.kind == "stack") | {key: "\(.id)", value: .frames}) |
	    from_entries) as $stacks | map(select(.open and .name == "read"))[0] |
	    $stacks["\(.args.native)"] | any(test("libc"))' x.tq
}

@test "a call that a thread jumped out of, or that a signal handler made, is not open" {
	cat > jumps.c <<-'EOF'
	#include <pthread.h>
	#include <setjmp.h>
	#include <signal.h>
	#include <sys/time.h>
	#include <unistd.h>
	static sigjmp_buf out;
	static volatile int jump;
	static void on_alarm(int s) { usleep(2000); if (jump) siglongjmp(out, s); }
	static void *sleeps(void *p) { pause(); return p; }
	int main(void) {
		struct itimerval soon = {{0, 0}, {0, 10000}};
		int fds[2];
		char c;
		pthread_t t;
		signal(SIGALRM, on_alarm);
		if (pipe(fds) != 0)
			return 1;
		usleep(2000);
		jump = 1;
		setitimer(ITIMER_REAL, &soon, NULL);
		if (sigsetjmp(out, 1) == 0)
			return (int)read(fds[0], &c, 1);
		usleep(2000); /* from where it jumped to */
		pthread_create(&t, NULL, sleeps, NULL);
		usleep(2000);
		pthread_cancel(t); /* it never returns either */
		pthread_join(t, NULL);
		jump = 0;
		setitimer(ITIMER_REAL, &soon, NULL);
		usleep(100000); /* interrupted, by a handler that calls */
		kill(getpid(), SIGKILL);
		return 0;
	}
	EOF
	${CC:-cc} -pthread -o jumps jumps.c
	ends 137 tq-capture -q -t osrt -o x.tq ./jumps
	whole x.tq
	[ "$(jq -r 'select(.open).name' x.tq | grep -vx kill)" = "" ]
}

# ---- other tools ----

@test "calls go through all tools" {
	recorded "$OSCALLS" sleep 5 mutexes > out
	n=$(count osrt)
	tq-correlate -o c.tq "$tq"
	[ "$(count osrt c.tq)" = "$n" ]
	tq-filter -k osrt 'dur > 1ms' c.tq > f.tq
	whole f.tq
	# their stacks come with them
	[ "$(jq -r 'select(.kind == "osrt" and .stack).stack' f.tq | sort -u)" = \
	    "$(jq -r 'select(.kind == "stack").id' f.tq | sort -u)" ]
	tq-chrome -q -o c.json c.tq
	[ "$(jq '[.traceEvents[] | select(.name == "usleep")] | length' c.json)" -ge 1 ]
	tq-perfetto -q -o c.pftrace c.tq
	[ "$(tq-stats -r osrt_sum -f csv c.tq | awk -F , 'NR > 1 { n += $3 } END { print n }')" = "$n" ]
}

@test "a program has no descriptor that it did not open" {
	cat > fds <<- 'END'
	sleep 0.01
	ls -l /proc/$$/fd | grep -cE 'socket:|memfd:'; :
	END
	beside sh fds
	[ "$(< out)" = "$(sh fds)" ]
}

@test "an open mmap() of no file has no descriptor" {
	cat > maps.c <<- 'END'
	#define _GNU_SOURCE
	#include <pthread.h>
	#include <signal.h>
	#include <sys/mman.h>
	#include <unistd.h>
	static void *end(void *none) {
	    usleep(300000);
	    kill(getpid(), SIGKILL);
	    return none;
	}
	int main(void) {
	    const size_t n = 256 << 20;
	    pthread_t t;
	    pthread_create(&t, NULL, end, NULL);
	    for (;;)
	        munmap(mmap(NULL, n, PROT_READ | PROT_WRITE,
	            MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0), n);
	}
	END
	"${CC:-cc}" -O -w -o maps maps.c -lpthread
	for _ in {1..20}; do # until it is killed within mmap()
		run -137 tq-capture -q -t osrt=process -o x.tq ./maps
		jq -c 'select(.open and .name == "mmap").args' x.tq > open
		[[ ! -s open ]] || break
	done
	[ "$(cat open)" = null ]
}

@test "hooks of memory are not entered from a record, which may be made under their lock" {
	cat > hooks.c <<- 'END'
	#define _GNU_SOURCE
	#include <dlfcn.h>
	#include <fcntl.h>
	#include <pthread.h>
	#include <stdio.h>
	#include <string.h>
	#include <sys/syscall.h>
	#include <unistd.h>
	static int ours;
	static void look(void *caller) {
	    Dl_info i;
	    if (dladdr(caller, &i) && i.dli_fname && strstr(i.dli_fname, "libtq-")) ours++;
	}
	void *mmap(void *p, size_t n, int prot, int flags, int fd, off_t at) {
	    look(__builtin_return_address(0));
	    return (void *)syscall(SYS_mmap, p, n, (long)prot, (long)flags, (long)fd, at);
	}
	int munmap(void *p, size_t n) {
	    look(__builtin_return_address(0));
	    return syscall(SYS_munmap, p, n);
	}
	int madvise(void *p, size_t n, int how) {
	    look(__builtin_return_address(0));
	    return syscall(SYS_madvise, p, n, (long)how);
	}
	static void *work(void *fd) {
	    char c;
	    for (int i = 0; i < 3000; i++) if (read(*(int *)fd, &c, 1) != 1) return fd;
	    return NULL;
	}
	int main(void) {
	    int fd = open("/dev/zero", O_RDONLY);
	    pthread_t t;
	    void *bad;
	    pthread_create(&t, NULL, work, &fd);
	    pthread_join(t, &bad);
	    printf("%d\n", ours + (bad != NULL) + (work(&fd) != NULL));
	}
	END
	"${CC:-cc}" -O -w -rdynamic -o hooks hooks.c -lpthread -ldl
	tq-capture -q -t nvtx,osrt --osrt-threshold 0 -o x.tq ./hooks > out
	[ "$(< out)" = 0 ]
	whole x.tq
	(($(count osrt x.tq) > 6000))
}

@test "signals that nest on a stack of 16 KiB find room there" {
	cat > nested.py <<- 'END'
	import os, signal
	both = signal.SIGUSR1, signal.SIGUSR2
	for s in both:
	    signal.signal(s, lambda number, frame: None)
	end, begin = os.pipe()
	os.set_blocking(begin, False)
	signal.set_wakeup_fd(begin) # the handler in C writes to it
	signal.pthread_sigmask(signal.SIG_BLOCK, both)
	for s in both:
	    signal.raise_signal(s)
	signal.pthread_sigmask(signal.SIG_UNBLOCK, both)
	assert sorted(os.read(end, 9)) == sorted(both)
	END
	# faulthandler gives handlers a stack of the heap
	tq-capture -q -t nvtx,osrt --osrt-threshold 0 --python-backtrace nvtx,osrt \
	    -o x.tq python3 -X faulthandler -I -c "$(< nested.py)"
	whole x.tq
	[ "$(jq -c 'select(.name == "write" and .stack != null)' x.tq | wc -l)" -ge 2 ]
}

@test "tests of Python itself end as without" {
	modules='test_thread test_fork1 test_posix'
	[[ -z ${CHECK_ALL:-} ]] || modules+=' test_threading test_subprocess
	    test_signal test_io test_queue test_pty test_selectors'
	python_tests_alike tq-capture -q -t nvtx,osrt \
	    --python-backtrace nvtx,osrt -o x.tq
	whole x.tq
	(($(count osrt x.tq) > 1000))
}
