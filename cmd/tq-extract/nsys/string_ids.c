/* string_ids.c - the strings that rows of an export refer to */

#include "string_ids.h"
#include "tq/base/plain.h"
#include "tq/line/cuda_words.h"

void
string_ids_open(struct string_ids *s, const struct database *db)
{
	s->db = db;
	s->lookup =
	    database_prepare(db, "SELECT value FROM StringIds WHERE id = ?");
}

static void
free_cache(struct cached_string *cache)
{
	for (int i = 0; i < STRING_IDS_CACHE; i++) {
		text_free(&cache[i].json);
		text_free(&cache[i].raw);
	}
}

void
string_ids_close(struct string_ids *s)
{
	sqlite3_finalize(s->lookup);
	free_cache(s->strings);
	free_cache(s->functions);
}

void
string_ids_add_json(struct string_ids *s, struct text *t, struct span v)
{
	s->bad_bytes += (int64_t)text_add_json(t, v.p, v.len);
}

bool
string_ids_find(struct string_ids *s, int64_t id, struct span *string)
{
	if (s->lookup == NULL)
		return false;
	sqlite3_reset(s->lookup);
	sqlite3_bind_int64(s->lookup, 1, id);
	if (!database_step(s->db, s->lookup))
		return false;
	*string = database_text(s->lookup, 0);
	return true;
}

static void
end_string(struct text *json)
{
	char *end = text_reserve(json, STRING_IDS_SLACK);

	memset(end, 0, STRING_IDS_SLACK);
	*end = (char)!plain_line(text_span(json));
}

void
string_ids_read(
    struct string_ids *s, struct cached_string *c, int64_t id, bool shorten)
{
	struct span string;
	char missing[32];

	c->used = true;
	c->id = id;
	c->json.len = c->raw.len = 0;
	if (!string_ids_find(s, id, &string)) {
		missing[0] = '#';
		string = (struct span){missing,
		    (size_t)(text_digits_int(missing + 1, id) - missing)};
	}
	if (shorten && cuda_words_function(string).len < string.len) {
		string_ids_add_json(s, &c->raw, string);
		string = cuda_words_function(string);
	}
	string_ids_add_json(s, &c->json, string);
	end_string(&c->json);
	if (c->raw.len > 0)
		end_string(&c->raw);
}

void
string_ids_add_label(
    struct string_ids *s, struct text *t, const char *table, int64_t v)
{
	sqlite3_stmt *st = database_prepare(s->db,
	    "SELECT label FROM \"%w\" WHERE id = %lld", table, (long long)v);
	struct span label = {0};

	if (st != NULL && database_step(s->db, st))
		label = database_text(st, 0);
	if (label.len > 0) {
		string_ids_add_json(s, t, label);
	} else {
		text_add_str(t, "\"#");
		text_add_int(t, v);
		text_add_char(t, '"');
	}
	sqlite3_finalize(st);
}
