/* attributes.c - the settings of libcupti that are numbers */

#include <string.h>

#include "fakecupti.h"

enum { ATTRIBUTES = 16 };

/* Sizes in bytes; the last two came with 12.3 and 12.x. */
static const size_t attribute_sizes[] = {sizeof(size_t), sizeof(size_t),
    sizeof(size_t), sizeof(size_t), sizeof(size_t), 1, sizeof(size_t),
    sizeof(size_t), 1, 1, sizeof(size_t)};

static uint8_t attributes[ATTRIBUTES][sizeof(size_t)] = {
    [CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_SIZE] = {0,     0x00, 0x30},
    [CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_POOL_LIMIT] = {250},
    [CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_PRE_ALLOCATE_VALUE] = {3  },
    [CUPTI_ACTIVITY_ATTR_MEM_ALLOCATION_TYPE_HOST_PINNED] = {0    },
    [CUPTI_ACTIVITY_ATTR_PER_THREAD_ACTIVITY_BUFFER] = {FAKE_GENERATION >= 130    },
};

bool
attributes_zeroed(void)
{
	return attributes[CUPTI_ACTIVITY_ATTR_ZEROED_OUT_ACTIVITY_BUFFER][0];
}

bool
attributes_per_thread(void)
{
	return attributes[CUPTI_ACTIVITY_ATTR_PER_THREAD_ACTIVITY_BUFFER][0];
}

static CUptiResult
check_attribute(
    CUpti_ActivityAttribute which, const size_t *size, const void *value)
{
	unsigned int last =
	    FAKE_GENERATION >= 124
		? CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_SIZE_DEVICE_GRAPHS
		: CUPTI_ACTIVITY_ATTR_MEM_ALLOCATION_TYPE_HOST_PINNED;

	if (size == NULL || value == NULL || which > last)
		return CUPTI_ERROR_INVALID_PARAMETER;
	if (!subscribe_attach())
		return (CUptiResult)NO_DRIVER;
	return *size < attribute_sizes[which]
		   ? CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT
		   : CUPTI_SUCCESS;
}

CUptiResult
cuptiActivitySetAttribute(
    CUpti_ActivityAttribute which, size_t *size, void *value)
{
	CUptiResult result = check_attribute(which, size, value);

	if (result == CUPTI_SUCCESS)
		memcpy(attributes[which], value, attribute_sizes[which]);
	return result;
}

CUptiResult
cuptiActivityGetAttribute(
    CUpti_ActivityAttribute which, size_t *size, void *value)
{
	CUptiResult result = check_attribute(which, size, value);

	if (result == CUPTI_SUCCESS) {
		*size = attribute_sizes[which];
		memcpy(value, attributes[which], *size);
	}
	return result;
}
