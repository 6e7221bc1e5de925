/* short_names.c - short forms of the names of kernels */

#include <stdlib.h>
#include <string.h>

#include "tq/base/array.h"
#include "tq/base/intern.h"

#include "kernel_parts.h"
#include "tq/show/display.h"
#include "tq/show/short_names.h"

enum { BASE_LEAST = 10 }; /* columns of a base that stay, if it has them */
enum { NAME_LEAST = 4 };  /* of an identity, and of a base for its number */
enum { ROUNDS = 12 };     /* parts that distinguish names, at most */
enum { SHOWN = 2 };       /* identities that are shown */
enum { FILLED = 4 };      /* numbers, where nothing else is shown */

/* a type or number that distinguishes a name from others */
struct short_mark {
	bool number;
	size_t at;
	struct span text;
};

struct short_name {
	struct kernel_parts parts;
	struct span stem;  /* the base, cut where its family is equal */
	uint32_t base;     /* equal bases have one number */
	uint32_t form;     /* of names with one base: equal so far */
	size_t identities; /* that may be shown */
	struct short_mark *marks;
	size_t mark_count, mark_cap;
};

struct shortening {
	struct short_name *all;
	struct short_name **order; /* by base, in order of the input */
	size_t count, width;
	struct span ellipsis;
	size_t cut; /* columns of the ellipsis */
	struct region *life;
};

/* Append s, cut in the middle to width columns. */
static void
add_cut(
    struct text *t, const struct shortening *s, struct span name, size_t width)
{
	size_t keep, before;

	if (display_width(name) <= width) {
		text_add_span(t, name);
		return;
	}
	keep = width > s->cut ? width - s->cut : 0;
	before = keep * 3 / 5;
	text_add(t, name.p, display_head(name, before));
	text_add_span(t, s->ellipsis);
	text_add_span(t, display_tail(name, keep - before));
}

/* ---- identities ---- */

/* Without the suffix, unless nothing is left. */
static bool
drop_suffix(struct span *s, struct span suffix)
{
	if (s->len <= suffix.len ||
	    memcmp(s->p + s->len - suffix.len, suffix.p, suffix.len) != 0)
		return false;
	s->len -= suffix.len;
	return true;
}

static size_t
find_char(struct span s, char c)
{
	const char *p = s.len > 0 ? memchr(s.p, c, s.len) : NULL;

	return p != NULL ? (size_t)(p - s.p) : s.len;
}

/* An identity without what every functor is called. */
static struct span
plain_identity(struct span s, struct region *life)
{
	static const char *const impls[] = {"CUDAKernelImpl", "KernelImpl"};
	static const char *const suffixes[] = {"_kernel_cuda", "_kernel_impl",
	    "_kernel", "Functor", "_cuda", "_functor"};
	const struct span prefix = SPAN("CUDAFunctor");
	struct text whole = {0};
	struct span name = {s.p, find_char(s, '#')};
	struct span number = {s.p + name.len, s.len - name.len};

	if (name.len > prefix.len &&
	    memcmp(name.p, prefix.p, prefix.len) == 0) {
		size_t skip = prefix.len;

		skip += skip + 1 < name.len && name.p[skip] == '_';
		name = (struct span){name.p + skip, name.len - skip};
	}
	for (size_t i = 0; i < 2 && !drop_suffix(&name, span_of(impls[i])); i++)
		;
	for (size_t i = 0; i < 6 && !drop_suffix(&name, span_of(suffixes[i]));
	     i++)
		;
	while (drop_suffix(&number, SPAN(".1")))
		;
	text_add_span(&whole, name);
	text_add_span(&whole, number);
	s = region_copy(life, text_span(&whole));
	text_free(&whole);
	return s;
}

static bool
begins(struct span s, const char *word)
{
	size_t n = strlen(word);

	return s.len >= n && memcmp(s.p, word, n) == 0;
}

