#!/bin/sh
# archive.sh - what make release built becomes RELEASE/tq-VERSION-linux-ARCH.tar.gz
#
#	TOOLS="tq ..." sh packaging/archive.sh RELEASE ARCH VERSION
#
# Checks what it promises: the readers need no library, tq-capture and what it
# loads into programs no C library newer than FLOOR, and MOST bytes are enough.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
release=$1 arch=$2 version=$3
name=tq-$version-linux-$arch
root=$release/$name
FLOOR=2.28 MOST=4194304

refuse() {
	echo "make release: $*" >&2
	exit 1
}

# ---- programs ----

mkdir -p "$root/bin"
"$arch-linux-gnu-strip" -o "$root/bin/tq" "$release/$arch-musl/tq/one/tq"
"$arch-linux-gnu-strip" -o "$root/bin/tq-capture" \
    "$release/$arch-glibc/tq/tq-capture"
for tool in $TOOLS; do
	[ "$tool" = tq ] || ln -s tq "$root/bin/$tool"
done

# the versions of the C library that a file needs
versions() {
	"$arch-linux-gnu-objdump" -T "$1" |
	    sed -n 's/.*GLIBC_\([0-9.]*\).*/\1/p' | sort -Vu
}

! "$arch-linux-gnu-objdump" -p "$root/bin/tq" | grep NEEDED ||
    refuse "$root/bin/tq is not static"
for file in "$root/bin/tq-capture" "$root"/lib/tq/*.so; do
	highest=$(versions "$file" | tail -n 1)
	[ "$(printf '%s\n' "$highest" $FLOOR | sort -V | tail -n 1)" = $FLOOR ] ||
	    refuse "$file needs glibc $highest, above $FLOOR"
	! "$arch-linux-gnu-objdump" -p "$file" | grep NEEDED |
	    grep -vE 'lib(c|m|dl|pthread|rt|tq-capture)\.so|ld-linux' ||
	    refuse "$file needs a library"
done

# ---- texts ----

cp "$here/README.release" "$root/README"
mkdir -p "$root/share/licenses"
cp "$here/../LICENSE" "$root/share/licenses/tq"
for package in "$release"/sources/*/debian/copyright; do
	folder=${package%/debian/copyright}
	cp "$package" "$root/share/licenses/${folder##*/}"
done
cp "$release/$arch-musl/libc/usr/share/doc/musl-dev/copyright" \
    "$root/share/licenses/musl"

# ---- the archive ----

date=$(sed -n '/^ -- /{s/.*>  //p;q}' "$here/../debian/changelog")
tar -C "$release" --owner=0 --group=0 --numeric-owner --mode=go=rX,u+w \
    --sort=name --mtime="$date" -cf "$release/$name.tar" "$name"
gzip -9nf "$release/$name.tar"
size=$(wc -c < "$release/$name.tar.gz")
[ "$size" -le $MOST ] || refuse "$name.tar.gz has $size bytes, above $MOST"
(cd "$release" && sha256sum "$name.tar.gz" > "$name.tar.gz.sha256")
echo "$release/$name.tar.gz: $size bytes"
