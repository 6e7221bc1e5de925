/* perf_line.c - the lines that perf script prints */

#include "perf_line.h"
#include "read/decimal_time.h"
#include "tq/base/ascii.h"
#include "tq/base/time.h"
#include "tq/line/json.h"

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static struct span
behind(struct span s, size_t n)
{
	return (struct span){s.p + n, s.len - n};
}

static struct span
skip_blanks(struct span s)
{
	while (s.len > 0 && is_blank(*s.p))
		s = behind(s, 1);
	return s;
}

static struct span
without_end(struct span s)
{
	while (s.len > 0 && is_blank(s.p[s.len - 1]))
		s.len--;
	return s;
}

/* take the word that s begins with, up to a blank */
static struct span
take_word(struct span *s)
{
	struct span word = {s->p, 0};

	while (word.len < s->len && !is_blank(s->p[word.len]))
		word.len++;
	*s = skip_blanks(behind(*s, word.len));
	return word;
}

/* take digits that s begins with; false where there are none, or too many */
static bool
take_digits(struct span *s, int64_t *v)
{
	size_t n = 0;

	while (n < s->len && ascii_is_digit(s->p[n]))
		n++;
	if (n == 0 || n > 18 || !json_int((struct span){s->p, n}, v))
		return false;
	*s = behind(*s, n);
	return true;
}

static bool
all_digits(struct span s)
{
	int64_t v;

	return take_digits(&s, &v) && s.len == 0;
}

/* ---- events ---- */

/* digits with zeros before them, which are no JSON */
static int64_t
number_of(struct span s)
{
	int64_t v = 0;

	for (size_t i = 0; i < s.len && i < 18; i++)
		v = v * 10 + (s.p[i] - '0');
	return v;
}

/* "[003]" */
static bool
take_cpu(struct span *s, int64_t *cpu)
{
	struct span rest = *s, word = take_word(&rest);

	if (word.len < 3 || *word.p != '[' || word.p[word.len - 1] != ']')
		return false;
	word = (struct span){word.p + 1, word.len - 2};
	for (size_t i = 0; i < word.len; i++)
		if (!ascii_is_digit(word.p[i]))
			return false;
	*cpu = number_of(word);
	*s = rest;
	return true;
}

/* "12.345678:" */
static bool
take_time(struct span *s, int64_t *ts)
{
	struct span rest = *s, word = take_word(&rest);
	int64_t rounded = 0;
	bool point = false;

	if (word.len < 3 || word.p[word.len - 1] != ':')
		return false;
	word.len--;
	for (size_t i = 0; i < word.len; i++) {
		if (word.p[i] == '.' && !point && i > 0)
			point = true;
		else if (!ascii_is_digit(word.p[i]))
			return false;
	}
	if (!point || !decimal_time(word, DECIMAL_S, ts, &rounded))
		return false;
	*s = rest;
	return true;
}

/* "d..2." of a tracer, between the processor and the time */
static void
skip_flags(struct span *s)
{
	struct span rest = *s, word = take_word(&rest), after = rest;
	int64_t ts;

	if (word.len >= 4 && word.len <= 6 && !all_digits(word) &&
	    take_time(&after, &ts))
		*s = rest;
}

/* "cycles:u:", behind a period or not */
static bool
take_name(struct span *s, struct perf_event *e)
{
	struct span rest = *s, word = take_word(&rest);

	if (all_digits(word)) {
		e->period = number_of(word);
		word = take_word(&rest);
	}
	if (word.len < 2 || word.p[word.len - 1] != ':' ||
	    ascii_is_digit(*word.p)) {
		e->period = NO_ID;
		return false;
	}
	e->name = (struct span){word.p, word.len - 1};
	*s = rest;
	return true;
}

/* -1 is none */
static bool
take_id(struct span *s, int64_t *id)
{
	if (!span_begins(*s, SPAN("-1")))
		return take_digits(s, id);
	*s = behind(*s, 2);
	*id = NO_ID;
	return true;
}

/* the text behind comm and its blank */
static bool
take_rest(struct span s, struct perf_event *e)
{
	bool time, name;

	if (!take_id(&s, &e->tid))
		return false;
	if (s.len > 0 && *s.p == '/') {
		s = behind(s, 1);
		e->pid = e->tid;
		if (!take_id(&s, &e->tid))
			return false;
	}
	if (s.len > 0 && !is_blank(*s.p))
		return false;
	s = skip_blanks(s);
	take_cpu(&s, &e->cpu);
	skip_flags(&s);
	time = take_time(&s, &e->ts);
	name = take_name(&s, e);
	e->text = without_end(s);
	return time || name;
}

/* bytes of the longest name of a thread, those of the kernel among them */
enum { COMM_MOST = 128 };

bool
perf_line_event(struct span line, struct perf_event *e)
{
	struct span s = skip_blanks(line);
	const char *comm = s.p, *end = s.p + s.len;

	for (const char *p = comm; p < end && p - comm <= COMM_MOST; p++) {
		if (p == comm || !is_blank(p[-1]) ||
		    (!ascii_is_digit(*p) && *p != '-'))
			continue;
		*e = (struct perf_event){.pid = NO_ID,
		    .tid = NO_ID,
		    .cpu = NO_ID,
		    .ts = NO_ID,
		    .period = NO_ID};
		if (take_rest((struct span){p, (size_t)(end - p)}, e)) {
			e->comm = without_end(
			    (struct span){comm, (size_t)(p - comm)});
			return true;
		}
	}
	return false;
}