/* A functor that wraps another. */
static bool
is_wrapper(struct span s)
{
	static const char *const names[] = {"UnaryFunctor", "BinaryFunctor",
	    "AUnaryFunctor", "ABinaryFunctor", "BUnaryFunctor",
	    "BBinaryFunctor", "func_wrapper"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (begins(s, names[i]))
			return true;
	return span_eq(s, SPAN("ReduceOp"));
}

/* Wrappers go where something else stays; the rest becomes plain. */
static void
choose_identities(struct part_list *l, struct region *life)
{
	size_t n = 0, inner = 0;

	for (size_t i = 0; i < l->count; i++)
		inner += !is_wrapper(l->all[i]);
	for (size_t i = 0; i < l->count; i++)
		if (inner == 0 || !is_wrapper(l->all[i]))
			l->all[n++] = plain_identity(l->all[i], life);
	l->count = n;
}

/* ---- names with one base ---- */

static const struct part_list *
marks_of(const struct short_name *n, bool number)
{
	return number ? &n->parts.numbers : &n->parts.types;
}

static struct span
mark_at(const struct short_name *n, bool number, size_t i)
{
	const struct part_list *l = marks_of(n, number);

	return i < l->count ? l->all[i] : SPAN("-");
}

static bool
has_mark(const struct short_name *n, bool number, size_t at)
{
	for (size_t i = 0; i < n->mark_count; i++)
		if (n->marks[i].number == number && n->marks[i].at == at)
			return true;
	return false;
}

/* Add the first type, or number, in which they differ; false without one. */
static bool
add_mark(struct short_name **g, size_t count, bool number)
{
	size_t most = 0, at, i;

	for (i = 0; i < count; i++)
		if (marks_of(g[i], number)->count > most)
			most = marks_of(g[i], number)->count;
	for (at = 0; at < most; at++) {
		for (i = 1; i < count; i++)
			if (!span_eq(mark_at(g[i], number, at),
				mark_at(g[0], number, at)))
				break;
		if (i < count && !has_mark(g[0], number, at))
			break;
	}
	for (i = 0; at < most && i < count; i++)
		*array_add(&g[i]->marks, &g[i]->mark_count, &g[i]->mark_cap) =
		    (struct short_mark){number, at, mark_at(g[i], number, at)};
	return at < most;
}

/* True if the next identity distinguishes names of one form. */
static bool
differ_next(struct short_name *const *g, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		const struct part_list *a = &g[0]->parts.identities;
		const struct part_list *b = &g[i]->parts.identities;
		size_t n = g[0]->identities, m = g[i]->identities;

		if ((n < a->count) != (m < b->count) ||
		    (n < a->count && !span_eq(a->all[n], b->all[m])))
			return true;
	}
	return false;
}

/* Distinguish names of one form. */
static bool
tell_apart(struct short_name **g, size_t count)
{
	if (!differ_next(g, count))
		return add_mark(g, count, false) || add_mark(g, count, true);
	for (size_t i = 0; i < count; i++)
		g[i]->identities++;
	return true;
}

/* The number of the shown part of a name. */
static uint32_t
number_form(const struct short_name *n, struct intern *forms, struct text *t)
{
	const struct part_list *l = &n->parts.identities;

	t->len = 0;
	for (size_t i = 0; i < l->count && i < n->identities; i++) {
		text_add_span(t, l->all[i]);
		text_add_char(t, '\0');
	}
	for (size_t i = 0; i < n->mark_count; i++) {
		text_printf(t, "%d %zu ", n->marks[i].number, n->marks[i].at);
		text_add_span(t, n->marks[i].text);
		text_add_char(t, '\0');
	}
	return intern_get(forms, t->len > 0 ? text_span(t) : SPAN(""));
}

static int
by_form(const void *pa, const void *pb)
{
	const struct short_name *a = *(struct short_name *const *)pa;
	const struct short_name *b = *(struct short_name *const *)pb;

	if (a->form != b->form)
		return a->form < b->form ? -1 : 1;
	return (a > b) - (a < b);
}

/* Distinguish names of one base; false if that is done. */
static bool
tell_round(struct short_name **g, size_t count)
{
	struct intern forms = {0};
	struct text t = {0};
	bool any = false;

	for (size_t i = 0; i < count; i++)
		g[i]->form = number_form(g[i], &forms, &t);
	qsort(g, count, sizeof(struct short_name *), by_form);
	for (size_t i = 0, end; i < count; i = end) {
		for (end = i + 1; end < count && g[end]->form == g[i]->form;)
			end++;
		if (end - i > 1)
			any |= tell_apart(g + i, end - i);
	}
	intern_free(&forms);
	text_free(&t);
	return any;
}

