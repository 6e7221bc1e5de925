/* python_start.c - the start of each Python of the command */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent_file.h"
#include "arena/arena.h"
#include "functions_file.h"
#include "python_start.h"

/* the folder beside the agent that has sitecustomize.py and pytorch.json */
#define FOLDER "python"

/* the kernel takes no longer variable, its name included */
enum { VARIABLE_MAX = 128 << 10 };

bool
python_start_try(const char *agent, struct text *why)
{
	char *file = agent_file_beside(agent, FOLDER "/sitecustomize.py");
	bool ok = access(file, R_OK) == 0;

	if (!ok)
		text_printf(why, "%s: %s", file, strerror(errno));
	else if (strchr(file, ':') != NULL) {
		text_printf(
		    why, "%s: PYTHONPATH takes no path with a colon", file);
		ok = false;
	}
	free(file);
	return ok;
}

bool
python_start_read(struct text *functions, const struct capture_options *o,
    const char *agent, struct text *why)
{
	const uint32_t traced = PYTORCH_FUNCTIONS | PYTORCH_FUNCTION_SHAPES;
	char *file;
	bool ok = true;

	if (o->functions == NULL && o->pytorch == 0)
		return true;
	if (!python_start_try(agent, why))
		return false;
	if (o->functions != NULL)
		ok = functions_file_read(functions, o->functions, 0, why);
	if (ok && (o->pytorch & traced)) {
		file = agent_file_beside(agent, FOLDER "/pytorch.json");
		ok = functions_file_read(functions, file,
		    o->pytorch & PYTORCH_FUNCTION_SHAPES ? FUNCTION_SHAPES : 0,
		    why);
		free(file);
	}
	if (ok && (o->pytorch & (PYTORCH_AUTOGRAD | PYTORCH_AUTOGRAD_SHAPES)))
		text_printf(functions, "%sautograd\t%d",
		    functions->len > 0 ? "\n" : "",
		    (o->pytorch & PYTORCH_AUTOGRAD_SHAPES) != 0);
	if (ok && functions->len >=
		      VARIABLE_MAX - sizeof(CAPTURE_PYTHON_VARIABLE) - 1) {
		text_printf(why, "%s: too many functions for the environment",
		    o->functions);
		ok = false;
	}
	text_add_char(functions, '\0');
	functions->len--;
	return ok;
}

void
python_start_set(
    struct capture_options *o, const char *functions, const char *agent)
{
	static const char variable[] = "PYTHONPATH";
	const char *old = capture_options_variable(o, variable);
	struct text path = {0};
	char *own = agent_file_beside(agent, FOLDER);

	text_add_str(&path, own);
	if (old != NULL && *old != '\0')
		text_printf(&path, ":%s", old);
	text_add_char(&path, '\0');
	capture_options_set(o, variable, path.p);
	capture_options_set(o, CAPTURE_PYTHON_VARIABLE, functions);
	text_free(&path);
	free(own);
}
