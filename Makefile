# tq: make, make check, make asan, make fuzz, make bench, make lint,
# make install.  All output goes under $(BUILD); a variant is another BUILD:
#
#	make BUILD=build/clang CC=clang

VERSION	= 0.1.0
PREFIX	?= /usr/local
BUILD	?= build
CC	?= cc
CFLAGS	?= -O2 -g
WERROR	?=

WARN	= -Wall -Wextra -Wpedantic -Wshadow -Wundef -Wvla -Wcast-qual \
	  -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith \
	  -Wwrite-strings -Wconversion -Wno-sign-conversion -Wformat=2 \
	  -Wimplicit-fallthrough -Wno-missing-field-initializers
ALL_CFLAGS = -std=c11 -D_GNU_SOURCE -DTQ_VERSION='"$(VERSION)"' -Iinclude \
	  $(WARN) $(WERROR) $(CFLAGS) -MMD -MP
LIBS	= -lpcre2-8 -lzstd -lz -lm

# cmd/x.c is a program, and so is cmd/x/ with the sources in it
TOOLS	= $(sort $(patsubst cmd/%.c,%,$(wildcard cmd/*.c)) \
	  $(patsubst cmd/%/main.c,%,$(wildcard cmd/*/main.c)))
COMMON	= $(patsubst %.c,$(BUILD)/%.o,$(wildcard common/*.c))
MANS	= $(wildcard man/*.[157])
DOCS	= $(MANS:man/%=$(BUILD)/man/%)
FUZZERS	= $(patsubst tests/fuzz/%.c,$(BUILD)/fuzz/%,$(wildcard tests/fuzz/*.c))
UNITS	= $(patsubst tests/unit/%.c,$(BUILD)/unit/%,$(wildcard tests/unit/*.c))

all: $(TOOLS:%=$(BUILD)/%) $(BUILD)/tq.bash

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -c -o $@ $<

$(BUILD)/libtq.a: $(COMMON)
	@rm -f $@
	$(AR) rcs $@ $^

# $(1): a tool, made of cmd/$(1).c or of cmd/$(1)/*.c
define tool
$(1)_OBJS = $(patsubst %.c,$(BUILD)/%.o,$(wildcard cmd/$(1).c cmd/$(1)/*.c))
$(BUILD)/$(1): $$($(1)_OBJS) $(BUILD)/libtq.a
	$$(CC) $$(CFLAGS) $$(LDFLAGS) -o $$@ $$^ $$($(1)_LIBS) $$(LIBS)
-include $$($(1)_OBJS:.o=.d)
endef
$(foreach t,$(TOOLS),$(eval $(call tool,$(t))))
-include $(COMMON:.o=.d)

tq-extract_LIBS = -lsqlite3

# the rules that come with tq-filter, as a table of strings
KERNELS	= $(BUILD)/cmd/tq-filter/kernels
$(KERNELS).c: cmd/tq-filter/kernels.tags
	@mkdir -p $(@D)
	{ echo '#include "tag.h"'; \
	    echo 'const char *const tag_default_rules[] = {'; \
	    sed 's/[\\"?]/\\&/g; s/.*/"&",/' $<; \
	    echo '0};'; } > $@.tmp
	mv $@.tmp $@

$(KERNELS).o: $(KERNELS).c
	$(CC) $(ALL_CFLAGS) -Icmd/tq-filter -c -o $@ $<

$(BUILD)/tq-filter: $(KERNELS).o
-include $(KERNELS).d

# the completion is made from what each tool says of its options
$(BUILD)/tq.bash: tests/completion.sh $(TOOLS:%=$(BUILD)/%)
	BUILD=$(BUILD) sh tests/completion.sh $(TOOLS) > $@.tmp
	mv $@.tmp $@

# ---- tests ----

# what is not in common/ comes from its tool
$(BUILD)/unit/dist: $(addprefix $(BUILD)/cmd/tq-stats/,dist.o radix.o \
	    sketch.o squares.o)
$(BUILD)/unit/merge: $(BUILD)/cmd/tq-filter/merge.o
$(BUILD)/unit/redact: $(BUILD)/cmd/tq-filter/redact.o
$(BUILD)/unit/tag: $(BUILD)/cmd/tq-filter/tag.o $(KERNELS).o

$(BUILD)/unit/%: tests/unit/%.c $(BUILD)/libtq.a
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $< $(filter %.o,$^) \
	    $(BUILD)/libtq.a $(LIBS)
-include $(UNITS:=.d)

programs: all $(UNITS)

check: programs
	BUILD=$(abspath $(BUILD)) sh tests/check.sh

SANITIZE = -fsanitize=address,undefined -fno-sanitize-recover=all \
	  -fno-omit-frame-pointer
asan:
	$(MAKE) BUILD=$(BUILD)/asan CFLAGS="-O1 -g $(SANITIZE)" check

# a libFuzzer target for each parser; FUZZ_SECONDS each
FUZZ_SECONDS ?= 60
FUZZ_CFLAGS = -O1 -g $(SANITIZE) -fsanitize=fuzzer-no-link
fuzz:
	$(MAKE) BUILD=$(BUILD)/fuzz-build CC=clang CFLAGS="$(FUZZ_CFLAGS)" \
	    fuzz-run

# a parser that is not in common/ comes from its tool
$(BUILD)/fuzz/btree: $(addprefix $(BUILD)/cmd/tq-extract/,btree.o cell.o row.o)
$(BUILD)/fuzz/partial: $(filter-out %/main.o,$(tq-stats_OBJS))
$(BUILD)/fuzz/chrome: $(addprefix $(BUILD)/cmd/tq-chrome/,args.o spell.o \
	  trace.o)
$(BUILD)/fuzz/perfetto: $(addprefix $(BUILD)/cmd/tq-perfetto/, \
    args.o describe.o fields.o hue.o intern.o notes.o packets.o stages.o \
    trace.o)

$(BUILD)/fuzz/%: tests/fuzz/%.c $(BUILD)/libtq.a
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -fsanitize=fuzzer -o $@ $< \
	    $(filter %.o,$^) $(BUILD)/libtq.a $(LIBS)
-include $(FUZZERS:=.d)

fuzz-run: $(FUZZERS)
	SECONDS_EACH=$(FUZZ_SECONDS) sh tests/fuzz/run.sh $(FUZZERS)

BENCH_GENERATE = $(addprefix tests/bench/,generate.c rows.c timeline.c \
	  vocabulary.c)
$(BUILD)/bench/generate: $(BENCH_GENERATE) $(wildcard tests/bench/*.h)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -o $@ $(BENCH_GENERATE) -lsqlite3

$(BUILD)/bench/measure: tests/bench/measure.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -o $@ tests/bench/measure.c

$(BUILD)/bench/step: tests/bench/step.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -o $@ tests/bench/step.c -lsqlite3

$(BUILD)/bench/soak: tests/bench/soak.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -o $@ tests/bench/soak.c

# N kernels, or records of bench-soak; the scripts know how many without it
BENCH	= BUILD=$(BUILD) N=$(N) sh tests/bench
BENCH_TOOLS = all $(addprefix $(BUILD)/bench/,generate measure step soak)
bench: $(BENCH_TOOLS)
	$(BENCH)/run.sh

# make bench-compare OLD=file: what moved since
bench-compare:
	sh tests/bench/compare.sh $(OLD) $(BUILD)/bench/result-$(or $(N),1000000).ndjson

bench-instructions: $(BENCH_TOOLS)
	$(BENCH)/instructions.sh

bench-soak: $(BENCH_TOOLS)
	$(BENCH)/soak.sh

lint:
	BUILD=$(BUILD) sh tests/lint.sh

# ---- install ----

BASH_COMPLETION = $(DESTDIR)$(PREFIX)/share/bash-completion/completions
SHARE	= $(DESTDIR)$(PREFIX)/share/tq

install: all
	install -d $(DESTDIR)$(PREFIX)/bin $(BASH_COMPLETION) $(SHARE)
	install $(TOOLS:%=$(BUILD)/%) $(DESTDIR)$(PREFIX)/bin
	install -m 644 $(BUILD)/tq.bash $(BASH_COMPLETION)/tq
	install -m 644 cmd/tq-filter/kernels.tags $(SHARE)
	for t in $(TOOLS); do ln -sf tq $(BASH_COMPLETION)/$$t; done
	for m in $(MANS); do \
	    d=$(DESTDIR)$(PREFIX)/share/man/man$${m##*.}; \
	    install -d $$d && install -m 644 $$m $$d || exit 1; done

uninstall:
	rm -f $(TOOLS:%=$(DESTDIR)$(PREFIX)/bin/%) $(BASH_COMPLETION)/tq \
	    $(TOOLS:%=$(BASH_COMPLETION)/%) $(SHARE)/kernels.tags
	for m in $(MANS:man/%=%); do \
	    rm -f $(DESTDIR)$(PREFIX)/share/man/man$${m##*.}/$$m; done

clean:
	rm -rf $(BUILD)

.PHONY: all programs check asan fuzz fuzz-run bench bench-compare \
    bench-instructions bench-soak lint install uninstall clean
.SECONDARY:
