"""Functions of all sorts, which functions.json names and calls.py calls."""
import abc, dataclasses, enum, functools, typing, contextlib, asyncio


class Meta(type):
    def __call__(cls, *a, **k): return super().__call__(*a, **k)
class A(metaclass=Meta):
    __slots__ = ("x",)
    def __new__(cls, *a): return super().__new__(cls)
    def __init__(self, x=1): self.x = x
    def f(self): return self.x
    def __eq__(self, o): return self.x == o.x
    def __hash__(self): return hash(self.x)
    def __enter__(self): return self
    def __exit__(self, *a): return False
    def __getattr__(self, n): raise AttributeError(n)
    @functools.cached_property
    def cp(self): return 1
    pm = functools.partialmethod(f)
class B(A):
    def f(self): return super().f() + 1
@dataclasses.dataclass
class Data:
    a: int = 1
    def total(self): return self.a
class Abs(abc.ABC):
    @abc.abstractmethod
    def go(self): ...
class Con(Abs):
    def go(self): return 5
class E(enum.Enum):
    X = 1
    def name2(self): return self.name
@functools.singledispatch
def sd(x): return "o"
@sd.register(int)
def _(x): return "i"
@contextlib.contextmanager
def cm(): yield 3
@contextlib.asynccontextmanager
async def acm(): yield 4
def gen():
    try:
        yield 1
        yield 2
    finally: pass
def genthrow():
    try: yield 1
    except ValueError: yield 9
async def sleeper():
    try: await asyncio.sleep(10)
    except asyncio.CancelledError: raise
async def agen():
    for i in range(3):
        yield i
        await asyncio.sleep(0)
def deep(n): return 0 if n == 0 else 1 + deep(n - 1)
NT = typing.NamedTuple("NT", [("a", int)])
lam = lambda x: x
part = functools.partial(deep, 3)
class Call:
    def __call__(self, x): return x
call = Call()
def kw(a, /, b, *, c=3, **d): return a, b, c, d