/* ---- bases without a template ---- */

/* bases with equal first two words, as gemm kernels have them */
struct short_family {
	struct part_list *words; /* of each base, separated by '_' */
	struct short_name **all;
	size_t count;
	bool *shared;       /* by all: their words with that number, from 2 */
	size_t least, tail; /* fewest words; last words that all share */
};

static void
split_words(struct part_list *l, struct span s)
{
	for (size_t n; s.len > 0;) {
		n = find_char(s, '_');
		*array_add(&l->all, &l->count, &l->cap) = (struct span){s.p, n};
		n += n < s.len;
		s = (struct span){s.p + n, s.len - n};
	}
}

/* True if all have that word, counted from the end if from_end. */
static bool
share_word(const struct short_family *f, size_t at, bool from_end)
{
	for (size_t i = 1; i < f->count; i++) {
		const struct part_list *a = &f->words[0], *b = &f->words[i];
		size_t n = from_end ? a->count - 1 - at : at;
		size_t m = from_end ? b->count - 1 - at : at;

		if (!span_eq(a->all[n], b->all[m]))
			return false;
	}
	return true;
}

/* The words that are not dropped, with an ellipsis for dropped ones. */
static void
join_words(struct text *t, const struct shortening *s,
    const struct part_list *words, const bool *dropped)
{
	bool skipped = false;

	t->len = 0;
	for (size_t i = 0; i < words->count; i++) {
		if (!dropped[i]) {
			text_add_span(t, skipped      ? s->ellipsis
					 : t->len > 0 ? SPAN("_")
						      : SPAN(""));
			text_add_span(t, words->all[i]);
		}
		skipped = dropped[i];
	}
	if (skipped)
		text_add_span(t, s->ellipsis);
}

/* The longest word that all share and that is not dropped, the last of them. */
static size_t
next_dropped(const struct short_family *f, const struct part_list *words,
    const bool *dropped)
{
	size_t best = SIZE_MAX;

	for (size_t i = 0; i < words->count; i++) {
		bool shared = (i < f->least && f->shared[i]) ||
			      i >= words->count - f->tail;

		if (shared && !dropped[i] &&
		    (best == SIZE_MAX ||
			words->all[i].len >= words->all[best].len))
			best = i;
	}
	return best;
}

static void
make_stem(const struct shortening *s, const struct short_family *f, size_t i)
{
	const struct part_list *words = &f->words[i];
	bool *dropped = mem_alloc(words->count + 1);
	struct text t = {0};
	size_t next;

	join_words(&t, s, words, dropped);
	while (display_width(text_span(&t)) > s->width &&
	       (next = next_dropped(f, words, dropped)) != SIZE_MAX) {
		dropped[next] = true;
		join_words(&t, s, words, dropped);
	}
	f->all[i]->stem = region_copy(s->life, text_span(&t));
	text_free(&t);
	free(dropped);
}

static void
make_stems(const struct shortening *s, struct short_family *f)
{
	f->words = mem_alloc(f->count * sizeof(*f->words));
	f->least = SIZE_MAX;
	for (size_t i = 0; i < f->count; i++) {
		split_words(&f->words[i], f->all[i]->parts.base);
		if (f->words[i].count < f->least)
			f->least = f->words[i].count;
	}
	while (f->tail + 3 < f->least && share_word(f, f->tail, true))
		f->tail++;
	f->shared = mem_alloc(f->least + 1);
	for (size_t i = 2; i < f->least; i++)
		f->shared[i] = share_word(f, i, false);
	for (size_t i = 0; i < f->count; i++)
		make_stem(s, f, i);
	free(f->shared);
	for (size_t i = 0; i < f->count; i++)
		free(f->words[i].all);
	free(f->words);
}

/* The first two words, with which the names of a family begin. */
static struct span
family_of(struct span base)
{
	size_t n = find_char(base, '_');

	if (n < base.len)
		n += 1 +
		     find_char(
			 (struct span){base.p + n + 1, base.len - n - 1}, '_');
	return (struct span){base.p, n};
}

