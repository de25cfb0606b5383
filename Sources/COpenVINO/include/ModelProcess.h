// The child process in which models are read and run, and what it tells its parent.
//
// Parent and child share one page of memory. The child counts its steps there (a call of OpenVINO that
// returns is one), so that the parent can tell a model that takes long from one that never ends. In a
// process that is no such child the functions for the child do nothing.
#ifndef ASSAY_MODEL_PROCESS_H
#define ASSAY_MODEL_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// What the child does: nothing with a model, or the call of OpenVINO that it began last.
enum {
  ASSAY_PROCESS_IDLE = 0,
  ASSAY_PROCESS_READING = 1,
  ASSAY_PROCESS_COMPILING = 2,
  ASSAY_PROCESS_RUNNING = 3,
};

/// The limits of the child.
typedef struct {
  /// Bytes of memory that it may write to (RLIMIT_DATA).
  uint64_t memory;
  /// Files that it may have open (RLIMIT_NOFILE).
  uint64_t files;
} assay_process_limits;

/// What the child has told.
typedef struct {
  /// The steps that have ended.
  uint64_t steps;
  /// The threads that work at once, at least 1.
  int32_t threads;
  int32_t stage;
  /// The calls of OpenVINO that have begun and not returned.
  int32_t running;
  /// What is kept of its work, UTF-8; empty where nothing was told.
  char kept[1024];
} assay_process_report;

/// Forks a child with these limits; it is killed when its parent dies.
///
/// - Returns: 0 in the child, its process id in the parent, -1 with an error text where it fails. A
///   process that has other threads is not forked.
/// - `alive` is set in the parent to a descriptor that is at its end once the child has ended.
int32_t assay_process_fork(
  const assay_process_limits *limits, int32_t *alive, char *error, size_t capacity);

/// Whether this process is such a child.
bool assay_process_is_child(void);

/// For the parent: what the child has told so far.
void assay_process_read(assay_process_report *report);

/// For the parent: asks the child to stop between two steps.
void assay_process_interrupt(void);

/// For the child: whether it was asked to.
bool assay_process_is_interrupted(void);

/// For the child: how many threads work at once from now on.
void assay_process_set_threads(int32_t count);

/// For the child: what is kept of its work, a text that is cut to 1,023 bytes.
void assay_process_set_kept(const char *text);

/// For the child: a call of OpenVINO begins, and has returned.
void assay_process_begin_step(int32_t stage);
void assay_process_end_step(void);

/// The processor time of a process in nanoseconds; -1 where it cannot be told.
int64_t assay_process_time(int32_t process);

/// The state of a process as the letter of proc(5): `T` for one that a signal has suspended, `t` for one that
/// a debugger holds; 0 where it cannot be told.
char assay_process_state(int32_t process);

/// The writable memory of a process in bytes, as RLIMIT_DATA counts it; -1 where it cannot be told.
int64_t assay_process_memory(int32_t process);

#endif
