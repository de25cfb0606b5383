#pragma once

/// The commit that the program was built from, which `Scripts/stamp_commit` writes into the finished program.
///
/// @return 40 or 64 hexadecimal digits, with `-dirty` after them if the sources had changes; an empty text for a
///         program that no commit was written into.
const char *assay_commit(void);
