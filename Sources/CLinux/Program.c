#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int assay_memory_file(void) { return memfd_create("assay", MFD_CLOEXEC); }

/// For the new process: its streams, group and limits. Reports a failure and does not return.
static void become(
  const char *const *arguments, const char *const *environment, pid_t parent, int input, int output,
  unsigned long long file_limit, int report
) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
  struct rlimit limit = {.rlim_cur = file_limit, .rlim_max = file_limit};
  if (getppid() == parent && nothing >= 0 && setrlimit(RLIMIT_FSIZE, &limit) == 0 && dup2(input, 0) >= 0 &&
      dup2(output, 1) >= 0 && dup2(nothing, 2) >= 0) {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
    execve(arguments[0], (char *const *)arguments, (char *const *)environment);
  }
  int code = errno;
  while (write(report, &code, sizeof code) < 0 && errno == EINTR) {}
  _exit(127);
}

int assay_start_program(
  const char *const *arguments, const char *const *environment, int input, int output,
  unsigned long long file_limit
) {
  int report[2];
  if (pipe2(report, O_CLOEXEC) != 0) return -1;
  pid_t parent = getpid();
  pid_t process = fork();
  int code = errno;
  if (process == 0) become(arguments, environment, parent, input, output, file_limit, report[1]);
  close(report[1]);
  if (process > 0) {
    ssize_t count;
    while ((count = read(report[0], &code, sizeof code)) < 0 && errno == EINTR) {}
    if (count != 0) {
      while (waitpid(process, NULL, 0) < 0 && errno == EINTR) {}
      process = -1;
    }
  }
  close(report[0]);
  if (process < 0) errno = code;
  return process;
}
