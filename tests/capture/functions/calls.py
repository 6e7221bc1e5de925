"""Calls of what is in annotated.py: prints the same whether that is annotated or
not."""
import annotated
import asyncio, inspect, unittest.mock as mock, threading, sys, gc, copy, pickle
a, b = annotated.A(2), annotated.B(3)
print(a.f(), b.f(), a == annotated.A(2), hash(a), a.cp if hasattr(a, "__dict__") else "-", annotated.A.__init__(a, 5), a.x)
try: a.nope
except AttributeError as e: print("AE", e)
try: print(a.pm())
except Exception as e: print(type(e).__name__, e)
with annotated.A(3) as c: print(c.x)
d = annotated.Data(4); print(d, d.total(), d == annotated.Data(4))
try: annotated.Abs()
except TypeError as e: print("abstract")
print(annotated.Con().go(), annotated.E.X.name2(), annotated.E(1), annotated.sd(1), annotated.sd("x"), annotated.sd.registry.keys() and 1)
with annotated.cm() as x: print(x)
async def main():
    async with annotated.acm() as x: print(x)
    t = asyncio.create_task(annotated.sleeper()); await asyncio.sleep(0); t.cancel()
    try: await t
    except asyncio.CancelledError: print("cancelled")
    print([i async for i in annotated.agen()])
    g = annotated.agen(); await g.__anext__(); await g.aclose()
asyncio.run(main())
g = annotated.gen(); next(g); g.close()
g = annotated.gen(); next(g); del g; gc.collect()
g = annotated.genthrow(); next(g); print(g.throw(ValueError)); 
try: g.throw(KeyError)
except KeyError: print("KE")
print(annotated.deep(500), annotated.part(), annotated.call(3), annotated.lam(2), annotated.NT(1), annotated.kw(1, 2, c=4, z=5))
try: annotated.kw(1)
except TypeError as e: print(e)
try: annotated.deep(10 ** 6)
except RecursionError: print("RE")
with mock.patch("annotated.deep", return_value=7): print(annotated.deep(3))
print(annotated.deep(3))
with mock.patch.object(annotated.A, "f", autospec=True) as p: p.return_value = 3; print(a.f())
print(inspect.iscoroutinefunction(annotated.sleeper), inspect.isgeneratorfunction(annotated.gen), inspect.isasyncgenfunction(annotated.agen), asyncio.iscoroutinefunction(annotated.sleeper))
print([n for n, _ in inspect.getmembers(annotated, inspect.isfunction)])
print(inspect.getsource(annotated.kw).strip(), inspect.signature(annotated.kw), annotated.kw.__kwdefaults__)
class Sub(annotated.A):
    def f(self): return "sub" + str(super().f())
print(Sub(9).f(), isinstance(Sub(1), annotated.A))
t = threading.Thread(target=annotated.deep, args=(100,)); t.start(); t.join()
def bg():
    import time
    while True: annotated.deep(5); time.sleep(.0001)
threading.Thread(target=bg, daemon=True).start()
print(copy.copy(a).x if False else "ok")
