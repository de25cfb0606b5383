#include "CProgram.h"

/// Scripts/stamp_commit searches the program for these bytes, which must be in it once.
#define MARK "@assay commit@"

/// The bytes after the mark are replaced in the finished program, so that a commit links nothing again. Volatile: the
/// compiler may not take them as known.
static const volatile char commit[sizeof MARK + 80] = MARK;

const char *assay_commit(void) { return (const char *)commit + sizeof MARK - 1; }
