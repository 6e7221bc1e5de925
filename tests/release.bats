#!/usr/bin/env bats
# make release: one program of all readers, an archive, and what is checked of
# it.  The archive itself is tried where build/release has one.

load helper

release=$BUILD/release

# make_with ARGUMENT ...: make with these, without what a make above says
make_with() {
	env -u MAKEFLAGS -u MAKELEVEL make -s -C "$top" "$@"
}

# need_release: $root becomes the folder of an archive that was made here; skip
# the test where none was
need_release() {
	archive=$(echo "$release"/tq-*-linux-"$(uname -m)".tar.gz)
	[[ -e $archive ]] || skip "no archive of make release"
	tar -xzf "$archive" -C "$BATS_TEST_TMPDIR"
	root=$(echo "$BATS_TEST_TMPDIR"/tq-*-linux-*)
}

setup() {
	cd "$BATS_TEST_TMPDIR"
}

@test "one program is each reader, by the name it is called by" {
	need objcopy no-sanitizer
	make_with BUILD="$BUILD" one
	mkdir bin
	cp "$BUILD/one/tq" bin
	for tool in $(tools); do
		[[ $tool = tq-capture ]] || ln -s tq "bin/$tool"
	done
	export PATH=$PWD/bin:$PATH
	for link in bin/tq-*; do
		"$link" --help | cmp - <("$BUILD/${link##*/}" --help)
	done
	# the commit of each is that of its own build
	[[ $(tq --version | cut -d ' ' -f 1,2) = \
	    $("$BUILD/tq" --version | cut -d ' ' -f 1,2) ]]
	tq stats -q -r cuda_gpu_kern_sum "$(demo)" |
	    cmp - <("$BUILD/tq" stats -q -r cuda_gpu_kern_sum "$(demo)")
	cp bin/tq other
	run -2 ./other
	[[ $output = 'other: no tool is named so: call it tq' ]]
}

@test "a release names the tool that it lacks" {
	mkdir empty
	for tool in sh dirname mkdir; do
		ln -s "$(command -v "$tool")" empty
	done
	PATH=$PWD/empty run -1 sh "$top/packaging/toolchain.sh" out x86_64 musl
	[[ $output = 'make release: no x86_64-linux-gnu-gcc; see packaging/README for what is needed' ]]
}

@test "a part that is not what its hash says is refused, and not used" {
	need x86_64-linux-gnu-gcc curl dpkg-source tclsh
	mkdir -p out/parts
	part=sqlite3_3.40.1-2+deb12u2.dsc
	echo other > "out/parts/$part"
	MIRROR=file:///nowhere run -1 sh "$top/packaging/toolchain.sh" out x86_64 musl
	[[ $output = "make release: $PWD/out/parts/$part.bad is not what packaging/parts says" ]]
	[[ ! -e out/parts/$part ]]
	MIRROR=file:///nowhere run -1 sh "$top/packaging/toolchain.sh" out x86_64 musl
	[[ $output = *"make release: file:///nowhere/debian/pool/main/s/sqlite3/$part is not there" ]]
}

# archive: packaging/archive.sh of programs in this folder
archive() {
	TOOLS="tq tq-stats" run sh "$top/packaging/archive.sh" "$PWD" \
	    "$(uname -m)" 1
}

@test "an archive with a reader that needs a library, or for a newer C library, is refused" {
	arch=$(uname -m)
	need "$arch-linux-gnu-strip" "$arch-linux-gnu-objdump" no-sanitizer
	mkdir -p "$arch"-{musl/tq/one,glibc/tq}
	cp "$BUILD/tq" "$arch-musl/tq/one"
	cp "$BUILD/tq-capture" "$arch-glibc/tq"
	archive
	((status == 1))
	[[ ${lines[-1]} = "make release: $PWD/tq-1-linux-$arch/bin/tq is not static" ]]
	rm -r tq-1-linux-*
	echo 'int main(void) { return 0; }' > a.c
	${CC:-cc} -static -o "$arch-musl/tq/one/tq" a.c || skip "no static C library"
	highest=$(objdump -T "$BUILD/tq-capture" |
	    sed -n 's/.*GLIBC_\([0-9.]*\).*/\1/p' | sort -V | tail -n 1)
	[[ $(printf '%s\n' "$highest" 2.28 | sort -V | tail -n 1) != 2.28 ]] ||
	    skip "the C library here is old"
	archive
	((status == 1))
	[[ ${lines[-1]} = "make release: $PWD/tq-1-linux-$arch/bin/tq-capture needs glibc $highest, above 2.28" ]]
}

