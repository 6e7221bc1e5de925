#!/bin/sh
# Print the path of a folder for make, which knows no names with spaces: where
# it has some, that of a link to it.  The folder remembers the link.
set -eu

case $1 in
*[[:space:]]*) ;;
*)
	printf '%s\n' "$1"
	exit
	;;
esac
mkdir -p "$1"
folder=$(cd "$1" && pwd)
link=$(cat "$folder/.link" 2> /dev/null) || link=
# what another user may change is no link of ours
if [ ! -O "${link%/*}" ] || [ "$(readlink "$link")" != "$folder" ]; then
	link=$(mktemp -d)/build
	ln -s "$folder" "$link"
	echo "$link" > "$folder/.link"
fi
printf '%s\n' "$link"
