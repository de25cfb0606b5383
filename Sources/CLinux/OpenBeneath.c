#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

int assay_open_beneath(int folder, const char *path) {
  struct open_how how = {
    .flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_LARGEFILE,
    .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS,
  };
  return (int)syscall(SYS_openat2, folder, path, &how, sizeof how);
}
