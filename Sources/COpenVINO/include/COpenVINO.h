// A small C interface to OpenVINO's C API, which is loaded on first use.
//
// Nothing here is linked against OpenVINO: the program starts without it. Every function that can
// fail takes a buffer for an error text (UTF-8, cut to its capacity, always terminated) and returns
// false or NULL. Handles must not be used from two threads at the same time; the core can be.
#ifndef ASSAY_COPENVINO_H
#define ASSAY_COPENVINO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ModelProcess.h"
#include "RunnerProcess.h"

/// The largest rank of a tensor that is described.
#define ASSAY_OV_MAX_RANK 8
/// The largest number of inputs of a model whose shapes are set.
#define ASSAY_OV_MAX_INPUTS 16

/// OpenVINO's entry point: finds devices, reads and compiles models.
typedef struct assay_ov_core assay_ov_core;
/// A model that has been read but not compiled.
typedef struct assay_ov_model assay_ov_model;
/// A compiled model with one request, its input tensors and its output tensors.
typedef struct assay_ov_request assay_ov_request;

/// An input or output of a model.
typedef struct {
  /// Empty if the model has no name for it.
  char name[256];
  /// The element type as OpenVINO spells it: "f32", "u8", …; "?" if unknown.
  char element[16];
  /// The number of dimensions; -1 if it is not known before the model runs, or over the limit.
  int32_t rank;
  /// The dimensions; -1 if any length is accepted.
  int64_t dimensions[ASSAY_OV_MAX_RANK];
} assay_ov_port;

/// The absolute path of the source folder that this was built from.
const char *assay_ov_checkout(void);

/// Loads the library at `path`, which must be absolute.
///
/// Once it is loaded, further calls do nothing and succeed.
bool assay_ov_load(const char *path, char *error, size_t capacity);

/// OpenVINO's build number.
bool assay_ov_version(char *text, size_t text_capacity, char *error, size_t capacity);

/// Creates a core that loads plug-ins by absolute path, only from the library's own folder.
assay_ov_core *assay_ov_core_create(char *error, size_t capacity);
void assay_ov_core_free(assay_ov_core *core);

/// The build number of the CPU plug-in.
bool assay_ov_plugin_version(
  assay_ov_core *core, char *text, size_t text_capacity, char *error, size_t capacity);

/// A property of the CPU device as text.
bool assay_ov_device_property(
  assay_ov_core *core, const char *key, char *text, size_t text_capacity, char *error,
  size_t capacity);

/// Reads a model file; the format is determined by its content and file extension.
assay_ov_model *assay_ov_model_read_file(
  assay_ov_core *core, const char *path, char *error, size_t capacity);

/// Reads an ONNX model, or the XML of an IR with its weights (copied), from memory.
assay_ov_model *assay_ov_model_read_memory(
  assay_ov_core *core, const uint8_t *bytes, size_t count, const uint8_t *weights,
  size_t weights_count, char *error, size_t capacity);

void assay_ov_model_free(assay_ov_model *model);

/// The number of inputs (or outputs); 0 if unknown.
size_t assay_ov_model_port_count(const assay_ov_model *model, bool inputs);

/// Describes an input (or output).
bool assay_ov_model_port(
  const assay_ov_model *model, bool inputs, size_t index, assay_ov_port *port, char *error,
  size_t capacity);

/// The shape of an input.
typedef struct {
  /// The index of the input.
  size_t input;
  int32_t rank;
  /// The smallest and the largest length of each dimension.
  int64_t least[ASSAY_OV_MAX_RANK];
  int64_t most[ASSAY_OV_MAX_RANK];
} assay_ov_input_shape;

/// Sets the shapes of all `count` inputs.
bool assay_ov_model_reshape(
  assay_ov_model *model, const assay_ov_input_shape *shapes, size_t count, char *error,
  size_t capacity);

/// Compiles a model for the CPU with the properties given as `count` keys and values.
assay_ov_request *assay_ov_compile(
  assay_ov_core *core, const assay_ov_model *model, const char *const *keys,
  const char *const *values, size_t count, char *error, size_t capacity);

void assay_ov_request_free(assay_ov_request *request);

/// A property of the compiled model as text.
bool assay_ov_request_property(
  const assay_ov_request *request, const char *key, char *text, size_t text_capacity, char *error,
  size_t capacity);

/// The input tensor at `index`: the memory to write to, the name of its element type (static), and
/// its number of values.
void *assay_ov_request_input(
  assay_ov_request *request, size_t index, const char **element, size_t *count, char *error, size_t capacity);

/// Sets the lengths of the input tensor at `index`, whose shape the compiled model leaves open. Its
/// memory is another one then.
bool assay_ov_request_set_shape(
  assay_ov_request *request, size_t index, const int64_t *dimensions, size_t rank, char *error,
  size_t capacity);

/// Runs the model on the contents of the input tensors.
bool assay_ov_request_infer(assay_ov_request *request, char *error, size_t capacity);

/// Ends a run on another thread with an error; does nothing if there is none.
void assay_ov_request_cancel(assay_ov_request *request);

/// The output tensor at `index`, valid until the next run, with the name of its element type
/// (static) and its shape.
const void *assay_ov_request_output(
  assay_ov_request *request, size_t index, const char **element, size_t *count, int64_t *dimensions, int32_t *rank,
  char *error, size_t capacity);

#endif
