/* expr_eval.c - the value of an expression for a record */

#include "expr_node.h"
#include "tq/line/json.h"

static const struct value absent = {.type = VALUE_ABSENT};

static inline struct value
integer(int64_t i)
{
	return (struct value){VALUE_INT, {.i = i}};
}

static inline struct value
truth(bool yes)
{
	return (struct value){VALUE_BOOL, {.i = yes}};
}

static inline struct value
string(struct span s)
{
	return (struct value){VALUE_STRING, {.s = s}};
}

static inline bool
in_mask(unsigned mask, int order)
{
	return (mask & (order < 0 ? LESS : order > 0 ? GREATER : EQUAL)) != 0;
}

/* does an element of the array equal v? */
static bool
any_equal(struct span array, const struct value *v, struct text *t)
{
	struct json j;
	struct span element;

	json_open_array(&j, array);
	while (json_next_element(&j, &element)) {
		struct value e = expr_value_json(element, t);

		if (expr_value_class(&e) == expr_value_class(v) &&
		    expr_value_order(&e, v) == 0)
			return true;
	}
	return false;
}

static bool
compare_array(
    unsigned mask, struct span array, const struct value *v, struct text *t)
{
	if (v->type == VALUE_ABSENT || v->type >= VALUE_ARRAY)
		return false;
	if (mask == EQUAL)
		return any_equal(array, v, t);
	return mask == UNEQUAL && !any_equal(array, v, t);
}

/* A value that a tool gave the record; false if it gave none. */
static inline bool
find_extra(const struct node *n, const struct event *ev, struct value *v)
{
	const struct event_extra *x = ev->extra;
	unsigned i = (unsigned)n->extra - 1;

	if (n->extra == 0 || x == NULL || (x->has >> i & 1) == 0)
		return false;
	*v = (x->is_bool >> i & 1) != 0 ? truth(x->value[i] != 0)
					: integer(x->value[i]);
	return true;
}

/* Such a value against a constant of its type. */
static inline bool
compare_extra(const struct node *n, const struct event *ev, bool *result)
{
	const struct value *b = &n->right->value;
	struct value a;

	if (n->right->op != NODE_CONST || !find_extra(n->left, ev, &a) ||
	    a.type != b->type)
		return false;
	*result = in_mask(n->mask, (a.i > b->i) - (a.i < b->i));
	return true;
}

static bool
compare(const struct node *n, struct expr_run *run)
{
	struct expr_texts *texts = run->texts;
	struct value a, b;
	bool result;

	if (n->left->extra > 0 && compare_extra(n, run->ev, &result))
		return result;
	a = expr_eval(n->left, run, &texts->left);

	if (a.type == VALUE_ABSENT)
		return false;
	b = expr_eval(n->right, run, &texts->right);
	if (a.type == VALUE_ARRAY)
		return compare_array(n->mask, a.s, &b, &texts->left);
	if (b.type == VALUE_ARRAY)
		return compare_array(n->mask, b.s, &a, &texts->right);
	if (a.type == VALUE_OBJECT ||
	    expr_value_class(&a) != expr_value_class(&b))
		return false;
	if (a.type == VALUE_BOOL && n->mask != EQUAL && n->mask != UNEQUAL)
		return false; /* which only a .key comes to */
	return in_mask(n->mask, expr_value_order(&a, &b));
}

/* a string key against a constant: == or != */
static bool
compare_string(const struct node *n, struct expr_run *run)
{
	struct span raw, s;

	if (!event_has(run->ev, n->key))
		return false;
	raw = run->ev->value[n->key];
	if (raw.len - 2 < n->value.s.len) /* escapes only make it longer */
		return n->mask == UNEQUAL;
	run->texts->left.len = 0;
	s = event_str(run->ev, n->key, &run->texts->left);
	return span_eq(s, n->value.s) == (n->mask == EQUAL);
}

/* ---- patterns and lists ---- */

static bool
matches(const struct node *n, struct span s, struct expr_run *run)
{
	enum pattern_result result = pattern_match(n->pattern, s);

	if (result == PATTERN_GAVE_UP)
		run->error = "a regular expression took too many steps";
	return result == PATTERN_YES;
}

static bool
match(const struct node *n, struct expr_run *run)
{
	struct text *t = &run->texts->left;
	struct value v = expr_eval(n->left, run, t);
	struct json j;
	struct span element;

	if (v.type == VALUE_STRING)
		return matches(n, v.s, run) != n->negated;
	if (v.type != VALUE_ARRAY)
		return false;
	json_open_array(&j, v.s);
	while (json_next_element(&j, &element)) {
		struct value e = expr_value_json(element, t);

		if (e.type == VALUE_STRING && matches(n, e.s, run))
			return !n->negated;
	}
	return n->negated;
}

