#!/usr/bin/env python3
"""idle.py SEED ... - what rules claim of idle time, and its finer causes in
reports and comparisons, on small random streams, against a computation for each
stretch of time in which nothing changes.

Each nanosecond of a gap is claimed once, by the first rule that may have it:
so the claims add up to the idle time.  Time of the host that follows a wait is
of the rule of waits, as far as the device's work before it could hide it.
"""
import json
import random
import subprocess
import sys
import tempfile

RULES = '''
rule os
when kind == "osrt"
claim gaps over

rule alloc
when kind == "api" and .role == "alloc"
claim gaps over

rule wait
when kind == "api" and .role == "wait"
claim gaps over, host after

rule named
when kind == "range" and name ~ /^named/
claim gaps over

rule rest
when kind == "gap"
claim gaps
'''


def rules():
    return RULES.replace('\nclaim', '\nleast 0%\ntitle t\nclaim')


class Stream:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.events = []
        self.now = 1000
        self.corr = 0
        self.busy = 0
        self.calls, self.os, self.ranges, self.work = [], [], [], []
        for _ in range(self.random.randint(5, 40)):
            self.act(0)

    def add(self, kind, ts, dur, **keys):
        self.events.append(dict(kind=kind, ts=ts, dur=dur, pid=1, **keys))

    def call(self, name, role, dur, inside=None):
        start = self.now
        self.corr += 1
        at = len(self.events)
        if inside is not None and self.random.random() < 0.5:
            self.now += self.random.randint(1, 30)
            inside()
        self.now = max(self.now + 1, start + dur)
        self.events.insert(at, dict(kind='api', ts=start,
                                    dur=self.now - start, pid=1, tid=1,
                                    corr=self.corr, name=name,
                                    api='cuda-runtime'))
        self.calls.append((start, self.now, role))
        return start, self.now

    def read(self):
        dur = self.random.randint(1, 200)
        self.add('osrt', self.now, dur, tid=1, name='read')
        self.os.append((self.now, self.now + dur))
        self.now += dur

    def launch(self):
        start, end = self.call('cudaLaunchKernel', 'launch',
                               self.random.randint(2, 300))
        ts = max(self.random.randint(start + 1, end + 50), self.busy)
        if self.random.random() < 0.3:
            ts += self.random.randint(1, 200)
        dur = self.random.randint(1, 400)
        self.add('kernel', ts, dur, corr=self.corr, name='k', device=0,
                 context=1, stream=7)
        self.work.append((ts, ts + dur, start, end))
        self.busy = ts + dur

    def range(self, depth):
        start = self.now
        name = self.random.choice(['named', 'other'])
        at = len(self.events)
        self.now += 1
        for _ in range(self.random.randint(0, 4)):
            self.act(depth + 1)
        self.now += 1
        self.events.insert(at, dict(kind='range', ts=start,
                                    dur=self.now - start, pid=1, tid=1,
                                    name=name, id=1000000 + at, mode='push'))
        self.ranges.append((start, self.now, name))

    def act(self, depth):
        self.now += self.random.randint(1, 60)
        what = self.random.random()
        if what < 0.45:
            self.launch()
        elif what < 0.6:
            self.call('cudaMalloc', 'alloc', self.random.randint(2, 200),
                      self.read)
        elif what < 0.75:
            wait = max(self.busy - self.now, 0)
            self.call('cudaDeviceSynchronize', 'wait',
                      wait + self.random.randint(1, 60), self.read)
        elif what < 0.85:
            self.read()
        elif what < 0.95 and depth < 3:
            self.range(depth)
        else:
            self.now += self.random.randint(100, 600)

    def text(self):
        events = sorted(self.events,
                        key=lambda e: (e['ts'], -e['dur'], e['kind']))
        head = dict(kind='trace', version=1, source='test')
        tail = dict(kind='end', events=len(events), dropped=0)
        return ''.join(json.dumps(e, separators=(',', ':')) + '\n'
                       for e in [head] + events + [tail])


def inside(spans, t):
    return any(s[0] <= t < s[1] for s in spans)


def owner(s, gap, t):
    """The rule that has the time from t on, up to the next border; "after" is
    the host's time after a wait."""
    begin, _, call, end = gap
    waits = [c for c in s.calls if c[2] == 'wait']
    allocs = [c for c in s.calls if c[2] == 'alloc']
    before = t < call
    in_wait, in_alloc = inside(waits, t), inside(allocs, t)
    in_os = inside(s.os, t)
    after = inside(waits, begin)
    if before:
        if in_os and not in_wait and not in_alloc:
            return 'os'
        if in_alloc:
            return 'alloc'
        if in_wait:
            return 'wait'
        fresh = [r for r in s.ranges if r[0] >= begin]
        if after and not inside(fresh, t):
            return 'after'
        if inside([r for r in s.ranges if r[2] == 'named'], t):
            return 'named'
    elif after and end > begin:
        return 'after'
    return 'rest'


def without_wait(s, t):
    """The rule that has time of the host after a wait that nothing hides."""
    return 'named' if inside([r for r in s.ranges if r[2] == 'named'], t) \
        else 'rest'


