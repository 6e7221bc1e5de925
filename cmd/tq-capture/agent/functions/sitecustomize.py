"""Annotates functions of Python for tq-capture.

tq-capture puts the folder of this file first in PYTHONPATH, so that Python
imports it at its start, and TQ_CAPTURE_PYTHON says what to annotate, a line
each with tabs between:

    function MODULE FUNCTION DOMAIN NAME COLOR FLAGS
    autograd SHAPES

From Python 3.12 on sys.monitoring tells of the calls of a function; before,
and for functions that are not written in Python, a callable of the library
takes the place of the function.

Any Python of the program imports this file, so it is Python 2 as well.
"""

import sys


def _start(folder, lines, late):
    from _frozen_importlib import ModuleSpec
    import _imp
    import atexit

    # Flags of a function: enum function_flags in arena.h.
    BINDS, OPTIONAL = 1, 8
    FunctionType, CodeType = type(_start), type(_start.__code__)

    spec = ModuleSpec(
        "_tq_capture", None, origin=folder + "/../libtq-capture.so")
    native = _imp.create_dynamic(spec)
    wanted = {}   # by the name of a module: what to do when it has run
    kept = []     # what would end without a reference
    tool = None
    monitored = set()  # addresses of code
    monitoring = getattr(sys, "monitoring", None)
    note = native.note

    # ---- a function ----

    def use_monitoring():
        """A tool of sys.monitoring; None if there is none left."""
        events = monitoring.events
        for number in (4, 3):
            try:
                monitoring.use_tool_id(number, "tq-capture")
            except ValueError:
                continue
            for event in (events.PY_START, events.PY_RESUME, events.PY_THROW):
                monitoring.register_callback(number, event, native.begin)
            for event in (events.PY_RETURN, events.PY_YIELD, events.PY_UNWIND):
                monitoring.register_callback(number, event, native.end)
            # these two are of all code or of none
            monitoring.set_events(number, events.PY_THROW | events.PY_UNWIND)
            return number
        return None

    def monitor(code, label):
        events = monitoring.events
        native.set(code, label)
        monitored.add(id(code))
        monitoring.set_local_events(
            tool, code, events.PY_START | events.PY_RESUME |
            events.PY_RETURN | events.PY_YIELD)

    def is_monitored(function, flags):
        """Is its code its own?  Closures of one function share theirs."""
        return (tool is not None and flags & ~OPTIONAL == 0 and
                type(function) is FunctionType and
                not hasattr(function, "__wrapped__") and
                set(function.__code__.co_freevars) <= {"__class__"})

    def wrap(function, label, flags):
        if hasattr(type(function), "__get__"):
            flags |= BINDS
        return native.wrap(function, None, label, flags)

    def annotate(owner, name, function, label, flags):
        """Annotate that attribute of a module or a class."""
        kind = type(function)
        if isinstance(function, type):
            init = function.__init__
            if init is object.__init__:
                raise TypeError("a class without __init__")
            return annotate(function, "__init__", init, label, flags)
        if kind in (staticmethod, classmethod):
            inner, remake = function.__func__, kind
        elif kind is property:
            inner = function.fget
            remake = function.getter
        else:
            inner, remake = function, None
        if not callable(inner):
            raise TypeError("it is no function")
        own = name in getattr(owner, "__dict__", ())
        if own and is_monitored(inner, flags):
            return monitor(inner.__code__, label)
        inner = wrap(inner, label, flags)
        setattr(owner, name, remake(inner) if remake else inner)

    def find(owner, path):
        """The object that has the attribute, and the attribute itself."""
        for part in path[:-1]:
            owner = getattr(owner, part)
        for base in getattr(owner, "__mro__", ()):
            if path[-1] in base.__dict__:
                return owner, base.__dict__[path[-1]]
        return owner, getattr(owner, path[-1])

    def function_of(module, function, label, flags):
        """Annotate a function of a module that is imported."""
        path = function.split(".")
        problem = "there is none"
        try:
            owner, found = find(module, path)
            return annotate(owner, path[-1], found, label, flags)
        except AttributeError:
            if len(path) > 1 and hasattr(module, "__path__"):
                when(module.__name__ + "." + path[0],
                     lambda inner: function_of(
                         inner, ".".join(path[1:]), label, flags))
                return
        except Exception as e:
            problem = str(e)
        if not flags & OPTIONAL:
            note("--python-functions-trace: %s.%s: %s" %
                 (module.__name__, function, problem))

    # ---- modules ----

    class Initializing(ModuleSpec):
        """Of a module whose import has begun before it was wanted."""

        def __setattr__(self, key, value):
            ModuleSpec.__setattr__(self, key, value)
            if key == "_initializing" and not value:
                self.__class__ = ModuleSpec
                imported(self.name)

    def when(name, action):
        """Do it with the module, now if it is imported, and whenever it is."""
        module = sys.modules.get(name)
        spec = getattr(module, "__spec__", None)
        known = name in wanted
        wanted.setdefault(name, []).append(action)
        if module is None:
            return
        if not getattr(spec, "_initializing", False):
            action(module)
        elif not known and type(spec) is ModuleSpec:
            spec.__class__ = Initializing

    def imported(name):
        module = sys.modules.get(name)
        for action in list(wanted[name]) if module else ():
            action(module)

    class Loader:
        """In front of a loader that is a class, as that of built-in modules."""

        def __init__(self, real, name):
            self.create_module = real.create_module
            self.exec_module = native.wrap(
                real.exec_module, lambda: imported(name), -1, 0)

    class Finder:
        """Finds what the others find, and sees its end."""

        @staticmethod
        def find_spec(name, path=None, target=None):
            if name not in wanted:
                return None
            for finder in sys.meta_path:
                if finder is Finder or not hasattr(finder, "find_spec"):
                    continue
                spec = finder.find_spec(name, path, target)
                if spec is not None:
                    look_at(spec, name)
                    return spec
            return None

    def look_at(spec, name):
        """Call imported() when the module has run; no frame of ours is in
        its stack."""
        loader = spec.loader
        if isinstance(loader, type):
            spec.loader = Loader(loader, name)
            return
        run = getattr(loader, "exec_module", None)
        if run is None:
            return

        def done():
            try:
                del loader.exec_module
            except AttributeError:
                pass
            imported(name)

        try:
            loader.exec_module = native.wrap(run, done, -1, 0)
        except (AttributeError, TypeError):
            pass

    # ---- the program itself ----

    def codes(code):
        for constant in code.co_consts:
            if isinstance(constant, CodeType):
                yield constant
                for inner in codes(constant):
                    yield inner

    def watch_main(functions):
        """Its functions are in the code of the module before it runs."""
        events = monitoring.events
        # a process of multiprocessing runs the program by another name
        spawned = any(
            word.startswith("from multiprocessing.") for word in sys.orig_argv)
        name = "__mp_main__" if spawned else "__main__"

        def first(code, offset):
            if id(code) in monitored:
                return native.begin(code, offset)
            if (code.co_name != "<module>" or
                    sys._getframe(1).f_globals.get("__name__") != name):
                return monitoring.DISABLE
            monitoring.set_events(tool, events.PY_THROW | events.PY_UNWIND)
            monitoring.register_callback(tool, events.PY_START, native.begin)
            inner = {c.co_qualname: c for c in codes(code)}
            for function, label in functions:
                if function in inner:
                    monitor(inner[function], label)
                else:
                    note("--python-functions-trace: __main__.%s: there is "
                         "none" % function)
            monitoring.restart_events()

        monitoring.register_callback(tool, events.PY_START, first)
        monitoring.set_events(
            tool, events.PY_START | events.PY_THROW | events.PY_UNWIND)

    # ---- PyTorch ----

    def autograd(torch, shapes):
        try:
            context = torch.autograd.profiler.emit_nvtx(record_shapes=shapes)
            context.__enter__()
            kept.append(context)
            atexit.register(end_autograd, torch)
        except Exception as e:
            note("--pytorch: emit_nvtx: %s: %s" % (type(e).__name__, e))

    def end_autograd(torch):
        # PyTorch warns of what is left on; __exit__ would wait for the device
        try:
            torch.autograd._disable_profiler()
        except Exception:
            pass

    # ---- begin ----

    if monitoring is not None:
        tool = use_monitoring()
    sys.meta_path.insert(0, Finder)
    main = []
    for line in lines:
        if line[0] == "autograd":
            when("torch", lambda torch, on=line[1] == "1": autograd(torch, on))
            continue
        module, function, domain, name, color, flags = line[1:]
        label = native.label(domain, name, int(color))
        if module == "__main__" and not late:
            main.append((function, label))
            continue
        when(module, lambda m, a=(function, label, int(flags)):
             function_of(m, *a))
    if main and tool is not None:
        watch_main(main)
    elif main:
        note("--python-functions-trace: __main__: its functions are annotated "
             "from Python 3.12 on")


def _safely_start(folder, late):
    from os import environ
    text = environ.get("TQ_CAPTURE_PYTHON")
    if not text or "TQ_CAPTURE" not in environ:
        return
    try:
        if sys.version_info < (3, 8):
            raise ImportError("CPython 3.8 or later is needed")
        if "t" in getattr(sys, "abiflags", ""):
            raise ImportError("a free-threaded build")
        _start(folder, [line.split("\t") for line in text.split("\n")], late)
    except Exception as e:
        sys.stderr.write(
            "tq-capture: functions of Python are not annotated: %s\n" % e)


def _import_next(folder):
    """Import the sitecustomize that this one stands before."""
    sys.path[:] = [path for path in sys.path if path != folder]
    mine = sys.modules.pop(__name__)
    try:
        import sitecustomize
    except ImportError as e:
        if getattr(e, "name", str(e).split()[-1]) != "sitecustomize":
            raise
    finally:
        sys.modules.setdefault("sitecustomize", mine)


_folder = __file__.rpartition("/")[0]
_safely_start(_folder, __name__ != "sitecustomize")
if __name__ == "sitecustomize":
    _import_next(_folder)
