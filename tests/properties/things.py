#!/usr/bin/env python3
"""things.py SEED ... - gaps_sum:thing and gaps on small random streams, against
a computation for each stretch of time in which nothing changes.

Two threads of one process launch on two devices.  The time of a gap is the time
of the thread that launched what ends it: before the call by the record that it
was in, in the call, and after it.  A wait is named with what ran last, time in
a queue by the event that its stream waits for.
"""
import json
import random
import subprocess
import sys
from collections import Counter

CALLS = {  # by rank: of nested calls the last one counts, of equal the outer
    'cudaGetDevice': 'other', 'cudaEventRecord': 'object',
    'cudaGraphInstantiate': 'graph-build', 'cuModuleLoadData': 'load',
    'cudaFree': 'free', 'cudaMalloc': 'alloc',
    'cudaDeviceSynchronize': 'sync'}
RANK = ['other', 'object', 'graph-build', 'load', 'free', 'alloc', 'sync']
OS = {'read': 'io', 'write': 'io', 'poll': 'wait', 'nanosleep': 'sleep',
      'pthread_mutex_lock': 'lock', 'ioctl': 'os'}
FIRST, QUEUED, SHORT = 50000, 10000, 10000


class Thread:
    """The records of a thread, in order, and when it was in which."""

    def __init__(self, random_, tid):
        self.random, self.tid, self.now = random_, tid, 1000
        self.events, self.corr = [], tid * 1000000
        self.calls, self.os, self.ranges = [], [], []
        self.locks, self.off, self.all = [], [], []
        self.work = []
        for _ in range(self.random.randint(5, 30)):
            self.act(0)

    def add(self, kind, ts, dur=None, **keys):
        e = dict(kind=kind, ts=ts, pid=1, **keys)
        if dur is not None:
            e['dur'] = dur
        self.events.append(e)

    def length(self):
        return self.random.choice([self.random.randint(1, 300),
                                   self.random.randint(1, 30000),
                                   self.random.randint(FIRST - 2000,
                                                       FIRST + 40000)])

    def within(self, depth):
        """Time passes, in which records may begin and end."""
        start = self.now
        self.now += self.random.randint(1, 200)
        while depth < 4 and self.random.random() < 0.5:
            self.act(depth + 1)
        self.now += self.random.randint(1, 200)
        return start

    def call(self, depth):
        name = self.random.choice(list(CALLS))
        start = self.now
        if self.random.random() < 0.4 and depth < 4:
            self.now += 1
            self.random.choice([self.system, self.call])(depth + 1)
        self.now = max(self.now, start) + self.random.randint(1, 500)
        self.corr += 1
        self.add('api', start, self.now - start, tid=self.tid, name=name,
                 corr=self.corr, api='cuda-runtime')
        self.calls.append((start, self.now, CALLS[name], name))

    def system(self, depth):
        name = self.random.choice(list(OS))
        start, cause, thing, keys = self.now, OS[name], name, {}
        if cause == 'io' and self.random.random() < 0.6:
            keys['file'] = self.random.choice(['/data/x', 'socket:[a]'])
            cause = 'wait' if keys['file'][0] == 's' else 'io'
            thing += ' ' + keys['file']
        if self.random.random() < 0.3 and depth < 4:
            self.now += 1
            self.system(depth + 1)
        self.now += self.random.randint(1, 400)
        self.add('osrt', start, self.now - start, tid=self.tid, name=name,
                 **keys)
        self.os.append((start, self.now, cause, thing))

    def launch(self, depth):
        start, dur = self.now, self.length()
        end = start + dur
        self.corr += 1
        device = self.random.randint(0, 1)
        if self.random.random() < 0.3:
            self.add('sync', start, 0, device=device, context=1,
                     stream=self.tid, sync='stream wait event',
                     event=self.random.randint(1, 3), wait_stream=9)
        name = self.random.choice(['ka', 'kb', 'kc', 'kd'])
        self.add('api', start, dur, tid=self.tid, name='cudaLaunchKernel',
                 corr=self.corr, api='cuda-runtime')
        self.calls.append((start, end, 'other', 'cudaLaunchKernel'))
        ts = end + self.random.choice([-min(dur // 2, 20), 3, 9000, QUEUED,
                                       40000])
        self.add('kernel', ts, self.random.choice([10, 300, 20000, 90000]),
                 corr=self.corr, name=name, context=1, stream=self.tid,
                 device=device)
        self.events[-1]['call'] = (start, end)
        self.now = end

    def range(self, depth):
        start, at = self.now, len(self.events)
        name = self.random.choice(['forward', 'loader', 'backward'])
        self.within(depth)
        self.events.insert(at, dict(
            kind='range', ts=start, dur=self.now - start, pid=1,
            tid=self.tid, name=name, id=self.tid * 1000000 + start,
            mode='push'))
        self.ranges.append((start, self.now, name))

    def lock(self, _):
        dur = self.random.randint(1, 900)
        self.add('gil', self.now, dur, tid=self.tid, name='wait')
        self.locks.append((self.now, self.now + dur))
        self.now += dur

    def preempted(self, depth):
        start = self.now
        self.add('sched', start, tid=self.tid, cpu=0, on=False,
                 reason='preempted')
        self.within(4)
        self.add('sched', self.now, tid=self.tid, cpu=0, on=True)
        self.off.append((start, self.now))

    def overhead(self, _):
        name, cause = self.random.choice([('Buffer Flush', 'profiler'),
                                          ('Lazy Module Loading', 'load')])
        dur = self.random.randint(1, 20000)
        self.add('overhead', self.now, dur, name=name)
        self.all.append((self.now, self.now + dur, cause, name))
        self.now += self.random.randint(0, dur)

    def act(self, depth):
        self.now += self.random.choice([1, 60, 3000])
        self.random.choice([self.launch, self.launch, self.launch, self.call,
                            self.call, self.system, self.range, self.range,
                            self.lock, self.preempted, self.overhead])(depth)


def at(spans, t):
    return [s for s in spans if s[0] <= t < s[1]]


def around(thread, t):
    """The range or OS call that the thread is in."""
    calls = at(thread.os, t)
    if calls:
        return max(calls, key=lambda c: c[0])[2:]
    ranges = at(thread.ranges, t)
    return ('host', max(ranges)[2]) if ranges else ('host', '')


def overhead_at(threads, t):
    """Of all threads: (cause, name) or None; the innermost of the last one."""
    found = [o for x in threads for o in at(x.all, t)]
    for cause in ('profiler', 'load'):
        if any(o[2] == cause for o in found):
            return cause, {o[3] for o in found if o[2] == cause}.pop()
    return None


def before(threads, thread, last, t):
    """Cause and thing of a moment in which nothing was launched."""
    calls = at(thread.calls, t)
    if calls:
        cause = max((c[2] for c in calls), key=RANK.index)
        own = min((c for c in calls if c[2] == cause),
                  key=lambda c: (c[0], -c[1]))[2:]
    else:
        own = around(thread, t)
        if at(thread.locks, t):
            own = ('python-lock', own[1])
        if at(thread.off, t):
            own = ('preempted', own[1])
    # of all threads
    found = overhead_at(threads, t)
    if own[0] == 'sync':
        return 'sync', 'sync', own[1] + ' after ' + last
    if found and (found[0] == 'profiler' or own[0] not in RANK or
                  RANK.index(own[0]) < RANK.index('load')):
        own = found
    return ('host',) + own


def moment(threads, gap, t):
    begin, end, op, first, last, wait = gap
    thread = threads[op['stream'] - 1]
    call, call_end = op['call']
    if t < call:
        return before(threads, thread, last, t)
    if call_end <= begin:
        queued = 'next' if end - begin < SHORT else 'queue'
        return queued, queued, wait if queued == 'queue' else ''
    if end - call_end >= QUEUED and t >= call_end:
        return 'launch', 'queue', wait
    found = overhead_at(threads, t)
    if found and found[0] == 'profiler':
        return ('launch',) + found
    if first or found:
        return 'launch', 'first-use', op['name']
    return 'launch', 'launch', 'cudaLaunchKernel'


def gaps(events):
    """Of each device: begin, end, the operation, whether its call loads it,
    what ended at begin, and what the operation waits for in its stream."""
    until, seen, last, launched = {}, set(), {}, {}
    waits = [e for e in events if e['kind'] == 'sync']
    for op in (e for e in events if e['kind'] == 'kernel'):
        stream = op['device'], op['stream']
        wait = [w for w in waits if (w['device'], w['stream']) == stream and
                w['ts'] <= op['call'][0]][-1:]
        wait = [w for w in wait if w['ts'] > launched.get(stream, -1)]
        wait = 'event %s of stream 9' % wait[0]['event'] if wait else ''
        launched[stream] = op['call'][0]
        first = (op['name'] not in seen and
                 op['call'][1] - op['call'][0] >= FIRST)
        seen.add(op['name'])
        device, ts = op['device'], op['ts']
        if device in until and ts > until[device]:
            yield until[device], ts, op, first, last[device], wait
        if ts + op['dur'] > until.get(device, 0):
            until[device], last[device] = ts + op['dur'], op['name']


def expected(threads, events):
    borders = sorted({t for x in threads for spans in
                      (x.calls, x.os, x.ranges, x.locks, x.off, x.all)
                      for s in spans for t in s[:2]})
    sums, longest = Counter(), {}
    for gap in gaps(events):
        begin, end, op = gap[:3]
        of = Counter()
        cuts = sorted({begin, end} | {b for b in borders + [op['call'][1]]
                                      if begin < b < end})
        for a, b in zip(cuts, cuts[1:]):
            of[moment(threads, gap, a)] += b - a
        assert sum(of.values()) == end - begin
        for what, time in of.items():
            sums[(op['device'],) + what] += time
        most = max(of.values())
        longest[op['device'], begin] = (
            most, {w[1:] for w in of if of[w] == most})
    return sums, longest


def report(name, text):
    out = subprocess.run(['tq-stats', '-f', 'json1', '-r', name], input=text,
                         text=True, capture_output=True, check=True).stdout
    return json.loads(out) if out.strip() else []


def text_of(events):
    head = dict(kind='trace', version=1, source='test')
    tail = dict(kind='end', events=len(events), dropped=0)
    lines = [{k: v for k, v in e.items() if k != 'call'} for e in events]
    return ''.join(json.dumps(e, separators=(',', ':')) + '\n'
                   for e in [head] + lines + [tail])


def check(seed):
    random_ = random.Random(seed)
    threads = [Thread(random_, 1), Thread(random_, 2)]
    events = sorted((e for t in threads for e in t.events),
                    key=lambda e: (e['ts'], -e.get('dur', 0), e['kind']))
    sums, longest = expected(threads, events)
    if not sums:
        return True
    text = subprocess.run(['tq-correlate'], input=text_of(events), text=True,
                          capture_output=True, check=True).stdout
    got = Counter({(r['Device'], r['Cause'], r['Finer Cause'], r['Thing']):
                   r['Total (ns)'] for r in report('gaps_sum:thing', text)})
    wrong = ['%s: expected %s, found %s' % (k, sums[k], got[k])
             for k in sorted(sums | got) if sums[k] != got[k]]
    for r in report('gaps', text):
        most, what = longest[r['Device'], r['Start (ns)']]
        if (r['Thing Time (ns)'] != most or
                (r['Finer Cause'], r['Thing']) not in what):
            wrong.append('gap at %s: expected %s ns of %s, found %s' %
                         (r['Start (ns)'], most, what, r))
    for line in wrong:
        print('seed %s: %s' % (seed, line))
    return not wrong


def main():
    sys.exit(sum(not check(int(seed)) for seed in sys.argv[1:]) > 0)


main()
