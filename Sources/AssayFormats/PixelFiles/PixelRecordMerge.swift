import AssayCore

/// Creates batches from records of embedded pixels, each with a label that is a number.
struct PixelRecordMerge {
  private var classes: NumberedClasses
  private let format: PixelFormat
  private let name: String
  /// The number of records of the source, for progress.
  private let total: Int
  private var batch = ImportedBatch()
  private var cap = IssueLimit()
  private var parents: [Int: String] = [:]
  private(set) var outcome = ImportOutcome()

  /// The number of bytes of pixels per batch.
  private static let batchBytes = 4 << 20

  /// - Parameter name: the name of the source.
  init(_ classes: NumberedClasses, format: PixelFormat, total: Int, name: String) {
    self.classes = classes
    self.format = format
    self.total = total
    self.name = name
    batch.pixelFormat = format
  }

  /// Adds a record.
  ///
  /// - Parameters:
  ///   - label: its number; `nil` for none.
  ///   - parent: the class above its class.
  ///   - location: the file of the label.
  mutating func add(
    _ pixels: ArraySlice<UInt8>, size: ImageSize, key: String, split: String?, label: Int?,
    parent: String? = nil, location: String
  ) {
    batch.read += 1
    var category: Int?
    if let label {
      category = classes.place(of: label, parent: parent, &batch)
      guard category != nil else {
        batch.rejected += 1
        note(
          .unknownLabel, .error, location, key: key,
          "record \(key) has the label \(label), which is not a class; left out")
        return
      }
      noteParent(parent, of: label, location, key)
    }
    let start = batch.pixels.count
    batch.pixels += pixels
    batch.samples.append(
      ImportedSample(
        key: key, split: split, size: size, category: category,
        pixels: start..<batch.pixels.count))
  }

  private mutating func noteParent(
    _ parent: String?, of label: Int, _ location: String, _ key: String
  ) {
    guard let parent else { return }
    guard let known = parents[label] else {
      parents[label] = parent
      return
    }
    guard known != parent else { return }
    note(
      .badField, .warning, location, key: key,
      "record \(key) has the class above “\(parent)”, and other records of its class have "
        + "“\(known)”; the first counts")
  }

  /// Counts records that are left out.
  mutating func reject(_ count: Int) {
    batch.read += count
    batch.rejected += count
  }

  mutating func note(
    _ kind: IssueKind, _ severity: Issue.Severity, _ file: String, key: String? = nil,
    _ message: String
  ) {
    guard cap.admits(kind) else { return }
    batch.issues.append(
      Issue(kind, severity, at: IssueLocation(file: file), sampleKey: key, message))
  }

  /// The number of records of a size that fit into a batch, at least 1.
  static func recordsPerBatch(of bytes: Int) -> Int {
    min(4096, max(1, batchBytes / max(1, bytes)))
  }

  /// The records since the last batch.
  mutating func take() -> ImportedBatch {
    var result = ImportedBatch()
    result.pixelFormat = format
    swap(&result, &batch)
    outcome.read += result.read
    outcome.rejected += result.rejected
    outcome.accepted += result.samples.count
    result.progress = total == 0 ? 1 : min(1, Double(outcome.read) / Double(total))
    return result
  }

  /// The last batch: classes without records, and the number of issues that were not listed.
  mutating func finish() -> ImportedBatch {
    batch.issues += cap.remainder(in: name)
    outcome.ordinals = classes.finish(&batch)
    var result = take()
    result.progress = 1
    return result
  }
}
