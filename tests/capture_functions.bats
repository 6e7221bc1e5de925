#!/usr/bin/env bats
# tq-capture --python-functions-trace and --pytorch: ranges of calls of Python
# functions that a file names

load helper
load capture

setup() {
	cd "$BATS_TEST_TMPDIR"
	pythons=$(pythons)
	last=$(tail -n 1 <<< "$pythons")
	[[ -n $pythons ]] || skip "no python3.8 to 3.13"
}

# work.py writes the name of each function into a list when it runs.
work() {
	cat > work.py <<-'EOF'
	import functools, threading
	ran = threading.local()
	def runs(name):
	    ran.__dict__.setdefault("names", []).append(name)
	def plain(x): runs("plain"); return x
	def recurse(n):
	    runs("recurse")
	    if n == 0: raise ValueError
	    try: recurse(n - 1)
	    finally: plain(n)
	class Base:
	    def __init__(self, x=0): runs("Base"); self.x = x
	    def method(self, x=1, *, y=2): runs("Base.method"); return plain(x + y)
	    @staticmethod
	    def static(x): runs("Base.static"); return x
	    @classmethod
	    def of_class(cls): runs("Base.of_class"); return cls
	    @property
	    def attribute(self): runs("Base.attribute"); return self.x
	    @attribute.setter
	    def attribute(self, x): self.x = x
	class Derived(Base):
	    def own(self): runs("Derived.own"); return super().method()
	class Other(Base): pass
	@functools.lru_cache(None)
	def cached(x): return x
	def logged(f):
	    @functools.wraps(f)
	    def call(*args): return f(*args)
	    return call
	@logged
	def decorated(x): runs("decorated"); return x
	@logged
	def unnamed(x): return x
	def closure(a):
	    def inner(x): runs("inner"); return a + x
	    return inner
	add_one, add_two = closure(1), closure(2)
	def generator(n):
	    runs("generator")
	    for i in range(n):
	        yield i
	        runs("generator")
	async def coroutine(): runs("coroutine"); return 4
	EOF
	cat > functions.json <<-'EOF'
	[{"_comment": "what is annotated", "module": "work", "domain": "Work",
	  "color": "blue", "functions": ["plain", "recurse", "Base", "Base.method",
	    "Base.static", "Base.of_class", "Base.attribute", "Derived.own",
	    "cached", "decorated", {"function": "add_one", "name": "inner"},
	    "generator", "coroutine"]},
	 {"module": "time", "functions": ["sleep"]}]
	EOF
}

# ranges [JQ]: what it says of each range, in the order of their begin
ranges() {
	jq -rcs "map(select(.kind == \"range\")) | sort_by(.ts, -.dur) | .[] |
	    ${1:-.name}" x.tq
}

# trace [OPTION ...] PYTHON ...: record the functions into x.tq
trace() {
	rm -f x.tq
	tq-capture -q -t none --python-functions-trace functions.json -o x.tq "$@"
	whole x.tq
	[ "$(dropped x.tq)" = 0 ]
}

@test "each call has its range, in order, in all versions that there are" {
	work
	cat > calls.py <<-'EOF'
	import asyncio, sys, time, threading
	import work
	def calls():
	    work.ran.names = []
	    work.plain(1)
	    try: work.recurse(5)
	    except ValueError: pass
	    b, d = work.Base(2), work.Derived()
	    assert b.method(y=3) == 4 and d.own() == 3 and work.Other.method(b) == 3
	    assert work.Base.static(7) == b.static(7) == 7
	    assert work.Derived.of_class() is work.Derived
	    b.attribute = 9
	    assert b.attribute == 9
	    assert work.cached(1) == work.cached(1) == 1
	    work.runs("cached"), work.runs("cached")
	    assert work.decorated(3) == work.unnamed(3) == 3
	    assert work.add_one(1) == 2 and work.add_two(1) == 3
	    work.ran.names.pop()
	    if sys.version_info >= (3, 12):
	        assert list(work.generator(3)) == [0, 1, 2]
	        assert asyncio.run(work.coroutine()) == 4
	    time.sleep(0)
	    return work.ran.names + ["sleep"]
	names = []
	def thread(): names.append(calls())
	threads = [threading.Thread(target=thread) for _ in range(4)]
	for t in threads: t.start()
	for t in threads: t.join()
	for n in names + [calls()]: print(*n)
	EOF
	for python in $pythons; do
		trace "$python" calls.py > expected
		jq -rcs 'map(select(.kind == "range")) | group_by(.tid)[] |
		    sort_by(.ts, -.dur) | map(.name) | join(" ")' x.tq |
		    sort > names
		sort expected | diff - names || { echo "$python" >&2; false; }
		[ "$(ranges .domain | sort -u | xargs)" = "Work time" ]
		[ "$(ranges 'select(.domain == "Work").color' | sort -u)" = "#0000ff" ]
	done
}

