#!/usr/bin/env bats
# Stacks that tq-capture follows are those that libdw of elfutils follows

load helper
load capture

setup() {
	[[ $(uname -m) = x86_64 ]] || skip "stacks are followed on x86-64 only"
	need cc
	echo '#include <elfutils/libdwfl.h>' | cc -E - > "$BATS_TEST_TMPDIR/h" 2>&1 ||
	    skip "no libdw-dev"
	cd "$BATS_TEST_TMPDIR"
	SAMPLES=100
	[[ -z ${CHECK_ALL:-} ]] || SAMPLES=500
	make -s -C "$top" BUILD="$BUILD" "$BUILD/libtq-launcher.a"
	oracle=$BATS_TEST_TMPDIR/oracle
	# shellcheck disable=SC2046 # options
	(cd "$top" && cc -O1 -D_GNU_SOURCE -Iinclude -iquote cmd/tq-capture \
	    $(sanitized) -o "$oracle" tests/capture/unwind_oracle.c \
	    "$BUILD/libtq-launcher.a" "$BUILD/libtq.a" \
	    -ldw -lpcre2-8 -lzstd -lz -lm -lpthread -ldl)
}

# sanitized: the options of programs that are built for it
sanitized() {
	! grep -q __asan_init "$BUILD/libtq.a" || echo -fsanitize=address,undefined
}

# same COMMAND ...: 99.5 % of its stacks or more are the same in each frame;
# libdw follows all but a few to their end, and they are not one stack.
same() {
	"$oracle" "$SAMPLES" "$@" > counts
	read -r all same short frames leaves < counts
	cat counts
	((all == SAMPLES))
	((1000 * same >= 995 * (all - short)))
	((20 * short <= all))
	((frames > 8 * all && 10 * leaves > all))
}

@test "of Python, with extension modules" {
	[[ -n $(pythons) ]] || skip "no python3.8 to 3.13"
	cat > spin.py <<-'EOF'
	import json, re
	def f(n):
	    if n: return f(n - 1)
	    s = json.dumps(list(range(300)))
	    return sorted(json.loads(s), key=lambda x: -x), re.sub("a(b|c)*d", lambda m: m.group(), "abcbd" * 50)
	while True: f(5)
	EOF
	for python in $(pythons); do
		same "$python" spin.py || { echo "$python" >&2; false; }
	done
}

@test "of a compiler" {
	cc1=$(cc -print-prog-name=cc1)
	[[ -x $cc1 ]] || skip "no cc1"
	{
		echo 'int printf(const char *, ...);'
		for i in $(seq 6000); do
			printf 'int f%d(int x) { int s = 0; for (int i = 0; i < x; i++) s += i * %d %% (x + 1); return printf("%%d", s); }\n' "$i" "$i"
		done
	} > big.c
	same "$cc1" -quiet -O2 big.c -o big.s
}

@test "of each instruction of a function that saves %rbp, below one that needs it" {
	cat > pops.c <<-'EOF'
	__attribute__((noinline)) void saves(void) { __asm__ volatile("" : : : "rbx", "rbp", "r12"); }
	__attribute__((noinline)) void needs(unsigned long n) {
		volatile char *p = __builtin_alloca(n);
		for (;;) { p[0]++; saves(); }
	}
	int main(int argc, char *argv[]) { needs(argc * 100); return argv != 0; }
	EOF
	cc -O2 -fomit-frame-pointer -o pops pops.c
	"$oracle" -s 200 ./pops > counts
	read -r all same short frames leaves < counts
	cat counts
	((all == 200 && same == all && frames > 3 * all && leaves > 190))
}

@test "of code that a library calls back, deep" {
	same "$CLIENTS/spin" sort 100000
}
