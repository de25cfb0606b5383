package import AssayCore
import AssayFormats

/// What an export of masks came to.
package struct MaskExportSummary: Sendable {
  /// A pair that was written.
  package struct Pair: Hashable, Sendable {
    package var key: String
    /// Below `images/` and below `masks/`.
    package var path: String
    package var split: String?
    /// Of both pictures.
    package var size: ImageSize
    /// The mask's pixels that are not 0.
    package var painted: Int
  }

  package var view: String
  package var dataset: String
  /// In the order of their values.
  package var classes: [String]
  /// Whether the masks are 0 and 255.
  package var isBinary: Bool
  package var request: MaskExportRequest
  package var folder: String
  package var pairs: [Pair] = []
  package var leftOut: [LeftOutSample] = []

  /// Masks without a painted pixel.
  package var empty: Int { pairs.count { $0.painted == 0 } }

  /// What was made and how, for the folder's `manifest.json`: no clock in it, the same view gives the same
  /// bytes.
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
          ["background": 0, "first_class": 1, "void": 255]))
      members.append(.init("overlaps", "the smaller region on top"))
    }
    members.append(.init("side", JSONValue(request.side)))
    if request.side != nil {
      members.append(.init("crop", .string(request.crop.rawValue)))
      members.append(.init("image_resize", "area mean, bilinear where larger"))
      members.append(.init("mask_resize", "nearest"))
    }
    members += [
      .init("pairs", JSONValue(pairs.count)), .init("empty", JSONValue(empty)),
      .init("left_out", .array(leftOut.map(\.json))),
      .init("samples", .array(pairs.map(\.json))),
    ]
    return .object(members)
  }
}

extension MaskExportSummary.Pair {
  fileprivate var json: JSONValue {
    [
      "key": .string(key), "image": .string(MaskExport.image(path)),
      "mask": .string(MaskExport.mask(path)), "split": JSONValue(split),
      "width": JSONValue(size.width), "height": JSONValue(size.height),
      "painted": JSONValue(painted),
    ]
  }
}

extension LeftOutSample {
  /// As an object of key and reason.
  package var json: JSONValue { ["key": .string(key), "reason": .string(reason)] }
}
