#ifndef ASSAY_CSIMDJSON_H
#define ASSAY_CSIMDJSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The version of simdjson that this was compiled with.
const char *assay_simdjson_version(void);

// MARK: Scanner: the positions of the members of one large JSON object, in one pass over its bytes.

/// The reason why the scanner or a parser stopped.
typedef enum {
  assay_json_ok = 0,
  assay_json_truncated,
  assay_json_not_object,
  assay_json_unexpected_byte,
  assay_json_mismatched_bracket,
  assay_json_too_deep,
  assay_json_string_too_long,
  assay_json_element_too_large,
  assay_json_trailing_text,
  assay_json_bad_number,
  assay_json_bad_word,
  assay_json_bad_string,
  assay_json_bad_utf8,
  assay_json_too_many_members,
  assay_json_no_memory,
} assay_json_status;

/// Limits for external text.
typedef struct {
  /// A batch ends with the element that reaches this many bytes, or this many elements.
  size_t batch_bytes;
  size_t batch_elements;
  /// The maximum size of an element of a top-level array, and of a string, in bytes.
  size_t element_bytes;
  size_t string_bytes;
  /// The maximum nesting depth of arrays and objects.
  uint32_t depth;
  /// True if a top-level list is accepted, too, as one member without a name.
  bool takes_list;
} assay_json_limits;

/// A member of the top-level object: its name (as written, including escapes, at most 255 bytes),
/// the first byte of its value, the value's position in the file, and for an array its batches.
typedef struct {
  char name[256];
  uint8_t first;
  uint64_t start, end;
  uint64_t elements;
  size_t batches, batch_count;
} assay_json_member;

/// Whole elements of a top-level array, `a, b, c`, in the file's bytes `start..<end`.
typedef struct {
  uint64_t start, end;
  uint64_t first;
  uint32_t count;
} assay_json_batch;

typedef struct {
  const assay_json_member *members;
  size_t member_count;
  const assay_json_batch *batches;
  size_t batch_count;
  assay_json_status status;
  /// The position where it stopped: the offset in the file, and the byte there (-1: the end).
  uint64_t offset;
  int byte;
} assay_json_outline;

typedef struct assay_json_scanner assay_json_scanner;

/// Returns NULL if out of memory.
assay_json_scanner *assay_json_scanner_new(assay_json_limits limits);
void assay_json_scanner_free(assay_json_scanner *scanner);
/// Processes the next bytes of the file; returns false after an error.
bool assay_json_scanner_feed(assay_json_scanner *scanner, const uint8_t *bytes, size_t count);
/// Signals the end of the file; returns false if the file is incomplete.
bool assay_json_scanner_finish(assay_json_scanner *scanner);
/// The results so far; valid until the scanner is used again.
assay_json_outline assay_json_scanner_outline(const assay_json_scanner *scanner);

// MARK: COCO: the elements of a batch as flat records.

/// The state of a field.
typedef enum {
  assay_field_missing = 0,
  assay_field_fine,
  /// Usable: a number written as a text or with a fraction of 0, or a Boolean for 0 and 1.
  assay_field_odd,
  /// A type that cannot be used.
  assay_field_bad,
  /// NaN, Infinity or a number beyond a double's range.
  assay_field_not_finite,
} assay_field_state;

/// A text in `texts` of the batch.
typedef struct {
  uint32_t start, count;
} assay_text;

/// An id: an integer, or a text.
typedef struct {
  int64_t integer;
  assay_text text;
  uint8_t state;
  bool is_text;
} assay_coco_id;

typedef struct {
  assay_coco_id id;
  assay_text name;
  int64_t width, height;
  uint8_t name_state, width_state, height_state;
  bool is_object;
  /// True if it has LVIS's lists of categories.
  bool has_lists;
  /// True if an additional field contained NaN or Infinity, which became null.
  bool has_nulled_attribute;
  /// 'coco_url', read only with `assay_coco_lvis_images`.
  uint8_t url_state;
  /// Additional fields as one canonical JSON object, without those of the image's origin ('license',
  /// 'coco_url', 'flickr_url', 'date_captured'); empty if there are none.
  assay_text url, attributes;
} assay_coco_image;

typedef struct {
  assay_coco_id id;
  assay_text name, supercategory;
  /// All additional fields as one canonical JSON object; empty if there are none.
  assay_text attributes;
  uint8_t name_state;
  bool is_object;
  /// True if an additional field contained NaN or Infinity, which became null.
  bool has_nulled_attribute;
} assay_coco_category;

typedef enum {
  /// Missing, null or an empty list.
  assay_shape_none = 0,
  /// Coordinates in `hundredths` (pixels times 100).
  assay_shape_hundredths,
  /// Coordinates in `doubles`.
  assay_shape_doubles,
  /// Run lengths in `doubles`.
  assay_shape_runs,
  /// A compressed string in `texts`.
  assay_shape_compressed,
  /// Something else.
  assay_shape_bad,
  /// Skipped.
  assay_shape_unread,
} assay_shape;