/* Cut long bases of names without identities; firsts: one of each base. */
static void
find_stems(const struct shortening *s, struct short_name **firsts, size_t count)
{
	struct intern families = {0};
	size_t n = 0;

	for (size_t i = 0; i < count; i++) {
		struct span base = firsts[i]->parts.base;

		if (display_width(base) <= s->width ||
		    firsts[i]->parts.identities.count > 0)
			continue;
		firsts[i]->form = intern_get(&families, family_of(base));
		firsts[n++] = firsts[i];
	}
	if (n > 1)
		qsort(firsts, n, sizeof(struct short_name *), by_form);
	for (size_t i = 0, end; i < n; i = end) {
		struct short_family f = {.all = firsts + i};

		for (end = i + 1;
		     end < n && firsts[end]->form == f.all[0]->form;)
			end++;
		f.count = end - i;
		if (f.count > 1)
			make_stems(s, &f);
	}
	intern_free(&families);
}

/* ---- all names ---- */

static int
by_base(const void *pa, const void *pb)
{
	const struct short_name *a = *(struct short_name *const *)pa;
	const struct short_name *b = *(struct short_name *const *)pb;

	if (a->base != b->base)
		return a->base < b->base ? -1 : 1;
	return (a > b) - (a < b);
}

static void
open_names(struct shortening *s, const struct span *names)
{
	struct intern bases = {0};

	s->all = mem_alloc((s->count + 1) * sizeof(*s->all));
	s->order = mem_alloc((s->count + 1) * sizeof(struct short_name *));
	for (size_t i = 0; i < s->count; i++) {
		struct short_name *n = s->order[i] = &s->all[i];

		kernel_parts_find(&n->parts, names[i], s->life);
		choose_identities(&n->parts.identities, s->life);
		n->stem = n->parts.base;
		n->base = intern_get(&bases, n->stem);
		n->identities = 1;
	}
	intern_free(&bases);
	if (s->count > 1)
		qsort(s->order, s->count, sizeof(struct short_name *), by_base);
}

/* The text in brackets; alone: no other name has the base. */
static void
add_shown(struct text *t, const struct short_name *n, bool alone)
{
	const struct part_list *l = &n->parts.identities;

	for (size_t i = 0; i < l->count && i < n->identities && i < SHOWN;
	     i++) {
		text_add_str(t, t->len > 0 ? "," : "");
		text_add_span(t, l->all[i]);
	}
	for (size_t i = 0; i < n->mark_count; i++) {
		text_add_str(t, t->len > 0 ? "," : "");
		text_add_span(t, n->marks[i].text);
	}
	if (t->len > 0 || !alone)
		return;
	for (size_t i = 0; i < n->parts.numbers.count && i < FILLED; i++) {
		text_add_str(t, t->len > 0 ? "," : "");
		text_add_span(t, n->parts.numbers.all[i]);
	}
	if (n->parts.types.count > 0) {
		text_add_str(t, t->len > 0 ? "," : "");
		text_add_span(t, n->parts.types.all[0]);
	}
}

/* The base and the text in brackets, both cut; the number stays. */
static void
add_narrow(struct text *t, const struct shortening *s, struct span base,
    struct span shown)
{
	size_t all = display_width(base), in = display_width(shown), room,
	       inner;
	struct span name = {shown.p, find_char(shown, '#')};
	struct span number = {shown.p + name.len, shown.len - name.len};

	room = all < BASE_LEAST ? all : BASE_LEAST;
	if (s->width > in + 2 && s->width - in - 2 > room)
		room = s->width - in - 2;
	if (s->width < room + 2 + NAME_LEAST + display_width(number) &&
	    in + room + 2 > s->width)
		room = s->width > 2 * NAME_LEAST + 2 + display_width(number)
			   ? s->width - NAME_LEAST - 2 - display_width(number)
			   : NAME_LEAST;
	inner = s->width - room - 2;
	if (all > room) {
		text_add(t, base.p, display_head(base, room - s->cut));
		text_add_span(t, s->ellipsis);
	} else {
		text_add_span(t, base);
	}
	text_add_char(t, '<');
	if (in > inner) {
		in = display_width(number);
		add_cut(t, s, name,
		    inner > in + NAME_LEAST ? inner - in : NAME_LEAST);
		text_add_span(t, number);
	} else {
		text_add_span(t, shown);
	}
	text_add_char(t, '>');
}

