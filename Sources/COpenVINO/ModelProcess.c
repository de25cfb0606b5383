#define _GNU_SOURCE
#include "ModelProcess.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

typedef struct {
  _Atomic uint64_t steps;
  _Atomic int32_t threads;
  _Atomic int32_t stage;
  _Atomic int32_t running;
  _Atomic bool interrupted;
  /// Two slots for a text: one is complete, the other is being written.
  _Atomic uint32_t current;
  char kept[2][1024];
} shared_page;

static shared_page *shared = NULL;
static bool is_child = false;

/// The number of this process's threads; 0 if unknown.
static int thread_count(void) {
  DIR *folder = opendir("/proc/self/task");
  if (folder == NULL) return 0;
  int count = 0;
  for (struct dirent *entry; (entry = readdir(folder)) != NULL;) count += entry->d_name[0] != '.';
  closedir(folder);
  return count;
}

/// Waits until joined threads have also ended in the kernel.
static bool is_alone(void) {
  struct timespec pause = {.tv_nsec = 1000000};
  for (int i = 0; i < 1000; i++) {
    if (thread_count() <= 1) return true;
    nanosleep(&pause, NULL);
  }
  return false;
}

static void limit(int resource, uint64_t value) {
  struct rlimit now;
  if (getrlimit(resource, &now) != 0) return;
  rlim_t wanted = value;
  if (now.rlim_max != RLIM_INFINITY && wanted > now.rlim_max) wanted = now.rlim_max;
  now.rlim_cur = now.rlim_max = wanted;
  setrlimit(resource, &now);
}

int32_t assay_process_fork(
  const assay_process_limits *limits, int32_t *alive, char *error, size_t capacity
) {
  int ends[2];
  if (!is_alone()) {
    snprintf(error, capacity, "the program has other threads");
    return -1;
  }
  if (shared == NULL) {
    void *page = mmap(
      NULL, sizeof(shared_page), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) {
      snprintf(error, capacity, "%s", strerror(errno));
      return -1;
    }
    shared = page;
  }
  memset(shared, 0, sizeof *shared);
  atomic_store(&shared->threads, 1);
  if (pipe2(ends, O_CLOEXEC) != 0) {
    snprintf(error, capacity, "%s", strerror(errno));
    return -1;
  }
  fflush(NULL);
  pid_t parent = getpid();
  pid_t process = fork();
  if (process < 0) {
    snprintf(error, capacity, "%s", strerror(errno));
    close(ends[0]);
    close(ends[1]);
    return -1;
  }
  if (process > 0) {
    close(ends[1]);
    *alive = ends[0];
    return process;
  }
  is_child = true;
  close(ends[0]);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(128 + SIGKILL);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_NOFILE, limits->files);
  limit(RLIMIT_DATA, limits->memory);
  return 0;
}

bool assay_process_is_child(void) { return is_child; }

void assay_process_read(assay_process_report *report) {
  memset(report, 0, sizeof *report);
  report->threads = 1;
  if (shared == NULL) return;
  report->steps = atomic_load(&shared->steps);
  int32_t threads = atomic_load(&shared->threads);
  report->threads = threads < 1 ? 1 : threads;
  report->stage = atomic_load(&shared->stage);
  report->running = atomic_load(&shared->running);
  memcpy(report->kept, shared->kept[atomic_load(&shared->current) & 1], sizeof report->kept);
  report->kept[sizeof report->kept - 1] = 0;
}

void assay_process_interrupt(void) {
  if (shared != NULL) atomic_store(&shared->interrupted, true);
}

bool assay_process_is_interrupted(void) {
  return is_child && atomic_load_explicit(&shared->interrupted, memory_order_relaxed);
}

void assay_process_set_threads(int32_t count) {
  if (is_child) atomic_store(&shared->threads, count);
}

void assay_process_set_kept(const char *text) {
  if (!is_child) return;
  uint32_t next = atomic_load(&shared->current) + 1;
  snprintf(shared->kept[next & 1], sizeof shared->kept[0], "%s", text);
  atomic_store(&shared->current, next);
}

void assay_process_begin_step(int32_t stage) {
  if (!is_child) return;
  atomic_store_explicit(&shared->stage, stage, memory_order_relaxed);
  atomic_fetch_add(&shared->running, 1);
}

void assay_process_end_step(void) {
  if (!is_child) return;
  atomic_fetch_sub(&shared->running, 1);
  atomic_fetch_add(&shared->steps, 1);
}

int64_t assay_process_time(int32_t process) {
  clockid_t clock;
  struct timespec time;
  if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &time) != 0) return -1;
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

char assay_process_state(int32_t process) {
  char path[64];
  char text[512];
  snprintf(path, sizeof path, "/proc/%d/stat", process);
  FILE *file = fopen(path, "re");
  if (file == NULL) return 0;
  size_t count = fread(text, 1, sizeof text - 1, file);
  fclose(file);
  text[count] = 0;
  // "4711 (name) S …"; the name itself can contain parentheses and blanks.
  const char *end = strrchr(text, ')');
  return end != NULL && end[1] == ' ' ? end[2] : 0;
}

int64_t assay_process_memory(int32_t process) {
  char path[64];
  char line[256];
  snprintf(path, sizeof path, "/proc/%d/status", process);
  FILE *file = fopen(path, "re");
  if (file == NULL) return -1;
  long long kibibytes = -1;
  while (kibibytes < 0 && fgets(line, sizeof line, file) != NULL) {
    if (sscanf(line, "VmData: %lld kB", &kibibytes) != 1) kibibytes = -1;
  }
  fclose(file);
  return kibibytes < 0 ? -1 : (int64_t)kibibytes * 1024;
}