static bool
in_list(const struct value_list *list, const struct value *v)
{
	size_t low = 0, high = list->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = expr_value_order(v, &list->values[middle]);

		if (order == 0)
			return true;
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return false;
}

static bool
in(const struct node *n, struct expr_run *run)
{
	struct text *t = &run->texts->left;
	struct value v = expr_eval(n->left, run, t);
	struct json j;
	struct span element;

	if (v.type != VALUE_ARRAY)
		return (n->list.types >> expr_value_class(&v) & 1) != 0 &&
		       in_list(&n->list, &v) != n->negated;
	json_open_array(&j, v.s);
	while (json_next_element(&j, &element)) {
		struct value e = expr_value_json(element, t);

		if (in_list(&n->list, &e))
			return !n->negated;
	}
	return n->negated;
}

static bool
terms(const struct node *n, struct expr_run *run)
{
	bool decides = n->op == NODE_OR;

	for (const struct term *t = n->first; t != NULL; t = t->next)
		if (expr_eval_test(t->node, run) == decides)
			return decides;
	return !decides;
}

bool
expr_eval_test(const struct node *n, struct expr_run *run)
{
	int64_t i;

	switch (n->op) {
	case NODE_INTEGER:
		if (!event_has(run->ev, n->key))
			return false;
		i = event_number(run->ev->value[n->key]);
		return in_mask(n->mask, (i > n->value.i) - (i < n->value.i));
	case NODE_STRING:
		return compare_string(n, run);
	case NODE_COMPARE:
		return compare(n, run);
	case NODE_MATCH:
		return match(n, run);
	case NODE_IN:
		return in(n, run);
	case NODE_HAS:
		/* the kind is known even where it was not asked for */
		if (n->left->op == NODE_KEY && n->left->key != KEY_kind)
			return event_has(run->ev, n->left->key);
		return expr_eval(n->left, run, &run->texts->left).type !=
		       VALUE_ABSENT;
	case NODE_NOT:
		return !expr_eval_test(n->left, run);
	case NODE_AND:
	case NODE_OR:
		return terms(n, run);
	default:
		return n->op == NODE_CONST && n->value.type == VALUE_BOOL &&
		       n->value.i != 0;
	}
}

/* ---- where only some keys are known ---- */

/* True if it is such a key, or one outside of the schema that the record has.
 */
static bool
is_known(
    const struct node *n, const struct keyset *known, const struct event *ev)
{
	if (n->op == NODE_KEY)
		return keyset_has(known, n->key);
	if (n->op != NODE_MEMBER || n->key != KEY_NONE)
		return false;
	for (size_t i = 0; i < ev->unknown_count; i++)
		if (span_eq(ev->unknown[i].key, n->path[0]))
			return true;
	return false;
}

/* True if a condition, which is no term of others, reads such a key alone. */
static bool
is_decided(
    const struct node *n, const struct keyset *known, const struct event *ev)
{
	switch (n->op) {
	case NODE_STRING:
	case NODE_INTEGER:
		return keyset_has(known, n->key);
	case NODE_MATCH:
	case NODE_IN:
	case NODE_HAS:
		return is_known(n->left, known, ev);
	case NODE_COMPARE:
		return n->right->op == NODE_CONST &&
		       is_known(n->left, known, ev);
	default:
		return false;
	}
}

static enum expr_answer
terms_known(
    const struct node *n, const struct keyset *known, struct expr_run *run)
{
	enum expr_answer decides = n->op == NODE_OR ? EXPR_TRUE : EXPR_FALSE;
	bool depends = false;

	for (const struct term *t = n->first; t != NULL; t = t->next) {
		enum expr_answer a = expr_eval_known(t->node, known, run);

		if (a == decides)
			return decides;
		depends |= a == EXPR_DEPENDS;
	}
	if (depends)
		return EXPR_DEPENDS;
	return n->op == NODE_OR ? EXPR_FALSE : EXPR_TRUE;
}

enum expr_answer
expr_eval_known(
    const struct node *n, const struct keyset *known, struct expr_run *run)
{
	enum expr_answer a;

	switch (n->op) {
	case NODE_NOT:
		a = expr_eval_known(n->left, known, run);
		return a == EXPR_TRUE    ? EXPR_FALSE
		       : a == EXPR_FALSE ? EXPR_TRUE
					 : a;
	case NODE_AND:
	case NODE_OR:
		return terms_known(n, known, run);
	default:
		if (n->op != NODE_CONST && !is_decided(n, known, run->ev))
			return EXPR_DEPENDS;
		return expr_eval_test(n, run) ? EXPR_TRUE : EXPR_FALSE;
	}
}