@test "a generator runs often, and has a range each time from Python 3.12 on" {
	work
	for python in $pythons; do
		trace "$python" -c '
import asyncio, work
list(work.generator(3))
async def both(): return await work.coroutine()
asyncio.run(both())'
		case $python in
		*3.8 | *3.9 | *3.10 | *3.11) [ "$(ranges | xargs)" = "generator coroutine" ] ;;
		*) [ "$(ranges | xargs)" = "generator generator generator generator coroutine" ] ;;
		esac
	done
}

@test "a function is what it was: its signature, pickle, copies, references" {
	work
	cat > same.py <<-'EOF'
	import copy, functools, inspect, pickle, weakref
	import work
	for f in work.plain, work.Base.method, work.cached, work.decorated, work.add_one:
	    print(f.__name__, f.__qualname__, f.__module__, f.__doc__, callable(f),
	          inspect.signature(f), inspect.isroutine(f))
	print(inspect.isfunction(work.plain), work.Base.attribute.fset.__name__,
	      work.Base(1).method.__self__.x, work.cached.cache_info().hits)
	for f in work.plain, work.decorated:
	    assert pickle.loads(pickle.dumps(f)) is f and copy.deepcopy(f) is f
	    weakref.ref(f)
	work.plain.mark = 1
	print(work.plain.mark, functools.partial(work.plain, 3)(), list(map(work.plain, "ab")))
	print(repr(work.plain).split(" at ")[0], hash(work.plain) == hash(work.plain))
	try: work.plain()
	except TypeError as e: print(e)
	EOF
	for python in $pythons; do
		[[ $python != *3.8 ]] || continue # has no weak references to it
		"$python" same.py > expected
		trace "$python" same.py > out
		diff expected out || { echo "$python" >&2; false; }
	done
}

