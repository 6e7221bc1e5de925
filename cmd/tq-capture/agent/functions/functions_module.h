/*
 * functions_module.h - functions of Python that are annotated, where no
 * sitecustomize.py runs
 */
#ifndef TQ_AGENT_FUNCTIONS_MODULE_H
#define TQ_AGENT_FUNCTIONS_MODULE_H

/*
 * In a program with Python that runs without sitecustomize (-I, -E, -S), run
 * ours between two of its instructions.  Called when NVTX or CUDA has loaded
 * the library; nothing without a setting for functions, or if it has run.
 */
void functions_module_start(void);

#endif
