import AssayCore
import AssayWorkflows

/// The part of `assay stats` about regions.
struct StatsMasks {
  let masks: MaskStatistics

  /// The maximum number of classes that the text lists.
  private static let listed = 20

  var json: JSONValue {
    [
      "images": JSONValue(masks.images), "annotated": JSONValue(masks.images - masks.imagesWithout),
      "without_annotation": JSONValue(masks.imagesWithout),
      "instances": JSONValue(masks.instances), "crowds": JSONValue(masks.crowds),
      "classes": .array(masks.classes.map(Self.json)),
      "mean_masks": masks.means.map { means in
        [
          "width": JSONValue(means.grid.width), "height": JSONValue(means.grid.height),
          "left_out": JSONValue(means.leftOut),
          "classes": .array(
            means.rows.map { row in
              [
                "name": .string(row.name), "n": JSONValue(row.count),
                "largest": JSONValue(row.mean.elements.max()),
              ]
            }),
        ]
      } ?? .null,
    ]
  }

  private static func json(_ row: MaskStatistics.Row) -> JSONValue {
    let counts = row.counts
    return [
      "name": .string(row.category.name), "supercategory": JSONValue(row.category.supercategory),
      "void": .bool(row.category.isVoid), "images": JSONValue(counts.images),
      "instances": JSONValue(counts.instances), "crowds": JSONValue(counts.crowds),
      "small": JSONValue(counts.small), "medium": JSONValue(counts.medium),
      "large": JSONValue(counts.large), "without_area": JSONValue(counts.withoutArea),
      "coverage": row.coverage.map { spread in
        [
          "n": JSONValue(spread.n), "min": .number(spread.least),
          "median": .number(spread.median), "mean": .number(spread.mean),
          "max": .number(spread.largest),
        ]
      } ?? .null,
    ]
  }

  var headline: String {
    let crowds = masks.crowds == 0 ? "" : " and " + Counted.text(masks.crowds, "crowd", "crowds")
    let without =
      masks.imagesWithout == 0
      ? "every image has an annotation"
      : Counted.text(masks.imagesWithout, "image", "images") + " without annotation"
    let instances = Counted.text(masks.instances, "instance", "instances")
    let classes = Counted.text(masks.present.count, "class", "classes")
    return "\(instances)\(crowds) of \(classes); \(without)"
  }

  /// One row per class that has regions, the most frequent first.
  var table: TextTable {
    var table = TextTable([
      ("class", .left), ("images", .right), ("instances", .right), ("crowds", .right),
      ("small", .right), ("medium", .right), ("large", .right), ("coverage", .right),
      ("min–max", .right),
    ])
    for row in masks.present.prefix(Self.listed) {
      let counts = row.counts
      table.add(
        [row.category.name + (row.category.isVoid ? " (void)" : "")]
          + [
            counts.images, counts.instances, counts.crowds, counts.small, counts.medium,
            counts.large,
          ].map(String.init)
          + [
            Fixed.text(row.coverage?.median),
            row.coverage.map { "\(Fixed.text($0.least))–\(Fixed.text($0.largest))" } ?? "–",
          ])
    }
    return table
  }

  var notes: [String] {
    var notes: [String] = []
    let present = masks.present.count
    if present > Self.listed {
      notes.append(
        "… and \(Counted.text(present - Self.listed, "more class", "more classes")) (--json lists all)"
      )
    }
    notes.append(
      "small below 32² pixels, medium below 96²; coverage: the median share of an image that the class "
        + "covers, over the images that contain it")
    let flat = masks.classes.reduce(0) { $0 + $1.counts.withoutArea }
    if flat > 0 {
      notes.append(
        Counted.text(flat, "instance has", "instances have")
          + " no area, such as lines and points, and no size here")
    }
    let absent = masks.classes.filter { $0.counts.images == 0 }.map(\.category.name)
    if !absent.isEmpty {
      let list = absent.prefix(Self.listed).map(Terminal.safe).joined(separator: ", ")
      notes.append(
        "no regions: \(list)"
          + (absent.count > Self.listed ? ", … (\(absent.count) classes)" : ""))
    }
    return notes
  }
}
