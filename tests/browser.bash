# browser.bash - what the tests of pages of HTML share: is a page whole at all
# widths, in a browser?

# probe: a script that tells the page around the frame its width, "fits" or the
# width of what is in it, and the elements that pass the right edge
probe() {
	cat << 'END'
<script>
addEventListener("load", () => {
	const w = innerWidth, all = document.documentElement.scrollWidth;
	const out = [w, all <= w ? "fits" : all];
	for (const e of document.body.querySelectorAll("*")) {
		if (e.getBoundingClientRect().right <= w + .5)
			continue;
		let cut = false;
		for (let p = e.parentElement; p; p = p.parentElement)
			cut ||= getComputedStyle(p).overflowX != "visible";
		if (!cut)
			out.push(e.tagName + "." + e.getAttribute("class"));
	}
	parent.postMessage(out.join(" "), "*");
});
</script>
END
}

widths=(390 640 1120 1280 1560 1920 2560 3840)

# browse ARGUMENT ...: chromium, which writes to the folder of the test only
browse() {
	timeout 120 chromium --headless --no-sandbox --disable-gpu \
	    --hide-scrollbars --user-data-dir="$BATS_TEST_TMPDIR/profile" "$@" \
	    2> /dev/null
}

# check_widths FILE: does the page fit all widths?  It stands in frames, since
# no window of chromium is as narrow as a telephone.
check_widths() {
	{ cat "$1"; probe; } > probe.html
	{
		echo '<body><script>addEventListener("message", e => {' \
		    'document.body.append(e.data + "\n") })</script><pre>'
		for w in "${widths[@]}"; do
			echo "<iframe src=probe.html style='width:${w}px;height:900px;border:0'></iframe>"
		done
	} > frames.html
	browse --window-size=2000,2000 --virtual-time-budget=20000 \
	    --dump-dom "file://$PWD/frames.html" | grep -E '^(.*>)?[0-9]+ ' |
	    sed 's/.*>//' | sort -n > said
	printf '%s fits\n' "${widths[@]}" | diff - said
}

# check_columns FILE: do the cards of the page stand in columns, none of which
# ends higher than the others by more than the highest card is high?
check_columns() {
	{
		cat "$1"
		cat << 'END'
<script>
addEventListener("load", () => {
	const ends = {}, all = [...document.querySelectorAll(".cols .c")]
	    .map(e => e.getBoundingClientRect());
	for (const r of all)
		ends[r.left] = Math.max(ends[r.left] ?? 0, r.bottom);
	const low = Math.max(...Object.values(ends));
	const high = Math.min(...Object.values(ends));
	const most = Math.max(...all.map(r => r.height));
	parent.postMessage(innerWidth + " " + Object.values(ends).length +
	    (low - high <= most + 16 ? " level" : " ends at " + high +
	    " and " + low), "*");
});
</script>
END
	} > probe.html
	{
		echo '<body><script>addEventListener("message", e => {' \
		    'document.body.append(e.data + "\n") })</script><pre>'
		for w in 1280 1920 2560 3840; do
			echo "<iframe src=probe.html style='width:${w}px;height:900px;border:0'></iframe>"
		done
	} > frames.html
	browse --window-size=4000,2000 --virtual-time-budget=20000 \
	    --dump-dom "file://$PWD/frames.html" | grep -E '^(.*>)?[0-9]+ ' |
	    sed 's/.*>//' | sort -n
}

# check_picture FILE WIDTH: a picture of the page is one, and not of one colour
check_picture() {
	echo "<body style='margin:0'><iframe src=$1 style='width:$2px;height:2000px;border:0'>" > frame.html
	browse --window-size=2000,2000 --screenshot="$PWD/$2.png" \
	    "file://$PWD/frame.html" > /dev/null
	[[ $(head -c 4 "$2.png" | tail -c 3) = PNG ]]
	(($(wc -c < "$2.png") > 20000))
}