@test "the archive has what its README says, and at most 4 MB" {
	need_release
	(($(stat -c %s "$archive") <= 4 << 20))
	(cd "$release" && sha256sum --check --quiet "${archive##*/}.sha256")
	for tool in tq $(tools); do
		[[ $(env -i PATH="$root/bin" "$tool" --version) = "$tool "* ]]
	done
	for file in lib/tq/libtq-{capture,preload,mpi}.so share/man/man1/tq.1 \
	    share/bash-completion/completions/tq share/doc/tq/examples/demo.sql \
	    share/tq/skills/gpu-traces/SKILL.md README \
	    share/licenses/{tq,musl,sqlite3,lz4,libzstd,zlib,pcre2}; do
		[[ -s $root/$file ]] || {
			echo "$file"
			return 1
		}
	done
}

@test "the readers of the archive write the bytes of those here" {
	need_release
	for name in demo base ranges odd; do
		in=$(correlated "$name")
		for command in "tq-stats" "tq-chrome" "tq-perfetto -q" \
		    "tq-advise" "tq-filter dur>0" "tq-stats -f json" \
		    "tq-stats -r folded:samples" "tq-diff $in" "tq-filter --redact"; do
			# shellcheck disable=SC2086 # words
			$command "$in" > want 2> err && status=0 || status=$?
			# shellcheck disable=SC2086
			env PATH="$root/bin:$PATH" $command "$in" > got 2> err2 ||
			    ((status == $?))
			cmp want got && cmp err err2
		done
		for tool in tq-extract "tq-extract --check" "tq stats"; do
			# shellcheck disable=SC2086
			$tool "$(export_of "$name")" > want 2> err || :
			# shellcheck disable=SC2086
			env PATH="$root/bin:$PATH" $tool "$(export_of "$name")" > got 2> err2 || :
			cmp want got && cmp err err2
		done
	done
}

@test "tq-capture of the archive records with its own library" {
	need_release
	cp "$BUILD/capture/stand-in/client" .
	env -i PATH="$root/bin" tq-capture -q ./client pairs 3 > x.tq
	[[ $(grep -c '"kind":"range"' x.tq) = 3 ]]
	env -i PATH="$root/bin:/usr/bin:/bin" tq-capture -q -t osrt sleep 0.05 |
	    grep -q '"kind":"osrt".*sleep'
}

@test "a wheel is installed by pip, and its programs run" {
	need_release
	wheel=$(echo "$release"/tq_gpu-*.whl)
	[[ -e $wheel ]] || skip "no wheel of make wheel"
	need python3
	python3 -m venv venv > log 2>&1 || skip "no venv"
	venv/bin/pip install -q --no-index --disable-pip-version-check "$wheel"
	for tool in tq $(tools); do
		[[ $(env -i PATH="$PWD/venv/bin" "$tool" --version) = "$tool "* ]]
	done
	env -i PATH="$PWD/venv/bin" tq stats -q "$(demo)" > got
	tq stats -q "$(demo)" | cmp - got
	cp "$BUILD/capture/stand-in/client" .
	env -i PATH="$PWD/venv/bin" tq-capture -q ./client pairs 3 |
	    grep -c '"kind":"range"' | grep -x 3
	venv/bin/pip uninstall -q -y tq-gpu
	[[ -z $(find venv -name '*tq*') ]]
}
