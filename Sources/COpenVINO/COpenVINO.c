#define _GNU_SOURCE
#include "COpenVINO.h"

#include <dlfcn.h>
#include <openvino/c/openvino.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// All OpenVINO functions that are used. Their types are those of the header, so a changed signature
// does not compile; a missing function is an error when the library is loaded.
#define ASSAY_OV_FUNCTIONS(X) \
  X(ov_get_openvino_version) \
  X(ov_version_free) \
  X(ov_get_error_info) \
  X(ov_get_last_err_msg) \
  X(ov_free) \
  X(ov_core_create_with_config) \
  X(ov_core_free) \
  X(ov_core_get_versions_by_device_name) \
  X(ov_core_versions_free) \
  X(ov_core_get_property) \
  X(ov_core_read_model) \
  X(ov_core_read_model_from_memory_buffer) \
  X(ov_core_compile_model_props) \
  X(ov_model_free) \
  X(ov_model_inputs_size) \
  X(ov_model_outputs_size) \
  X(ov_model_const_input_by_index) \
  X(ov_model_const_output_by_index) \
  X(ov_model_reshape_by_port_indexes) \
  X(ov_output_const_port_free) \
  X(ov_port_get_any_name) \
  X(ov_port_get_partial_shape) \
  X(ov_port_get_element_type) \
  X(ov_partial_shape_create) \
  X(ov_partial_shape_free) \
  X(ov_shape_create) \
  X(ov_shape_free) \
  X(ov_tensor_create) \
  X(ov_tensor_data) \
  X(ov_tensor_free) \
  X(ov_tensor_get_element_type) \
  X(ov_tensor_get_shape) \
  X(ov_tensor_get_size) \
  X(ov_tensor_set_shape) \
  X(ov_compiled_model_create_infer_request) \
  X(ov_compiled_model_free) \
  X(ov_compiled_model_get_property) \
  X(ov_infer_request_free) \
  X(ov_infer_request_infer) \
  X(ov_infer_request_cancel) \
  X(ov_infer_request_get_input_tensor_by_index) \
  X(ov_infer_request_get_output_tensor_by_index)

static struct {
#define X(name) __typeof__(name) *name;
  ASSAY_OV_FUNCTIONS(X)
#undef X
} ov;

static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;
static bool loaded = false;
/// The folder of the loaded library; it owns the text for the lifetime of the process.
static char *library_folder = NULL;

const char *assay_ov_checkout(void) { return ASSAY_CHECKOUT; }

struct assay_ov_core {
  ov_core_t *core;
};

struct assay_ov_model {
  ov_model_t *model;
  /// The weights, which an IR model references.
  ov_tensor_t *weights;
};

struct assay_ov_request {
  ov_compiled_model_t *compiled;
  ov_infer_request_t *request;
};

static void say(char *error, size_t capacity, const char *format, ...)
  __attribute__((format(printf, 3, 4)));

static void say(char *error, size_t capacity, const char *format, ...) {
  if (capacity == 0) return;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(error, capacity, format, arguments);
  va_end(arguments);
}

/// Reports a status that is not OK: OpenVINO's message if there is one, else the name of the
/// status.
static bool check(ov_status_e status, char *error, size_t capacity) {
  if (status == OK) return true;
  const char *message = ov.ov_get_last_err_msg();
  if (message == NULL || message[0] == 0) message = ov.ov_get_error_info(status);
  say(error, capacity, "%s", message == NULL ? "unknown error" : message);
  return false;
}

static bool ready(char *error, size_t capacity) {
  pthread_mutex_lock(&loading);
  bool result = loaded;
  pthread_mutex_unlock(&loading);
  if (!result) say(error, capacity, "OpenVINO is not loaded");
  return result;
}

static void copy_text(char *target, size_t capacity, const char *text) {
  if (capacity > 0) snprintf(target, capacity, "%s", text == NULL ? "" : text);
}

