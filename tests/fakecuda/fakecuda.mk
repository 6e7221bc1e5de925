# The CUDA without a GPU, and programs on it; see fakecuda.h.  Built where the
# headers of CUDA 13 or newer are; CUDA_INC says where that is.  Sanitizers
# see to what is tested with these, not to these themselves.

CUDA_HOME ?= /usr/local/cuda
CUDA_INC ?= $(CUDA_HOME)/include

FAKE	= $(BUILD)/fakecuda
FAKE_GENERATIONS = 11.8 12.4 13.0 future
FAKE_CC	= $(CC) -std=c11 -D_GNU_SOURCE $(WARN) $(WERROR) \
	  -isystem $(CUDA_INC) -isystem $(CUDA_INC)/../extras/CUPTI/include \
	  $(filter-out -fsanitize% -fno-sanitize%,$(CFLAGS)) \
	  -fPIC -pthread -MMD -MP
FAKE_LINK = $(filter-out -fsanitize%,$(LDFLAGS)) -Wl,-z,defs

fake_objects = $(patsubst %,$(FAKE)/%.o,$(1))

ifneq ($(wildcard $(CUDA_INC)/cuda.h),)
FAKE_CUPTI_H = $(firstword $(shell grep -ls CUpti_ActivityKernel10 \
	  $(CUDA_INC)/cupti_activity.h \
	  $(CUDA_INC)/../extras/CUPTI/include/cupti_activity.h))
endif

ifneq ($(FAKE_CUPTI_H),)
programs: $(FAKE_GENERATIONS:%=$(FAKE)/%/libcupti.so.13) \
    $(addprefix $(FAKE)/,storm direct agent.so)
else
programs: no-fakecuda
endif

no-fakecuda:
	@echo "fakecuda: no headers of CUDA 13 in $(CUDA_INC), not built"

$(FAKE)/%.o: tests/fakecuda/%.c
	@mkdir -p $(@D)
	$(FAKE_CC) -c -o $@ $<

$(FAKE)/libcuda.so.1: $(call fake_objects,call gpu driver order graph)
	$(FAKE_CC) $(FAKE_LINK) -shared -Wl,-soname,libcuda.so.1 -o $@ $^ -ldl

$(FAKE)/libcudart.so.13: $(call fake_objects,compiled runtime runtime_stream) \
    $(FAKE)/libcuda.so.1
	$(FAKE_CC) $(FAKE_LINK) -shared -Wl,-soname,libcudart.so.13 -o $@ $^ \
	    -ldl

# $(1): a generation; $(2): the number of it
define fake_cupti
$(FAKE)/$(1)/%.o: tests/fakecuda/%.c
	@mkdir -p $$(@D)
	$$(FAKE_CC) -DFAKE_GENERATION=$(2) -c -o $$@ $$<

$(FAKE)/$(1)/names.o: $(FAKE)/names.c
	$$(FAKE_CC) -DFAKE_GENERATION=$(2) -Itests/fakecuda -c -o $$@ $$<

$(FAKE)/$(1)/libcupti.so.13: $(patsubst %,$(FAKE)/$(1)/%.o, \
    attributes buffers clock control guard names pending query records \
    subscribe)
	$$(FAKE_CC) $$(FAKE_LINK) -shared -Wl,-soname,libcupti.so.13 \
	    -o $$@ $$^ -ldl
endef
$(eval $(call fake_cupti,11.8,118))
$(eval $(call fake_cupti,12.4,124))
$(eval $(call fake_cupti,13.0,130))
$(eval $(call fake_cupti,future,999))

$(FAKE)/names.c: tests/fakecuda/names.awk
	@mkdir -p $(@D)
	awk -f $< $(patsubst %,$(dir $(FAKE_CUPTI_H))%,cupti_runtime_cbid.h \
	    cupti_driver_cbid.h cupti_result.h) > $@.tmp
	mv $@.tmp $@

$(FAKE)/storm: $(call fake_objects,storm work counts) $(FAKE)/libcudart.so.13 \
    $(FAKE)/libcuda.so.1
	$(FAKE_CC) $(FAKE_LINK) -o $@ $^ -ldl

$(FAKE)/direct: $(FAKE)/direct.o
	$(FAKE_CC) $(FAKE_LINK) -o $@ $^ -ldl

# examples/saxpy.cu, on these libraries: nvcc makes its kernel, nobody runs it
NVCC	?= $(firstword $(wildcard $(CUDA_HOME)/bin/nvcc) \
	  $(shell command -v nvcc))
ifneq ($(FAKE_CUPTI_H),)
ifneq ($(NVCC),)
programs: $(FAKE)/saxpy
endif
endif

$(FAKE)/saxpy: examples/saxpy.cu $(FAKE)/libcudart.so.13 $(FAKE)/libcuda.so.1
	$(NVCC) -cudart none -o $@ $< $(addprefix -Xlinker ,$(filter %.13 %.1,$^))

$(FAKE)/agent.so: $(FAKE)/agent.o
	$(FAKE_CC) $(FAKE_LINK) -shared -o $@ $^ -ldl

-include $(wildcard $(FAKE)/*.d $(FAKE)/*/*.d)

.PHONY: no-fakecuda