@test "functions of all sorts, and their calls, are what they are without" {
	cp "$top"/tests/capture/functions/* .
	for python in $pythons; do
		"$python" calls.py > expected
		trace "$python" calls.py > out 2> said
		diff expected out || { echo "$python" >&2; false; }
		# a range for each call, all of them ended
		(($(count range x.tq) > 1600))
		[ "$(jq -s 'map(select(.open)) | length' x.tq)" = 0 ]
	done
}

@test "a function recurses as deep as without" {
	echo 'def deep(n): return 0 if n == 0 else 1 + deep(n - 1)' > rec.py
	echo '[{"module": "rec", "functions": [{"function": "deep", "class": true}]}]' > functions.json
	for python in $pythons; do
		trace "$python" -c 'import rec; print(rec.deep(700))' > out
		[ "$(cat out)" = 700 ]
		[ "$(count range x.tq)" = 701 ]
	done
}

@test "modules that are imported at any time, in any way, are annotated" {
	mkdir -p pkg/sub
	echo 'def late(): pass' > pkg/sub/deep.py
	echo 'def here(): pass' > pkg/sub/__init__.py
	touch pkg/__init__.py
	cat > functions.json <<-'EOF'
	[{"module": "pkg", "functions": ["sub.here", "sub.deep.late"]},
	 {"module": "json.decoder", "functions": ["JSONDecoder.decode"]},
	 {"module": "math", "functions": ["sqrt"]},
	 {"module": "_heapq", "functions": ["heappush"]},
	 {"module": "never", "functions": ["f"]}]
	EOF
	for python in $pythons; do
		trace "$python" -c '
import importlib, importlib.util, json
assert importlib.util.find_spec("pkg.sub").loader.is_package("pkg.sub")
json.loads("[1]")
import pkg
from pkg import sub
sub.here()
importlib.import_module("pkg.sub.deep").late()
import math, _heapq
math.sqrt(4), _heapq.heappush([], 1)
import inspect
assert "late" in inspect.getsource(pkg.sub.deep)'
		[ "$(ranges '.domain + ":" + .name' | xargs)" = "json.decoder:JSONDecoder.decode pkg:sub.here pkg:sub.deep.late math:sqrt _heapq:heappush" ]
	done
}

@test "functions of the program itself are annotated from Python 3.12 on" {
	echo '[{"module": "__main__", "functions": ["main", "Thing.run", "no"]}]' > functions.json
	cat > main.py <<-'EOF'
	class Thing:
	    def run(self): pass
	def main(): Thing().run()
	main()
	EOF
	for python in $pythons; do
		trace "$python" main.py 2> said
		case $python in
		*3.8 | *3.9 | *3.10 | *3.11)
			[ "$(ranges)" = "" ]
			[[ $(cat said) == *": __main__: its functions are annotated from Python 3.12 on" ]]
			;;
		*)
			[ "$(ranges | xargs)" = "main Thing.run" ]
			[[ $(cat said) == "tq-capture: process "*": --python-functions-trace: __main__.no: there is none" ]]
			;;
		esac
	done
}

@test "a module that is loaded again is annotated again" {
	work
	for python in $pythons; do
		trace "$python" -c '
import importlib, work
work.plain(1), work.cached(2), work.cached(2)
importlib.reload(work)
work.plain(1), work.cached(2)'
		[ "$(ranges | xargs)" = "plain cached cached plain cached" ]
	done
}

@test "children are annotated too: fork, spawn, and other programs" {
	work
	cat > children.py <<-'EOF'
	import multiprocessing, os, subprocess, sys
	import work
	if __name__ == "__main__":
	    work.plain(0)
	    for how in "fork", "spawn":
	        with multiprocessing.get_context(how).Pool(2) as pool:
	            assert pool.map(work.plain, range(10)) == list(range(10))
	    subprocess.run([sys.executable, "-c", "import work; work.plain(3)"], check=True)
	EOF
	for python in $pythons; do
		trace "$python" children.py
		# multiprocessing itself may call time.sleep
		[ "$(ranges 'select(.domain == "Work").name' | sort | uniq -c |
		    xargs)" = "22 plain" ] || { echo "$python" >&2; false; }
	done
}

@test "processes of multiprocessing have the functions of the program" {
	cat > pool.py <<-'EOF'
	import multiprocessing, sys
	def f(x): return x
	if __name__ == "__main__":
	    with multiprocessing.get_context(sys.argv[1]).Pool(2) as pool:
	        assert pool.map(f, range(10)) == list(range(10))
	EOF
	echo '[{"module": "__main__", "functions": ["f"]}]' > functions.json
	for python in $pythons; do
		"$python" -c 'import sys; sys.exit(sys.version_info < (3, 12))' || continue
		for how in fork spawn forkserver; do
			trace "$python" pool.py "$how" 2> said
			[ ! -s said ]
			[ "$(ranges | sort | uniq -c | xargs)" = "10 f" ] ||
			    { echo "$python $how" >&2; false; }
		done
	done
}

@test "Python stacks and focus work with these ranges as with those of NVTX" {
	work
	printf 'import work\nfor i in range(4): work.plain(i)\nwork.Base()\n' > stacks.py
	trace --python-backtrace nvtx "$last" stacks.py
	jq -es '(map(select(.kind == "stack") | {key: "\(.id)", value: .frames}) |
	    from_entries) as $frames |
	    [.[] | select(.kind == "range") | $frames["\(.stack)"][-1]] |
	    group_by(.) | map("\(length) \(.[0])") ==
	    ["4 <module> (stacks.py:2)", "1 <module> (stacks.py:3)"]' x.tq
	printf 'import os, work\nwork.runs = lambda name: os._exit(0)\nwork.plain(1)\n' > open.py
	trace --python-backtrace nvtx "$last" open.py
	grep -q '"color":"#0000ff","open":true,"stack":[0-9]*}$' x.tq
	trace -p Base@Work "$last" stacks.py
	[ "$(ranges)" = Base ]
	trace --nvtx-domain-exclude Work "$last" stacks.py
	[ "$(ranges)" = "" ]
}

# ---- how it gets in ----

@test "the next sitecustomize runs as it would, and the path is as it was" {
	mkdir next
	echo 'import sys; print("next", __name__, __file__.split("/")[-2:])' > next/sitecustomize.py
	echo '[]' > functions.json
	for python in $pythons; do
		export PYTHONPATH=$PWD/next
		"$python" -c 'import sys; print(sys.path)' > expected
		trace --pytorch autograd-nvtx "$python" -c 'import sys; print(sys.path)' > out
		diff expected out
		unset PYTHONPATH
		"$python" -c 'import sys; print(sys.path)' > expected
		trace --pytorch autograd-nvtx "$python" -c 'import sys; print(sys.path)' > out
		diff expected out
	done
	# one that fails says so, as without
	echo 'raise OSError("no")' > next/sitecustomize.py
	PYTHONPATH=$PWD/next "$last" -c 'print(1)' > expected 2>&1
	PYTHONPATH=$PWD/next trace --pytorch autograd-nvtx "$last" -c 'print(1)' > out 2>&1
	diff expected out
}

@test "a sitecustomize of any form, and one with errors, does what it does without" {
	local form python show='import sys, json
print(json.dumps([1]), sys.path, sys.modules.get("sitecustomize") is not None,
      getattr(sys.modules.get("sitecustomize"), "x", None))'

	mkdir -p package/sitecustomize namespace/sitecustomize zip syntax absent removed path
	echo 'x = 1; print(__name__, __path__[0][-9:], __spec__.name)' > package/sitecustomize/__init__.py
	echo 'x = = 5' > syntax/sitecustomize.py
	echo 'import there_is_none' > absent/sitecustomize.py
	echo 'import sys; sys.modules.pop("sitecustomize", None)' > removed/sitecustomize.py
	echo 'x = 2; import json, sys; sys.path.insert(0, "/nowhere"); print(json.dumps(2))' > path/sitecustomize.py
	echo 'x = 3; print(__file__)' > zip/sitecustomize.py
	(cd zip && "$last" -m zipfile -c ../archive sitecustomize.py)
	echo '[{"module": "json", "functions": ["dumps"]}]' > functions.json
	for python in $pythons; do
		for form in package namespace syntax absent removed path archive; do
			export PYTHONPATH=$PWD/$form PYTHONDONTWRITEBYTECODE=1
			"$python" -c "$show" > expected 2>&1
			trace "$python" -c "$show" > out 2>&1
			diff expected out
			[[ $(ranges | sort -u) = dumps ]]
		done
	done
	# one that ends Python ends it
	for form in 'raise SystemExit(3)' 'raise KeyboardInterrupt'; do
		echo "$form" > path/sitecustomize.py
		export PYTHONPATH=$PWD/path
		run -1 "$last" -c "$show"
		run -1 tq-capture -q -t none --python-functions-trace functions.json \
		    -o x.tq "$last" -c "$show"
	done
}

@test "an older Python runs as without, and says that it is not annotated" {
	local python any=

	echo '[{"module": "json", "functions": ["dumps"]}]' > functions.json
	mkdir next
	echo 'print("next")' > next/sitecustomize.py
	for python in /usr/bin/python2* "$HOME"/.pyenv/versions/{2.7,3.6,3.7}.*/bin/python; do
		[[ -x $python ]] || continue
		any=1
		PYTHONPATH=$PWD/next trace "$python" -c 'import json; print(json.dumps(1))' > out 2> said
		[ "$(xargs < out)" = "next 1" ]
		[ "$(cat said)" = "tq-capture: functions of Python are not annotated: CPython 3.8 or later is needed" ]
	done
	[[ -n $any ]] || skip "no older Python"
}

