# assay: what people type. Each goal does its own set-up (Scripts/setup).

SWIFT ?= swift
PREFIX ?= /usr/local
DESTDIR ?=
# What install, wheel and deb take.
PROGRAM ?= assay
# The program carries Swift's libraries in itself: it runs where no Swift is. It looks for the system's
# libraries where the system does, not in its own folder.
RELEASE := -c release --static-swift-stdlib --disable-local-rpath --product assay
SOURCES := Package.swift Sources Tests
# The crash reporter can hold a failing run for minutes.
export SWIFT_BACKTRACE ?= enable=no
export SWIFT

.PHONY: build setup demo test test-python test-remote test-packaging test-browser test-cluster torture differential differential-keypoints test-release lint format bench bench-replay docs wheel deb install uninstall clean help
.DEFAULT_GOAL := build

build: setup assay ## Build ./assay (release)

# Folders are listed too: a file that was added or removed changes them.
assay: Package.swift $(shell find Sources)
	@Scripts/setup
	@mkdir -p .build && Scripts/commit >.build/commit
	$(SWIFT) build $(RELEASE)
	@install -m 755 "$$($(SWIFT) build $(RELEASE) --show-bin-path)/assay" assay
	@Scripts/stamp_commit assay "$$(cat .build/commit)"
	@echo "built ./assay; try ./assay --help, or make demo"

setup: ## Fetch what the build needs: Debian packages, OpenVINO
	@Scripts/setup

# The digits are few, so the program need not be optimized, which takes most of a build's time. The other demos are
# about speed too.
ifeq ($(strip $(FER)$(COCO)$(FACES)$(FILM)),)
demo: setup ## The main job on real digits, with a quick build; FER=fer2013.csv[.gz], COCO=DIR, FACES=DIR, FILM=DIR: others
	$(SWIFT) build --product assay
	@ASSAY="$$($(SWIFT) build --show-bin-path)/assay" Scripts/demo digits
	@echo "This was a quick build without optimization. make builds the fast program, ./assay"
else
demo: build
	@Scripts/demo $(if $(COCO),coco "$(COCO)",$(if $(FACES),faces "$(FACES)",$(if $(FILM),film "$(FILM)",fer "$(FER)")))
endif

# One build, in debug: it takes most of the time. make test-release is the same for the optimized program.
test: setup lint ## Style, build, all tests (about 30 minutes on two cores, half of it the build)
	$(SWIFT) build --build-tests
	Scripts/test_all

test-python: build ## The Python package, with pandas and pycocotools where they are there
	Scripts/test_python

test-remote: build ## Sources that are not local: S3 (installs moto's server) and web servers on this machine
	Scripts/test_remote --install

test-packaging: build ## The commit in the program, install and uninstall, the Debian package
	ASSAY_PROGRAM="$(abspath $(PROGRAM))" Scripts/test_packaging

test-browser: build ## The editor in a real browser; installs chromium
	Scripts/test_browser --install

test-cluster: build ## Shards on real clusters of two nodes on this machine: Ray, Spark and, as root, Slurm; installs them
	Scripts/test_cluster --install

torture: setup ## The long versions of the seeded tests (minutes)
	ASSAY_LONG_TESTS=1 Scripts/run_tests -c release --scratch-path .build/optimised --filter "Coverage|Mutation|Kill|Torture"

differential: build ## Fresh random odd sets of detections against pycocotools; SEEDS=N
	@Scripts/differential $(if $(SEEDS),--seeds $(SEEDS))

differential-keypoints: build ## 2,000 random odd sets of keypoints against pycocotools; SEEDS=N, FROM=N, PYTHON=PATH
	$(or $(PYTHON),python3) Tests/Fixtures/coco-keypoints/fuzz.py --program ./assay --seeds $(or $(SEEDS),2000) --start $(or $(FROM),0)

test-release: setup ## All tests, compiled with optimization
	Scripts/run_tests -c release --scratch-path .build/optimised

lint: ## Check the style
	$(SWIFT) format lint --strict --parallel --recursive --configuration .swift-format $(SOURCES)

format: ## Put the style right
	$(SWIFT) format --in-place --parallel --recursive --configuration .swift-format $(SOURCES)

bench: build ## Measure against the peers (Benchmarks/README.md)
	$(SWIFT) build -c release --product MaskBench
	Benchmarks/run

bench-replay: setup ## Time the replay of corrections
	$(SWIFT) build -c release --product LedgerBench
	"$$($(SWIFT) build -c release --show-bin-path)/LedgerBench" replay

docs: ## Render README and Docs as HTML with a search into .build/docs
	@Scripts/docs

wheel: $(PROGRAM) ## Pack the program and the Python package as dist/assay-*.whl, for pip
	@Scripts/wheel "$(PROGRAM)"

deb: $(PROGRAM) ## Pack the program as dist/assay_*.deb, for this release of Debian
	@Scripts/deb "$(PROGRAM)"

# Not by way of setup: where all is built, root needs no Swift for it.
install: $(PROGRAM) ## Copy the program and its libraries to PREFIX (/usr/local)
	@Scripts/install_program "$(DESTDIR)$(PREFIX)" "$(PROGRAM)"

uninstall: ## Take them away again
	@Scripts/uninstall_program "$(DESTDIR)$(PREFIX)"

clean: ## Remove what was built; what was fetched stays
	rm -rf .build assay Reports/demo Reports/demo-fer Reports/demo-coco Reports/demo-faces Reports/demo-film

help: ## This list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
