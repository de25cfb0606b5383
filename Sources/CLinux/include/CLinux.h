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
