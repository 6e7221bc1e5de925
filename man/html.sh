#!/bin/sh
# Write the man pages as HTML, and an index of them, into a folder:
#
#	sh man/html.sh folder page ...
#
# A page of tq is linked to its neighbour, others to a site that has them all.
set -eu

to=$1
shift
mkdir -p "$to"
cp "${0%/*}/page.css" "$to"

# mandoc looks for the neighbours in its folder
for page; do
	: > "$to/${page##*/}.html"
done
for page; do
	name=${page##*/}
	case $page in
	/*) ;;
	*) page=$PWD/$page ;;
	esac
	(cd "$to" && mandoc -T html -O \
	    'style=page.css,toc,man=./%N.%S.html;https://man.archlinux.org/man/%N.%S' \
	    "$page") > "$to/$name.tmp"
	mv "$to/$name.tmp" "$to/$name.html"
done

{
	cat <<'EOF'
<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="utf-8"/>
  <meta name="viewport" content="width=device-width, initial-scale=1.0"/>
  <link rel="stylesheet" href="page.css" type="text/css" media="all"/>
  <title>tq</title>
</head>
<body>
<h1>tq</h1>
<dl class="Bl-tag">
EOF
	for page; do
		name=${page##*/}
		printf '<dt><a class="Xr" href="%s.html">%s(%s)</a></dt>\n<dd>%s</dd>\n' \
		    "$name" "${name%.*}" "${name##*.}" \
		    "$(sed -n 's/^\.Nd //p' "$page")"
	done
	printf '</dl>\n</body>\n</html>\n'
} > "$to/index.html"
