#define _GNU_SOURCE
#include "RunnerProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void close_pair(int pair[2]) {
  if (pair[0] >= 0) close(pair[0]);
  if (pair[1] >= 0) close(pair[1]);
}

/// For the new process: its streams, its group, its end with its parent. Reports a failure and does not return.
static void become(
  const char *const *arguments, const char *folder, pid_t parent, int in, int out, int err,
  int report
) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() == parent && chdir(folder) == 0 && dup2(in, 0) >= 0 && dup2(out, 1) >= 0 &&
      dup2(err, 2) >= 0) {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
    execvp(arguments[0], (char *const *)arguments);
  }
  int code = errno;
  while (write(report, &code, sizeof code) < 0 && errno == EINTR) {}
  _exit(127);
}

bool assay_runner_start(
  const char *const *arguments, const char *folder, assay_runner *runner, char *error,
  size_t capacity
) {
  int in[2] = {-1, -1}, out[2] = {-1, -1}, err[2] = {-1, -1}, report[2] = {-1, -1};
  pid_t process = -1;
  if (pipe2(in, O_CLOEXEC) == 0 && pipe2(out, O_CLOEXEC) == 0 && pipe2(err, O_CLOEXEC) == 0 &&
      pipe2(report, O_CLOEXEC) == 0) {
    pid_t parent = getpid();
    process = fork();
    if (process == 0) become(arguments, folder, parent, in[0], out[1], err[1], report[1]);
  }
  int code = errno;
  if (process > 0) {
    close(report[1]);
    report[1] = -1;
    ssize_t count;
    while ((count = read(report[0], &code, sizeof code)) < 0 && errno == EINTR) {}
    if (count == 0) {
      close(report[0]);
      close(in[0]);
      close(out[1]);
      close(err[1]);
      // Larger pipes need fewer switches between the two programs; not essential.
      fcntl(in[1], F_SETPIPE_SZ, 1 << 20);
      fcntl(out[0], F_SETPIPE_SZ, 1 << 20);
      fcntl(in[1], F_SETFL, O_NONBLOCK);
      fcntl(out[0], F_SETFL, O_NONBLOCK);
      fcntl(err[0], F_SETFL, O_NONBLOCK);
      *runner = (assay_runner){process, in[1], out[0], err[0]};
      return true;
    }
    while (waitpid(process, NULL, 0) < 0 && errno == EINTR) {}
  }
  close_pair(in);
  close_pair(out);
  close_pair(err);
  close_pair(report);
  snprintf(error, capacity, "%s", strerror(code));
  return false;
}

int64_t assay_runner_write(int32_t pipe, const void *bytes, size_t count) {
  sigset_t broken, before, pending;
  sigemptyset(&broken);
  sigaddset(&broken, SIGPIPE);
  sigpending(&pending);
  pthread_sigmask(SIG_BLOCK, &broken, &before);
  ssize_t written = write(pipe, bytes, count);
  int code = errno;
  if (written < 0 && code == EPIPE && !sigismember(&pending, SIGPIPE)) {
    struct timespec none = {0};
    while (sigtimedwait(&broken, NULL, &none) < 0 && errno == EINTR) {}
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  errno = code;
  return written;
}

int32_t assay_runner_end(assay_runner *runner, int32_t milliseconds, bool *outlived) {
  close(runner->input);
  close(runner->output);
  int status = -1;
  struct timespec pause = {.tv_nsec = 1000000};
  pid_t found = 0;
  for (int i = 0; i <= milliseconds; i++) {
    found = waitpid(runner->process, &status, WNOHANG);
    if (found != 0 && !(found < 0 && errno == EINTR)) break;
    nanosleep(&pause, NULL);
  }
  *outlived = found == 0;
  // Also what the program itself has started.
  kill(-runner->process, SIGKILL);
  while (found == 0 && (found = waitpid(runner->process, &status, 0)) < 0 && errno == EINTR) {}
  close(runner->messages);
  return found == runner->process ? status : -1;
}
