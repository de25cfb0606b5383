import AssayCore

/// An invalid property of one annotation, the reported issue, and the result.
struct OddAnnotation: Sendable, CustomStringConvertible {
  var name: String
  var changes: [String: String?]
  var kinds: [IssueKind]
  var severity: Issue.Severity = .warning
  var pointer: String
  var says: String
  var shape: ShapeKind?
  var area: Double? = 6
  var box: Box? = Box(x: 1, y: 1, width: 3, height: 2)

  var description: String { name }

  static let cases: [OddAnnotation] = [
    // The polygon 1,1 4,1 4,3 1,3 covers 3 × 2 pixels.
    OddAnnotation(
      name: "no area", changes: ["area": nil], kinds: [.missingField],
      pointer: "/annotations/0/area", says: "taken as 6.0", shape: .polygon),
    OddAnnotation(
      name: "area null", changes: ["area": "null"], kinds: [.missingField],
      pointer: "/annotations/0/area", says: "'area' is missing; taken as 6.0", shape: .polygon),
    OddAnnotation(
      name: "area NaN", changes: ["area": "NaN"], kinds: [.badField],
      pointer: "/annotations/0/area", says: "NaN or infinite; taken as 6.0", shape: .polygon),
    OddAnnotation(
      name: "area -Infinity", changes: ["area": "-Infinity"], kinds: [.badField],
      pointer: "/annotations/0/area", says: "NaN or infinite", shape: .polygon),
    OddAnnotation(
      name: "area 1e999", changes: ["area": "1e999"], kinds: [.badField],
      pointer: "/annotations/0/area", says: "NaN or infinite", shape: .polygon),
    OddAnnotation(
      name: "area negative", changes: ["area": "-3"], kinds: [.badField],
      pointer: "/annotations/0/area", says: "negative; taken as 6.0", shape: .polygon),
    OddAnnotation(
      name: "area as text", changes: ["area": "\"5.5\""], kinds: [.badField],
      pointer: "/annotations/0/area", says: "has the wrong type", shape: .polygon, area: 5.5),
    OddAnnotation(
      name: "no iscrowd", changes: ["iscrowd": nil], kinds: [.missingField],
      pointer: "/annotations/0/iscrowd", says: "taken as 0", shape: .polygon),
    OddAnnotation(
      name: "iscrowd text", changes: ["iscrowd": "\"no\""], kinds: [.badField],
      pointer: "/annotations/0/iscrowd", says: "taken as 0", shape: .polygon),
    OddAnnotation(
      name: "no bbox", changes: ["bbox": nil], kinds: [.missingField],
      pointer: "/annotations/0/bbox", says: "taken from the shape", shape: .polygon),
    OddAnnotation(
      name: "bbox NaN", changes: ["bbox": "[1,NaN,3,2]"], kinds: [.badField],
      pointer: "/annotations/0/bbox", says: "NaN or infinite; taken from the shape",
      shape: .polygon),
    OddAnnotation(
      name: "bbox of three", changes: ["bbox": "[1,1,3]"], kinds: [.badField],
      pointer: "/annotations/0/bbox", says: "taken from the shape", shape: .polygon),
    OddAnnotation(
      name: "bbox negative", changes: ["bbox": "[4,3,-3,-2]"], kinds: [.badField],
      pointer: "/annotations/0/bbox", says: "negative size; taken from the shape", shape: .polygon),
    OddAnnotation(
      name: "neither", changes: ["segmentation": "[]", "bbox": nil],
      kinds: [.missingField, .missingField, .badShape], severity: .error,
      pointer: "/annotations/0", says: "neither a segmentation nor a box; left out", shape: nil),
    OddAnnotation(
      name: "three numbers", changes: ["segmentation": "[[1,2,3]]"], kinds: [.badShape, .badField],
      pointer: "/annotations/0/segmentation/0",
      says: "a polygon with 3 numbers has fewer than three points", shape: .box),
    OddAnnotation(
      name: "three numbers and no box", changes: ["segmentation": "[[1,2,3]]", "bbox": nil],
      kinds: [.missingField, .badShape, .badShape], severity: .error,
      pointer: "/annotations/0/segmentation", says: "there is no box; left out", shape: nil),
    OddAnnotation(
      name: "one bad of two", changes: ["segmentation": "[[1,2,3],[1,1,4,1,4,3,1,3]]"],
      kinds: [.badShape], pointer: "/annotations/0/segmentation/0",
      says: "the polygon is left out", shape: .polygon),
    OddAnnotation(
      name: "odd count", changes: ["segmentation": "[[1,1,4,1,4,3,1,3,9]]"], kinds: [.badShape],
      pointer: "/annotations/0/segmentation/0", says: "odd count of numbers, 9; the last one",
      shape: .polygon),
    OddAnnotation(
      name: "four numbers", changes: ["segmentation": "[[1,1,3,2]]", "area": nil, "bbox": nil],
      kinds: [.missingField, .badShape, .missingField], pointer: "/annotations/0/segmentation/0",
      says: "kept as a box of x, y, width, height", shape: .polygon),
    OddAnnotation(
      name: "NaN coordinate", changes: ["segmentation": "[[1,1,NaN,1,4,3,1,3],[1,1,4,1,4,3,1,3]]"],
      kinds: [.badShape], pointer: "/annotations/0/segmentation/0",
      says: "NaN or infinite; the polygon is left out", shape: .polygon),
    OddAnnotation(
      name: "flat polygon", changes: ["segmentation": "[1,1,4,1,4,3,1,3]"], kinds: [.badShape],
      pointer: "/annotations/0/segmentation", says: "is not in a list of polygons; kept",
      shape: .polygon),
    OddAnnotation(
      name: "segmentation is text", changes: ["segmentation": "\"x\""], kinds: [.badField],
      pointer: "/annotations/0/segmentation", says: "its box is used as its shape", shape: .box),
    OddAnnotation(
      name: "beyond the image", changes: ["segmentation": "[[1,1,40,1,40,3,1,3]]"],
      kinds: [.badShape], pointer: "/annotations/0",
      says: "a polygon extends beyond its image of 10×5", shape: .polygon),
    // 10 × 5: the runs 0 and 50 fill it.
    OddAnnotation(
      name: "runs that do not sum",
      changes: ["segmentation": "{\"counts\":[0,49],\"size\":[5,10]}"],
      kinds: [.badShape], severity: .error, pointer: "/annotations/0/segmentation/counts",
      says: "the run lengths sum to 49, and the image has 50 pixels; left out", shape: nil),
    OddAnnotation(
      name: "negative run",
      changes: ["segmentation": "{\"counts\":[60,-10],\"size\":[5,10]}"],
      kinds: [.badShape], severity: .error, pointer: "/annotations/0/segmentation/counts",
      says: "run length 1 is negative or too large; left out", shape: nil),
    OddAnnotation(
      name: "mask of another size",
      changes: ["segmentation": "{\"counts\":[0,50],\"size\":[10,5]}"], kinds: [.maskSize],
      severity: .error, pointer: "/annotations/0/segmentation/size",
      says: "its run lengths are for 5×10, and its image is 10×5; left out", shape: nil),
    OddAnnotation(
      name: "no size of the mask", changes: ["segmentation": "{\"counts\":[0,50]}"],
      kinds: [.badShape], severity: .error, pointer: "/annotations/0/segmentation/size",
      says: "have no valid 'size'", shape: nil),
    OddAnnotation(
      name: "broken string", changes: ["segmentation": "{\"counts\":\"0b\",\"size\":[5,10]}"],
      kinds: [.badShape], severity: .error, pointer: "/annotations/0/segmentation/counts",
      says: "left out", shape: nil),
    OddAnnotation(
      name: "no id", changes: ["id": nil], kinds: [.missingField], pointer: "/annotations/0/id",
      says: "the annotation without id: 'id' is missing; kept", shape: .polygon),
    OddAnnotation(
      name: "id 0", changes: ["id": "0"], kinds: [.badField], pointer: "/annotations/0/id",
      says: "its id is 0, which pycocotools treats as unmatched; kept", shape: .polygon),
    OddAnnotation(
      name: "id of text", changes: ["id": "\"x9\""], kinds: [.badField],
      pointer: "/annotations/0/id", says: "annotation x9: its id is a text; kept", shape: .polygon),
    OddAnnotation(
      name: "id of 64 bits", changes: ["id": "9223372036854775807"], kinds: [.badField],
      pointer: "/annotations/0/id", says: "beyond 2^53", shape: .polygon),
    OddAnnotation(
      name: "id beyond 64 bits", changes: ["id": "9223372036854775808"], kinds: [.badField],
      pointer: "/annotations/0/id", says: "beyond 64 bits; kept as text", shape: .polygon),
    OddAnnotation(
      name: "unknown image", changes: ["image_id": "99"], kinds: [.unknownReference],
      severity: .error, pointer: "/annotations/0/image_id",
      says: "annotation 11: there is no image 99; left out", shape: nil),
    OddAnnotation(
      name: "image of the other type", changes: ["image_id": "\"5\""], kinds: [.badField],
      pointer: "/annotations/0/image_id", says: "matched", shape: .polygon),
    OddAnnotation(
      name: "unknown category", changes: ["category_id": "2"], kinds: [.unknownReference],
      severity: .error, pointer: "/annotations/0/category_id",
      says: "there is no category 2; left out", shape: nil),
    OddAnnotation(
      name: "attribute NaN", changes: ["score": "NaN"], kinds: [.badField],
      pointer: "/annotations/0", says: "a further field is NaN or infinite; kept as null",
      shape: .polygon),
  ]
}
