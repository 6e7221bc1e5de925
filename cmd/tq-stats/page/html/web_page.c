/* web_page.c - the page of tq-stats as one file in HTML */

#include <stdlib.h>

#include "tq/base/mem.h"

#include "tq/show/short_names.h"
#include "tq/show/amount.h"
#include "tq/show/escape.h"
#include "tq/show/display.h"
#include "tq/show/html.h"
#include "web_page.h"
#include "web.h"

enum {
	WEB_MOST = 195000, /* bytes of the page, but for the frame of a card */
	SHORT_NAME = 60    /* columns; a window may cut more */
};

/* ---- head ---- */

static void
add_head(struct text *b, const struct page *p)
{
	struct text title = {0};

	text_add(&title, p->title.p, display_head(p->title, HTML_NAME));
	text_add_str(&title, " - tq-stats");
	html_head(b, text_span(&title));
	html_cards(b);
	html_body(b);
	text_add_str(b, "<div class=\"w\">\n");
	text_free(&title);
}

/* ---- header ---- */

static void
add_time_chip(struct text *b, int64_t ns, const char *words)
{
	text_add_str(b, "<span><b>");
	amount_time(b, ns);
	text_printf(b, "</b> %s</span>\n", words);
}

/* The caller may add more, and closes the span. */
static void
add_count_chip(struct text *b, int64_t n, const char *word)
{
	text_add_str(b, "<span><b>");
	amount_count(b, n);
	text_printf(b, "</b> %s%s", word, n == 1 ? "" : "s");
}

static void
add_text_chip(struct text *b, struct span s)
{
	if (s.len == 0)
		return;
	text_add_str(b, "<span>");
	escape_html_cut(b, s, HTML_NAME);
	text_add_str(b, "</span>\n");
}

static void
add_losses(struct text *b, const struct page *p)
{
	if (p->lost > 0) {
		text_add_str(b, "<span class=\"bad\">");
		amount_count(b, p->lost);
		text_printf(
		    b, " event%s lost</span>\n", p->lost == 1 ? "" : "s");
	}
	if (p->cut)
		text_add_str(b,
		    "<span class=\"bad\">the stream was cut before its "
		    "end</span>\n");
	if (p->lost == 0 && !p->cut && p->doubt != NULL)
		text_printf(b, "<span class=\"bad\">%s</span>\n", p->doubt);
	else if (p->lost == 0 && !p->cut)
		text_add_str(b, "<span class=\"ok\">nothing lost</span>\n");
}

/* The file, and the command that was recorded. */
static void
add_recording(struct text *b, const struct page *p)
{
	if (p->file.len > 0) {
		text_add_str(b, "<b>");
		escape_html_cut(b, p->file, HTML_NAME);
		text_add_str(b, p->command.len > 0 ? "</b> " : "</b>");
	}
	if (p->command.len > 0)
		escape_html_cut(b, p->command, WEB_LINE);
	else if (p->file.len == 0)
		escape_html_cut(b, p->title, HTML_NAME);
}

static void
add_header(struct text *b, const struct page *p)
{
	text_add_str(b, "<header><div class=\"m\">");
	add_recording(b, p);
	text_add_str(b, "</div>\n<div class=\"chips\">\n");
	if (p->recorded > 0 && !p->untimed)
		add_time_chip(b, p->recorded, "recorded");
	if (p->active_only)
		add_time_chip(b, p->active, "first to last operation");
	if (p->gpu_count > 0) {
		add_count_chip(b, (int64_t)p->gpu_count, "GPU");
		if (p->model.len > 0) {
			text_add_str(b, " (");
			escape_html_cut(b, p->model, HTML_NAME);
			text_add_char(b, ')');
		}
		text_add_str(b, "</span>\n");
		add_count_chip(b, p->operations, "operation");
		text_add_str(b, "</span>\n");
	}
	add_text_chip(b, p->producer);
	add_text_chip(b, p->utc);
	add_losses(b, p);
	text_add_str(b, "</div>\n</header>\n");
}

/* ---- the verdict ---- */

