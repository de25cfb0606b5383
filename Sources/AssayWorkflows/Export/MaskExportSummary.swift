package import AssayCore
package import AssayFormats
package import AssayStore

/// The result of a mask export.
package struct MaskExportSummary: Sendable {
  /// An exported pair.
  package struct Pair: Hashable, Sendable {
    package var sample: SampleRecord
    package var key: String { sample.key }
    /// The path relative to `images/` and `masks/`.
    package var path: String
    package var split: String? { sample.split }
    /// The size of the image and the mask.
    package var size: ImageSize
    /// The number of nonzero pixels of the mask.
    package var painted: Int
    /// The number of pixels of classes that regions of other classes cover, in the image's size.
    package var covered: Int
  }

  package var view: String
  package var dataset: String
  /// The classes, in the order of their values.
  package var classes: [String]
  /// True if the mask values are 0 and 255.
  package var isBinary: Bool
  package var depth: IndexMap.Depth
  package var request: MaskExportRequest
  package var folder: String
  package var scope: ExportScope
  package var pairs: [Pair] = []
  package var leftOut: [LeftOutSample] = []

  /// The number of masks without a painted pixel.
  package var empty: Int { pairs.count { $0.painted == 0 } }

  /// The number of pixels of classes that regions of other classes cover.
  package var covered: Int { pairs.reduce(0) { $0 + $1.covered } }

  /// The number of masks with such pixels.
  package var overlapping: Int { pairs.count { $0.covered > 0 } }

  /// The sentence about masks with 16 bits per value; `nil` for 8 bits.
  package var note: String? { isBinary ? nil : depth.note(classes: classes.count) }

  /// The contents and settings of the export for `manifest.json`. It contains no time, so the same
  /// view gives the same bytes.
  package var manifest: JSONValue {
    var members: [JSONValue.Member] = [
      .init("made_by", "assay"), .init("kind", "masks"), .init("view", .string(view)),
      .init("dataset", .string(dataset)), .init("masks", isBinary ? "binary" : "index"),
      .init("classes", .array(classes.map { .string($0) })),
    ]
    if isBinary {
      members.append(.init("values", ["background": 0, "class": 255]))
      members.append(.init("crowds", "in the union"))
    } else {
      members.append(
        .init(
          "values",
          ["background": 0, "first_class": 1, "void": JSONValue(Int(depth.void))]))
      if note != nil { members.append(.init("bits", JSONValue(depth.bits))) }
      members.append(.init("overlaps", "the smaller region on top"))
    }
    members.append(.init("side", JSONValue(request.side)))
    if request.side != nil {
      members.append(.init("crop", .string(request.crop.rawValue)))
      members.append(.init("image_resize", "area mean, bilinear if larger"))
      members.append(.init("mask_resize", "nearest"))
    }
    if scope.corrections != nil {
      members += ExportManifest.members(of: scope, written: pairs.map(\.sample))
    }
    members += [
      .init("pairs", JSONValue(pairs.count)), .init("empty", JSONValue(empty)),
      .init("left_out", .array(leftOut.map(\.json))),
      .init("samples", .array(pairs.map { $0.json(in: scope) })),
    ]
    return .object(members)
  }
}

extension MaskExportSummary.Pair {
  fileprivate func json(in scope: ExportScope) -> JSONValue {
    .object(
      [
        .init("key", .string(key)), .init("image", .string(MaskExport.image(path))),
        .init("mask", .string(MaskExport.mask(path))), .init("split", JSONValue(split)),
        .init("width", JSONValue(size.width)), .init("height", JSONValue(size.height)),
        .init("painted", JSONValue(painted)),
      ] + ExportManifest.members(of: sample, in: scope))
  }
}

extension LeftOutSample {
  /// A JSON object with key and reason.
  package var json: JSONValue { ["key": .string(key), "reason": .string(reason)] }
}
