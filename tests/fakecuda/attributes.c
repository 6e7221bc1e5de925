/* attributes.c - the settings of libcupti that are numbers */

#include <string.h>

#include "fakecupti.h"

enum { NEW = FAKE_GENERATION >= 130 };

/* In the order of CUpti_ActivityAttribute; sizes in bytes. */
static struct {
	size_t size;
	uint64_t value;
} attributes[] = {
    {8, 3200000}, /* DEVICE_BUFFER_SIZE */
    {8, 8 << 20}, /* DEVICE_BUFFER_SIZE_CDP */
    {8, 250},     /* DEVICE_BUFFER_POOL_LIMIT */
    {8, 25000},   /* PROFILING_SEMAPHORE_POOL_SIZE */
    {8, 250},     /* PROFILING_SEMAPHORE_POOL_LIMIT */
    {1, 0},       /* ZEROED_OUT_ACTIVITY_BUFFER */
    {8, 3},       /* DEVICE_BUFFER_PRE_ALLOCATE_VALUE */
    {8, 3},       /* PROFILING_SEMAPHORE_PRE_ALLOCATE_VALUE */
    {1, 0},       /* MEM_ALLOCATION_TYPE_HOST_PINNED */
    {1, NEW},     /* PER_THREAD_ACTIVITY_BUFFER */
    {8, 0},       /* DEVICE_BUFFER_SIZE_DEVICE_GRAPHS */
};

bool
attributes_zeroed(void)
{
	return attributes[CUPTI_ACTIVITY_ATTR_ZEROED_OUT_ACTIVITY_BUFFER].value;
}

bool
attributes_per_thread(void)
{
	return attributes[CUPTI_ACTIVITY_ATTR_PER_THREAD_ACTIVITY_BUFFER].value;
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
	return *size < attributes[which].size
		   ? CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT
		   : CUPTI_SUCCESS;
}

CUptiResult
cuptiActivitySetAttribute(
    CUpti_ActivityAttribute which, size_t *size, void *value)
{
	CUptiResult result = check_attribute(which, size, value);

	if (result == CUPTI_SUCCESS)
		memcpy(&attributes[which].value, value, attributes[which].size);
	return result;
}

CUptiResult
cuptiActivityGetAttribute(
    CUpti_ActivityAttribute which, size_t *size, void *value)
{
	CUptiResult result = check_attribute(which, size, value);

	if (result == CUPTI_SUCCESS) {
		*size = attributes[which].size;
		memcpy(value, &attributes[which].value, *size);
	}
	return result;
}
