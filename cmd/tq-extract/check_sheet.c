/* check_sheet.c - what --check prints */

#include <err.h>
#include <inttypes.h>
#include <stdio.h>

#include "check_sheet.h"
#include "tq/io/status.h"
#include "tq/show/col.h"
#include "tq/show/column_doc.h"
#include "tq/show/escape.h"
#include "tq/show/pretty.h"

static const struct column_doc docs[] = {
    DOC_KEY("file", "the recording"),
    DOC_KEY("source", "the profiler that wrote it, with its versions"),
    DOC_KEY("note", "what it is about"),
    DOC_KEY("check", "name of the rule that says it"),
    DOC_IN("types", "table", KEY, "table that the events became"),
    DOC_KEY("table", "table of the recording"),
    DOC_KEY("kind", "kind of its records"),
    DOC_KEY("phase", "letter of the Chrome trace event format"),
    DOC_KEY("category", "category of the events"),
    DOC_KEY("packet", "sort of the packets"),
    DOC_IN("types", "type", KEY, "number of the type of the events"),
    DOC_KEY("type", "type of the events"),
    DOC_IN("types", "body", KEY, "number of the field that has the event"),
    DOC_IN("types", "class", KEY, "number of the class of the events"),
    DOC_IN("notes", "count", VALUE, "a number of it"),
    DOC_IN("evidence", "count", VALUE, "records that show it"),
    DOC_VALUE("text", "in words"),
    DOC_VALUE("title", "what was found"),
    DOC_VALUE("fates", "why rows are no records, or of which kinds they are"),
    DOC_VALUE("rows", "rows of the table"),
    DOC_VALUE("events", "events in the recording"),
    DOC_VALUE("records", "records of the stream"),
    DOC_VALUE("paired", "ends of what began"),
    DOC_VALUE("folded", "events whose meaning is in other records"),
    DOC_VALUE("dropped", "rows that could not become records"),
    DOC_VALUE("lost", "events that could not become records"),
    DOC_VALUE("not read", "events that are not asked for, or not known"),
    {0},
};

/* ---- JSON ---- */

static void
source_row(struct table *t, struct span file, struct span source, int64_t n[2])
{
	col_text(t, "file", file);
	col_text(t, "source", source);
	col_int(t, "records", UNIT_NONE, n[0]);
	col_int(t, "lost", UNIT_NONE, n[1]);
}

/* n is NO_ID where there is no number */
static void
note_row(struct table *t, struct span file, const char *note, int64_t n,
    struct span text)
{
	col_text(t, "file", file);
	col_text(t, "note", span_of(note));
	col_int_if(t, "count", UNIT_NONE, n != NO_ID, n);
	col_text(t, "text", text);
}

static void
evidence_row(struct table *t, const struct evidence_fact *f)
{
	col_text(t, "check", span_of(evidence_name(f->check)));
	col_int(t, "count", UNIT_NONE, f->count);
	col_text(t, "title", f->title);
	col_text(t, "text", f->text);
}

static void
add_note(struct check_sheet *s, const char *note, int64_t n, struct span text)
{
	note_row(&s->notes, text_span(&s->file), note, n, text);
}

static void
add_report(struct check_sheet *s, struct table *t)
{
	t->docs = docs;
	json_document_table(&s->text, &s->json, t, !s->any);
	s->any = true;
	table_free(t);
}

void
check_sheet_begin(
    struct check_sheet *s, const struct json_head *head, bool examined)
{
	s->json = (struct format_options){.format = FORMAT_JSON,
	    .time_unit = 1,
	    .plain_keys = true,
	    .head = *head};
	s->examined = examined;
	s->sources = (struct table){.report = "sources",
	    .title = "Recordings",
	    .reason = "no recording was read to its end",
	    .next = "tq info FILE"};
	s->notes = (struct table){.report = "notes",
	    .title = "Notes on the Recordings",
	    .reason = "there is nothing to note"};
	col_heading(
	    &s->sources, source_row, SPAN(""), SPAN(""), (int64_t[2]){0});
	col_heading(&s->notes, note_row, SPAN(""), "", 0, SPAN(""));
	if (s->form == CHECK_JSON)
		json_document_begin(&s->text.buf, head);
}

/* ---- both ---- */

void
check_sheet_source(struct check_sheet *s, const char *file, struct span source)
{
	s->file.len = s->source.len = 0;
	text_add_str(&s->file, file);
	text_add_span(&s->source, source);
	if (s->form == CHECK_JSON)
		return;
	escape_print(stdout, text_span(&s->file));
	fputs(": ", stdout);
	escape_print(stdout, text_span(&s->source));
	putchar('\n');
}

