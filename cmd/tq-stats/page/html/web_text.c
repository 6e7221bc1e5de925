/* web_text.c - texts and words of the page in HTML */

#include <ctype.h>

#include "tq/show/amount.h"
#include "tq/show/escape.h"
#include "web.h"

static const char *const colors[PAGE_CLASSES] = {
    [PAGE_COMPUTE] = "var(--compute)",
    [PAGE_COMMUNICATION] = "var(--comm)",
    [PAGE_COPY] = "var(--copy)",
    [PAGE_HOST] = "var(--host)",
    [PAGE_SYNC] = "var(--sync)",
    [PAGE_OTHER] = "var(--other)",
};

const char *
web_text_color(enum page_class c)
{
	return colors[c];
}

void
web_text_share(struct text *b, int64_t part, int64_t all)
{
	struct text share = {0};

	amount_share(&share, part, all);
	escape_html(b, text_span(&share));
	text_add_str(b, " %");
	text_free(&share);
}

/* The length of an abbreviation that title begins with, or 0. */
static size_t
abbreviation(const char *title)
{
	static const char *const all[] = {
	    "API", "CPU", "CUDA", "GPU", "HIP", "OS"};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		size_t len = strlen(all[i]);

		if (strncmp(title, all[i], len) == 0 &&
		    strchr(" S", title[len]) != NULL)
			return len;
	}
	return 0;
}

/* "WHERE THE GPUS WAIT" as "Where the GPUs wait" */
static void
add_title(struct text *b, const char *title)
{
	size_t upper = 1;

	for (const char *p = title; *p != '\0'; p++) {
		if (p == title || p[-1] == ' ') {
			size_t len = abbreviation(p);

			upper = len > 0 ? len : p == title;
		}
		text_add_char(b, (char)(upper > 0 ? toupper(*p) : tolower(*p)));
		upper -= upper > 0;
	}
}

void
web_text_section(struct text *b, const char *title, struct span of)
{
	struct text words = {0};

	add_title(&words, title);
	html_card(b, text_span(&words), of);
	text_free(&words);
}