bool assay_ov_load(const char *path, char *error, size_t capacity) {
  const char *slash = strrchr(path, '/');
  if (path[0] != '/' || slash == NULL) {
    say(error, capacity, "not an absolute path");
    return false;
  }
  pthread_mutex_lock(&loading);
  bool result = loaded;
  if (!loaded) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
      const char *reason = dlerror();
      say(error, capacity, "%s", reason == NULL ? "cannot be loaded" : reason);
    } else {
      const char *missing = NULL;
#define X(name) \
  if (missing == NULL && (ov.name = (__typeof__(name) *)dlsym(library, #name)) == NULL) \
    missing = #name;
      ASSAY_OV_FUNCTIONS(X)
#undef X
      char *folder = missing == NULL ? strndup(path, (size_t)(slash - path)) : NULL;
      if (folder != NULL) {
        library_folder = folder;
        loaded = result = true;
      } else {
        if (missing == NULL)
          say(error, capacity, "out of memory");
        else
          say(
            error, capacity, "the library has no function %s: another version of OpenVINO",
            missing);
        dlclose(library);
      }
    }
  }
  pthread_mutex_unlock(&loading);
  return result;
}

bool assay_ov_version(char *text, size_t text_capacity, char *error, size_t capacity) {
  if (!ready(error, capacity)) return false;
  ov_version_t version;
  if (!check(ov.ov_get_openvino_version(&version), error, capacity)) return false;
  copy_text(text, text_capacity, version.buildNumber);
  ov.ov_version_free(&version);
  return true;
}

static void write_escaped(FILE *file, const char *text) {
  for (; *text != 0; text++) {
    switch (*text) {
    case '&': fputs("&amp;", file); break;
    case '<': fputs("&lt;", file); break;
    case '>': fputs("&gt;", file); break;
    case '"': fputs("&quot;", file); break;
    default: fputc(*text, file);
    }
  }
}

/// Writes the list of plug-ins with absolute paths into memory; returns its descriptor, -1 on
/// failure.
///
/// OpenVINO has its own list, which it uses for every plug-in that this list does not name. A
/// plug-in of OpenVINO's list that is not next to the library is searched for in the current
/// folder. Therefore this list names every one of them, whether its file exists or not.
static int plugin_list(const char *version) {
  static const char *const plugins[][2] = {
    {"AUTO", "auto"}, {"MULTI", "auto"}, {"BATCH", "auto_batch"}, {"CPU", "intel_cpu"},
    {"GPU", "intel_gpu"}, {"HETERO", "hetero"}, {"NPU", "intel_npu"},
  };
  int descriptor = memfd_create("assay-openvino-plugins", MFD_CLOEXEC);
  int copy = descriptor < 0 ? -1 : dup(descriptor);
  FILE *file = copy < 0 ? NULL : fdopen(copy, "w");
  if (file == NULL) {
    if (copy >= 0) close(copy);
    if (descriptor >= 0) close(descriptor);
    return -1;
  }
  // Distributions keep plug-ins in a folder named after the version: "2026.4.1" of
  // "2026.4.1-22982-…".
  int digits = (int)strcspn(version, "-");
  fputs("<ie><plugins>", file);
  for (size_t i = 0; i < sizeof plugins / sizeof plugins[0]; i++) {
    char *path = NULL;
    int length = asprintf(
      &path, "%s/openvino-%.*s/libopenvino_%s_plugin.so", library_folder, digits, version,
      plugins[i][1]);
    if (length >= 0 && access(path, F_OK) != 0) {
      free(path);
      length = asprintf(&path, "%s/libopenvino_%s_plugin.so", library_folder, plugins[i][1]);
    }
    if (length < 0) continue;
    fprintf(file, "<plugin name=\"%s\" location=\"", plugins[i][0]);
    write_escaped(file, path);
    fputs("\"/>", file);
    free(path);
  }
  fputs("</plugins></ie>", file);
  bool fine = ferror(file) == 0;
  if (fclose(file) == 0 && fine) return descriptor;
  close(descriptor);
  return -1;
}

assay_ov_core *assay_ov_core_create(char *error, size_t capacity) {
  char version[256];
  if (!assay_ov_version(version, sizeof version, error, capacity)) return NULL;
  assay_ov_core *core = calloc(1, sizeof *core);
  if (core == NULL) {
    say(error, capacity, "out of memory");
    return NULL;
  }
  int list = plugin_list(version);
  if (list < 0) {
    say(error, capacity, "its list of plug-ins cannot be written to memory");
    free(core);
    return NULL;
  }
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", list);
  bool fine = check(ov.ov_core_create_with_config(path, &core->core), error, capacity);
  close(list);
  if (fine) return core;
  free(core);
  return NULL;
}

void assay_ov_core_free(assay_ov_core *core) {
  if (core == NULL) return;
  ov.ov_core_free(core->core);
  free(core);
}

bool assay_ov_plugin_version(
  assay_ov_core *core, char *text, size_t text_capacity, char *error, size_t capacity
) {
  ov_core_version_list_t list = {0};
  if (!check(ov.ov_core_get_versions_by_device_name(core->core, "CPU", &list), error, capacity))
    return false;
  copy_text(text, text_capacity, list.size > 0 ? list.versions[0].version.buildNumber : "");
  ov.ov_core_versions_free(&list);
  return true;
}

bool assay_ov_device_property(
  assay_ov_core *core, const char *key, char *text, size_t text_capacity, char *error,
  size_t capacity
) {
  char *value = NULL;
  if (!check(ov.ov_core_get_property(core->core, "CPU", key, &value), error, capacity)) return false;
  copy_text(text, text_capacity, value);
  ov.ov_free(value);
  return true;
}

assay_ov_model *assay_ov_model_read_file(
  assay_ov_core *core, const char *path, char *error, size_t capacity
) {
  assay_ov_model *model = calloc(1, sizeof *model);
  if (model == NULL) {
    say(error, capacity, "out of memory");
    return NULL;
  }
  assay_process_begin_step(ASSAY_PROCESS_READING);
  bool fine = check(ov.ov_core_read_model(core->core, path, NULL, &model->model), error, capacity);
  assay_process_end_step();
  if (fine) return model;
  free(model);
  return NULL;
}

assay_ov_model *assay_ov_model_read_memory(
  assay_ov_core *core, const uint8_t *bytes, size_t count, const uint8_t *weights,
  size_t weights_count, char *error, size_t capacity
) {
  assay_ov_model *model = calloc(1, sizeof *model);
  if (model == NULL) {
    say(error, capacity, "out of memory");
    return NULL;
  }
  if (weights != NULL) {
    int64_t length = (int64_t)weights_count;
    ov_shape_t shape = {0};
    void *target = NULL;
    bool fine = check(ov.ov_shape_create(1, &length, &shape), error, capacity);
    if (fine) {
      fine = check(ov.ov_tensor_create(U8, shape, &model->weights), error, capacity) &&
        check(ov.ov_tensor_data(model->weights, &target), error, capacity);
      ov.ov_shape_free(&shape);
    }
    if (!fine) {
      assay_ov_model_free(model);
      return NULL;
    }
    if (weights_count > 0) memcpy(target, weights, weights_count);
  }
  assay_process_begin_step(ASSAY_PROCESS_READING);
  bool fine = check(
    ov.ov_core_read_model_from_memory_buffer(
      core->core, (const char *)bytes, count, model->weights, &model->model),
    error, capacity);
  assay_process_end_step();
  if (fine) return model;
  assay_ov_model_free(model);
  return NULL;
}

void assay_ov_model_free(assay_ov_model *model) {
  if (model == NULL) return;
  if (model->model != NULL) ov.ov_model_free(model->model);
  if (model->weights != NULL) ov.ov_tensor_free(model->weights);
  free(model);
}

size_t assay_ov_model_port_count(const assay_ov_model *model, bool inputs) {
  size_t count = 0;
  ov_status_e status = inputs ? ov.ov_model_inputs_size(model->model, &count)
                              : ov.ov_model_outputs_size(model->model, &count);
  return status == OK ? count : 0;
}

static const char *element_name(ov_element_type_e type) {
  static const char *const names[] = {
    [BOOLEAN] = "boolean", [BF16] = "bf16", [F16] = "f16", [F32] = "f32", [F64] = "f64", [I4] = "i4",
    [I8] = "i8", [I16] = "i16", [I32] = "i32", [I64] = "i64", [U8] = "u8", [U16] = "u16",
    [U32] = "u32", [U64] = "u64", [STRING] = "string",
  };
  size_t index = (size_t)type;
  const char *name = index < sizeof names / sizeof names[0] ? names[index] : NULL;
  return name == NULL ? "?" : name;
}

bool assay_ov_model_port(
  const assay_ov_model *model, bool inputs, size_t index, assay_ov_port *port, char *error,
  size_t capacity
) {
  ov_output_const_port_t *handle = NULL;
  ov_status_e status = inputs ? ov.ov_model_const_input_by_index(model->model, index, &handle)
                              : ov.ov_model_const_output_by_index(model->model, index, &handle);
  if (!check(status, error, capacity)) return false;
  memset(port, 0, sizeof *port);
  // A port without a name is reported as an error, but it is valid.
  char *name = NULL;
  if (ov.ov_port_get_any_name(handle, &name) == OK && name != NULL) {
    copy_text(port->name, sizeof port->name, name);
    ov.ov_free(name);
  }
  ov_element_type_e type = DYNAMIC;
  ov_partial_shape_t shape = {0};
  bool fine = check(ov.ov_port_get_element_type(handle, &type), error, capacity) &&
    check(ov.ov_port_get_partial_shape(handle, &shape), error, capacity);
  if (fine) {
    copy_text(port->element, sizeof port->element, element_name(type));
    bool known = shape.rank.min == shape.rank.max && shape.rank.max >= 0 &&
      shape.rank.max <= ASSAY_OV_MAX_RANK;
    port->rank = known ? (int32_t)shape.rank.max : -1;
    for (int32_t i = 0; i < port->rank; i++) {
      ov_dimension_t dimension = shape.dims[i];
      port->dimensions[i] = dimension.min == dimension.max ? dimension.max : -1;
    }
    ov.ov_partial_shape_free(&shape);
  }
  ov.ov_output_const_port_free(handle);
  return fine;
}

bool assay_ov_model_reshape(
  assay_ov_model *model, const assay_ov_input_shape *inputs, size_t count, char *error,
  size_t capacity
) {
  size_t ports[ASSAY_OV_MAX_INPUTS];
  ov_partial_shape_t shapes[ASSAY_OV_MAX_INPUTS] = {{0}};
  if (count > ASSAY_OV_MAX_INPUTS) {
    say(error, capacity, "more than %d inputs", ASSAY_OV_MAX_INPUTS);
    return false;
  }
  bool fine = true;
  size_t made = 0;
  for (size_t place = 0; fine && place < count; place++) {
    const assay_ov_input_shape *input = &inputs[place];
    // A scalar has one shape, and OpenVINO's C interface makes none of it.
    if (input->rank == 0) continue;
    ov_dimension_t dimensions[ASSAY_OV_MAX_RANK];
    for (int32_t i = 0; i < input->rank; i++)
      dimensions[i] = (ov_dimension_t){input->least[i], input->most[i]};
    ports[made] = input->input;
    fine = check(
      ov.ov_partial_shape_create(input->rank, dimensions, &shapes[made]), error, capacity);
    made++;
  }
  if (fine && made > 0) {
    assay_process_begin_step(ASSAY_PROCESS_COMPILING);
    fine = check(
      ov.ov_model_reshape_by_port_indexes(model->model, ports, shapes, made), error, capacity);
    assay_process_end_step();
  }
  for (size_t i = 0; i < made; i++) ov.ov_partial_shape_free(&shapes[i]);
  return fine;
}

assay_ov_request *assay_ov_compile(
  assay_ov_core *core, const assay_ov_model *model, const char *const *keys,
  const char *const *values, size_t count, char *error, size_t capacity
) {
  ov_property_t properties[16];
  if (count > sizeof properties / sizeof properties[0]) {
    say(error, capacity, "too many properties");
    return NULL;
  }
  for (size_t i = 0; i < count; i++) properties[i] = (ov_property_t){keys[i], values[i]};
  assay_ov_request *request = calloc(1, sizeof *request);
  if (request == NULL) {
    say(error, capacity, "out of memory");
    return NULL;
  }
  assay_process_begin_step(ASSAY_PROCESS_COMPILING);
  bool fine =
    check(
      ov.ov_core_compile_model_props(
        core->core, model->model, "CPU", count, properties, &request->compiled),
      error, capacity) &&
    check(
      ov.ov_compiled_model_create_infer_request(request->compiled, &request->request), error,
      capacity);
  assay_process_end_step();
  if (fine) return request;
  assay_ov_request_free(request);
  return NULL;
}

void assay_ov_request_free(assay_ov_request *request) {
  if (request == NULL) return;
  if (request->request != NULL) ov.ov_infer_request_free(request->request);
  if (request->compiled != NULL) ov.ov_compiled_model_free(request->compiled);
  free(request);
}

bool assay_ov_request_property(
  const assay_ov_request *request, const char *key, char *text, size_t text_capacity, char *error,
  size_t capacity
) {
  char *value = NULL;
  if (!check(ov.ov_compiled_model_get_property(request->compiled, key, &value), error, capacity))
    return false;
  copy_text(text, text_capacity, value);
  ov.ov_free(value);
  return true;
}

/// The memory of a tensor with its element type, its number of values and, if requested, its shape.
static void *tensor_memory(
  ov_tensor_t *tensor, const char **element, size_t *count, int64_t *dimensions, int32_t *rank, char *error,
  size_t capacity
) {
  ov_element_type_e type = DYNAMIC;
  void *memory = NULL;
  if (!check(ov.ov_tensor_get_element_type(tensor, &type), error, capacity) ||
      !check(ov.ov_tensor_get_size(tensor, count), error, capacity) ||
      !check(ov.ov_tensor_data(tensor, &memory), error, capacity))
    return NULL;
  *element = element_name(type);
  // A tensor without values has no memory; it is not an error.
  static float nothing;
  if (memory == NULL && *count == 0) memory = &nothing;
  if (memory == NULL) say(error, capacity, "a tensor without memory");
  if (rank != NULL) {
    ov_shape_t shape = {0};
    if (!check(ov.ov_tensor_get_shape(tensor, &shape), error, capacity)) return NULL;
    *rank = shape.rank <= ASSAY_OV_MAX_RANK ? (int32_t)shape.rank : -1;
    for (int32_t i = 0; i < *rank; i++) dimensions[i] = shape.dims[i];
    ov.ov_shape_free(&shape);
  }
  return memory;
}

void *assay_ov_request_input(
  assay_ov_request *request, size_t index, const char **element, size_t *count, char *error, size_t capacity
) {
  ov_tensor_t *tensor = NULL;
  if (!check(
        ov.ov_infer_request_get_input_tensor_by_index(request->request, index, &tensor), error,
        capacity))
    return NULL;
  void *memory = tensor_memory(tensor, element, count, NULL, NULL, error, capacity);
  ov.ov_tensor_free(tensor);
  return memory;
}

bool assay_ov_request_set_shape(
  assay_ov_request *request, size_t index, const int64_t *dimensions, size_t rank, char *error,
  size_t capacity
) {
  ov_tensor_t *tensor = NULL;
  ov_shape_t shape = {0};
  // A scalar has no other shape, and OpenVINO's C interface makes none of it.
  if (rank == 0) return true;
  if (!check(
        ov.ov_infer_request_get_input_tensor_by_index(request->request, index, &tensor), error,
        capacity))
    return false;
  bool fine = check(ov.ov_shape_create((int64_t)rank, dimensions, &shape), error, capacity);
  if (fine) {
    fine = check(ov.ov_tensor_set_shape(tensor, shape), error, capacity);
    ov.ov_shape_free(&shape);
  }
  ov.ov_tensor_free(tensor);
  return fine;
}

bool assay_ov_request_infer(assay_ov_request *request, char *error, size_t capacity) {
  assay_process_begin_step(ASSAY_PROCESS_RUNNING);
  bool fine = check(ov.ov_infer_request_infer(request->request), error, capacity);
  assay_process_end_step();
  return fine;
}

void assay_ov_request_cancel(assay_ov_request *request) {
  ov.ov_infer_request_cancel(request->request);
}

const void *assay_ov_request_output(
  assay_ov_request *request, size_t index, const char **element, size_t *count, int64_t *dimensions, int32_t *rank,
  char *error, size_t capacity
) {
  ov_tensor_t *tensor = NULL;
  if (!check(
        ov.ov_infer_request_get_output_tensor_by_index(request->request, index, &tensor), error,
        capacity))
    return NULL;
  void *memory = tensor_memory(tensor, element, count, dimensions, rank, error, capacity);
  ov.ov_tensor_free(tensor);
  return memory;
}
