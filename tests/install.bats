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
