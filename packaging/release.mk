# make release: an archive that runs on any Linux from glibc 2.28 on, and for
# the readers on musl, too.  packaging/README tells what is in it.
#
#	make release [ARCH=aarch64]
#	make wheel [ARCH=aarch64]
#	make check-cross [FILES="tests/filter.bats ..."]

ARCH	?= $(shell uname -m)
RELEASE	= $(BUILD)/release
RELEASE_NAME = tq-$(VERSION)-linux-$(ARCH)
READERS	= $(filter-out tq-capture,$(TOOLS))
OBJCOPY	?= objcopy

# all readers as one program: the name it is called by chooses
$(BUILD)/one/readers.def: Makefile packaging/release.mk
	@mkdir -p $(@D)
	for t in $(READERS); do echo "READER($$t, $$(echo $$t | tr - _)_main)"; \
	    done | sed 's/(\([^,]*\)/("\1"/' > $@
$(BUILD)/one/tq: packaging/one.c $(BUILD)/one/readers.def \
    $(READERS:%=$(BUILD)/one/%.o) $(BUILD)/libtq.a
	$(CC) $(ALL_CFLAGS) -iquote $(BUILD)/one $(LDFLAGS) -o $@ $< \
	    $(filter %.o %.a,$^) $(tq-extract_LIBS) $(LIBS)

# $(call release_make,LIBC,VARIABLE=VALUE ...)
release_make = $(MAKE) BUILD=$(RELEASE)/$(ARCH)-$(1)/tq \
    CC=$(RELEASE)/$(ARCH)-$(1)/cc OBJCOPY=$(ARCH)-linux-gnu-objcopy \
    AR=$(ARCH)-linux-gnu-ar CFLAGS=-O2 CPPFLAGS= LDFLAGS= WERROR= $(2)

release: $(COMPLETION)
ifeq ($(CUPTI_INC)$(filter command%,$(origin CUPTI_INC)),)
	@echo "make release: no cupti.h: CUDA would not be recorded." \
	    "CUPTI_INC=FOLDER says where it is" >&2; exit 1
endif
	sh packaging/toolchain.sh $(RELEASE) $(ARCH) musl
	sh packaging/toolchain.sh $(RELEASE) $(ARCH) glibc
	+$(call release_make,musl,one)
	+$(call release_make,glibc,for-release)
	rm -rf $(RELEASE)/$(RELEASE_NAME)
	+$(MAKE) install-share PREFIX= DESTDIR=$(abspath $(RELEASE))/$(RELEASE_NAME)
	+$(call release_make,glibc,install-agent PREFIX= \
	    DESTDIR=$(abspath $(RELEASE))/$(RELEASE_NAME) \
	    STRIP=$(ARCH)-linux-gnu-strip)
	TOOLS="$(READERS)" sh packaging/archive.sh $(RELEASE) $(ARCH) $(VERSION)

# unit tests and readers of another processor, by qemu
check-cross: ARCH = aarch64
check-cross: $(TOOLS:%=$(BUILD)/%) $(BUILD)/report $(BUILD)/ranks
	sh packaging/toolchain.sh $(RELEASE) $(ARCH) musl
	sh packaging/toolchain.sh $(RELEASE) $(ARCH) glibc
	+$(call release_make,musl,one)
	+$(call release_make,glibc,units)
	BUILD=$(BUILD) RELEASE=$(RELEASE) ARCH=$(ARCH) FILES="$(FILES)" \
	    sh tests/cross.sh \
	    $(UNITS:$(BUILD)/%=$(RELEASE)/$(ARCH)-glibc/tq/%)

# the same programs for pip
wheel: release
	$(RELEASE)/$(ARCH)-musl/cc -O2 -o $(RELEASE)/$(ARCH)-musl/by_name \
	    packaging/by_name.c
	$(ARCH)-linux-gnu-strip $(RELEASE)/$(ARCH)-musl/by_name
	python3 packaging/wheel.py $(RELEASE)/$(RELEASE_NAME) \
	    $(RELEASE)/$(ARCH)-musl/by_name $(ARCH) $(VERSION) $(RELEASE)

one: $(BUILD)/one/tq
units: $(UNITS)
for-release: $(BUILD)/tq-capture $(AGENT) $(PRELOAD) $(MPI) $(PYTHON)
.PHONY: release wheel check-cross units one for-release
