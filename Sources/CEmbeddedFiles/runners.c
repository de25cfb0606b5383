// The runners in Python. Each file has its array and its row in the table.

#include "CEmbeddedFiles.h"

static const uint8_t onnxruntime_py[] = {
#embed "../AssayInference/Runner/Python/onnxruntime.py"
};

static const uint8_t template_py[] = {
#embed "../AssayInference/Runner/Python/template.py"
};

static const EmbeddedFile files[] = {
  {"onnxruntime.py", onnxruntime_py, sizeof onnxruntime_py},
  {"template.py", template_py, sizeof template_py},
};

EmbeddedFiles runnerScripts(void) {
  return (EmbeddedFiles){files, sizeof files / sizeof *files};
}
