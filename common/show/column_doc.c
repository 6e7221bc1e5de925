/* column_doc.c - what the columns of tables mean */

#include "tq/show/column_doc.h"

/* A row named so is of all columns of its report that have no other. */
#define ANY "*"

static const struct column_doc none = {.doc = ""};
static const struct column_doc text = {.doc = "", .role = COLUMN_KEY};

/* A report is named without the arguments of t. */
static bool
is_report(const char *report, const char *name)
{
	size_t n = strlen(report);

	return name != NULL && strncmp(name, report, n) == 0 &&
	       (name[n] == '\0' || name[n] == ':');
}

/* A title may have its unit: "Size (B)" is the column Size. */
static bool
is_column(const char *name, const char *title)
{
	size_t n = strlen(name);

	return strncmp(title, name, n) == 0 &&
	       (title[n] == '\0' || strncmp(title + n, " (", 2) == 0);
}

const struct column_doc *
column_doc_in(
    const struct column_doc *docs, const char *report, const struct column *c)
{
	const struct column_doc *any = NULL;

	for (; docs != NULL && docs->name != NULL; docs++) {
		bool named = is_column(docs->name, c->name);
		bool own =
		    docs->report != NULL && is_report(docs->report, report);

		if (named && own)
			return docs;
		if ((named && docs->report == NULL) ||
		    (own && any == NULL && strcmp(docs->name, ANY) == 0))
			any = docs;
	}
	return any != NULL ? any : c->left ? &text : &none;
}

const struct column_doc *
column_doc_find(const struct table *t, const struct column *c)
{
	return column_doc_in(t->docs, t->report, c);
}