def cause(s, gap, t):
    """The part of idle time that has the time from t on, and its finer cause:
    a gap is shorter than what makes it the cause queue."""
    begin, call_end, call, end = gap
    if t >= call:
        return ('launch', 'launch') if call_end > begin else ('next', 'next')
    role = [c[2] for c in s.calls if c[0] <= t < c[1]]
    if role:
        return {'wait': ('sync', 'sync'), 'alloc': ('host', 'alloc'),
                'launch': ('host', 'other')}[role[0]]
    return ('host', 'io' if inside(s.os, t) else 'host')


def borders_of(s):
    return {t for list_ in (s.calls, s.os, s.ranges) for c in list_
            for t in c[:2]}


def expected_causes(s):
    borders, causes, until = borders_of(s), {}, None
    for ts, end, call, call_end in sorted(s.work):
        if until is not None and ts > until:
            gap = (until, call_end, call, ts)
            cuts = sorted({until, ts} | {b for b in borders
                                         if until < b < ts})
            for a, b in zip(cuts, cuts[1:]):
                key = cause(s, gap, a)
                causes[key] = causes.get(key, 0) + b - a
        until = end if until is None else max(until, end)
    return causes


def sums(rows, part, finer, ns):
    causes = {}
    for row in rows:
        if row.get(finer) is not None and row[ns] > 0:
            key = row[part], row[finer]
            causes[key] = causes.get(key, 0) + row[ns]
    return causes


def found_causes(correlated):
    """By the report or tool that has them."""
    found = {}
    for report, part, ns in [
            ('account:cause', 'Part', 'Exposed (ns)'),
            ('device_time:cause', 'Part', 'Time (ns)'),
            ('gaps_sum:thing', 'Cause', 'Total (ns)')]:
        out = subprocess.run(['tq-stats', '-q', '-f', 'json1', '--per', 'span',
                              '-r', report, correlated], text=True,
                             capture_output=True).stdout  # empty: no gap
        found[report] = sums(json.loads(out or '[]'), part, 'Finer Cause', ns)
    out = subprocess.run(['tq-diff', '-f', 'ndjson', '--per', 'span',
                          correlated, correlated], text=True,
                         capture_output=True, check=True).stdout
    lines = [json.loads(line) for line in out.splitlines()]
    lines = [x for x in lines if x['kind'] == 'idle']
    found['tq-diff, A'] = sums(lines, 'name', 'cause', 'a')
    found['tq-diff, B'] = sums(lines, 'name', 'cause', 'b')
    return found


def expected(s):
    borders = borders_of(s)
    claims = dict.fromkeys(['os', 'alloc', 'wait', 'named', 'rest'], 0)
    idle, until, left = 0, None, 0
    for ts, end, call, call_end in sorted(s.work):
        if until is not None and ts > until:
            gap = (until, ts, call, call_end)
            cuts = sorted({until, ts} | {b for b in borders
                                         if until < b < ts})
            for a, b in zip(cuts, cuts[1:]):
                rule = owner(s, gap, a)
                if rule == 'after':
                    hidden = min(b - a, left)
                    left -= hidden
                    claims['wait'] += hidden
                    rest = 'rest' if a >= call else without_wait(s, a)
                    claims[rest] += b - a - hidden
                else:
                    claims[rule] += b - a
            idle += ts - until
        left += end - ts if until is None else max(0, end - max(ts, until))
        until = end if until is None else max(until, end)
    assert sum(claims.values()) == idle
    return claims


def correlate(text, to):
    with open(to, 'w') as f:
        subprocess.run(['tq-correlate'], input=text, text=True, stdout=f,
                       stderr=subprocess.DEVNULL, check=True)


def claimed(correlated, rules_file):
    out = subprocess.run(['tq-advise', '-R', 'none', '-R', rules_file,
                          '-n', '20', '-v', '-f', 'ndjson', correlated],
                         text=True, capture_output=True, check=True).stdout
    claims = dict.fromkeys(['os', 'alloc', 'wait', 'named', 'rest'], 0)
    for line in out.splitlines():
        finding = json.loads(line)
        if 'finding' in finding:
            claims[finding['finding']] = finding['gain_ns']
    return claims


def main():
    wrong = 0
    with tempfile.NamedTemporaryFile('w', suffix='.rules') as f, \
            tempfile.NamedTemporaryFile(suffix='.tq') as correlated:
        f.write(rules())
        f.flush()
        for seed in sys.argv[1:]:
            s = Stream(int(seed))
            if len(s.work) < 2:
                continue
            correlate(s.text(), correlated.name)
            found = found_causes(correlated.name)
            found['tq-advise'] = claimed(correlated.name, f.name)
            for of, got in found.items():
                want = expected(s) if of == 'tq-advise' else expected_causes(s)
                if want != got:
                    wrong += 1
                    print('seed %s, %s: expected %s, found %s' %
                          (seed, of, want, got))
    sys.exit(wrong > 0)


main()