@test "with -I, -E or -S functions are annotated from the first call of NVTX on" {
	work
	cat > late.py <<-EOF
	import sys
	sys.dont_write_bytecode = True
	sys.path[:0] = [".", "$top/examples"]
	import work
	def main():
	    from nvtx import NVTX
	    NVTX.nvtxRangePushA(b"outer")
	    for i in range(1000): float(i)
	    work.plain(2), work.Base().method()
	    NVTX.nvtxRangePop()
	main()
	EOF
	export NVTX_EXAMPLE_LOADER=1
	for python in $pythons; do
		for flag in -I -E -S; do
			trace "$python" $flag late.py
			[ "$(ranges | xargs)" = "outer plain Base Base.method plain" ] ||
			    { echo "$python $flag" >&2; false; }
		done
	done
}

@test "a module is not looked into in the middle of its import" {
	cat > slow.py <<-EOF
	import sys
	sys.dont_write_bytecode = True
	sys.path[:0] = ["$top/examples"]
	from nvtx import NVTX
	NVTX.nvtxRangePushA(b"import")
	for i in range(3000): float(i)
	def f(): pass
	NVTX.nvtxRangePop()
	EOF
	echo '[{"module": "slow", "functions": ["f"]}]' > functions.json
	export NVTX_EXAMPLE_LOADER=1
	for python in $pythons; do
		trace "$python" -I -c '
import sys
sys.path.insert(0, ".")
import slow
for i in range(3000): float(i)
slow.f()' 2> said
		[ ! -s said ]
		[ "$(ranges | xargs)" = "import f" ] || { echo "$python" >&2; false; }
	done
}

