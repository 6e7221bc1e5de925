/*
 * functions_module.c - the module _tq_capture of Python, with which
 * sitecustomize.py annotates functions
 *
 *	label(domain, name, color) -> number
 *	set(code, number)          calls of that code have this label
 *	begin(code, offset)        callbacks for sys.monitoring
 *	end(code, offset, value)
 *	wrap(callable, after, number, flags) -> callable
 *	note(text)                 the launcher prints it
 */

#include <dlfcn.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/agent.h"

#include "function_label.h"
#include "functions_module.h"
#include "python_api.h"
#include "traced_function.h"

static atomic_bool started; /* in this process or its parent */

static void *
none(void)
{
	python_api.Py_IncRef(python_api.none);
	return python_api.none;
}

/* ---- the functions ---- */

static void *
on_label(void *self, void *args)
{
	const char *domain, *name;
	unsigned color;

	(void)self;
	if (!python_api.PyArg_ParseTuple(args, "ssI", &domain, &name, &color))
		return NULL;
	return python_api.PyLong_FromLong(
	    function_label_add(domain, name, color));
}

static void *
on_set(void *self, void *args)
{
	void *code;
	int label;

	(void)self;
	if (!python_api.PyArg_ParseTuple(args, "Oi", &code, &label))
		return NULL;
	python_api.Py_IncRef(code); /* so that its address stays its own */
	function_label_set(code, label);
	return none();
}

static void *
on_begin(void *self, void *const *args, intptr_t n)
{
	int32_t label =
	    n > 0 ? function_label_of(args[0]) : FUNCTION_LABEL_NONE;

	(void)self;
	if (label != FUNCTION_LABEL_NONE)
		function_label_begin(label, NULL, NULL);
	return none();
}

static void *
on_end(void *self, void *const *args, intptr_t n)
{
	int32_t label =
	    n > 0 ? function_label_of(args[0]) : FUNCTION_LABEL_NONE;

	(void)self;
	if (label != FUNCTION_LABEL_NONE)
		function_label_end(label);
	return none();
}

static void *
on_wrap(void *self, void *args)
{
	void *real, *after;
	int label;
	unsigned flags;

	(void)self;
	if (!python_api.PyArg_ParseTuple(
		args, "OOiI", &real, &after, &label, &flags))
		return NULL;
	return traced_function_new(real, after, label, flags);
}

static void *
on_note(void *self, void *args)
{
	const char *text;

	(void)self;
	if (!python_api.PyArg_ParseTuple(args, "s", &text))
		return NULL;
	agent_note(NOTE_WARNING, text);
	return none();
}

/* ---- the module ---- */

/* Python calls it: the spelling of the name has the module. */
__attribute__((visibility("default"))) void *PyInit__tq_capture(void);

void *
PyInit__tq_capture(void)
{
	static struct python_method methods[] = {
	    {"label", (python_function)on_label, PYTHON_VARARGS, NULL},
	    {"set", (python_function)on_set, PYTHON_VARARGS, NULL},
	    {"begin", (python_function)on_begin, PYTHON_FASTCALL, NULL},
	    {"end", (python_function)on_end, PYTHON_FASTCALL, NULL},
	    {"wrap", (python_function)on_wrap, PYTHON_VARARGS, NULL},
	    {"note", (python_function)on_note, PYTHON_VARARGS, NULL}, {0}};
	static struct python_module module = {.head = {.references = 1},
	    .name = "_tq_capture",
	    .size = -1,
	    .methods = methods};

	if (!python_api_find() || !traced_function_open())
		return NULL;
	atomic_store(&started, true);
	return python_api.PyModule_Create2(&module, PYTHON_MODULE_VERSION);
}

/* ---- a program that imports no sitecustomize ---- */

static const char script[] = "python/sitecustomize.py";

/* the script beside this library, and its path; NULL: it can't be read.
   free(3) it */
static char *
read_script(char path[PATH_MAX])
{
	Dl_info self;
	const char *slash;
	char *text = NULL;
	size_t size = 0;
	FILE *in;

	if (dladdr(script, &self) == 0 ||
	    (slash = strrchr(self.dli_fname, '/')) == NULL)
		return NULL;
	snprintf(path, PATH_MAX, "%.*s%s", (int)(slash + 1 - self.dli_fname),
	    self.dli_fname, script);
	if ((in = fopen(path, "re")) == NULL)
		return NULL;
	if (getdelim(&text, &size, '\0', in) < 0) {
		free(text);
		text = NULL;
	}
	fclose(in);
	return text;
}

/* Run that code in a namespace of its own; false if it raises something. */
static bool
run_code(void *code, const char *path)
{
	const char *const names[] = {"__name__", "__file__"};
	const char *const texts[] = {"_tq_capture_late", path};
	void *globals = python_api.PyDict_New(), *value;

	if (code == NULL || globals == NULL)
		return false;
	python_api.PyDict_SetItemString(
	    globals, "__builtins__", python_api.PyEval_GetBuiltins());
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		value = python_api.PyUnicode_FromString(texts[i]);
		python_api.PyDict_SetItemString(globals, names[i], value);
	}
	value = python_api.PyEval_EvalCode(code, globals, globals);
	if (value == NULL)
		python_api.PyErr_Clear();
	return value != NULL;
}

/* Python calls it in its main thread, between two of its instructions */
static int
run_late(void *nothing)
{
	enum { FILE_INPUT = 257 }; /* Py_file_input */
	char path[PATH_MAX], *text;

	(void)nothing;
	if (atomic_load(&started))
		return 0;
	if ((text = read_script(path)) == NULL ||
	    !run_code(
		python_api.Py_CompileString(text, path, FILE_INPUT), path)) {
		agent_note(NOTE_WARNING,
		    "functions of Python are not annotated: sitecustomize.py "
		    "of tq-capture can't be run");
		python_api.PyErr_Clear();
	}
	free(text);
	return 0;
}

void
functions_module_start(void)
{
	static atomic_flag asked = ATOMIC_FLAG_INIT;

	if (getenv(CAPTURE_PYTHON_VARIABLE) == NULL || atomic_load(&started) ||
	    !python_api_find() || !python_api.Py_IsInitialized() ||
	    atomic_flag_test_and_set(&asked))
		return;
	python_api.Py_AddPendingCall(run_late, NULL);
}