static void
add_form(struct text *t, const struct shortening *s, const struct short_name *n,
    bool alone)
{
	struct text shown = {0}, narrow = {0};
	size_t base = display_width(n->parts.base), in;

	add_shown(&shown, n, alone);
	in = display_width(text_span(&shown));
	if (in > 0 && n->parts.identities.count == 0 && n->mark_count == 0 &&
	    base + in + 2 > s->width)
		shown.len = in = 0; /* only where there is room */
	if (in == 0) {
		add_cut(t, s, n->stem, s->width);
	} else if (base + in + 2 <= s->width) {
		text_add_span(t, n->parts.base);
		text_add_char(t, '<');
		text_add_span(t, text_span(&shown));
		text_add_char(t, '>');
	} else {
		add_narrow(&narrow, s, n->stem, text_span(&shown));
		add_cut(t, s, text_span(&narrow), s->width);
	}
	text_free(&shown);
	text_free(&narrow);
}

/* The names of one base. */
static void
shorten_base(struct shortening *s, struct short_name **g, size_t count,
    struct span *shorts)
{
	for (int i = 0; i < ROUNDS && count > 1 && tell_round(g, count); i++)
		;
	for (size_t i = 0; i < count; i++) {
		struct text t = {0};

		add_form(&t, s, g[i], count == 1);
		shorts[g[i] - s->all] = region_copy(s->life, text_span(&t));
		text_free(&t);
	}
}

/* Forms that are equal end with ~1, ~2. */
static void
number_equal(const struct shortening *s, struct span *shorts)
{
	struct intern forms = {0}, used = {0};
	size_t *counts = mem_alloc((s->count + 1) * sizeof(*counts));
	size_t *numbers = mem_alloc((s->count + 1) * sizeof(*numbers));
	struct text t = {0}, end = {0};

	for (size_t i = 0; i < s->count; i++)
		counts[intern_get(&forms, shorts[i])]++;
	for (size_t i = 0; i < s->count; i++)
		if (counts[intern_find(&forms, shorts[i])] == 1)
			intern_get(&used, shorts[i]);
	for (size_t i = 0; i < s->count; i++) {
		uint32_t form = intern_find(&forms, shorts[i]);

		if (counts[form] == 1)
			continue;
		do {
			t.len = end.len = 0;
			text_printf(&end, "~%zu", ++numbers[form]);
			text_add(&t, shorts[i].p,
			    display_head(shorts[i], s->width - end.len));
			text_add_span(&t, text_span(&end));
		} while (intern_find(&used, text_span(&t)) != INTERN_NONE);
		intern_get(&used, text_span(&t));
		shorts[i] = region_copy(s->life, text_span(&t));
	}
	intern_free(&forms);
	intern_free(&used);
	text_free(&t);
	text_free(&end);
	free(counts);
	free(numbers);
}

static void
close_names(struct shortening *s)
{
	for (size_t i = 0; i < s->count; i++) {
		kernel_parts_free(&s->all[i].parts);
		free(s->all[i].marks);
	}
	free(s->all);
	free(s->order);
}

void
short_names(const struct span *names, size_t count, size_t width,
    const char *ellipsis, struct span *shorts, struct region *life)
{
	struct shortening s = {.count = count,
	    .width = width,
	    .ellipsis = span_of(ellipsis),
	    .cut = display_width(span_of(ellipsis)),
	    .life = life};
	struct short_name **firsts;
	size_t bases = 0;

	open_names(&s, names);
	firsts = mem_alloc((count + 1) * sizeof(struct short_name *));
	for (size_t i = 0; i < count; i++)
		if (i == 0 || s.order[i]->base != s.order[i - 1]->base)
			firsts[bases++] = s.order[i];
	find_stems(&s, firsts, bases);
	free(firsts);
	for (size_t i = 0, end; i < count; i = end) {
		for (end = i + 1;
		     end < count && s.order[end]->base == s.order[i]->base;)
			s.order[end++]->stem = s.order[i]->stem;
		shorten_base(&s, s.order + i, end - i, shorts);
	}
	number_equal(&s, shorts);
	close_names(&s);
}
