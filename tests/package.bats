#!/usr/bin/env bats
# make dist, make deb and make html: archives, and what is in them.

load helper
load capture

# make_here TARGET: into the folder of the test
make_here() {
	env -u MAKEFLAGS -u MAKELEVEL make -s -C "$top" \
	    BUILD="$BATS_TEST_TMPDIR/b" "$1"
}

@test "the archive has all sources, and the same bytes each time" {
	version=$(tq --version | cut -d ' ' -f 2)
	make_here dist
	archive=$(echo "$BATS_TEST_TMPDIR"/b/tq-*.tar.gz)
	cd "$BATS_TEST_TMPDIR"
	mv "$archive" first.tar.gz
	make_here dist
	cmp "$archive" first.tar.gz
	tar -xzf "$archive"
	(($(tar -tzf "$archive" | grep -c '\.c$') > 200))
	tar -tzf "$archive" | while IFS=/ read -r _ file; do
		[[ $file = packaging/commit ]] ||
		    cmp "tq-$version/$file" "$top/$file"
	done
	# an archive of the archive, without git
	env -u MAKEFLAGS -u MAKELEVEL make -s -C "tq-$version" \
	    BUILD="$BATS_TEST_TMPDIR/c" dist
	cmp "$archive" c/tq-*.tar.gz
}

@test "no archive is made where git does not list the sources, or one is missing" {
	make_here dist
	cd "$BATS_TEST_TMPDIR"
	tar -xzf b/tq-*.tar.gz
	rm b/tq-*.tar.gz
	cd tq-*/
	dist() {
		run env -u MAKEFLAGS -u MAKELEVEL make -s \
		    BUILD="$BATS_TEST_TMPDIR/b" "$@" dist
		((status != 0)) && [[ -z $(ls "$BATS_TEST_TMPDIR"/b/*.tar.gz) ]]
	}
	mkdir .git # of nothing
	dist
	rmdir .git
	mkdir bin
	printf '#!/bin/sh\nexit 0\n' > bin/git
	chmod +x bin/git
	touch .git
	PATH=$PWD/bin:$PATH dist
	[[ $output = *dist* ]]
	printf '#!/bin/sh\necho Makefile\necho gone.c\n' > bin/git
	PATH=$PWD/bin:$PATH dist
	[[ $output = *gone.c* ]]
	# the folder of the build is no source, whatever it is
	rm -r .git bin
	mkdir elsewhere
	ln -s elsewhere build
	env -u MAKEFLAGS -u MAKELEVEL make -s BUILD=build dist
	! tar -tzf build/tq-*.tar.gz | grep "/build\$"
}

@test "the versions of the programs and of the package agree" {
	version=$(sed -n '1s/.*(\(.*\)).*/\1/p' "$top/debian/changelog")
	[[ $(tq --version) = "tq $version" || $(tq --version) = "tq $version ("*")" ]]
}

@test "the commit is that of git, or of the archive, and \"-dirty\" is added to it" {
	git() {
		command git -c user.name=a -c user.email=a@a.invalid "$@"
	}
	need git
	cd "$BATS_TEST_TMPDIR"
	mkdir -p a/packaging b
	cp "$top"/packaging/{commit,commit.sh,.gitattributes} a/packaging
	[[ -z $(sh a/packaging/commit.sh) ]]
	git init -q a
	git -C a add .
	git -C a commit -qm a
	commit=$(git -C a rev-parse --short=10 HEAD)
	[[ $(sh a/packaging/commit.sh) = "$commit" ]]
	git -C a archive HEAD | tar -x -C b
	[[ $(sh b/packaging/commit.sh) = "${commit:0:7}"* ]]
	echo >> a/packaging/commit.sh
	[[ $(sh a/packaging/commit.sh) = "$commit-dirty" ]]
}

@test "an archive of make dist knows the commit, and a file only names it" {
	make_here dist
	cd "$BATS_TEST_TMPDIR"
	tar -xzf b/tq-*.tar.gz
	commit=$(sh "$top/packaging/commit.sh")
	[[ $(sh tq-*/packaging/commit.sh) = "$commit" ]]
	cd tq-*/
	source=$BATS_TEST_TMPDIR/c/cmd/tq/commit.c
	make_commit() {
		env -u MAKEFLAGS -u MAKELEVEL make -s \
		    BUILD="$BATS_TEST_TMPDIR/c" "$source"
	}
	make_commit
	grep -F "\"$commit\"" "$source"
	# unchanged, it stays: no program is linked again
	touch -d 2001-01-01 "$source"
	make_commit
	[[ $(date -r "$source" +%Y) = 2001 ]]
	echo abc > packaging/commit
	make_commit
	grep -F '"abc"' "$source"
}

@test "a package for Debian is clean, is installed, runs, and is removed" {
	need lintian dpkg-buildpackage dh
	dpkg-checkbuilddeps "$top/debian/control" || skip "no build dependencies"
	export DEB_BUILD_OPTIONS=noopt # for the sake of time
	cd "$BATS_TEST_TMPDIR"
	make_here deb > log 2>&1
	lintian --allow-root --fail-on error,warning b/deb/tq_*.changes
	root=$BATS_TEST_TMPDIR/root
	mkdir -p "$root"/var/lib/dpkg/{info,updates,triggers}
	touch "$root/var/lib/dpkg/status"
	PATH=$PATH:/usr/sbin:/sbin
	dpkg=(dpkg --root="$root" --log=/dev/null --force-not-root
		--force-depends --force-script-chrootless)
	"${dpkg[@]}" -i b/deb/tq_*.deb
	for tool in tq $(tools); do
		[[ $(env -i PATH="$root/usr/bin" "$tool" --version) = "$tool "* ]]
	done
	demo=$(demo)
	env -i PATH="$root/usr/bin" tq stats -r cuda_gpu_kern_sum "$demo" > got
	tq stats -r cuda_gpu_kern_sum "$demo" | cmp - got
	cp "$BUILD/capture/stand-in/client" .
	env -i PATH="$root/usr/bin:$PATH" tq-capture -q ./client pairs 3 |
	    grep -c '"kind":"range"' | grep -x 3
	# what Python leaves beside sitecustomize.py goes with it
	python=$(pythons | tail -n 1)
	[[ -z $python ]] || env -i PATH="$root/usr/bin:/usr/bin" HOME="$HOME" \
	    tq-capture -q --pytorch autograd-nvtx -o x.tq "$python" -c 'import json'
	gzip -dc "$root/usr/share/man/man7/tq.7.gz" | cmp - "$top/man/tq.7"
	"${dpkg[@]}" -P tq
	[[ -z $(find "$root/usr" ! -type d 2> /dev/null) ]]
}

@test "the manual as HTML is linked, and each link has its page" {
	make_here html
	cd "$BATS_TEST_TMPDIR/b/html"
	for page in "$top"/man/*.[157]; do
		[[ $(head -n 1 "${page##*/}.html") = '<!DOCTYPE html>' ]]
		grep -qF "href=\"${page##*/}.html\"" index.html
	done
	links=$(grep -oh 'href="[^"#:]*[#"]' -- *.html | sort -u)
	[[ $links = *'tq-events.5.html'* ]]
	while IFS='"#' read -r _ file _; do
		[[ -z $file || -s $file ]]
	done <<< "$links"
	# a page of others is elsewhere
	grep -q 'href="https://[^"]*/jq.1"' tq.7.html
}
