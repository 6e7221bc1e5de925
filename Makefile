# tq: make, make check, make check-all, make asan, make faults, make properties,
# make boards, make fuzz, make bench, make check-gpu, make gpu-kit, make lint,
# make install, make release.
# make same OLD=/an/older/build shows where the programs print anything else
# than before.  All output goes under $(BUILD); a variant is another BUILD:
#
#	make BUILD=build/clang CC=clang

VERSION	= 0.1.0
PREFIX	?= /usr/local
BUILD	?= build
# one spelling of the folder: the names of targets in *.d have it, too.  Make
# knows no names with spaces.
ifeq ($(words $(BUILD) $(CURDIR)),2)
override BUILD := $(patsubst $(CURDIR)/%,%,$(abspath $(BUILD)))
else
override BUILD := $(shell sh tests/build_folder.sh "$(BUILD)")
endif
CC	?= cc
CFLAGS	?= -O2 -g
WERROR	?=

WARN	= -Wall -Wextra -Wpedantic -Wshadow -Wundef -Wvla -Wcast-qual \
	  -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith \
	  -Wwrite-strings -Wconversion -Wno-sign-conversion -Wformat=2 \
	  -Wimplicit-fallthrough -Wno-missing-field-initializers
ALL_CFLAGS = -std=c11 -D_GNU_SOURCE -DTQ_VERSION='"$(VERSION)"' -Iinclude \
	  $(NO_FOLDER) $(WARN) $(WERROR) $(CPPFLAGS) $(CFLAGS) -MMD -MP
# the same sources are the same programs in every folder
NO_FOLDER = "-ffile-prefix-map=$(CURDIR)=."
export PWD := $(CURDIR)
LIBS	= -lpcre2-8 -lzstd -lz -lm -ldl -pthread

# cmd/x.c is a program, and so is cmd/x/ with the sources in it
TOOLS	= $(sort $(patsubst cmd/%.c,%,$(wildcard cmd/*.c)) \
	  $(patsubst cmd/%/main.c,%,$(wildcard cmd/*/main.c)))
COMMON	= $(patsubst %.c,$(BUILD)/%.o, \
	  $(wildcard common/*/*.c common/*/*/*.c))
MANS	= $(wildcard man/*.[157])
DOCS	= $(MANS:man/%=$(BUILD)/man/%)
FUZZERS	= $(patsubst tests/fuzz/%.c,$(BUILD)/fuzz/%,$(filter-out \
	  $(if $(CUPTI_INC),,tests/fuzz/raw.c tests/fuzz/salvage.c), \
	  $(wildcard tests/fuzz/*.c)))
UNITS	= $(patsubst tests/unit/%.c,$(BUILD)/unit/%,$(filter-out \
	  $(if $(CUPTI_INC),,tests/unit/cupti%),$(wildcard tests/unit/*.c)))

AGENT	= $(BUILD)/libtq-capture.so
PRELOAD	= $(BUILD)/libtq-preload.so
MPI	= $(BUILD)/libtq-mpi.so

# what Python runs at its start, beside the agent
PYTHON	= $(addprefix $(BUILD)/python/,sitecustomize.py pytorch.json)

# the folder of a build whose programs run here: the completion is made with
# them.  For a cross build, another one.
NATIVE	?= $(BUILD)
COMPLETION = $(addprefix $(BUILD)/tq.,bash zsh fish)

all: $(TOOLS:%=$(BUILD)/%) $(AGENT) $(PRELOAD) $(MPI) $(PYTHON) $(COMPLETION)

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -c -o $@ $<

$(BUILD)/libtq.a: $(COMMON)
	@rm -f $@
	$(AR) rcs $@ $^

# $(1): a tool, made of cmd/$(1).c, or of cmd/$(1)/*.c and its subfolders, but
# for the agent and its wrappers.  Within a tool an include names the subfolder.
define tool
$(1)_OBJS = $(patsubst %.c,$(BUILD)/%.o, \
	  $(filter-out cmd/$(1)/agent/% cmd/$(1)/preload/%, \
	  $(wildcard cmd/$(1).c cmd/$(1)/*.c cmd/$(1)/*/*.c \
	  cmd/$(1)/*/*/*.c)))
$$($(1)_OBJS): private ALL_CFLAGS += -iquote cmd/$(1)
$(BUILD)/$(1): $$($(1)_OBJS) $(BUILD)/libtq.a
	$$(CC) $$(CFLAGS) $$(LDFLAGS) -o $$@ $$^ $$($(1)_LIBS) $$(LIBS)
-include $$($(1)_OBJS:.o=.d)

# for the one program of all readers; main has the name of the tool
$(BUILD)/one/$(1).o: $$($(1)_OBJS)
	@mkdir -p $$(@D)
	$$(CC) -r -nostdlib -o $$@.tmp $$^
	$$(OBJCOPY) --redefine-sym main=$(subst -,_,$(1)_main) \
	    --keep-global-symbol=$(subst -,_,$(1)_main) $$@.tmp $$@
	@rm $$@.tmp
