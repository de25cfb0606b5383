import AssayCore
import AssayWorkflows

/// The result of `assay export`.
enum ExportResult: CommandResult {
  case masks(MaskExportSummary)
  case coco(COCOExportSummary)
  case table(TableExportSummary)
  case dataset(DatasetExportSummary)
  case parquet(ParquetExportSummary)

  /// The maximum number of left-out samples or differences that the text lists.
  static let listed = 20

  var json: JSONValue {
    switch self {
    case .masks(let summary): Self.json(summary)
    case .coco(let summary): Self.json(summary)
    case .table(let summary): Self.json(summary)
    case .dataset(let summary): ConvertResult.json(summary)
    case .parquet(let summary): Self.json(summary)
    }
  }

  /// The exported samples and their corrections; `nil` before the export.
  var scope: ExportScope? {
    switch self {
    case .masks(let summary): summary.scope
    case .coco(let summary): summary.scope
    case .table(let summary): summary.scope
    case .dataset(let summary): summary.scope
    case .parquet(let summary): summary.scope
    }
  }

  /// True if everything was written and reading it back gave the same data.
  var isWhole: Bool {
    switch self {
    case .masks(let summary): summary.leftOut.isEmpty
    case .coco(let summary):
      summary.leftOut.isEmpty && summary.verification?.isIdentical ?? true
    case .table(let summary):
      summary.leftOut.isEmpty && summary.verification?.isIdentical ?? true
    case .dataset(let summary):
      summary.leftOut.isEmpty && summary.verification?.lost ?? 0 == 0
    case .parquet: true
    }
  }

  /// Tags that the format does not hold, samples that corrections moved out of the view or into it, and warnings about
  /// corrections in splits that models are evaluated on.
  var remarks: [String] {
    guard let scope else { return [] }
    var tags: [String] = []
    if scope.tagged > 0, !holdsTags {
      tags.append(
        "note: \(Counted.text(scope.tagged, "sample has", "samples have")) tags, which this format does not hold; assay export"
          + " \(ShellWord.quoted(scope.view)) --to parquet writes them as a column")
    }
    return tags + scope.moves.map { "note: " + $0 } + scope.warnings.map { "warning: " + $0 }
  }

  private var holdsTags: Bool { if case .parquet = self { true } else { false } }

  private static func json(_ summary: MaskExportSummary) -> JSONValue {
    let value: JSONValue = [
      "view": .string(summary.view), "dataset": .string(summary.dataset), "format": "masks",
      "out": .string(summary.folder), "masks": summary.isBinary ? "binary" : "index",
      "bits": JSONValue(summary.depth.bits),
      "classes": .array(summary.classes.map { .string($0) }),
      "pairs": JSONValue(summary.pairs.count), "empty": JSONValue(summary.empty),
      "covered_pixels": JSONValue(summary.covered), "overlapping": JSONValue(summary.overlapping),
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
      "left_out_annotations": .object(
        summary.leftOutAnnotations.sorted { $0.key.rawValue < $1.key.rawValue }.map {
          .init($0.key.rawValue, JSONValue($0.value))
        }),
      "left_out_fields": JSONValue(summary.leftOutFields),
      "left_out_attributes": JSONValue(summary.leftOutAttributes), "verified": verified,
    ]
    return value.adding(summary.scope)
  }

  func text(in terminal: Terminal) -> String {
    switch self {
    case .masks(let summary): Self.text(summary, terminal)
    case .coco(let summary): Self.text(summary, terminal)
    case .table(let summary): Self.text(summary, terminal)
    case .dataset(let summary): ConvertResult.text(summary, terminal)
    case .parquet(let summary): Self.text(summary, terminal)
    }
  }

