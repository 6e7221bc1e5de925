/* nvToolsExtPayload.h - the stand-in has all in one */
#include "nvToolsExt.h"