endef
$(foreach t,$(TOOLS),$(eval $(call tool,$(t))))
-include $(COMMON:.o=.d)

tq-extract_LIBS = -lsqlite3 -llz4

# the commit that tq --version names: no other program is linked again for it
COMMIT	= $(BUILD)/cmd/tq/commit
$(COMMIT).c: FORCE
	@mkdir -p $(@D)
	@{ echo '#include "version.h"'; \
	    echo "const char version_commit[] = \"$$(sh packaging/commit.sh)\";"; \
	    } > $@.tmp
	@if cmp -s $@.tmp $@; then rm $@.tmp; else mv $@.tmp $@; fi
$(COMMIT).o: private ALL_CFLAGS += -iquote cmd/tq
$(COMMIT).o: $(COMMIT).c
	$(CC) $(ALL_CFLAGS) -c -o $@ $<
$(BUILD)/tq $(BUILD)/one/tq.o: $(COMMIT).o
-include $(COMMIT).d
FORCE:

# Rules that are text, as a table of strings, for the programs that have them:
# $(call rules,FOLDER,OBJECT,RULES,HEADER,TABLE,PROGRAMS)
define rules
$(BUILD)/$(1)/$(2).c: $(1)/$(3) Makefile
	@mkdir -p $$(@D)
	{ echo '#include "$(4)"'; \
	    echo 'const char *const $(5)[] = {'; \
	    sed 's/[\\"?]/\\&/g; s/.*/"&",/' $$<; \
	    echo '0};'; } > $$@.tmp
	mv $$@.tmp $$@
$(BUILD)/$(1)/$(2).o: private ALL_CFLAGS += -iquote $(1)
$(BUILD)/$(1)/$(2).o: $(BUILD)/$(1)/$(2).c
	$$(CC) $$(ALL_CFLAGS) -c -o $$@ $$<
$(addprefix $(BUILD)/,$(6)): $(BUILD)/$(1)/$(2).o
$(patsubst tq%,$(BUILD)/one/tq%.o,$(filter tq%,$(6))): $(BUILD)/$(1)/$(2).o
-include $(BUILD)/$(1)/$(2).d
endef
KERNELS	= $(BUILD)/cmd/tq-filter/kernels
NAME_RULES = $(BUILD)/cmd/tq-diff/names/default_rules
$(eval $(call rules,cmd/tq-filter,kernels,kernels.tags,change/tag.h,tag_default_rules,tq-filter))
$(eval $(call rules,cmd/tq-diff,names/default_rules,names.rules,names/name_rules.h,name_rules_default,tq-diff))
$(eval $(call rules,cmd/tq,fleet_script,fleet.sh,fleet.h,fleet_script,tq))
$(eval $(call rules,common/ask,default_serve_rules,serve.rules,tq/ask/serve_rules.h,serve_rules_default,libtq.a))
$(eval $(call rules,common/advice,default_rules,default.rules,tq/advice/rule_file.h,rule_file_defaults,libtq.a))

