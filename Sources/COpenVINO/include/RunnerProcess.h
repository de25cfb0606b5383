// A program that computes a model's outputs, connected by pipes.
#ifndef ASSAY_RUNNER_PROCESS_H
#define ASSAY_RUNNER_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A running program and this process's ends of its standard streams.
typedef struct {
  /// Its process id, which is also its group's.
  int32_t process;
  /// Written to; what is written is its standard input.
  int32_t input;
  /// Read from: its standard output.
  int32_t output;
  /// Read from: its standard error, not blocking.
  int32_t messages;
} assay_runner;

/// Starts a program in a folder, without a shell. `arguments` ends with NULL; the first one is a path or is
/// looked up in PATH.
///
/// The program is killed when the calling thread ends, so that it never outlives this process. It belongs to a
/// process group of its own: an interrupt on the terminal reaches this process only.
bool assay_runner_start(
  const char *const *arguments, const char *folder, assay_runner *runner, char *error,
  size_t capacity);

/// Writes to a pipe without SIGPIPE. Returns the number of bytes, or -1 with errno (EPIPE if the reader is gone).
int64_t assay_runner_write(int32_t pipe, const void *bytes, size_t count);

/// Closes the pipes, gives the program a moment to end, then kills it and its group.
///
/// Returns its status as of waitpid; -1 if it is unknown. `outlived`: whether it had not ended by then, so that the
/// signal in the status is this function's.
int32_t assay_runner_end(assay_runner *runner, int32_t milliseconds, bool *outlived);

#endif
