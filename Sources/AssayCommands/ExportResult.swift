import AssayCore
import AssayWorkflows

/// The result of `assay export`.
enum ExportResult: CommandResult {
  case masks(MaskExportSummary)
  case coco(COCOExportSummary)
  case table(TableExportSummary)

  /// The most left-out samples or differences that the text lists.
  static let listed = 20

  var json: JSONValue {
    switch self {
    case .masks(let summary): Self.json(summary)
    case .coco(let summary): Self.json(summary)
    case .table(let summary): Self.json(summary)
    }
  }

  /// The exported samples and their corrections; `nil` before the export.
  var scope: ExportScope? {
    switch self {
    case .masks(let summary): summary.scope
    case .coco(let summary): summary.scope
    case .table(let summary): summary.scope
    }
  }

  /// True if everything was written, and read back as it was.
  var isWhole: Bool {
    switch self {
    case .masks(let summary): summary.leftOut.isEmpty
    case .coco(let summary):
      summary.leftOut.isEmpty && summary.verification?.isIdentical ?? true
    case .table(let summary):
      summary.leftOut.isEmpty && summary.verification?.isIdentical ?? true
    }
  }

  /// Corrections in splits that models are judged by.
  var remarks: [String] { scope?.warnings.map { "warning: " + $0 } ?? [] }

  private static func json(_ summary: MaskExportSummary) -> JSONValue {
    let value: JSONValue = [
      "view": .string(summary.view), "dataset": .string(summary.dataset), "format": "masks",
      "out": .string(summary.folder), "masks": summary.isBinary ? "binary" : "index",
      "classes": .array(summary.classes.map { .string($0) }),
      "pairs": JSONValue(summary.pairs.count), "empty": JSONValue(summary.empty),
      "side": JSONValue(summary.request.side),
      "crop": summary.request.side == nil ? .null : .string(summary.request.crop.rawValue),
      "left_out": .array(summary.leftOut.map(\.json)),
      "manifest": .string(MaskExport.manifest),
    ]
    return value.adding(summary.scope)
  }

  private static func json(_ summary: COCOExportSummary) -> JSONValue {
    let verified: JSONValue =
      summary.verification.map { found in
        [
          "identical": .bool(found.isIdentical), "images": JSONValue(found.images),
          "annotations": JSONValue(found.annotations), "crowds": JSONValue(found.crowds),
          "difference_count": JSONValue(found.differenceCount),
          "differences": .array(found.differences.map { .string($0) }),
        ]
      } ?? .null
    let value: JSONValue = [
      "view": .string(summary.view), "dataset": .string(summary.dataset), "format": "coco",
      "out": .string(summary.folder), "images": JSONValue(summary.images),
      "annotations": JSONValue(summary.annotations), "categories": JSONValue(summary.categories),
      "renumbered": JSONValue(summary.renumbered),
      "files": .array(summary.files.map { .string($0) }), "root": .string(summary.root),
      "copied": JSONValue(summary.copied), "left_out": .array(summary.leftOut.map(\.json)),
      "verified": verified,
    ]
    return value.adding(summary.scope)
  }

  func text(in terminal: Terminal) -> String {
    switch self {
    case .masks(let summary): Self.text(summary, terminal)
    case .coco(let summary): Self.text(summary, terminal)
    case .table(let summary): Self.text(summary, terminal)
    }
  }

  private static func text(_ summary: MaskExportSummary, _ terminal: Terminal) -> String {
    let kind =
      summary.isBinary
      ? "masks of \(Terminal.safe(summary.classes.first ?? "")) in 0 and 255"
      : "index masks of \(Counted.text(summary.classes.count, "class", "classes"))"
    let size = summary.request.side.map { side in
      ", all \(side)×\(side)"
        + (summary.request.crop == .center ? " by centre crop" : " (proportions changed)")
    }
    var lines = [
      Counted.text(summary.pairs.count, "pair", "pairs")
        + " of image and mask in \(Terminal.safe(summary.folder)): \(kind)" + (size ?? "")
    ]
    if summary.empty > 0 {
      lines.append(
        summary.empty == 1
          ? "1 of the masks is empty: nothing of it is in this image"
          : "\(summary.empty) of the masks are empty: nothing of it is in these images")
    }
    lines += text(summary.scope, terminal)
    lines += list(summary.leftOut, "could not be written", terminal)
    if !summary.pairs.isEmpty {
      lines.append("next: assay import \(Terminal.safe(summary.folder)):masks")
    }
    return lines.joined(separator: "\n")
  }

  private static func text(_ summary: COCOExportSummary, _ terminal: Terminal) -> String {
    var lines = [
      Counted.text(summary.images, "image", "images") + " with "
        + Counted.text(summary.annotations, "annotation", "annotations") + " of "
        + Counted.text(summary.categories, "class", "classes")
        + " in \(Terminal.safe(summary.folder)): "
        + summary.files.map(Terminal.safe).joined(separator: ", ")
    ]
    if summary.renumbered > 0 {
      lines.append(
        Counted.text(summary.renumbered, "image or class", "images or classes")
          + " had no id; ids were assigned")
    }
    if let copied = summary.copied {
      lines.append(Counted.text(copied, "image file", "image files") + " copied")
    }
    lines += text(summary.scope, terminal)
    lines += list(summary.leftOut, "could not be copied", terminal)
    if let found = summary.verification {
      lines += text(found, terminal)
    }
    if summary.copied == nil {
      lines.append(
        "next: assay import \(Terminal.safe(summary.folder)):coco --images "
          + Terminal.safe(summary.root))
    } else {
      lines.append("next: assay import \(Terminal.safe(summary.folder)):coco")
    }
    return lines.joined(separator: "\n")
  }

  private static func text(_ found: COCOVerification, _ terminal: Terminal) -> [String] {
    guard !found.isIdentical else {
      return [
        terminal.right("verified")
          + ": read back, all \(Counted.text(found.annotations, "annotation", "annotations")) "
          + "(\(Counted.text(found.crowds, "crowd", "crowds"))) of "
          + "\(Counted.text(found.images, "image", "images")) are the same, as pixels and by id"
      ]
    }
    var lines = [
      terminal.wrong("not the same when read back: \(found.differenceCount) differences")
    ]
    lines += found.differences.prefix(listed).map { "  " + Terminal.safe($0) }
    if found.differenceCount > listed { lines.append("  … (--json lists more)") }
    return lines
  }

  static func list(
    _ leftOut: [LeftOutSample], _ what: String, _ terminal: Terminal
  ) -> [String] {
    guard !leftOut.isEmpty else { return [] }
    let lines = leftOut.prefix(listed).map { "  " + Terminal.safe("\($0.key): \($0.reason)") }
    return [terminal.wrong(Counted.text(leftOut.count, "image", "images") + " \(what):")] + lines
      + (leftOut.count > listed ? ["  … (--json lists all)"] : [])
  }
}
