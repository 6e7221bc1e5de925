#!/bin/sh
# Build tq and turn the demo, a training run on two GPUs, into a trace that a
# browser shows.  Installs what is missing, and asks for nothing.
set -eu

cd "$(dirname "$0")/.."
build=${BUILD:-build}
sh tests/packages.sh build demo
if ! mkdir -p "$build" 2> /dev/null || [ ! -w "$build" ]; then
	echo "$build cannot be written; BUILD=FOLDER names another folder"
	exit 1
fi

echo "building"
make -s -j "$(nproc)" BUILD="$build"
work=$(mkdir -p "$build/demo" && cd "$build/demo" && pwd)
PATH=$(cd "$build" && pwd):$PATH

# say a command, and run it
run()
{
	printf '\n$ %s\n' "$1"
	eval "$1"
}

cd "$work"
rm -f demo.sqlite demo.tq demo.json demo.pftrace demo.html
sqlite3 demo.sqlite < "$OLDPWD/examples/demo.sql"

run "tq extract demo.sqlite | tq correlate -o demo.tq"
run "jq -r .kind demo.tq | sort | uniq -c | sort -k 1,1nr -k 2"
run "tq perfetto -q -o demo.pftrace demo.tq"
run "tq chrome -q -o demo.json demo.tq"
run "tq stats -f html -o demo.html demo.tq"
run "tq stats demo.tq | sed '/^GPU TIME/,\$d'"

# a path as a shell takes it
quoted()
{
	case $1 in
	*[!A-Za-z0-9/._+-]*)
		printf "'%s'" "$(printf %s "$1" | sed "s/'/'\\\\''/g")"
		;;
	*)
		printf %s "$1"
		;;
	esac
}

cat <<EOF

made, in $work:
  demo.tq       $(wc -c < demo.tq) bytes, the events
  demo.pftrace  $(wc -c < demo.pftrace) bytes, the trace for https://ui.perfetto.dev
  demo.json     $(wc -c < demo.json) bytes, the same for chrome://tracing
  demo.html     $(wc -c < demo.html) bytes, the page of tq stats for a browser

To look at the trace, open it in https://ui.perfetto.dev, whose page reads the
file in your browser, and sends it nowhere. Or type

  cd $(quoted "$work")
  PATH=$(quoted "${work%/*}"):\$PATH
  tq view --serve demo.pftrace
  tq stats demo.tq
  tq filter 'dur > 1ms' demo.tq | jq .
EOF