/* ---- values of keys ---- */

static struct value
key_value(const struct event *ev, enum key k, struct text *t)
{
	if (k == KEY_kind)
		return string(ev->kind_name);
	if (!event_has(ev, k))
		return absent;
	if (schema_keys[k].type == TYPE_INT)
		return integer(event_number(ev->value[k]));
	return expr_value_json(ev->value[k], t);
}

static struct value
end_value(const struct event *ev)
{
	int64_t ts = event_int(ev, KEY_ts, 0), end;

	if (!event_has(ev, KEY_ts))
		return absent;
	/*
	 * open is not among the keys to read: where dur was not found the line
	 * has been read to its end, and open with it.
	 */
	if (!event_has(ev, KEY_dur))
		return event_true(ev, KEY_open) ? absent : integer(ts);
	if (__builtin_add_overflow(ts, event_int(ev, KEY_dur, 0), &end))
		return absent;
	return integer(end);
}

static struct value
symbol_value(const struct node *n, struct expr_run *run, struct text *t)
{
	const struct expr_symbols *symbols = run->symbols;
	const struct event *ev = run->ev;
	struct span name;

	if (event_has(ev, n->key))
		return key_value(ev, n->key, t);
	if (!event_has(ev, KEY_sym))
		return absent;
	if (symbols != NULL &&
	    symbols->find(symbols->arg, event_int(ev, KEY_sym, 0),
		n->key == KEY_mangled, &name))
		return string(name);
	return key_value(ev, KEY_name, t);
}

/* the member of an object; the last of equal ones counts */
static bool
find_member(struct span *json, struct span name, struct text *key)
{
	struct json j;
	struct span value;
	bool found = false;

	if (*json->p != '{')
		return false;
	json_open(&j, *json);
	while (json_next(&j, key, &value))
		if (*value.p != 'n' && span_eq(text_span(key), name)) {
			*json = value;
			found = true;
		}
	return found;
}

static struct value
member_value(const struct node *n, struct expr_run *run, struct text *t)
{
	const struct event *ev = run->ev;
	struct span json = {0};
	struct value v;

	if (find_extra(n, ev, &v))
		return v;

	if (n->key != KEY_NONE) {
		if (event_has(ev, n->key))
			json = ev->value[n->key];
	} else {
		for (size_t i = ev->unknown_count; i-- > 0;)
			if (span_eq(ev->unknown[i].key, n->path[0])) {
				json = ev->unknown[i].value;
				break;
			}
	}
	if (json.len == 0)
		return absent;
	for (size_t i = 1; i < n->path_count; i++)
		if (!find_member(&json, n->path[i], &run->texts->key))
			return absent;
	return expr_value_json(json, t);
}

static struct value
element_value(const struct node *n, struct expr_run *run, struct text *t)
{
	struct value v = expr_eval(n->left, run, t);
	int64_t index = n->index;
	struct json j;
	struct span element;

	if (v.type != VALUE_ARRAY)
		return absent;
	if (index < 0) {
		json_open_array(&j, v.s);
		while (json_next_element(&j, &element))
			index++;
		if (index < 0)
			return absent;
	}
	json_open_array(&j, v.s);
	while (json_next_element(&j, &element))
		if (index-- == 0)
			return expr_value_json(element, t);
	return absent;
}

static struct value
chain_value(const struct node *n, struct expr_run *run, struct text *t)
{
	const struct term *term = n->first;
	struct value v = expr_eval(term->node, run, t);

	while ((term = term->next) != NULL && v.type != VALUE_ABSENT) {
		struct value next = expr_eval(term->node, run, t);

		v = expr_value_arithmetic(&v, term->sign, &next);
	}
	return v;
}

struct value
expr_eval(const struct node *n, struct expr_run *run, struct text *t)
{
	struct value zero = integer(0), v;

	switch (n->op) {
	case NODE_CONST:
		return n->value;
	case NODE_KEY:
		return key_value(run->ev, n->key, t);
	case NODE_END:
		return end_value(run->ev);
	case NODE_SYMBOL:
		return symbol_value(n, run, t);
	case NODE_MEMBER:
		return member_value(n, run, t);
	case NODE_ELEMENT:
		return element_value(n, run, t);
	case NODE_MINUS:
		v = expr_eval(n->left, run, t);
		return expr_value_arithmetic(&zero, '-', &v);
	case NODE_SUM:
	case NODE_PRODUCT:
		return chain_value(n, run, t);
	default:
		return truth(expr_eval_test(n, run));
	}
}