typedef struct {
  assay_coco_id id, image, category;
  double area;
  double box[4];
  /// The minimum x and y and the maximum x and y of all coordinates.
  double bounds[4];
  int64_t mask_width, mask_height;
  /// Polygons in `polygons`; their coordinates, or the runs, are consecutive from `values` on.
  uint32_t polygons, polygon_count;
  uint32_t values, value_count;
  assay_text compressed;
  /// All additional fields as one canonical JSON object; empty if there are none.
  assay_text attributes;
  uint8_t area_state, box_state, crowd_state, size_state;
  uint8_t shape;
  bool is_crowd;
  /// True if 'iscrowd' is a text.
  bool is_crowd_text;
  /// True if a polygon has less than 6 numbers, an odd count of them, or an invalid one.
  bool has_odd_polygon;
  /// True if the polygon was not inside a list of polygons.
  bool is_flat;
  /// True if an additional field contained NaN or Infinity, which became null.
  bool has_nulled_attribute;
  /// True if an additional field is 'keypoints', and neither null nor an empty list.
  bool has_keypoints;
  bool is_object;
  /// The number of values in the list 'keypoints'; 0 without it.
  uint32_t keypoint_values;
} assay_coco_annotation;

/// The state of an id that is a text, or of a result that is not an object.
enum { assay_result_text = 0x80, assay_result_no_object = 0x40 };

/// A result, 64 bytes.
typedef struct {
  /// Ids; a text id has its start in the upper half and its count in the lower.
  int64_t image, category;
  double score;
  double box[4];
  /// The index of its region among the batch's annotations, from 1 on; 0 if there is none,
  /// UINT32_MAX if one was skipped.
  uint32_t region;
  /// An `assay_field_state` each, combined with the flags above.
  uint8_t image_state, category_state, score_state, box_state;
} assay_coco_result;

/// The keypoints of a result, or of an annotation of which only the fields for an evaluation are
/// read.
typedef struct {
  /// The index of the element in its batch.
  uint32_t element;
  /// The numbers in `doubles`; 0 instead of those that are not finite.
  uint32_t values, value_count;
  /// 'num_keypoints' of an annotation.
  double labeled;
  /// An `assay_field_state` each: 'keypoints' is missing if it is null or an empty list.
  uint8_t state, labeled_state;
} assay_coco_keypoints;

typedef struct {
  uint32_t count;
  /// True if one of its numbers is invalid.
  bool is_bad;
} assay_coco_polygon;

/// Elements that occur only in files with their own evaluation rules: the index of the first of
/// each in its batch, −1 if there is none.
typedef struct {
  /// Images with LVIS's lists of categories.
  int64_t lvis;
  /// Results with keypoints.
  int64_t keypoints;
  /// Annotations or results with the segments of a panoptic map.
  int64_t segments;
  /// Annotations or results whose bbox has five numbers, the last one an angle.
  int64_t oriented;
  /// Results with a caption, or with a bbox or segmentation that is present but null or empty:
  /// Python's reader of results checks only for presence.
  int64_t empty_fields;
} assay_coco_marks;

typedef struct {
  assay_json_status status;
  /// The offset in the batch's text where it stopped.
  size_t offset;
  size_t count;
  const assay_coco_image *images;
  const assay_coco_category *categories;
  /// The annotations, or the regions of results.
  const assay_coco_annotation *annotations;
  const assay_coco_result *results;
  const char *texts;
  const assay_coco_polygon *polygons;
  /// In ascending order of their elements, which need not have any.
  const assay_coco_keypoints *keypoints;
  size_t keypoint_count;
  const int32_t *hundredths;
  const double *doubles;
  assay_coco_marks marks;
} assay_coco_batch;

typedef enum {
  assay_coco_images,
  /// Images with the fields that only LVIS has.
  assay_coco_lvis_images,
  assay_coco_categories,
  assay_coco_annotations,
  /// Annotations without their additional fields, and annotations also without their regions.
  assay_coco_truth,
  assay_coco_truth_boxes,
  /// Results, and results without their regions.
  assay_coco_results,
  assay_coco_result_boxes,
} assay_coco_kind;

typedef struct assay_coco_parser assay_coco_parser;

/// One per thread. Returns NULL if out of memory.
assay_coco_parser *assay_coco_parser_new(uint32_t depth);
void assay_coco_parser_free(assay_coco_parser *parser);
/// A buffer for a batch's text of this many bytes, to be filled before `parse`; NULL if out of
/// memory.
uint8_t *assay_coco_parser_buffer(assay_coco_parser *parser, size_t count);
/// Parses the text in the buffer; the result is valid until the parser is used again.
assay_coco_batch assay_coco_parser_parse(
  assay_coco_parser *parser, assay_coco_kind kind, size_t count);

#ifdef __cplusplus
}
#endif
#endif
