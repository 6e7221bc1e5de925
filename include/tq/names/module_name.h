/*
 * module_name.h - the modules of a model, by the names of their ranges.
 */
#ifndef TQ_NAMES_MODULE_NAME_H
#define TQ_NAMES_MODULE_NAME_H

#include "tq/base/span.h"

/*
 * The module that a range of that name is of, empty if it is of none: of
 * "nn.Module: Linear_0" of PyTorch's profiler, and of the dictionary of vLLM
 * and SGLang, {'Module': 'model.layers.0.mlp', 'Inputs': [[32, 2880]], ...}.
 * The name may be escaped as in JSON: the module is, too.
 */
struct span module_name(struct span range);

#endif
