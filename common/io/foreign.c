/* foreign.c - files that are no streams */

#include "foreign.h"

enum { IN_NAME, IN_LINE, WHOLE_LINE };

#define REPORT "is a report of Nsight Systems:"

/* the first row that fits counts */
static const struct {
	int where;
	const char *text; /* the end of the name, or the start of the line */
	const char *what;
} files[] = {
    {IN_LINE, "version https://git-lfs",
	"a git-lfs pointer, not the file: run 'git lfs pull'"},
    {IN_LINE, "SQLite format 3", "is an SQLite database:"},
    {IN_LINE, "NVIDIA Tegra Profiler Report", REPORT},
    {IN_NAME, ".nsys-rep", REPORT},
    {IN_NAME, ".qdrep", REPORT},
    {IN_NAME, ".pftrace", "is a trace for Perfetto:"},
    {IN_LINE, "{\"traceEvents\"", "is a Chrome trace:"},
    {IN_LINE, "{\"schemaVersion\"", "is a Chrome trace:"},
    {IN_LINE, "{\"partial\"", "is a partial: tq-stats --merge reads it"},
    {WHOLE_LINE, "{", "is JSON, perhaps a Chrome trace:"},
    {IN_LINE, "[", "is a JSON array, perhaps a Chrome trace:"},
    {IN_LINE, "\"", "is JSON, perhaps a Chrome trace:"},
};

/* blanks between the tokens do not count */
static bool
starts_with(struct span line, const char *text)
{
	size_t i = 0;

	for (; *text != '\0'; i++) {
		if (i == line.len)
			return false;
		if (line.p[i] == *text)
			text++;
		else if (line.p[i] != ' ' && line.p[i] != '\t')
			return false;
	}
	return true;
}

const char *
foreign_what(const char *name, struct span line)
{
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		const char *text = files[i].text;

		if (files[i].where == IN_NAME
			? span_ends(span_of(name), span_of(text))
			: starts_with(line, text) &&
			      (files[i].where == IN_LINE ||
				  line.len == strlen(text)))
			return files[i].what;
	}
	return NULL;
}