/* the title of a table; a column without a title is for people */
static void
name_parts(struct check_sheet *s, struct table *t, struct text *title)
{
	text_add_span(title, text_span(&s->file));
	text_add_str(title, ": ");
	text_add_span(title, text_span(&s->source));
	text_add_char(title, '\0');
	t->title = title->p;
	t->reason = "the recording has no event";
	for (size_t i = 0; i < t->column_count; i++)
		if (*t->columns[i].name == '\0')
			t->columns[i].name = "fates";
}

void
check_sheet_table(struct check_sheet *s, const char *report, struct table *t)
{
	struct text rows = {0};

	t->report = report;
	if (s->form == CHECK_JSON) {
		name_parts(s, t, &rows);
		add_report(s, t);
	} else {
		pretty_rows(&rows, t, 2);
		if (rows.len > 0)
			fwrite(rows.p, 1, rows.len, stdout);
		table_free(t);
	}
	text_free(&rows);
}

void
check_sheet_count(
    struct check_sheet *s, const char *note, int64_t n, const char *what)
{
	if (s->form == CHECK_JSON)
		add_note(s, note != NULL ? note : what, n,
		    note != NULL ? span_of(what) : SPAN(""));
	else
		printf("  %s%s%" PRId64 " %s\n", note != NULL ? note : "",
		    note != NULL ? ": " : "", n, what);
}

void
check_sheet_sum(struct check_sheet *s, int64_t n, const char *what,
    int64_t other, const char *other_what)
{
	if (s->form == CHECK_JSON) {
		add_note(s, what, n, SPAN(""));
		add_note(s, other_what, other, SPAN(""));
	} else {
		printf("  %" PRId64 " %s, %" PRId64 " %s\n", n, what, other,
		    other_what);
	}
}

void
check_sheet_text(struct check_sheet *s, const char *note, struct span text)
{
	if (s->form == CHECK_JSON) {
		add_note(s, note, NO_ID, text);
		return;
	}
	printf("  %s: ", note);
	escape_print(stdout, text);
	putchar('\n');
}

void
check_sheet_lost(
    struct check_sheet *s, int64_t n, const char *of, const char *reason)
{
	if (s->form == CHECK_JSON)
		add_note(s, "lost", n, span_of(reason));
	else if (of != NULL)
		printf("  lost: %" PRId64 " %s: %s\n", n, of, reason);
	else
		printf("  lost: %" PRId64 " (%s)\n", n, reason);
}

void
check_sheet_number(struct check_sheet *s, const char *before, const char *note,
    int64_t n, const char *behind)
{
	if (s->form == CHECK_JSON)
		add_note(s, note, n, SPAN(""));
	else
		printf("%s%s: %" PRId64 "%s", before, note, n, behind);
}

void
check_sheet_end(struct check_sheet *s, int64_t records, int64_t lost)
{
	source_row(&s->sources, text_span(&s->file), text_span(&s->source),
	    (int64_t[2]){records, lost});
}

static void
flush(struct check_sheet *s)
{
	if (s->text.buf.len > 0)
		fwrite(s->text.buf.p, 1, s->text.buf.len, stdout);
	s->text.buf.len = 0;
	if (fflush(stdout) != 0 || ferror(stdout))
		err(TQ_FAIL, "<stdout>");
}

static void
add_evidence(
    struct check_sheet *s, const struct recording_evidence *x, const char *none)
{
	struct table t = {.report = "evidence",
	    .title = "Evidence of tq-advise",
	    .reason = none,
	    .next = "tq advise FILE"};

	col_heading(&t, evidence_row, &(struct evidence_fact){0});
	for (size_t i = 0; x != NULL && i < x->fact_count; i++)
		evidence_row(&t, &x->facts[i]);
	add_report(s, &t);
}

void
check_sheet_evidence(struct check_sheet *s, const struct recording_evidence *x)
{
	if (s->form == CHECK_JSON) {
		s->any = true; /* of the process that reads the recordings */
		s->text.buf.len = 0; /* that process writes it */
		add_evidence(s, x, "nothing was found");
		flush(s);
		return;
	}
	for (size_t i = 0; i < x->fact_count; i++) {
		const struct evidence_fact *f = &x->facts[i];

		printf("evidence: %s: ", evidence_name(f->check));
		escape_print(stdout, f->title);
		fputs(". ", stdout);
		escape_print(stdout, f->text);
		putchar('\n');
	}
	flush(s);
}

void
check_sheet_operands(struct check_sheet *s)
{
	if (s->form == CHECK_JSON) {
		add_report(s, &s->sources);
		add_report(s, &s->notes);
		if (!s->examined)
			add_evidence(s, NULL,
			    "not looked for in some kinds, keys or times");
	}
	flush(s);
}

void
check_sheet_finish(struct check_sheet *s)
{
	if (s->form == CHECK_JSON)
		json_document_end(&s->text.buf);
	flush(s);
	table_free(&s->sources);
	table_free(&s->notes);
	text_free(&s->file);
	text_free(&s->source);
	text_free(&s->text.buf);
}
