#define _GNU_SOURCE
#include "CLinux.h"

#include <unistd.h>

int assay_synchronize_files(int file) { return syncfs(file); }