@test "a program that is a module runs no code of ours at each of its calls" {
	cat > runs.py <<-EOF
	import sys
	sys.dont_write_bytecode = True
	sys.path[:0] = ["$top/examples"]
	from nvtx import NVTX
	def f(): pass
	ours = []
	def count(frame, event, arg):
	    if "tq-capture" in frame.f_code.co_filename: ours.append(event)
	NVTX.nvtxRangePushA(b"run")
	sys.setprofile(count)
	for i in range(1000): f()
	sys.setprofile(None)
	NVTX.nvtxRangePop()
	print(len(ours))
	EOF
	echo '[{"module": "m", "functions": ["f"]}]' > functions.json
	export NVTX_EXAMPLE_LOADER=1
	for python in $pythons; do
		trace "$python" -I -c 'import sys; sys.path.insert(0, "."); import runs' > out
		(($(< out) < 100)) || { echo "$python" >&2; false; }
	done
}

@test "a program without Python is as before" {
	echo '[{"module": "m", "functions": ["f"]}]' > functions.json
	trace "$CLIENT" marks 3
	[ "$(count mark x.tq)" = 3 ]
	head -n 1 x.tq | jq -e '.mode == "nvtx,python-functions-trace"'
}

# ---- what is wrong ----

@test "a function that is not there is said, and the others are annotated" {
	echo '[{"module": "json", "functions": ["dumps", "nothing", "decoder"]},
	    {"module": "builtins", "functions": ["str.upper"]}]' > functions.json
	trace "$last" -c 'import json; json.dumps(1)' 2> said
	[ "$(ranges)" = dumps ]
	sed 's/process [0-9]*/process N/' said | sort | diff - /dev/fd/3 3<<- 'END'
	tq-capture: process N: --python-functions-trace: builtins.str.upper: cannot set 'upper' attribute of immutable type 'str'
	tq-capture: process N: --python-functions-trace: json.decoder: it is no function
	tq-capture: process N: --python-functions-trace: json.nothing: there is none
	END
	grep -q '"kind":"diagnostic".*json.nothing: there is none' x.tq
}

@test "a file that makes no sense is refused with its line before the command runs" {
	while IFS='|' read -r text problem; do
		printf '%b' "$text" > bad.json
		run -125 tq-capture --python-functions-trace bad.json -o x.tq touch run
		[ "$output" = "tq-capture: bad.json:$problem" ]
	done <<- 'END'
	|1: not an array of objects
	{}|1: not an array of objects
	[\n[]]|2: not an object
	[{"functions": []}]|1: no "module"
	[\n{"module": "m"}]|2: no array "functions"
	[{"module": "m",\n"functions": [3]}]|2: not a string
	[{"module": "m", "functions": [""]}]|1: an empty name
	[{"module": "m", "functions": ["a\\tb"]}]|1: a control character in a name
	[{"module": "m", "functions": [{"name": "f"}]}]|1: no "function"
	[{"module": "m", "functions": ["f"], "color": "bleu"}]|1: not a color: a name, RRGGBB, or a number that is ARGB
	[{"module": "m", "functions": ["f"], "shapes": 1}]|1: not true or false
	[{"module": "m", "functions": ["f"]}|1: expected ',' or ']'
	END
	run -125 tq-capture --python-functions-trace none.json touch run
	[ "$output" = "tq-capture: none.json: No such file or directory" ]
	awk 'BEGIN { printf "[{\"module\": \"m\", \"functions\": [\"f\""
	    for (i = 0; i < 20000; i++) printf ", \"function_%d\"", i
	    print "]}]" }' > large.json
	run -125 tq-capture --python-functions-trace large.json touch run
	[ "$output" = "tq-capture: large.json: too many functions for the environment" ]
	[ ! -e run ]
}

