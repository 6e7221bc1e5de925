/*
 * functions_module.h - functions of Python that are annotated, where no
 * sitecustomize.py runs
 */
#ifndef TQ_AGENT_FUNCTIONS_MODULE_H
#define TQ_AGENT_FUNCTIONS_MODULE_H

/*
 * In a program with Python that was told to have no sitecustomize (-I, -E, -S),
 * run ours between two of its instructions.  Called when NVTX or CUDA has
 * loaded the library; nothing if functions are not asked for, or it has run.
 */
void functions_module_start(void);

#endif
