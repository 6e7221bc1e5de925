/* rank_name.c - what the name of a recording says of its rank */

#include <string.h>
#include <strings.h>

#include "tq/base/ascii.h"
#include "tq/ranks/rank_name.h"

/* True if the name has the word at s.p[i], in capitals or not. */
static bool
has_word(struct span s, size_t i, const char *word)
{
	size_t n = strlen(word);

	return s.len - i >= n && strncasecmp(s.p + i, word, n) == 0;
}

/* True if no word goes on at s.p[i]. */
static bool
is_edge(struct span s, size_t i)
{
	return i >= s.len || s.p[i] == '_' || !ascii_is_word(s.p[i]);
}

static bool
is_begin(struct span s, size_t i)
{
	return i == 0 || is_edge(s, i - 1);
}

/* ---- coordinates ---- */

/* vLLM's: all five, and the rank */
static bool
take_vllm(struct rank_name *n, struct span s, size_t i)
{
	static const char *const words[] = {
	    "dp", "_pp", "_tp", "_dcp", "_ep", "_rank"};
	static const enum mesh_axis axes[] = {
	    MESH_DP, MESH_PP, MESH_TP, MESH_DCP, MESH_EP};
	struct mesh m = {0};
	int64_t v;

	for (size_t w = 0; w < sizeof(words) / sizeof(*words); w++) {
		if (!has_word(s, i, words[w]))
			return false;
		i += strlen(words[w]);
		if (!mesh_number(s, &i, &v))
			return false;
		if (w < sizeof(axes) / sizeof(*axes))
			mesh_set(&m, axes[w], v);
	}
	if (!is_edge(s, i))
		return false;
	n->mesh = m;
	n->rank = v;
	return true;
}

/* SGLang's: -TP-3, and some of -DP-0-PP-1-EP-2 */
static bool
take_sglang(struct rank_name *n, struct span s, size_t i)
{
	static const char *const words[] = {"-TP-", "-DP-", "-PP-", "-EP-"};
	static const enum mesh_axis axes[] = {
	    MESH_TP, MESH_DP, MESH_PP, MESH_EP};
	struct mesh m = {0};
	int64_t v;

	for (size_t w = 0; w < sizeof(words) / sizeof(*words); w++) {
		size_t at = i + strlen(words[w]);

		if (!span_begins(
			(struct span){s.p + i, s.len - i}, span_of(words[w])) ||
		    !mesh_number(s, &at, &v))
			continue;
		mesh_set(&m, axes[w], v);
		i = at;
	}
	if (!mesh_has(&m, MESH_TP) || !is_edge(s, i) ||
	    memmem(s.p + i, s.len - i, ".trace.json", 11) == NULL)
		return false;
	n->mesh = m;
	return true;
}

/* ---- ranks ---- */

/* "rank", and a number behind it or behind one sign; local_rank is another
   one */
static bool
take_rank(struct rank_name *n, struct span s, size_t i)
{
	static const char *const others[] = {"local", "node", "group"};
	int64_t v;

	if (!has_word(s, i, "rank") || !is_begin(s, i))
		return false;
	for (size_t w = 0; w < sizeof(others) / sizeof(*others); w++) {
		size_t length = strlen(others[w]) + 1;

		if (i >= length && has_word(s, i - length, others[w]))
			return false;
	}
	i += strlen("rank");
	if (i < s.len && strchr("-_=[.", s.p[i]) != NULL)
		i++;
	if (!mesh_number(s, &i, &v))
		return false;
	n->rank = v;
	return true;
}

static bool
is_coordinator(struct span s)
{
	static const char *const words[] = {
	    "async_llm", "apiserver", "api_server", "enginecore", "scheduler"};

	for (size_t i = 0; i < s.len; i++)
		for (size_t w = 0; w < sizeof(words) / sizeof(*words); w++)
			if (is_begin(s, i) && has_word(s, i, words[w]))
				return true;
	return false;
}

static struct span
last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return span_of(slash != NULL ? slash + 1 : path);
}

struct rank_name
rank_name_read(const char *path)
{
	struct rank_name n = {.rank = NO_ID};
	struct span s = last_part(path);

	for (size_t i = 0; i < s.len; i++)
		if ((is_begin(s, i) && take_vllm(&n, s, i)) ||
		    take_sglang(&n, s, i))
			return n;
	for (size_t i = 0; i < s.len; i++)
		if (take_rank(&n, s, i))
			return n;
	n.coordinator = is_coordinator(s);
	return n;
}

struct rank_name
rank_name_guess(const char *path)
{
	struct rank_name n = rank_name_read(path);
	struct span s = last_part(path);
	size_t i = s.len;
	int64_t v;

	if (n.rank != NO_ID || n.mesh.has != 0 || n.coordinator)
		return n;
	while (i > 0 && !ascii_is_digit(s.p[i - 1]))
		i--;
	while (i > 0 && ascii_is_digit(s.p[i - 1]))
		i--;
	if (mesh_number(s, &i, &v))
		n.rank = v;
	return n;
}
