// The child process in which models are read and run, and its reports to its parent.
//
// Parent and child share one page of memory. The child counts its steps there (each returned call
// of OpenVINO is one step), so that the parent can distinguish a slow model from one that never
// ends. In any other process the functions for the child do nothing.
#ifndef ASSAY_MODEL_PROCESS_H
#define ASSAY_MODEL_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The child's activity: no work on a model, or the call of OpenVINO that it began last.
enum {
  ASSAY_PROCESS_IDLE = 0,
  ASSAY_PROCESS_READING = 1,
  ASSAY_PROCESS_COMPILING = 2,
  ASSAY_PROCESS_RUNNING = 3,
};

/// The limits of the child.
typedef struct {
  /// The maximum writable memory in bytes (RLIMIT_DATA).
  uint64_t memory;
  /// The maximum number of open files (RLIMIT_NOFILE).
  uint64_t files;
} assay_process_limits;

/// The child's report.
typedef struct {
  /// The number of completed steps.
  uint64_t steps;
  /// The number of threads that work concurrently, at least 1.
  int32_t threads;
  int32_t stage;
  /// The calls of OpenVINO that have started and not returned.
  int32_t running;
  /// The part of its work that is kept, UTF-8; empty if nothing was reported.
  char kept[1024];
} assay_process_report;

/// Forks a child with these limits; it is killed when its parent dies.
///
/// - Returns: 0 in the child, its process id in the parent, -1 with an error text on failure. A
///   process that has other threads is not forked.
/// - `alive` is set in the parent to a descriptor that reaches end of file once the child has
///   ended.
int32_t assay_process_fork(
  const assay_process_limits *limits, int32_t *alive, char *error, size_t capacity);

/// True if this process is such a child.
bool assay_process_is_child(void);

/// For the parent: reads the child's reports so far.
void assay_process_read(assay_process_report *report);

/// For the parent: requests that the child stop between two steps.
void assay_process_interrupt(void);

/// For the child: true if the parent requested a stop.
bool assay_process_is_interrupted(void);

/// For the child: sets the number of threads that work concurrently from now on.
void assay_process_set_threads(int32_t count);

/// For the child: sets the part of its work that is kept, a text that is cut to 1,023 bytes.
void assay_process_set_kept(const char *text);

/// For the child: a call of OpenVINO begins, and has returned.
void assay_process_begin_step(int32_t stage);
void assay_process_end_step(void);

/// The processor time of a process in nanoseconds; -1 if unknown.
int64_t assay_process_time(int32_t process);

/// The state of a process as the letter of proc(5): `T` for one that a signal has suspended, `t`
/// for one that a debugger holds; 0 if unknown.
char assay_process_state(int32_t process);

/// The writable memory of a process in bytes, as RLIMIT_DATA counts it; -1 if unknown.
int64_t assay_process_memory(int32_t process);

#endif