  private static func text(_ summary: MaskExportSummary, _ terminal: Terminal) -> String {
    let kind =
      summary.isBinary
      ? "masks of \(Terminal.safe(summary.classes.first ?? "")) in 0 and 255"
      : "index masks of \(Counted.text(summary.classes.count, "class", "classes"))"
    let size = summary.request.side.map { side in
      ", all \(side)×\(side)"
        + (summary.request.crop == .center ? " by center crop" : " (aspect ratio changed)")
    }
    var lines = [
      Counted.text(summary.pairs.count, "pair", "pairs")
        + " of image and mask in \(Terminal.safe(summary.folder)): \(kind)" + (size ?? "")
    ]
    if let note = summary.note { lines.append("note: " + note) }
    if summary.empty > 0 {
      lines.append(
        summary.empty == 1
          ? "1 mask is empty: the class is not in this image"
          : "\(summary.empty) masks are empty: the class is not in these images")
    }
    if summary.covered > 0 {
      lines.append(
        "\(Counted.text(summary.covered, "pixel", "pixels")) covered in "
          + Counted.text(summary.overlapping, "mask", "masks")
          + ": where regions of several classes overlap, the mask has the class of the smallest")
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
    for shape in ShapeKind.allCases {
      guard let count = summary.leftOutAnnotations[shape] else { continue }
      lines.append(words(shape, count) + (count == 1 ? " is" : " are") + " left out")
    }
    if summary.leftOutAttributes > 0 {
      let isOne = summary.leftOutAttributes == 1
      lines.append(
        Counted.text(summary.leftOutAttributes, "attribute", "attributes")
          + " of objects called like COCO's own fields (id, area, iscrowd, …) \(isOne ? "is" : "are") left out"
      )
    }
    if summary.leftOutFields > 0 {
      lines.append(
        "fields of " + Counted.text(summary.leftOutFields, "image", "images")
          + " that readers of COCO take for others are left out")
    }
    if summary.renumbered > 0 {
      lines.append(
        Counted.text(summary.renumbered, "image or class", "images or classes")
          + " without an id; new ids were assigned")
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

  private static func words(_ shape: ShapeKind, _ count: Int) -> String {
    switch shape {
    case .label: Counted.text(count, "label of a whole image", "labels of whole images")
    case .polyline: Counted.text(count, "line", "lines")
    case .points: Counted.text(count, "annotation of points", "annotations of points")
    case .tag:
      Counted.text(
        count, "label of an image beside regions", "labels of images beside regions")
    case .box, .polygon, .mask: Counted.text(count, "object", "objects")
    }
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
      terminal.wrong(
        "not the same when read back: \(Counted.text(found.differenceCount, "difference", "differences"))"
      )
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

extension ExportResult {
  static func json(_ summary: TableExportSummary) -> JSONValue {
    let verified: JSONValue =
      summary.verification.map { found in
        [
          "identical": .bool(found.isIdentical), "samples": JSONValue(found.samples),
          "difference_count": JSONValue(found.differenceCount),
          "differences": .array(found.differences.map { .string($0) }),
        ]
      } ?? .null
    let names: JSONValue =
      summary.namesForImport.map { .array($0.map { .string($0) }) } ?? .null
    let members: [JSONValue.Member] = [
      .init("view", .string(summary.scope.view)),
      .init("dataset", .string(summary.scope.dataset.name)),
      .init("format", .string(summary.kind.rawValue)), .init("out", .string(summary.folder)),
      .init("samples", JSONValue(summary.count)),
      .init("unlabeled", JSONValue(summary.unlabeled)),
      .init("classes", .array(summary.classes.map { .string($0) })),
      .init("import", .string(summary.source)), .init("import_classes", names),
      .init("notes", .array(summary.notes.map { .string($0) })),
      .init("left_out", .array(summary.leftOut.map(\.json))),
      .init("left_out_objects", JSONValue(summary.leftOutObjects)), .init("verified", verified),
      .init("manifest", "manifest.json"),
    ]
    return JSONValue.object(members).adding(summary.scope)
  }

  static func text(_ summary: TableExportSummary, _ terminal: Terminal) -> String {
    let folder = Terminal.safe(summary.folder)
    let what =
      summary.kind == .fer
      ? Counted.text(summary.count, "row", "rows")
        + " of \(summary.size.map { "\($0)" } ?? "") pixels"
        + " in \(folder)/fer2013.csv"
      : Counted.text(summary.count, "image", "images") + " of "
        + Counted.text(summary.classes.count, "class", "classes") + " in \(folder)/images"
    var lines = [what]
    if summary.unlabeled > 0 {
      lines.append(
        Counted.text(summary.unlabeled, "sample has", "samples have") + " no label")
    }
    lines += text(summary.scope, terminal)
    lines += list(summary.leftOut, "could not be written", terminal)
    lines += summary.notes.map { Paragraph.text("note: " + $0, in: terminal) }
    if let found = summary.verification { lines += text(found, terminal) }
    if summary.count > 0 { lines.append(next(summary)) }
    return lines.joined(separator: "\n")
  }

  /// The command that imports the written files.
  private static func next(_ summary: TableExportSummary) -> String {
    var line = "next: assay import " + Terminal.safe(summary.source)
    if let names = summary.namesForImport {
      line += " --classes " + Terminal.safe(names.joined(separator: ","))
    }
    if summary.kind == .fer, let size = summary.size, size.width != size.height {
      line += " --size \(size.width)x\(size.height)"
    }
    return line
  }

  private static func text(_ found: TableVerification, _ terminal: Terminal) -> [String] {
    guard !found.isIdentical else {
      return [
        terminal.right("verified")
          + ": read back, label, split and pixels of "
          + (found.samples == 1 ? "the sample" : "all \(found.samples) samples") + " are the same"
      ]
    }
    var lines = [
      terminal.wrong(
        "not the same when read back: \(Counted.text(found.differenceCount, "difference", "differences"))"
      )
    ]
    lines += found.differences.prefix(listed).map { "  " + Terminal.safe($0) }
    if found.differenceCount > listed { lines.append("  … (--json lists more)") }
    return lines
  }

  /// The lines about corrections; empty for the imported ground truth.
  ///
  /// - Parameter place: the file that lists the corrections.
  static func text(
    _ scope: ExportScope?, _ terminal: Terminal, details place: String = "manifest.csv"
  ) -> [String] {
    guard let scope, let corrections = scope.corrections else { return [] }
    let samples = corrections.samples
    var line =
      Counted.text(samples.count, "sample was", "samples were") + " corrected"
    let seconds = samples.values.reduce(0) { $0 + $1.seconds }
    let authors = Set(samples.values.flatMap(\.authors)).sorted()
    if !authors.isEmpty {
      line += " by " + authors.prefix(5).map(Terminal.safe).joined(separator: ", ")
      if authors.count > 5 { line += " and \(authors.count - 5) more" }
    }
    if seconds >= 1 { line += " in \(duration(seconds))" }
    line += "; details in \(place)"
    var lines = [line]
    if corrections.uncorrected > 0 {
      lines.append(
        Counted.text(corrections.uncorrected, "other sample is", "other samples are")
          + " not written")
    }
    if !corrections.leftOut.isEmpty {
      lines.append(
        Counted.text(corrections.leftOut.count, "sample", "samples")
          + " excluded by users, not written: "
          + corrections.leftOut.prefix(5).map { Terminal.safe($0.key) }.joined(separator: ", ")
          + (corrections.leftOut.count > 5 ? ", …" : ""))
    }
    return lines
  }

  /// `45 s`, `12 min`, `3 h 20 min`.
  private static func duration(_ seconds: Double) -> String {
    let minutes = Int((seconds / 60).rounded())
    if seconds < 90 { return "\(Int(seconds.rounded())) s" }
    return minutes < 60 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
  }
}

extension JSONValue {
  /// An object with the corrections of an export after the other members.
  func adding(_ scope: ExportScope?) -> JSONValue {
    guard let scope, let corrections = scope.corrections, case .object(let members) = self else {
      return self
    }
    let samples = corrections.samples.values
    return .object(
      members + [
        .init("corrected_samples", JSONValue(samples.count)),
        .init("corrections_written", JSONValue(samples.reduce(0) { $0 + $1.corrections })),
        .init("left_out_in_review", .array(corrections.leftOut.map(\.json))),
        .init("not_written_as_uncorrected", JSONValue(corrections.uncorrected)),
        .init("moved_out_of_view", .array(corrections.movedOut.map { .string($0) })),
        .init("moved_into_view", .array(corrections.movedIn.map { .string($0) })),
        .init("warnings", .array(scope.warnings.map { .string($0) })),
      ])
  }
}