# the style of all pages and the script of pages of cards, as tables of strings
STYLE = $(BUILD)/common/show/style
$(STYLE).c: $(addprefix common/show/,pages.css document.css cards.css script.js)
	@mkdir -p $(@D)
	{ echo '#include "style.h"'; \
	    for f in $^; do \
		f=$${f##*/}; \
		echo "const char *const style_$${f%.*}[] = {"; \
		sed 's/[\\"?]/\\&/g; s/.*/"&",/' common/show/$$f; \
		echo '0};'; \
	    done; } > $@.tmp
	mv $@.tmp $@

$(STYLE).o: private ALL_CFLAGS += -iquote common/show
$(STYLE).o: $(STYLE).c
	$(CC) $(ALL_CFLAGS) -c -o $@ $<

$(BUILD)/libtq.a: $(STYLE).o
-include $(STYLE).d

# ---- the agent, which tq-capture injects into programs ----

# A sanitizer's run-time library can't be injected.  The half for CUPTI wants
# its headers, and nothing else of a toolkit.
CUDA_HOME ?= /usr/local/cuda
CUPTI_INC ?= $(patsubst %/cupti.h,%,$(firstword $(wildcard \
	  $(addsuffix /cupti.h,$(CUDA_HOME)/include \
	  /usr/local/cuda/include /usr/include))))
AGENT_CUPTI = $(wildcard cmd/tq-capture/agent/cupti/*.c)
AGENT_SRC = $(wildcard $(addprefix cmd/tq-capture/agent/,*.c functions/*.c \
	  nvtx/*.c python/*.c))
ifneq ($(CUPTI_INC),)
AGENT_SRC += $(AGENT_CUPTI)
AGENT_INC = $(CUPTI_INC:%=-isystem %)
endif
# the clock, in the launcher and the wrappers too; which loader a
# program has, in these two
TICKS_OBJ = $(BUILD)/cmd/tq-capture/arena/ticks.o
LOADER_OBJ = $(BUILD)/cmd/tq-capture/arena/program_loader.o
AGENT_OBJS = $(AGENT_SRC:%.c=$(BUILD)/%.o) $(TICKS_OBJ)
AGENT_CFLAGS = $(filter-out -fsanitize% -fno-sanitize%,$(ALL_CFLAGS)) \
	  -iquote cmd/tq-capture -fPIC -fvisibility=hidden $(AGENT_INC)
# each process of a command maps them: two areas of a file take it less time
# than four
AGENT_LDFLAGS = -shared -Wl,-z,defs -Wl,-z,nodelete -Wl,-z,noseparate-code

$(TICKS_OBJ) $(LOADER_OBJ) $(AGENT_SRC:%.c=$(BUILD)/%.o): $(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(AGENT_CFLAGS) -c -o $@ $<

# the launcher reads Python's memory as the agent does
PYTHON_OBJS = $(addprefix $(BUILD)/cmd/tq-capture/agent/python/python_, \
	  layout.o text.o)
$(BUILD)/tq-capture: $(PYTHON_OBJS)

# a library is never there in part: programs under a capture load it, and a half
# of one ends them by SIGSEGV
$(AGENT): $(AGENT_OBJS) cmd/tq-capture/agent/agent.map
	$(if $(CUPTI_INC),,@echo "no cupti.h: $@ is built without CUDA" >&2)
	$(CC) $(AGENT_CFLAGS) $(AGENT_LDFLAGS) -Wl,-soname,$(notdir $@) \
	    -Wl,--version-script=cmd/tq-capture/agent/agent.map \
	    $(LDFLAGS) -o $@.new $(AGENT_OBJS) -lpthread -ldl
	mv -f $@.new $@
-include $(AGENT_OBJS:.o=.d)

$(BUILD)/python/%: cmd/tq-capture/agent/functions/%
	@mkdir -p $(@D)
	cp $< $@

# its wrappers of the C library, which -t osrt preloads: see real.c for the
# tail calls; headers that check sizes would define the functions themselves;
# the frame pointer of a thread that is looked at from outside is not known
PRELOAD_OBJS = $(patsubst %.c,$(BUILD)/%.o,$(wildcard cmd/tq-capture/preload/*.c))
$(BUILD)/cmd/tq-capture/preload/%.o: cmd/tq-capture/preload/%.c
	@mkdir -p $(@D)
	$(CC) $(AGENT_CFLAGS) -U_FORTIFY_SOURCE $(PRELOAD_CFLAGS) \
	    -fomit-frame-pointer -c -o $@ $<
$(BUILD)/cmd/tq-capture/preload/real.o: private PRELOAD_CFLAGS = \
    -fno-optimize-sibling-calls

# and those of MPI, which -t mpi preloads
MPI_OBJS = $(patsubst %.c,$(BUILD)/%.o,$(wildcard cmd/tq-capture/preload/mpi/*.c))

$(PRELOAD): $(PRELOAD_OBJS) $(TICKS_OBJ) $(LOADER_OBJ)
$(MPI): $(MPI_OBJS) $(addprefix $(BUILD)/cmd/tq-capture/preload/, \
    exec_wrappers.o real.o) $(LOADER_OBJ)
$(PRELOAD) $(MPI): $(AGENT)
	$(CC) $(AGENT_CFLAGS) $(AGENT_LDFLAGS) '-Wl,-rpath,$$ORIGIN' \
	    $(LDFLAGS) -o $@.new $(filter %.o,$^) \
	    -L$(BUILD) -l:$(notdir $(AGENT)) -lpthread -ldl
	mv -f $@.new $@
-include $(PRELOAD_OBJS:.o=.d) $(MPI_OBJS:.o=.d)

# the completion is made from what each tool says of its options
$(COMPLETION): tests/completion.sh $(TOOLS:%=$(NATIVE)/%)
	@mkdir -p $(@D)
	BUILD=$(NATIVE) sh tests/completion.sh $(subst .,,$(suffix $@)) $(TOOLS) \
	    > $@.tmp
	mv $@.tmp $@

# ---- tests ----

# tests name the headers of any tool; a header of a tool, its subfolders
TOOL_INC = $(patsubst %,-iquote cmd/%,$(TOOLS))

# the objects and libraries of its tool that a test is linked with
OWN	= $(filter %.o,$^) $(filter-out $(BUILD)/libtq.a,$(filter %.a,$^))

# what is not in common/ comes from its tool; of tq-capture, from libraries of
# the launcher and of the half for CUPTI: tests replace some of their functions
CAPTURE_LIB = $(BUILD)/libtq-launcher.a
$(CAPTURE_LIB): $(filter-out %/main.o,$(tq-capture_OBJS)) $(PYTHON_OBJS)
CUPTI_LIB = $(BUILD)/libtq-cupti.a
$(CUPTI_LIB): $(AGENT_CUPTI:cmd/tq-capture/%.c=$(BUILD)/%.o) $(TICKS_OBJ)
$(CAPTURE_LIB) $(CUPTI_LIB):
	@rm -f $@
	$(AR) rcs $@ $^

$(addprefix $(BUILD)/unit/,backlog blocked_waits clock counter_thread demangle flight_recorder focus outputs \
    parked_calls payload record_parts captured_process throttle writer_thread): $(CAPTURE_LIB)
$(BUILD)/unit/bounds: $(addprefix $(BUILD)/cmd/tq-align/,bounds.o median.o)
$(BUILD)/unit/bounds: private ALL_CFLAGS += -iquote cmd/tq-align
$(BUILD)/unit/graph_alignment: $(BUILD)/cmd/tq-correlate/graph_alignment.o
$(BUILD)/unit/dist: $(addprefix $(BUILD)/cmd/tq-stats/sums/,dist.o radix.o)
$(BUILD)/unit/number: $(BUILD)/cmd/tq-extract/write/number.o
$(BUILD)/unit/packets: $(addprefix $(BUILD)/cmd/tq-perfetto/,fields.o packets.o)
$(BUILD)/unit/merge_short: $(BUILD)/cmd/tq-filter/change/merge_short.o
$(BUILD)/unit/redact: $(BUILD)/cmd/tq-filter/change/redact.o
$(addprefix $(BUILD)/unit/,page_sums text_page web_page): \
    $(filter-out %/main.o,$(tq-stats_OBJS))
$(BUILD)/unit/class_bins: $(addprefix $(BUILD)/cmd/tq-stats/page/,thread_intervals.o duration_bins.o \
	    class_bins.o) $(addprefix $(BUILD)/cmd/tq-stats/sums/,dist.o radix.o)
$(BUILD)/unit/tag: $(BUILD)/cmd/tq-filter/change/tag.o $(KERNELS).o
$(BUILD)/unit/name_rules: $(BUILD)/cmd/tq-diff/names/name_rules.o $(NAME_RULES).o
$(BUILD)/unit/statistics $(BUILD)/unit/name_rules: private ALL_CFLAGS += -iquote cmd/tq-diff
$(BUILD)/unit/statistics: $(patsubst %.c,$(BUILD)/%.o, \
	    $(wildcard cmd/tq-diff/statistics/*.c))

# what the agent knows of CUPTI, sanitized where its tests are
$(BUILD)/agent/%.o: cmd/tq-capture/agent/%.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(TOOL_INC) $(AGENT_INC) -c -o $@ $<
-include $(wildcard $(BUILD)/agent/cupti/*.d)
$(BUILD)/unit/cupti $(BUILD)/unit/cupti_buffers: $(CUPTI_LIB)
$(BUILD)/unit/cupti $(BUILD)/unit/cupti_buffers: private \
    ALL_CFLAGS += $(AGENT_INC)
$(BUILD)/unit/agent: private ALL_CFLAGS += -isystem tests/capture
$(BUILD)/unit/agent: $(BUILD)/tests/capture/reader.o | $(AGENT)

$(BUILD)/unit/%: tests/unit/%.c $(BUILD)/libtq.a
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(TOOL_INC) $(LDFLAGS) -o $@ $< $(OWN) \
	    $(BUILD)/libtq.a $(LIBS)
-include $(UNITS:=.d)

# what tries the agent: clients with the stand-in for the NVTX header, and with
# the real one where there is one
CAPTURE	= $(BUILD)/capture
NVTX_INC ?= $(patsubst %/nvtx3/nvToolsExt.h,%,$(firstword $(wildcard \
	  $(addsuffix /nvtx3/nvToolsExt.h,$(CUDA_HOME)/include \
	  /usr/local/cuda/include /usr/include))))
CLIENTS	= $(addprefix $(CAPTURE)/stand-in/,annotate client bench dso.so nvtx \
	  ncclcalls oscalls oscost slow.so snake spin)
ifneq ($(NVTX_INC),)
CLIENTS	+= $(addprefix $(CAPTURE)/nvtx/,annotate client bench dso.so nvtx)
endif
CLIENT_CFLAGS = $(filter-out -fsanitize% -fno-sanitize%, \
	  $(subst $(NO_FOLDER),,$(ALL_CFLAGS)))

$(CAPTURE)/stand-in/%: CLIENT_INC = tests/capture
$(CAPTURE)/nvtx/%: CLIENT_INC = $(NVTX_INC)

define client
$(CAPTURE)/$(1)/%.so: tests/capture/%.c
	@mkdir -p $$(@D)
	$$(CC) $$(CLIENT_CFLAGS) -isystem $$(CLIENT_INC) -fPIC -shared -o $$@ $$< -ldl

$(CAPTURE)/$(1)/%: tests/capture/%.c
	@mkdir -p $$(@D)
	$$(CC) $$(CLIENT_CFLAGS) -isystem $$(CLIENT_INC) $$(LDFLAGS) -o $$@ $$< \
	    -lpthread -ldl

$(CAPTURE)/$(1)/%: examples/%.c
	@mkdir -p $$(@D)
	$$(CC) $$(CLIENT_CFLAGS) -isystem $$(CLIENT_INC) -o $$@ $$< -lpthread -ldl
endef
$(CAPTURE)/stand-in/snake: private LDFLAGS += -rdynamic
$(eval $(call client,stand-in))
$(eval $(call client,nvtx))
-include $(addsuffix .d,$(basename $(CLIENTS)))

$(BUILD)/tests/capture/%.o: private ALL_CFLAGS += -iquote cmd/tq-capture
$(CAPTURE)/launcher: $(BUILD)/tests/capture/launcher.o \
    $(BUILD)/tests/capture/reader.o
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^
-include $(BUILD)/tests/capture/launcher.d $(BUILD)/tests/capture/reader.d

$(CAPTURE)/reap: $(addprefix $(BUILD)/tests/capture/,reap.o lines.o)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -ldl
-include $(BUILD)/tests/capture/reap.d $(BUILD)/tests/capture/lines.d

# what CUPTI wrote once is translated again, by what the agent does it with
$(BUILD)/tests/capture/raw.o $(BUILD)/tests/capture/replay.o: private \
    ALL_CFLAGS += $(AGENT_INC)
$(CAPTURE)/replay: $(addprefix $(BUILD)/tests/capture/,replay.o lines.o raw.o) \
    $(CUPTI_LIB)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -ldl
-include $(BUILD)/tests/capture/raw.d $(BUILD)/tests/capture/replay.d

# a libnvidia-ml that needs no GPU, for tests of --counters
# streams of ranks whose clocks are known
$(BUILD)/ranks: tests/ranks/ranks.c
	@mkdir -p $(@D)
	$(CC) $(CLIENT_CFLAGS) -Wno-pedantic -o $@ $<

# reports of Nsight Systems, from text
REPORT	= $(addprefix tests/report/,report_writer.c message.c)
$(BUILD)/report: tests/report/report.c $(REPORT) $(wildcard tests/report/*.h)
	@mkdir -p $(@D)
	$(CC) $(CLIENT_CFLAGS) -o $@ $(filter %.c,$^) -llz4

NVML	= $(CAPTURE)/nvml/libnvidia-ml.so.1
$(NVML): tests/capture/nvml.c cmd/tq-capture/counters/nvml_lib.h
	@mkdir -p $(@D)
	$(CC) $(CLIENT_CFLAGS) -Wno-missing-prototypes -iquote cmd/tq-capture \
	    -fPIC -shared -o $@ $<

FAULTS	= $(BUILD)/faults/shim.so $(BUILD)/faults/sweep

programs: all $(UNITS) $(CLIENTS) $(FAULTS) $(NVML) $(CAPTURE)/launcher \
    $(CAPTURE)/reap $(BUILD)/ranks $(BUILD)/report \
    $(if $(CUPTI_INC),$(CAPTURE)/replay)
include tests/fakecuda/fakecuda.mk
include packaging/release.mk

# check-all: costly tests read all real exports, not just small ones
check check-all: programs
	BUILD="$(abspath $(BUILD))" CHECK_ALL=$(filter check-all,$@) \
	    sh tests/check.sh

# what needs a GPU; says so where there is none.  It compiles, at least.
check-gpu: programs
	BUILD="$(abspath $(BUILD))" NVCC="$(NVCC)" sh tests/gpu/check.sh

# a folder for a machine that has a driver, python3, and nothing else of this:
#	make gpu-kit; there: sh kit/check.sh
KIT	= $(BUILD)/gpu/kit
KIT_TOOLS = tq-capture tq-correlate tq-advise libtq-capture.so libtq-preload.so \
	  libtq-mpi.so
gpu-kit: programs
	rm -rf $(KIT)
	mkdir -p $(KIT)/programs $(KIT)/capture/stand-in $(KIT)/lib
	cp $(KIT_TOOLS:%=$(BUILD)/%) tests/gpu/*.sh tests/gpu/*.py $(KIT)
	cp -r $(BUILD)/python $(KIT)
	-cp $(BUILD)/capture/replay $(KIT)/capture
	-cp $(BUILD)/capture/stand-in/spin $(KIT)/capture/stand-in
	ldd $(BUILD)/tq-capture | \
	    sed -n 's/.* => \([^ ]*lib\(pcre2\|zstd\|z\)[-.0-9]*so[^ ]*\) .*/\1/p' | \
	    xargs -I '{}' cp -L '{}' $(KIT)/lib
	for p in storm graph copies risks memory; do \
	    $(NVCC) -O2 -arch=all-major -o $(KIT)/programs/$$p \
	        tests/gpu/$$p.cu || exit 1; done
	strip $(KIT)/programs/* $(KIT)/tq-* $(KIT)/libtq-*.so
	test $$(du -sk $(KIT) | cut -f 1) -lt 65536

# each line that a source writes is read, too
SANITIZE = -fsanitize=address,undefined -fno-sanitize-recover=all \
	  -fno-omit-frame-pointer -DTQ_CHECK_LINES
asan:
	$(MAKE) BUILD=$(BUILD)/asan CFLAGS="-O1 -g1 $(SANITIZE)" check

# calls of the programs fail one after the other; POINTS=10: of each kind of
# call, 10 of each command.  ONLY="tq-filter --step": these commands
$(BUILD)/faults/shim.so: tests/faults/shim.c
	@mkdir -p $(@D)
	$(CC) $(CLIENT_CFLAGS) -fPIC -shared -o $@ $< -ldl

$(BUILD)/faults/sweep: tests/faults/sweep.c $(BUILD)/libtq.a
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $< $(BUILD)/libtq.a $(LIBS)
-include $(BUILD)/faults/sweep.d

faults: all $(FAULTS) $(CLIENTS) $(BUILD)/report
	BUILD=$(BUILD) POINTS=$(POINTS) sh tests/faults/run.sh $(ONLY:%="%")

# what holds for every stream, tried on N of them, from number SEED on, or for
# SECONDS
properties: all
	PATH="$(abspath $(BUILD)):$$PATH" PYTHONDONTWRITEBYTECODE=1 \
	    python3 tests/properties/check.py --count $(or $(N),10000) \
	    $(SEED:%=--seed %) $(SECONDS:%=--time %) $(ONLY)

# the tests that try many, with BOARDS times as many, from number SEED on
boards: programs
	BUILD=$(BUILD) BOARDS=$(or $(BOARDS),10) SEED=$(or $(SEED),1) \
	    sh tests/boards.sh $(ONLY)

# a libFuzzer target for each parser; FUZZ_SECONDS each
FUZZ_SECONDS ?= 60
FUZZ_CFLAGS = -O1 -g $(SANITIZE) -fsanitize=fuzzer-no-link
fuzz:
	$(MAKE) BUILD=$(BUILD)/fuzz-build CC=clang CFLAGS="$(FUZZ_CFLAGS)" \
	    fuzz-run

# a parser that is not in common/ comes from its tool
$(BUILD)/fuzz/btree: $(addprefix $(BUILD)/cmd/tq-extract/sqlite/,btree.o \
	  row_format.o sql_value.o)
$(BUILD)/fuzz/mutants: $(addprefix $(BUILD)/cmd/tq-extract/sqlite/,btree.o \
	  row_format.o sql_value.o)
$(BUILD)/fuzz/mutants: private LIBS += -lsqlite3
$(BUILD)/fuzz/stream: $(addprefix $(BUILD)/cmd/tq-extract/, \
	  operand.o sort_stream.o write/key_choice.o)
$(BUILD)/fuzz/key_choice: $(BUILD)/cmd/tq-extract/write/key_choice.o
SOURCE_FUZZERS = $(patsubst tests/fuzz/%.c,$(BUILD)/fuzz/%,$(shell \
	  grep -lE 'fuzz_(source|held|database)[.]h' tests/fuzz/*.c))
$(BUILD)/fuzz/nsysrep: $(REPORT:%.c=$(BUILD)/%.o)
$(SOURCE_FUZZERS): $(filter-out %/main.o,$(tq-extract_OBJS))
$(SOURCE_FUZZERS): private LIBS += -lsqlite3 -llz4
$(BUILD)/fuzz/partial: $(filter-out %/main.o,$(tq-stats_OBJS))
$(BUILD)/fuzz/pstats: $(filter-out %/main.o,$(tq-stats_OBJS))
$(BUILD)/fuzz/nsys_filter: $(BUILD)/cmd/tq-stats/nsys_filter.o
$(BUILD)/fuzz/http_request: $(BUILD)/cmd/tq/http_request.o
$(BUILD)/fuzz/tag: $(BUILD)/cmd/tq-filter/change/tag.o $(KERNELS).o
$(BUILD)/fuzz/points: $(filter-out %/main.o,$(tq-align_OBJS))
$(addprefix $(BUILD)/fuzz/,graph_annotation graph_survey): $(filter-out %/main.o,$(tq-correlate_OBJS))
$(BUILD)/fuzz/gate: $(filter-out %/main.o,$(tq-diff_OBJS)) $(NAME_RULES).o
$(BUILD)/fuzz/name_rules: $(BUILD)/cmd/tq-diff/names/name_rules.o $(NAME_RULES).o
$(addprefix $(BUILD)/fuzz/,arena_header capture elf functions_file line_table \
    payload proc_maps program_loader remote_stack thread_look): $(CAPTURE_LIB)
$(BUILD)/fuzz/salvage: $(CUPTI_LIB) $(CAPTURE_LIB)
$(BUILD)/fuzz/raw: $(BUILD)/tests/capture/raw.o $(CUPTI_LIB)
$(BUILD)/fuzz/raw: private ALL_CFLAGS += $(AGENT_INC)
$(BUILD)/fuzz/chrome: $(addprefix $(BUILD)/cmd/tq-chrome/,chrome_args.o \
	  chrome_trace.o spell.o)
$(BUILD)/fuzz/table: $(addprefix $(BUILD)/cmd/tq-table/,kind_files.o \
	  page_values.o parquet_file.o table_column.o thrift.o)
$(BUILD)/fuzz/perfetto: $(addprefix $(BUILD)/cmd/tq-perfetto/, \
    describe.o fields.o hue.o notes.o packets.o \
    perfetto_args.o perfetto_trace.o profile.o stages.o)

$(BUILD)/fuzz/%: tests/fuzz/%.c $(BUILD)/libtq.a
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(TOOL_INC) -fsanitize=fuzzer -o $@ $< \
	    $(OWN) $(BUILD)/libtq.a $(LIBS)
-include $(FUZZERS:=.d) $(REPORT:%.c=$(BUILD)/%.d)

fuzz-run: $(FUZZERS)
	SECONDS_EACH=$(FUZZ_SECONDS) sh tests/fuzz/run.sh $(FUZZERS)

BENCH_GENERATE = $(addprefix tests/bench/,generate.c report_file.c rows.c \
	  timeline.c vocabulary.c) $(REPORT)
$(BUILD)/bench/generate: $(BENCH_GENERATE) $(wildcard tests/bench/*.h \
    tests/report/*.h)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -o $@ $(BENCH_GENERATE) -lsqlite3 -llz4

$(BUILD)/bench/measure: tests/bench/measure.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -o $@ tests/bench/measure.c

$(BUILD)/bench/kineto: tests/bench/kineto.c tests/bench/vocabulary.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -o $@ $^

$(BUILD)/bench/step: tests/bench/step.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -o $@ tests/bench/step.c -lsqlite3

$(BUILD)/bench/soak: tests/bench/soak.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -o $@ tests/bench/soak.c

$(BUILD)/bench/unwind_table $(BUILD)/bench/python_stacks: \
    $(BUILD)/bench/%: tests/bench/%.c $(CAPTURE_LIB) $(BUILD)/libtq.a
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(TOOL_INC) $(LDFLAGS) -o $@ $^ $(LIBS)

# N kernels, or records of bench-soak; the scripts know how many without it
BENCH	= BUILD=$(BUILD) N=$(N) sh tests/bench
BENCH_TOOLS = all $(addprefix $(BUILD)/bench/,generate kineto measure step soak)
bench: $(BENCH_TOOLS)
	$(BENCH)/run.sh
	$(BENCH)/sources.sh
	$(BENCH)/shapes.sh

bench-sources: $(BENCH_TOOLS)
	$(BENCH)/sources.sh

bench-shapes: all
	$(BENCH)/shapes.sh

# make bench-compare OLD=file: what moved since
bench-compare:
	sh tests/bench/compare.sh $(OLD) $(BUILD)/bench/result-$(or $(N),1000000).ndjson

# the tables of README.md and of tq-measured(7), from a run of this build
bench-table: $(BENCH_TOOLS)
	$(BENCH)/run.sh
	sh tests/bench/table.sh $(BUILD)/bench/result-$(or $(N),1000000).ndjson

# RANKS, how many; N, collectives of each
bench-ranks: $(BENCH_TOOLS)
	RANKS=$(RANKS) $(BENCH)/ranks.sh

bench-instructions: $(BENCH_TOOLS)
	$(BENCH)/instructions.sh

bench-soak: $(BENCH_TOOLS)
	$(BENCH)/soak.sh

bench-capture: all $(CLIENTS) $(addprefix $(BUILD)/bench/,measure unwind_table \
    python_stacks)
	$(BENCH)/capture.sh; calls=$$?; $(BENCH)/samples.sh && exit $$calls

# do the programs print what those of an older build print?
#	make same OLD=build [TOOLS="tq-stats tq-filter"] [CHANGED=file]
same: $(TOOLS:%=$(BUILD)/%) $(BUILD)/ranks $(BUILD)/report $(AGENT) $(PRELOAD) $(MPI)
	BUILD=$(BUILD) OLD="$(OLD)" TOOLS="$(TOOLS)" CHANGED="$(CHANGED)" \
	    sh tests/same/run.sh

lint: all
	BUILD=$(BUILD) sh tests/lint.sh

# ---- install ----

# there may be spaces in it
ROOT	= $(DESTDIR)$(PREFIX)
BASH_COMPLETION = $(ROOT)/share/bash-completion/completions
ZSH_COMPLETION = $(ROOT)/share/zsh/site-functions
FISH_COMPLETION = $(ROOT)/share/fish/vendor_completions.d
SHARE	= $(ROOT)/share/tq
DOC	= $(ROOT)/share/doc/tq
LIB	= $(ROOT)/lib/tq

# without what is for debuggers
STRIP	?= strip

install: all install-programs install-agent install-share

install-programs: $(TOOLS:%=$(BUILD)/%)
	install -d "$(ROOT)/bin"
	install -s --strip-program=$(STRIP) $^ "$(ROOT)/bin"

install-agent: $(AGENT) $(PRELOAD) $(MPI) $(PYTHON)
	install -d "$(LIB)/new"
	install -s --strip-program=$(STRIP) $(AGENT) $(PRELOAD) $(MPI) \
	    "$(LIB)/new"
	mv -f "$(LIB)"/new/*.so "$(LIB)" && rmdir "$(LIB)/new"
	install -d "$(LIB)/python"
	install -m 644 $(PYTHON) "$(LIB)/python"

install-share: $(COMPLETION)
	install -d "$(SHARE)" "$(BASH_COMPLETION)" "$(ZSH_COMPLETION)" \
	    "$(FISH_COMPLETION)"
	install -m 644 $(BUILD)/tq.bash "$(BASH_COMPLETION)/tq"
	install -m 644 $(BUILD)/tq.zsh "$(ZSH_COMPLETION)/_tq"
	install -m 644 $(BUILD)/tq.fish "$(FISH_COMPLETION)/tq.fish"
	install -m 644 cmd/tq-filter/kernels.tags cmd/tq-diff/names.rules \
	    common/ask/serve.rules \
	    examples/tq.schema.json "$(SHARE)"
	for t in $(filter-out tq,$(TOOLS)); do \
	    ln -sf tq "$(BASH_COMPLETION)/$$t"; \
	    ln -sf tq.fish "$(FISH_COMPLETION)/$$t.fish"; done
	for m in $(MANS); do \
	    d="$(ROOT)/share/man/man$${m##*.}"; \
	    install -d "$$d" && install -m 644 $$m "$$d" || exit 1; done
	install -d "$(DOC)/examples"
	install -m 644 README.md CHANGELOG.md "$(DOC)"
	for e in examples/*; do \
	    test ! -f $$e || install -m 644 $$e "$(DOC)/examples" || exit 1; done
	install -d "$(SHARE)/skills/gpu-traces"
	install -m 644 examples/SKILL.md "$(SHARE)/skills/gpu-traces"

uninstall:
	rm -f "$(SHARE)/kernels.tags" "$(SHARE)/names.rules" \
	    "$(SHARE)/serve.rules" \
	    "$(SHARE)/tq.schema.json" \
	    "$(BASH_COMPLETION)/tq" \
	    "$(ZSH_COMPLETION)/_tq" "$(LIB)/$(notdir $(AGENT))" \
	    "$(LIB)/$(notdir $(PRELOAD))" "$(LIB)/$(notdir $(MPI))"
	rm -rf "$(LIB)/python" "$(DOC)/examples"
	rm -f "$(DOC)/README.md" "$(DOC)/CHANGELOG.md" \
	    "$(SHARE)/skills/gpu-traces/SKILL.md"
	for t in $(TOOLS); do \
	    rm -f "$(ROOT)/bin/$$t" "$(BASH_COMPLETION)/$$t" \
	        "$(FISH_COMPLETION)/$$t.fish"; done
	for m in $(MANS:man/%=%); do \
	    rm -f "$(ROOT)/share/man/man$${m##*.}/$$m"; done

# the man pages for a browser: $(BUILD)/html/index.html
html:
	sh man/html.sh $(BUILD)/html $(MANS)

# the sources as an archive, whose bytes depend on them alone
DIST	= tq-$(VERSION)
dist:
	@mkdir -p $(BUILD)
	if [ -e .git ]; then git ls-files; else find . ! -type d \
	    ! -path './$(BUILD)' ! -path './$(BUILD)/*'; fi > $(BUILD)/dist.all
	sed 's,^\./,,' $(BUILD)/dist.all | grep -vx packaging/commit | \
	    LC_ALL=C sort > $(BUILD)/dist.files
	grep -qx Makefile $(BUILD)/dist.files
	mkdir -p $(BUILD)/dist/packaging
	sh packaging/commit.sh > $(BUILD)/dist/packaging/commit
	tar -T $(BUILD)/dist.files -C "$(abspath $(BUILD))/dist" \
	    packaging/commit --owner=0 --group=0 --numeric-owner \
	    --mode=go=rX,u+w --transform 's,^,$(DIST)/,S' --mtime="$$(sed -n \
	    '/^ -- /{s/.*>  //p;q}' debian/changelog)" -cf $(BUILD)/$(DIST).tar
	gzip -9n < $(BUILD)/$(DIST).tar > $(BUILD)/$(DIST).tar.gz.tmp
	mv $(BUILD)/$(DIST).tar.gz.tmp $(BUILD)/$(DIST).tar.gz
	rm -r $(BUILD)/$(DIST).tar $(BUILD)/dist $(BUILD)/dist.all \
	    $(BUILD)/dist.files

# a package for Debian, made of that archive
deb: dist
	rm -rf $(BUILD)/deb
	mkdir $(BUILD)/deb
	tar -xzf $(BUILD)/$(DIST).tar.gz -C $(BUILD)/deb
	cd $(BUILD)/deb/$(DIST) && env -u MAKEFLAGS -u MAKELEVEL -u BUILD \
	    dpkg-buildpackage -us -uc -b
	rm -r $(BUILD)/deb/$(DIST)

clean:
	rm -rf "$$(readlink -f $(BUILD))" $(BUILD)

.PHONY: all programs check check-all check-gpu gpu-kit asan boards faults fuzz \
    fuzz-run bench bench-capture bench-compare bench-instructions bench-ranks \
    bench-shapes \
    bench-soak bench-sources bench-table properties same lint html dist deb install \
    install-programs install-agent install-share uninstall clean FORCE
.SECONDARY:
