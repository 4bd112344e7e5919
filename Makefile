# make, make check, demo, install, lint, fuzz, bench; SAN=1 adds ASan and UBSan; CI sets WERROR=1.
PREFIX   ?= /usr/local
JOBS     ?= 2
CFLAGS   ?= -O2 -g
# A test that hangs is a test that failed, and has its name told.
LIMITED  := timeout -k 9 300
BUILD    := build$(if $(SAN),/san)
VERSION  := 0.1
PKGS     := libarchive libcurl libpcre2-8 yaml-0.1 nettle expat
LIBS      = -Wl,--as-needed $(shell pkg-config --libs $(PKGS)) -ljq -lm
FLAGS     = -std=c11 -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE -DVERSION='"$(VERSION)"' -Ilib \
            $(shell pkg-config --cflags $(PKGS)) -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes \
            -Wmissing-prototypes -Wvla $(if $(WERROR),-Werror)
SANFLAGS := $(if $(SAN),-fsanitize=address -fsanitize=undefined -fsanitize=float-cast-overflow -fno-sanitize-recover=all)
TOOLS    := $(patsubst %.c,%,$(wildcard bin/*.c)) $(patsubst %/main.c,%,$(wildcard bin/*/main.c))
UNITS    := $(patsubst %.c,%,$(wildcard t/unit-*.c))
DRIVERS  := $(filter-out %.c,$(shell find bin -maxdepth 1 -type f))
SOURCES   = $(wildcard bin/*.c bin/*/*.[ch] lib/*.[ch] t/*.[ch])
fuzzed    = $(patsubst %.c,build/fuzz/obj/%.o,$(1))
obj       = $(patsubst %.c,$(BUILD)/obj/%.o,$(1))
export SUITES ?= $(abspath ../shared/suites)
export TRACES ?= $(abspath ../shared/traces)

all: $(TOOLS:%=$(BUILD)/%) $(DRIVERS:%=$(BUILD)/%) $(BUILD)/share/rcakit
.SECONDEXPANSION:
$(addprefix $(BUILD)/,$(TOOLS) $(UNITS)): $(BUILD)/%: $$(call obj,$$(wildcard $$*.c $$*/*.c)) $(BUILD)/lib.a
	@mkdir -p $(@D)
	$(CC) $(SANFLAGS) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)
$(BUILD)/lib.a: $(call obj,$(wildcard lib/*.c))
	rm -f $@ && $(AR) rcs $@ $^
$(BUILD)/obj/%.o: %.c | have-deps
	@mkdir -p $(@D)
	$(CC) $(FLAGS) -MMD -MP $(SANFLAGS) $(CPPFLAGS) $(CFLAGS) -c -o $@ $<
-include $(wildcard $(BUILD)/obj/*/*.d $(BUILD)/obj/*/*/*.d build/fuzz/obj/*/*.d build/fuzz/obj/*/*/*.d)
$(DRIVERS:%=$(BUILD)/%): $(BUILD)/%: % ; install -D -m 755 $< $@
# What a program finds beside itself once installed, it finds beside itself here.
$(BUILD)/share/rcakit: ; @mkdir -p $(@D) && ln -sfn $(CURDIR) $@
have-deps: ; @pkg-config --print-errors --exists $(PKGS)
deps: ; @.ci/deps build

demo:
	@.ci/deps build
	@[ -d $(BUILD)/bin ] || echo 'demo: building first, which takes a minute or two' >&2
	@$(MAKE) -s -j2 all >&2
	@$(BUILD)/bin/rca -c golden/cassettes -r golden/app golden/mock-operation-name/trace.zip
# The golden cases, recorded by a real browser.
record: ; golden/app/record.sh
# The authored answers, recorded against the evidence and the prompt as they are now.
cassettes: all
	rm -rf $(BUILD)/cassettes
	$(BUILD)/bin/rca -c $(BUILD)/cassettes -r golden/app -m exec:golden/answer.sh golden/*/trace.zip >/dev/null
	$(BUILD)/bin/rca -a 2 -c $(BUILD)/cassettes -r golden/app -m exec:golden/answer.sh golden/app-bug-total/trace.zip >/dev/null
	rm -rf golden/cassettes && mv $(BUILD)/cassettes golden/cassettes
# make eval [CASE="name ..."] [EVALFLAGS=...]: the golden set against its baseline; make baseline keeps the last run.
eval: all
	$(BUILD)/bin/rca-eval $(if $(wildcard golden/baseline.ndjson),-b golden/baseline.ndjson) $(EVALFLAGS) $(CASE) \
	    >$(BUILD)/scores$(if $(CASE),-some).ndjson
baseline:
	cp $(BUILD)/scores.ndjson golden/baseline.new && mv golden/baseline.new golden/baseline.ndjson
check:
	@.ci/deps build check
	@$(MAKE) --no-print-directory -j2 all $(addprefix $(BUILD)/,$(UNITS))
	BUILD=$(BUILD) prove -j$(JOBS) -e '$(LIMITED)' $(UNITS:%=$(BUILD)/%) $(wildcard t/t[0-9]*.sh) </dev/null
check-peers:
	@.ci/deps build check peers
	@$(MAKE) --no-print-directory -j2 all $(addprefix $(BUILD)/,$(UNITS))
	BUILD=$(BUILD) prove -e '$(LIMITED)' $(wildcard t/p[0-9]*.sh) </dev/null
fuzz: $(patsubst t/%.c,build/fuzz/%,$(wildcard t/fuzz-*.c))
	for f in $^; do mkdir -p $$f.corpus && $$f -max_total_time=$${FUZZTIME:-60} $$f.corpus || exit; done
.PRECIOUS: build/fuzz/obj/%.o
# A target with the name of a program is linked with its files.
build/fuzz/fuzz-%: build/fuzz/obj/t/fuzz-%.o $(call fuzzed,$(wildcard lib/*.c)) \
    $$(call fuzzed,$$(filter-out bin/$$*/main.c,$$(wildcard bin/$$*/*.c)))
	clang -fsanitize=fuzzer,address,undefined -o $@ $^ $(LIBS)
build/fuzz/obj/%.o: %.c | have-deps
	@mkdir -p $(@D)
	clang $(FLAGS) -g -O1 -fsanitize=fuzzer-no-link,address,undefined -MMD -MP -c -o $@ $<
bench: all ; BUILD=$(BUILD) t/bench.sh
lint:
	clang-format --dry-run --Werror $(SOURCES)
	shellcheck -x -P SCRIPTDIR -e SC2016 .ci/* t/*.sh $(DRIVERS)
	mandoc -Tlint -Wwarning $(wildcard man/*.[157])
install: all
	install -D -m 755 -t $(DESTDIR)$(PREFIX)/bin $(TOOLS:%=$(BUILD)/%) $(DRIVERS:%=$(BUILD)/%)
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/rcakit/prompts $(wildcard prompts/*)
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/rcakit/lib $(wildcard lib/*.yaml)
	for m in man/*.[157]; do install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/man/man$${m##*.} $$m || exit; done
clean: ; rm -rf build
.PHONY: all have-deps deps demo record cassettes check check-peers fuzz bench lint install clean
