#!/usr/bin/env bats
# make, in other folders, for other processors and other C libraries.

load helper

# make_with ARGUMENT ...: make with these, without what a make above says
make_with() {
	env -u MAKEFLAGS -u MAKELEVEL make -s "$@"
}

@test "the same sources are the same objects in every folder" {
	objects=(common/base/mem.o cmd/tq/arguments.o
		cmd/tq-capture/preload/real.o cmd/tq-capture/arena/ticks.o)
	for folder in a "it's/b c"; do
		mkdir -p "$BATS_TEST_TMPDIR/$folder"
		cd "$BATS_TEST_TMPDIR/$folder"
		cp -r "$top"/{Makefile,cmd,common,include,man,packaging,tests} .
		make_with BUILD=build "${objects[@]/#/build/}"
	done
	for object in "${objects[@]}"; do
		cmp "build/$object" "$BATS_TEST_TMPDIR/a/build/$object"
	done
}

@test "tq-capture is linked with the library that has dlopen in older C libraries" {
	b=$BATS_TEST_TMPDIR/b
	make_with -C "$top" BUILD="$b" -n "$b/tq-capture" | tail -n 1 |
	    grep -e '-o [^ ]*/tq-capture .* -ldl '
}

@test "no completion is made with programs that do not run here" {
	mkdir "$BATS_TEST_TMPDIR/other"
	cd "$BATS_TEST_TMPDIR/other"
	printf '\177ELF' | tee tq > tq-stats
	chmod +x tq tq-stats
	BUILD=$PWD run -1 sh "$top/tests/completion.sh" bash tq-stats
	[[ $output = "the completion: $PWD/tq does not run here; NATIVE=FOLDER names a build that does" ]]
	run make_with -C "$top" BUILD="$PWD/b" NATIVE="$BUILD" "$PWD/b/tq.bash"
	((status == 0))
	cmp b/tq.bash "$BUILD/tq.bash"
}

@test "the programs of the tests compile for aarch64" {
	need aarch64-linux-gnu-gcc
	cd "$top"
	aarch64-linux-gnu-gcc -std=c11 -D_GNU_SOURCE -fsyntax-only \
	    -Iinclude -isystem tests/capture -iquote cmd/tq-capture \
	    tests/capture/client.c tests/unit/perf_registers.c -iquote tests/unit
}

@test "tq-capture and what it loads into programs need no function above glibc 2.28" {
	need objdump no-sanitizer
	# what was in older versions, too, elsewhere or by another name
	moved='__libc_start_main|f?stat|dl(addr1?|close|info|open|v?sym)'
	moved+='|pthread_(condattr_setclock|create|getspecific|join|key_create'
	moved+='|once|setname_np|setspecific|sigmask|testcancel|tryjoin_np)'
	moved+='|sem_(getvalue|trywait)'
	# headers of 2.38 rename strtol and scanf for binary numbers of C23
	moved+='|__isoc23_(strto[a-z]+|s?scanf)'
	for file in tq-capture libtq-{capture,preload,mpi}.so; do
		objdump -T "$BUILD/$file" | grep 'UND' |
		    grep -E 'GLIBC_2\.(29|[3-9][0-9])' |
		    grep -vE " ($moved)\$" && return 1
	done
	true
}