static void
add_verdict(struct text *b, const struct page *p)
{
	text_add_str(b, "<h1>");
	if (p->verb_count == 0)
		escape_html_cut(b, p->sentence, HTML_NAME);
	else
		text_add_str(b, p->subject);
	for (size_t i = 0; i < p->verb_count; i++) {
		const struct page_verb *v = &p->verbs[i];

		text_add_str(b, i == 0                  ? " "
				: i + 1 < p->verb_count ? ", "
							: " and ");
		text_printf(b, "<span>%s <i style=\"--c:%s\">", v->verb,
		    web_text_color(v->class));
		web_text_share(b, v->time, p->time_of);
		text_printf(b, "</i></span>%s", i == 0 ? " of the time" : "");
	}
	text_add_str(b, p->verb_count > 0 ? "." : "");
	if (p->start_up.len > 0) {
		text_add_char(b, ' ');
		escape_html_cut(b, p->start_up, HTML_NAME);
		text_add_char(b, '.');
	}
	text_add_str(b, "</h1>\n");
}

/* ---- findings ---- */

static const char *
severity(const struct page_finding *f)
{
	double share = f->of > 0 ? (double)f->cost / (double)f->of : 0;

	if (f->loss || (!f->note && share >= 0.2 && f->most >= 3))
		return "var(--red)";
	return !f->note && share >= 0.05 ? "var(--yellow)" : "var(--cyan)";
}

static void
add_part(struct text *b, const struct page_part *part)
{
	if (part->kind == PAGE_NUMBER)
		text_add_str(b, "<b>");
	escape_html_cut(
	    b, part->text, part->kind == PAGE_NAME ? HTML_NAME : WEB_SENTENCE);
	if (part->kind == PAGE_NUMBER)
		text_add_str(b, "</b>");
}

static void
add_finding(struct text *b, const struct page_finding *f)
{
	text_printf(b, "<div class=\"c\" style=\"--c:%s\">\n<h3>", severity(f));
	escape_html_cut(b, f->title, HTML_NAME);
	if (f->note) {
		text_add_str(b, "<span class=\"n\">note");
	} else {
		text_add_str(b, "<span>");
		web_text_share(b, f->cost, f->of);
	}
	text_add_str(b, "</span></h3>\n<p>");
	for (size_t i = 0; i < f->count; i++)
		add_part(b, &f->parts[i]);
	text_add_str(b, "</p>\n");
	if (f->command.len > 0)
		html_command(b, f->command);
	text_add_str(b, "</div>\n");
}

/* The line above a group of findings. */
static void
add_group(struct text *b, struct page_group g)
{
	if (g.title == NULL)
		return;
	text_printf(b, "<h2 class=\"gr\">%s", g.title);
	if (g.of > 0) {
		text_add_str(b, "<span>");
		web_text_share(b, g.cost, g.of);
		text_add_str(b, "</span>");
	}
	text_add_str(b, "</h2>\n");
}

static void
add_findings(struct text *b, const struct page *p)
{
	if (p->finding_count == 0)
		return;
	text_add_str(b, "<section class=\"f\" aria-label=\"Findings\">\n");
	if (p->base.len > 0) {
		text_add_str(b, "<p class=\"base\">");
		escape_html_cut(b, p->base, WEB_SENTENCE);
		text_add_str(b, "</p>\n");
	}
	for (size_t i = 0; i < p->finding_count; i++) {
		add_group(b, findings_group(p, i));
		add_finding(b, &p->findings[i]);
	}
	text_add_str(b, "</section>\n");
}

/* ---- tables ---- */

static void
add_gap(struct text *b, const struct page_gap *g, bool first)
{
	text_add_str(b, first ? "Longest: <b>" : "; <b>");
	amount_time(b, g->dur);
	text_add_str(b, "</b> at ");
	amount_moment(b, g->at);
	text_add_str(b, " on ");
	escape_html_cut(b, g->gpu, HTML_NAME);
	text_printf(b, ": %s", g->cause);
	if (g->thing.len > 0) {
		text_add_str(b, ", <span class=\"m\">");
		escape_html_cut(b, g->thing, HTML_NAME);
		text_add_str(b, "</span>");
	}
	if (g->before.len > 0)
		text_add_str(b, ",");
	if (g->before.len > 0) {
		text_add_str(b, " before <span class=\"m\">");
		escape_html_cut(b, g->before, HTML_NAME);
		text_add_str(b, "</span>");
	}
	if (g->range.len > 0) {
		text_add_str(b, " in <span class=\"m\">");
		escape_html_cut(b, g->range, HTML_NAME);
		text_add_str(b, "</span>");
	}
}

