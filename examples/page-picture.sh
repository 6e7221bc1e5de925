#!/bin/sh
# A picture of the page of tq-stats: SVG, of its upper half, as a browser shows
# it.  Operand: an export; without one the demo.  How examples/page.svg is made:
#
#	sh examples/page-picture.sh > examples/page.svg
set -eu
. "$(dirname "$0")/prepare"

width=1200 height=952

tq-extract "$file" | tq-correlate | tq-stats -f html | awk -v width="$width" \
    -v height="$height" '
# what is between the tags, without what only a browser does
/^<style>/ { part = "style" }
/^<div class="w">/ { part = "page" }
/^<div class="g two">/ { part = "" }
part == "style" {
	# a rule for other widths goes, one for this width stays always
	if (/^@media/ && (/-width/ || /print/)) {
		match($0, /[0-9]+/)
		edge = substr($0, RSTART, RLENGTH) + 0
		inside = 1
		drop = /print/ || (/min-width/ ? width < edge : width > edge)
		next
	}
	if (inside && /^}/) {
		inside = drop = 0
		next
	}
	if (drop)
		next
	style = style $0 "\n"
	if (/^<\/style>/)
		part = ""
}
part == "page" && !/^<rect / {
	gsub(/ (title|data-v|aria-label|role)="[^"]*"/, "")
	gsub(/<title>[^<]*<\/title>/, "")
	gsub(/<svg /, "&xmlns=\"http://www.w3.org/2000/svg\" ")
	page = page $0 "\n"
}
END {
	sub(/<small>hover for numbers<\/small>/, "", page)
	gsub(/ FILE</, " demo.tq<", page)
	printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" " \
	    "width=\"%d\" height=\"%d\">\n", width, height, width, height
	printf "%s<foreignObject width=\"100%%\" height=\"100%%\">\n", style
	print "<body xmlns=\"http://www.w3.org/1999/xhtml\" " \
	    "style=\"height:100%\">"
	printf "%s</main></div></div></body></foreignObject></svg>\n", page
}'
