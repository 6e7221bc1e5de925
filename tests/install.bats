#!/usr/bin/env bats
# make install and make uninstall, into a folder of the test.

load helper

# install_with ARGUMENT ...: make with these, without what a make above says
install_with() {
	env -u MAKEFLAGS -u MAKELEVEL make -s -C "$top" BUILD="$BUILD" \
	    DESTDIR="$BATS_TEST_TMPDIR/root" "$@"
}

@test "what was installed runs, and its pages can be read" {
	install_with install
	root=$BATS_TEST_TMPDIR/root/usr/local
	for tool in $(tools); do
		[[ $(env -i PATH="$root/bin" "$tool" --version) = "$tool "* ]]
		if [[ -e $top/man/$tool.1 ]]; then
			mandoc -T utf8 "$root/share/man/man1/$tool.1" |
			    sed 's/.\x08//g' | grep '^SYNOPSIS'
		fi
	done
	for page in "$top"/man/*.[157]; do
		[[ ! -e $page ]] || cmp "$page" \
		    "$root/share/man/man${page##*.}/${page##*/}"
	done
}

@test "the examples are installed, and make the demo of README.md" {
	install_with PREFIX=/usr install
	doc=$BATS_TEST_TMPDIR/root/usr/share/doc/tq
	cmp "$doc/README.md" "$top/README.md"
	cmp "$doc/CHANGELOG.md" "$top/CHANGELOG.md"
	sqlite3 "$BATS_TEST_TMPDIR/demo.sqlite" < "$doc/examples/demo.sql"
	"$BATS_TEST_TMPDIR/root/usr/bin/tq" stats -q -r cuda_gpu_kern_sum \
	    "$BATS_TEST_TMPDIR/demo.sqlite" | grep -q nvjet
}

@test "tq-capture finds the library that was installed with it" {
	install_with install PREFIX=/opt/tq
	root=$BATS_TEST_TMPDIR/root/opt/tq
	cp "$BUILD/capture/stand-in/client" "$BATS_TEST_TMPDIR"
	env -i PATH=/usr/bin:/bin "$root/bin/tq-capture" -q \
	    "$BATS_TEST_TMPDIR/client" pairs 3 > "$BATS_TEST_TMPDIR/out"
	[[ $(grep -c '"kind":"range"' "$BATS_TEST_TMPDIR/out") = 3 ]]
	# moved, and by a link: it is looked for from where the program really is
	mv "$root" "$BATS_TEST_TMPDIR/moved"
	ln -s "$BATS_TEST_TMPDIR/moved/bin/tq-capture" "$BATS_TEST_TMPDIR/link"
	"$BATS_TEST_TMPDIR/link" -q "$BATS_TEST_TMPDIR/client" pairs 3 |
	    grep -c '"kind":"range"' | grep -x 3
	rm "$BATS_TEST_TMPDIR/moved/lib/tq/libtq-capture.so"
	run "$BATS_TEST_TMPDIR/link" true
	((status == 125))
	[[ $output = *"libtq-capture.so is neither beside this "* ]]
}

@test "what is installed has nothing for debuggers" {
	install_with install
	cd "$BATS_TEST_TMPDIR/root/usr/local"
	for file in bin/* lib/tq/*.so; do
		run -0 readelf -SW "$file"
		[[ $output = *.text* && $output != *.debug_info* && $output != *.symtab* ]]
	done
}

@test "the library that goes into programs is small, and keeps to itself" {
	install_with install
	so=$BATS_TEST_TMPDIR/root/usr/local/lib/tq/libtq-capture.so
	(($(stat -c %s "$so") <= 200 * 1024))
	[[ -z $(nm -D --defined-only "$so" | awk '{ print $3 }' |
	    grep -v '^InitializeInjection\|^ncclProfiler_v\|^tq_capture_' |
	    grep -vx PyInit__tq_capture) ]]
	# and needs nothing but the C library
	[[ -z $(readelf -d "$so" | grep NEEDED |
	    grep -vE 'lib(c|m|dl|pthread|rt)\.so|ld-linux') ]]
	# its wrappers need it, beside them
	for so in "${so%/*}"/libtq-{preload,mpi}.so; do
		(($(stat -c %s "$so") <= 300 * 1024))
		readelf -d "$so" | grep 'RUNPATH.*\[\$ORIGIN\]'
		[[ -z $(readelf -d "$so" | grep NEEDED |
		    grep -vE 'lib(c|dl|pthread|tq-capture)\.so|ld-linux') ]]
	done
}

@test "the completion is found by the name of each tool" {
	install_with install PREFIX=/usr
	for tool in $(tools); do
		bash -c 'source "$1/$2" && complete -p "$2"' - \
		    "$BATS_TEST_TMPDIR/root/usr/share/bash-completion/completions" \
		    "$tool"
	done
}

@test "installing again is no error, and uninstalling leaves no file" {
	for prefix in /usr/local /opt/tq; do
		install_with install PREFIX=$prefix
		install_with install PREFIX=$prefix
		[[ -n $(find "$BATS_TEST_TMPDIR/root" ! -type d) ]]
		install_with uninstall PREFIX=$prefix
		[[ -z $(find "$BATS_TEST_TMPDIR/root" ! -type d) ]]
	done
}