static void
add_waits(struct text *b, const struct web_tables *w)
{
	const struct page *p = w->page;

	web_table(b, w, &p->waits, PAGE_OTHER, false);
	if (p->waits.count == 0)
		return;
	if (p->gap_count > 0)
		text_add_str(b, "<p class=\"more\">");
	for (size_t i = 0; i < p->gap_count; i++)
		add_gap(b, &p->gaps[i], i == 0);
	if (p->gap_count > 0)
		text_add_str(b, ".</p>\n");
	text_add_str(b, "</section>\n");
}

static void
add_table(struct text *b, const struct web_tables *w,
    const struct page_table *t, enum page_class c, bool mono)
{
	web_table(b, w, t, c, mono);
	if (t->count > 0)
		text_add_str(b, "</section>\n");
}

static void
add_tables(struct text *b, const struct page *p)
{
	struct region life = {0};
	struct span *shorts =
	    mem_alloc((p->kernel_count + 1) * sizeof(*shorts));
	struct web_tables w = {p, shorts};

	short_names(p->kernel_names, p->kernel_count, SHORT_NAME,
	    "\xe2\x80\xa6", shorts, &life);
	add_table(b, &w, &p->serving, PAGE_COMPUTE, false);
	add_table(b, &w, &p->stragglers, PAGE_COMMUNICATION, false);
	add_table(b, &w, &p->beside, PAGE_COMMUNICATION, false);
	add_table(b, &w, &p->collectives, PAGE_COMMUNICATION, false);
	if (p->gpu_count == 0)
		add_table(b, &w, &p->functions, PAGE_COMPUTE, true);
	add_table(b, &w, &p->operators, PAGE_COMPUTE, true);
	add_table(b, &w, &p->graphs, PAGE_COMPUTE, true);
	add_table(b, &w, &p->kernels, PAGE_COMPUTE, true);
	add_waits(b, &w);
	add_table(b, &w, &p->copies, PAGE_COPY, false);
	add_table(b, &w, &p->calls, PAGE_OTHER, true);
	add_table(b, &w, &p->os_calls, PAGE_OTHER, true);
	add_table(b, &w, &p->steps, PAGE_COMPUTE, false);
	add_table(b, &w, &p->ranges, PAGE_COMPUTE, true);
	if (p->gpu_count > 0)
		add_table(b, &w, &p->functions, PAGE_COMPUTE, true);
	free(shorts);
	region_free(&life);
}

/* ---- the end ---- */

static void
add_recorded(struct text *b, const struct page *p)
{
	if (p->recorded_count == 0)
		return;
	web_text_section(b, "Recorded", SPAN(""));
	text_add_str(b, "<dl>\n");
	for (size_t i = 0; i < p->recorded_count; i++) {
		const struct page_line *line = &p->recorded_lines[i];

		text_printf(b, "<dt>%s</dt><dd>", line->label);
		escape_html_cut(b, line->text, WEB_LINE);
		if (line->command.len > 0)
			html_command(b, line->command);
		text_add_str(b, "</dd>\n");
	}
	text_add_str(b, "</dl>\n</section>\n");
}

static void
add_go_on(struct text *b, const struct page *p)
{
	if (p->go_on_count == 0)
		return;
	web_text_section(b, "Go on", SPAN(""));
	text_add_str(b, "<dl>\n");
	for (size_t i = 0; i < p->go_on_count; i++) {
		if (p->go_on[i].page)
			continue;
		text_printf(b, "<dt>%s</dt><dd>", p->go_on[i].says);
		html_command(b, p->go_on[i].command);
		text_add_str(b, "</dd>\n");
	}
	text_add_str(b, "</dl>\n</section>\n");
}

void
web_page(struct text *b, const struct page *p)
{
	struct text rest = {0};
	size_t start = b->len, used;

	add_head(b, p);
	add_header(b, p);
	add_verdict(b, p);
	text_add_str(b, "<main class=\"g\">\n");
	text_add_str(&rest, "<div class=\"cols\">\n");
	add_findings(&rest, p);
	add_tables(&rest, p);
	add_recorded(&rest, p);
	add_go_on(&rest, p);
	text_add_str(&rest, "</div>\n</main>\n</div>\n");
	html_cards_end(&rest);
	used = b->len - start + rest.len;
	web_time(b, p, used < WEB_MOST ? WEB_MOST - used : 0);
	text_add_span(b, text_span(&rest));
	text_free(&rest);
}
