/// Files that are part of the program. C's #embed compiles them in no time, also in a debug build; SwiftPM's
/// .embedInCode writes a Swift array with an element per byte, which took longer to type-check than the code.
#ifndef CEMBEDDEDFILES_H
#define CEMBEDDEDFILES_H

#include <stddef.h>
#include <stdint.h>

/// A file: its name without a folder, its bytes and their number.
typedef struct {
  const char *name;
  const uint8_t *bytes;
  size_t count;
} EmbeddedFile;

/// A number of files, by name.
typedef struct {
  const EmbeddedFile *files;
  size_t count;
} EmbeddedFiles;

/// Sources/AssayReview/Pages.
EmbeddedFiles editorPages(void);

/// Sources/AssayReports/Templates.
EmbeddedFiles reportTemplates(void);

/// Sources/AssayInference/Runner/Python.
EmbeddedFiles runnerScripts(void);

/// Datasets/pipelines, and the manifests of their models in Datasets/models.
EmbeddedFiles pipelineFiles(void);

#endif
