import AssayCore
import AssayWorkflows

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
      .init("unlabelled", JSONValue(summary.unlabelled)),
      .init("classes", .array(summary.classes.map { .string($0) })),
      .init("import", .string(summary.source)), .init("import_classes", names),
      .init("notes", .array(summary.notes.map { .string($0) })),
      .init("left_out", .array(summary.leftOut.map(\.json))), .init("verified", verified),
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
    if summary.unlabelled > 0 {
      lines.append(
        Counted.text(summary.unlabelled, "sample has", "samples have") + " no label")
    }
    lines += text(summary.scope, terminal)
    lines += list(summary.leftOut, "could not be written", terminal)
    lines += summary.notes.map { Paragraph.text("note: " + $0, in: terminal) }
    if let found = summary.verification { lines += text(found, terminal) }
    if summary.count > 0 { lines.append(next(summary)) }
    return lines.joined(separator: "\n")
  }

  /// The import of what was written, as it is typed.
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
          + ": read back, label, split and pixels of all "
          + Counted.text(found.samples, "sample are", "samples are") + " the same"
      ]
    }
    var lines = [
      terminal.wrong("not the same when read back: \(found.differenceCount) differences")
    ]
    lines += found.differences.prefix(listed).map { "  " + Terminal.safe($0) }
    if found.differenceCount > listed { lines.append("  … (--json lists more)") }
    return lines
  }

  /// What people corrected in it; nothing where the truth is the imported one.
  static func text(_ scope: ExportScope?, _ terminal: Terminal) -> [String] {
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
    line += "; manifest.csv says what"
    var lines = [line]
    if corrections.uncorrected > 0 {
      lines.append(
        Counted.text(corrections.uncorrected, "other sample is", "other samples are")
          + " not written")
    }
    if !corrections.leftOut.isEmpty {
      lines.append(
        Counted.text(corrections.leftOut.count, "sample", "samples")
          + " that people left out not written: "
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
  /// An object with what people corrected in an export behind the others.
  func adding(_ scope: ExportScope?) -> JSONValue {
    guard let scope, let corrections = scope.corrections, case .object(let members) = self else {
      return self
    }
    let samples = corrections.samples.values
    return .object(
      members + [
        .init("corrected_samples", JSONValue(samples.count)),
        .init("corrections_written", JSONValue(samples.reduce(0) { $0 + $1.corrections })),
        .init("left_out_by_people", .array(corrections.leftOut.map(\.json))),
        .init("not_written_as_uncorrected", JSONValue(corrections.uncorrected)),
        .init("warnings", .array(scope.warnings.map { .string($0) })),
      ])
  }
}
