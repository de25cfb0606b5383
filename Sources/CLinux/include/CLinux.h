#pragma once

/// Opens a file for reading by its path below a folder, with `openat2`.
///
/// Symbolic links are followed as long as they stay below the folder; absolute ones never do. A named pipe is
/// opened without waiting.
///
/// @param folder The descriptor of the folder.
/// @param path   The path relative to the folder.
/// @return A descriptor that is closed on `exec`; -1 with `errno`: `EXDEV` for a path that leaves the folder,
///         `ENOSYS` before Linux 5.6, `EPERM` where a sandbox does not know the call.
int assay_open_beneath(int folder, const char *path);

/// Waits until all that was written to a file system is on disk, with `syncfs`.
///
/// @param file The descriptor of any file or folder on it.
/// @return 0; -1 with `errno`.
int assay_synchronize_files(int file);

/// Makes a file without a name that is in memory only, with `memfd_create`; closed on `exec`.
///
/// @return Its descriptor; -1 with `errno`.
int assay_memory_file(void);

/// Starts a program in a process group of its own, with the usual signals and without other descriptors.
///
/// It is killed when the calling thread ends. An interrupt on the terminal does not reach it.
///
/// @param arguments   Its arguments, the first one its path; ends with NULL.
/// @param environment Its environment; ends with NULL.
/// @param input       The descriptor that becomes its standard input.
/// @param output      The descriptor that becomes its standard output. Standard error is discarded.
/// @param file_limit  The size in bytes beyond which it cannot write a file; the kernel ends it then (`SIGXFSZ`).
/// @return Its process id; -1 with `errno` if it cannot be started.
int assay_start_program(
  const char *const *arguments, const char *const *environment, int input, int output,
  unsigned long long file_limit);