/* ---- frames ---- */

static bool
is_hex(struct span s)
{
	for (size_t i = 0; i < s.len; i++)
		if (!ascii_is_digit(s.p[i]) &&
		    !((s.p[i] | 32) >= 'a' && (s.p[i] | 32) <= 'f'))
			return false;
	return s.len > 0;
}

/* take " (module)" from the end, or " (module (deleted))" */
static bool
take_module(struct span *s, struct span *module)
{
	size_t n = s->len, open = 0;

	do {
		if (n == 0)
			return false;
		n--;
		open += s->p[n] == ')';
		open -= s->p[n] == '(';
	} while (open > 0);
	n++;
	if (s->p[n - 1] != '(' || n < 2 || !is_blank(s->p[n - 2]))
		return false;
	*module = (struct span){s->p + n, s->len - n - 1};
	s->len = n - 1;
	*s = without_end(*s);
	return true;
}

static struct span
without_offset(struct span s)
{
	size_t n = s.len;

	while (n > 0 && s.p[n - 1] != '+')
		n--;
	if (n > 1 && s.len - n > 2 && s.p[n] == '0' && s.p[n + 1] == 'x' &&
	    is_hex(behind(s, n + 2)))
		s.len = n - 1;
	return s;
}

bool
perf_line_frame(struct span line, struct perf_frame *f)
{
	struct span s = without_end(skip_blanks(line)), address;

	*f = (struct perf_frame){{NULL, 0}, {NULL, 0}};
	address = take_word(&s);
	if (!is_hex(address))
		return false;
	take_module(&s, &f->module);
	f->symbol = without_offset(s);
	if (f->symbol.len == 0)
		f->symbol = SPAN("[unknown]");
	return true;
}

/* ---- switches ---- */

/* the text behind "key=", up to " next=" or the end */
static bool
find_value(struct span text, const char *key, const char *next, struct span *v)
{
	const char *p = memmem(text.p, text.len, key, strlen(key));
	const char *end = text.p + text.len, *stop = NULL;

	if (p == NULL)
		return false;
	p += strlen(key);
	if (next != NULL &&
	    (stop = memmem(p, (size_t)(end - p), next, strlen(next))) == NULL)
		return false;
	*v = (struct span){p, (size_t)((stop != NULL ? stop : end) - p)};
	return true;
}

static bool
is_tid(struct span s, int64_t *tid)
{
	return take_digits(&s, tid) && s.len == 0;
}

/* prev_comm=a prev_pid=1 prev_prio=120 prev_state=S ==> next_comm=b ... */
static bool
named_switch(struct span text, struct perf_switch *s)
{
	struct span from, to;

	return find_value(text, "prev_comm=", " prev_pid=", &s->from.comm) &&
	       find_value(text, "prev_pid=", " prev_prio=", &from) &&
	       is_tid(from, &s->from.tid) &&
	       find_value(text, "prev_state=", " ==> ", &s->state) &&
	       find_value(text, "next_comm=", " next_pid=", &s->to.comm) &&
	       find_value(text, "next_pid=", " next_prio=", &to) &&
	       is_tid(to, &s->to.tid);
}

/* "comm:tid [prio]", and the text behind it */
static bool
take_task(struct span *s, struct perf_task *t)
{
	const char *open = memmem(s->p, s->len, " [", 2), *close, *colon;

	if (open == NULL)
		return false;
	colon = memrchr(s->p, ':', (size_t)(open - s->p));
	close = memchr(open, ']', (size_t)(s->p + s->len - open));
	if (colon == NULL || close == NULL ||
	    !is_tid(
		(struct span){colon + 1, (size_t)(open - colon - 1)}, &t->tid))
		return false;
	t->comm = (struct span){s->p, (size_t)(colon - s->p)};
	*s = skip_blanks(behind(*s, (size_t)(close + 1 - s->p)));
	return true;
}

/* a:1 [120] S ==> b:2 [120] */
static bool
short_switch(struct span text, struct perf_switch *s)
{
	if (!take_task(&text, &s->from))
		return false;
	s->state = take_word(&text);
	return span_eq(take_word(&text), SPAN("==>")) &&
	       take_task(&text, &s->to);
}

bool
perf_line_switch(struct span text, struct perf_switch *s)
{
	return named_switch(text, s) || short_switch(text, s);
}

/* ---- detection ---- */

bool
perf_line_detect(struct span head)
{
	const char *newline = memchr(head.p, '\n', head.len);
	struct perf_event e;

	if (span_begins(head, SPAN("# ========\n# captured on")))
		return true;
	if (newline != NULL)
		head.len = (size_t)(newline - head.p);
	if (head.len == 0 || *head.p == '{' || *head.p == '[' ||
	    *head.p == '#' || *head.p == '<')
		return false;
	for (size_t i = 0; i < head.len; i++)
		if ((unsigned char)head.p[i] < ' ' && !is_blank(head.p[i]) &&
		    head.p[i] != '\r')
			return false;
	/* lines of a log have a name, and text behind it */
	return perf_line_event(head, &e) && (e.ts != NO_ID || e.text.len == 0);
}
