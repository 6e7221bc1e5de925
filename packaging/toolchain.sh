#!/bin/sh
# toolchain.sh - what make release builds with: FOLDER/ARCH-LIBC/cc, a compiler
# for that processor and C library, and the libraries tq needs, linked statically
#
#	sh packaging/toolchain.sh FOLDER {x86_64|aarch64} {musl|glibc}
#
# packaging/parts names the packages of Debian that it fetches from MIRROR into
# FOLDER/parts, and their hashes.  Without a network these files are there.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd) arch=$2 libc=$3
parts=$folder/parts sources=$folder/sources
out=$folder/$arch-$libc
triplet=$arch-linux-gnu

refuse() {
	echo "make release: $*" >&2
	exit 1
}

for tool in "$triplet-gcc" "$triplet-ar" curl dpkg-deb dpkg-source tclsh make \
    sha256sum; do
	command -v "$tool" > /dev/null ||
	    refuse "no $tool; see packaging/README for what is needed"
done

# ---- parts ----

# above debian/ of the first archive that apt knows
# shellcheck disable=SC2016 # apt-get expands it
MIRROR=${MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' 2> /dev/null |
    sed -n 's,/debian/$,,p' | head -n 1)}

# fetch HASH PATH: as $parts/NAME
fetch() {
	name=${2##*/}
	if [ ! -e "$parts/$name" ]; then
		[ -n "$MIRROR" ] || refuse "no archive of Debian is in apt's" \
		    "sources; MIRROR=URL names what is above its debian/"
		curl -fsSL -o "$parts/$name.new" "$MIRROR/$2" ||
		    refuse "$MIRROR/$2 is not there"
		mv "$parts/$name.new" "$parts/$name"
	fi
	echo "$1  $parts/$name" | sha256sum --check --status || {
		mv "$parts/$name" "$parts/$name.bad"
		refuse "$parts/$name.bad is not what packaging/parts says"
	}
}

# parts_for WHAT: lines of hash and path
parts_for() {
	sed -n "s/^$1 //p" "$here/parts"
}

# the sources of the libraries, with the patches of Debian
unpack_sources() {
	! parts_for sources | cmp -s - "$sources/done" || return 0
	rm -rf "$sources"
	mkdir -p "$sources"
	parts_for sources | while read -r hash path; do
		fetch "$hash" "$path"
		dsc=$parts/${path##*/}
		package=${path##*/} package=${package%%_*}
		sed -n '/^Checksums-Sha256:/,/^[^ ]/s/^ \(.*\) .* \(.*\)/\1 \2/p' \
		    "$dsc" | while read -r file_hash file; do
			fetch "$file_hash" "${path%/*}/$file"
		done
		dpkg-source --no-check -q -x "$dsc" "$sources/$package" \
		    > "$sources/log" 2>&1 || {
			cat "$sources/log" >&2
			exit 1
		}
	done
	cd "$sources/sqlite3"
	./configure --disable-readline > "$sources/log" 2>&1
	make sqlite3.c sqlite3.h > "$sources/log" 2>&1
	parts_for sources > "$sources/done"
}

# ---- the compiler ----

# the headers of the kernel are those of this machine
kernel_headers() {
	mkdir -p "$out/kernel"
	for name in linux asm asm-generic; do
		for at in "/usr/$triplet/include" "/usr/include/$triplet" \
		    /usr/include; do
			[ ! -d "$at/$name" ] || break
		done
		[ -d "$at/$name" ] || refuse "no $name/ of linux-libc-dev"
		ln -sfn "$at/$name" "$out/kernel/$name"
	done
}

unpack_libc() {
	parts_for "$arch-$libc" | while read -r hash path; do
		fetch "$hash" "$path"
		dpkg-deb -x "$parts/${path##*/}" "$out/libc"
	done
	# links of /usr/lib to /lib
	find "$out/libc" -type l | while read -r link; do
		target=$(readlink "$link")
		case $target in
		/*) ln -sf "$out/libc$target" "$link" ;;
		esac
	done
}

make_compiler() {
	if [ "$libc" = musl ]; then
		at=$out/libc/usr
		sed "s,/usr/\(include\|lib\)/$arch-linux-musl,$at/\1/&,g
		    s,/usr/\(include\|lib\)/\($arch-linux-musl\),\2,g" \
		    "$at/lib/$arch-linux-musl/musl-gcc.specs" > "$out/specs"
		# threads have stacks as large as those of glibc
		choose="-specs '$out/specs' -static -Wl,-z,stack-size=8388608"
	else
		gcc=$("$triplet-gcc" -print-file-name=include)
		at=$out/libc/usr
		choose="--sysroot='$out/libc' -nostdinc -isystem '$gcc' \
-isystem '$at/include' -isystem '$at/include/$triplet' \
-B'$at/lib/$triplet' -L'$at/lib/$triplet' -L'$out/libc/lib/$triplet' \
-static-libgcc"
	fi
	cat > "$out/cc" <<-END
		#!/bin/sh
		exec $triplet-gcc "\$@" $choose -isystem '$out/include' \
		    -idirafter '$out/kernel' -L'$out/lib'
	END
	chmod +x "$out/cc"
}

# ---- the libraries ----

# library NAME SOURCE ... [FLAG ...]: lib/libNAME.a, of the sources in this folder
library() {
	name=$1
	shift
	rm -rf "$out/objects"
	mkdir -p "$out/objects" "$out/lib"
	files='' flags=''
	for word; do
		case $word in
		-*) flags="$flags $word" ;;
		*) files="$files $word" ;;
		esac
	done
	for file in $files; do
		# shellcheck disable=SC2086 # flags are words
		"$out/cc" -O2 -w $flags -c -o "$out/objects/o$(echo "$file" |
		    tr / _).o" "$file"
	done
	rm -f "$out/lib/lib$name.a"
	"$triplet-ar" rcs "$out/lib/lib$name.a" "$out"/objects/*.o
	rm -r "$out/objects"
}

headers() {
	mkdir -p "$out/include"
	cp "$@" "$out/include"
}

libraries() {
	cd "$sources/zlib"
	headers zlib.h zconf.h
	library z ./*.c -DHAVE_UNISTD_H -DHAVE_STDARG_H
	cd "$sources/libzstd/lib"
	headers zstd.h zstd_errors.h
	assembler=
	[ "$arch" != x86_64 ] || assembler=decompress/huf_decompress_amd64.S
	library zstd common/*.c compress/*.c decompress/*.c $assembler \
	    -DZSTD_LEGACY_SUPPORT=0
	cd "$sources/pcre2/src"
	cp config.h.generic config.h
	cp pcre2.h.generic pcre2.h
	cp pcre2_chartables.c.dist pcre2_chartables.c
	headers pcre2.h
	files='' # without programs, and parts of other files
	for name in auto_possess chartables compile config context convert \
	    dfa_match error extuni find_bracket jit_compile maketables match \
	    match_data newline ord2utf pattern_info script_run serialize \
	    string_utils study substitute substring tables ucd valid_utf xclass; do
		files="$files pcre2_$name.c"
	done
	# shellcheck disable=SC2086 # files are words
	library pcre2-8 $files \
	    -DHAVE_CONFIG_H -DPCRE2_CODE_UNIT_WIDTH=8 -DSUPPORT_JIT \
	    -DSUPPORT_UNICODE -DPCRE2_STATIC -I.
	[ "$libc" = musl ] || return 0 # tq-capture needs no others
	cd "$sources/lz4/lib"
	headers lz4.h
	library lz4 lz4.c
	cd "$sources/sqlite3"
	headers sqlite3.h
	library sqlite3 sqlite3.c -DSQLITE_THREADSAFE=2 \
	    -DSQLITE_OMIT_LOAD_EXTENSION
}

[ "$(cat "$out/made-by" 2> /dev/null)" != "$(cat "$here/toolchain.sh" "$here/parts" | sha256sum)" ] ||
    exit 0
mkdir -p "$parts"
rm -rf "$out"
mkdir -p "$out"
unpack_sources
kernel_headers
unpack_libc
make_compiler
libraries
cat "$here/toolchain.sh" "$here/parts" | sha256sum > "$out/made-by"