@test "without the files beside the agent it is refused" {
	mkdir alone
	cp "$BUILD/libtq-capture.so" alone
	echo '[]' > functions.json
	TQ_CAPTURE_AGENT=$PWD/alone/libtq-capture.so run -125 tq-capture \
	    --pytorch functions-trace -o x.tq touch run
	[ "$output" = "tq-capture: $PWD/alone/python/sitecustomize.py: No such file or directory" ]
	[ ! -e run ]
}

# ---- PyTorch ----

# a package in the shape of PyTorch
torch() {
	mkdir -p torch/nn/modules torch/optim torch/autograd
	cat > torch/__init__.py <<-'EOF'
	class Size(tuple):
	    def __repr__(self): return "torch.Size(%s)" % list(self)
	class Tensor:
	    def __init__(self, *shape): self.shape = Size(shape)
	from . import autograd, nn, optim
	EOF
	cat > torch/autograd/__init__.py <<-'EOF'
	from . import profiler
	def backward(x): pass
	def _disable_profiler(): print("off")
	EOF
	cat > torch/autograd/profiler.py <<-'EOF'
	import os
	class emit_nvtx:
	    def __init__(self, enabled=True, record_shapes=False):
	        self.shapes = record_shapes
	    def __enter__(self):
	        if "NO_GPU" in os.environ: raise RuntimeError("no NVIDIA driver")
	        print("emit_nvtx", self.shapes)
	EOF
	echo 'from .modules.module import Module' > torch/nn/__init__.py
	touch torch/nn/modules/__init__.py
	cat > torch/nn/modules/module.py <<-'EOF'
	class Module:
	    def _call_impl(self, *args, **named): return self.forward(*args, **named)
	    __call__ = _call_impl
	EOF
	echo 'from .sgd import SGD' > torch/optim/__init__.py
	cat > torch/optim/optimizer.py <<-'EOF'
	class Optimizer:
	    def zero_grad(self): pass
	EOF
	cat > torch/optim/sgd.py <<-'EOF'
	from .optimizer import Optimizer
	class SGD(Optimizer):
	    def step(self): pass
	EOF
	cat > train.py <<-'EOF'
	import torch
	class Linear(torch.nn.Module):
	    def forward(self, x, bias=None): return x
	class Net(torch.nn.Module):
	    def __init__(self): self.layer = Linear()
	    def forward(self, x): return self.layer(x, torch.Tensor(3))
	net, sgd = Net(), torch.optim.SGD()
	sgd.zero_grad()
	torch.autograd.backward(net(torch.Tensor(2, 3)))
	sgd.step()
	EOF
}

@test "forward, backward and step of PyTorch are ranges, with shapes if asked for" {
	torch
	for python in $pythons; do
		rm -f x.tq
		tq-capture -q -t none --pytorch functions-trace -o x.tq "$python" train.py
		[ "$(ranges | xargs)" = "SGD.zero_grad Net.forward Linear.forward backward SGD.step" ]
		[ "$(ranges .domain | sort -u)" = PyTorch ]
		run ! grep payload x.tq
	done
	rm x.tq
	tq-capture -q -t none --pytorch functions-trace-shapes -o x.tq "$last" train.py
	[ "$(ranges 'select(.args) | .name + " " + .args.payload' | paste -sd ,)" = 'Net.forward [2, 3],Linear.forward [2, 3] [3],backward [2, 3]' ]
}

@test "emit_nvtx is entered when torch has been imported" {
	torch
	for python in $pythons; do
		run -0 tq-capture -q --pytorch autograd-nvtx -o x.tq "$python" -c 'print(1); import torch; print(2)'
		[ "$(xargs <<< "$output")" = "1 emit_nvtx False 2 off" ]
	done
	run -0 tq-capture -q --pytorch autograd-shapes-nvtx,functions-trace -o x.tq "$last" train.py
	[ "$(xargs <<< "$output")" = "emit_nvtx True off" ]
	head -n 1 x.tq | jq -e '.mode | endswith(",pytorch:autograd-shapes-nvtx,functions-trace")'
	NO_GPU=1 run -0 tq-capture -q --pytorch autograd-nvtx -o x.tq "$last" -c 'import torch'
	[[ $output == "tq-capture: process "*": --pytorch: emit_nvtx: RuntimeError: no NVIDIA driver" ]]
	run -125 tq-capture --pytorch autograd -o x.tq touch run
	[ "$output" = "tq-capture: --pytorch autograd: expected autograd-nvtx, autograd-shapes-nvtx, functions-trace, functions-trace-shapes or none" ]
}
