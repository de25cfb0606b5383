package import AssayCore
import AssayFormats
package import AssayStore
import Foundation

/// A batch of corrections from a CSV file; either all of them are saved or none.
package struct CorrectionBatch {
  /// The result of importing a file.
  package struct Summary: Sendable {
    package var file: String
    package var rows: Int
    /// The entries that were written, by line.
    package var saved: [(line: Int, outcome: AppendOutcome)]
    /// The number of lines that match the current ground truth and have no note, or one that the
    /// sample already has.
    package var already: Int
    /// The number of corrected samples; samples that only got a note are not included.
    package var samples: Int

    /// The entries that change the ground truth, by line, and the number of note-only entries.
    package var corrections: [(line: Int, outcome: AppendOutcome)] {
      saved.filter { $0.outcome.entry.kind != CorrectionKind.note.rawValue }
    }
    package var notes: Int { saved.count - corrections.count }
  }

  private let work: CorrectionSession
  private let progress: any ProgressSink

  /// The maximum number of lines whose errors are reported.
  private static let told = 20

  package init(_ work: CorrectionSession, progress: any ProgressSink) {
    self.work = work
    self.progress = progress
  }

  /// - Parameters:
  ///   - path: the CSV file; mask paths in it are relative to its folder.
  ///   - dataset: the dataset of lines that do not name one.
  ///   - category: the class of masks whose lines do not name one.
  ///   - isEmptied: true to accept masks without pixels.
  ///   - parts: the handling of mask parts that touch no object.
  /// - Throws: ``CorrectionBatchError`` with every invalid line; `FormatError`,
  ///   ``CorrectionError``, ``Interrupted``, `StoreError`. Nothing is saved in these cases.
  package func run(
    _ path: String, dataset: String?, category: String?, author: String, note: String?,
    emptied isEmptied: Bool, parts: RegionParts = .few(smallestShare: 0)
  ) throws -> Summary {
    let tree = try DirectoryTree(path)
    let table = try CorrectionTable(
      tree.readAll(tree.name, limit: 1 << 30), file: path)
    var problems = Problems(path: path)
    var seen: Set<[String]> = []
    var found: [(row: CorrectionTable.Row, sample: SampleRecord)] = []
    for row in table.rows {
      do {
        guard let dataset = row.dataset ?? dataset else {
          throw CorrectionBatchError.noDataset
        }
        if row.key.isEmpty { throw CorrectionBatchError.noKey }
        let edits = [row.add, row.remove].compactMap(\.self)
        if row.label == nil, row.mask == nil, row.labels == nil, edits.isEmpty {
          throw CorrectionBatchError.noChange
        }
        let known = edits.isEmpty ? [] : try classes(of: dataset)
        let things =
          edits.isEmpty
          ? [row.mask == nil ? "" : row.category ?? category ?? ""]
          : edits.flatMap { Self.names($0, among: known) }
        for thing in things {
          guard seen.insert([dataset, row.key, thing]).inserted else {
            throw CorrectionError.namedTwice(
              key: row.key, what: thing.isEmpty ? "" : " with “\(thing)”")
          }
        }
        found.append((row, try sample(row.key, dataset)))
      } catch {
        problems.add(error, line: row.line)
      }
    }
    try problems.check()
    let service = try work.service(create: true)
    var drafts: [(line: Int, draft: CorrectionDraft)] = []
    var samples: Set<Int64> = []
    var already = 0
    var notes: Set<[String]> = []
    for (place, (row, sample)) in found.enumerated() {
      try Interruption.check("nothing was saved")
      do {
        let note = row.note ?? note
        let truth = try service.truth(of: sample)
        let changes = try changes(
          row, of: sample, truth, dataset: row.dataset ?? dataset ?? "", category: category,
          emptied: isEmptied, parts: parts,
          folder: path.parentFolder
        ).filter { change in
          try !service.changesNothing(
            work.save(change, of: sample, author: author, note: nil, done: true), truth)
        }
        if changes.isEmpty {
          // Importing the same file again, or the rest of it after a kill, must not repeat a note.
          guard let note, !truth.hasNote(note, by: author),
            notes.insert([String(sample.id), note]).inserted
          else {
            already += 1
            continue
          }
          let words = work.save(.note, of: sample, author: author, note: note, done: false)
          drafts.append((row.line, try service.prepared(words)))
        } else {
          if let note { notes.insert([String(sample.id), note]) }
          for (place, change) in changes.enumerated() {
            let save = work.save(
              change, of: sample, author: author, note: place == 0 ? note : nil, done: true)
            drafts.append((row.line, try service.prepared(save)))
          }
          samples.insert(sample.id)
        }
      } catch let error where !(error is Interrupted) {
        problems.add(error, line: row.line)
      }
      progress.report(Double(place + 1) / Double(found.count), "reading \(path)")
    }
    try problems.check()
    let outcomes = try service.append(drafts.map(\.draft))
    return Summary(
      file: path, rows: table.rows.count, saved: Array(zip(drafts.map(\.line), outcomes)),
      already: already, samples: samples.count)
  }

  private func sample(_ key: String, _ dataset: String) throws -> SampleRecord {
    guard let name = SampleName("\(dataset):\(key)") else { throw CorrectionBatchError.noKey }
    return try work.sample(name)
  }

  /// The names of the classes of a dataset.
  private func classes(of dataset: String) throws -> [String] {
    try work.catalog.taxonomy(of: work.catalog.dataset(named: dataset).id).names
  }

  /// The labels in a cell: one class, or several separated by `|`.
  private static func names(_ cell: String, among classes: [String]) -> [String] {
    classes.contains(cell) ? [cell] : LabelSeparator.bar.labels(of: cell)
  }

  /// The changes of a line; several for a set of labels.
  private func changes(
    _ row: CorrectionTable.Row, of sample: SampleRecord, _ truth: EffectiveTruth, dataset: String,
    category: String?, emptied: Bool, parts: RegionParts, folder: String
  ) throws -> [CorrectionSave.Change] {
    if let label = row.label { return [.label(label)] }
    if let cell = row.labels {
      guard let labels = truth.labels else { throw CorrectionError.oneLabel(dataset: dataset) }
      let wanted = Self.names(cell, among: try classes(of: dataset))
      return wanted.filter { !labels.contains($0) }.map { .addLabel($0) }
        + labels.subtracting(wanted).sorted().map { .removeLabel($0) }
    }
    if row.mask == nil {
      let known = try classes(of: dataset)
      return (row.add.map { Self.names($0, among: known) } ?? []).map { .addLabel($0) }
        + (row.remove.map { Self.names($0, among: known) } ?? []).map { .removeLabel($0) }
    }
    let file = row.mask ?? ""
    let mask = try MaskFile.read(file.hasPrefix("/") || folder.isEmpty ? file : folder + "/" + file)
    return [
      .region(
        category: try work.maskCategory(row.category ?? category, of: sample), after: mask,
        emptied: emptied, parts: parts)
    ]
  }

  /// The invalid lines.
  private struct Problems {
    let path: String
    private var lines: [String] = []
    private var count = 0

    init(path: String) { self.path = path }

    mutating func add(_ error: any Error, line: Int) {
      count += 1
      if lines.count < CorrectionBatch.told { lines.append("\(path):\(line): \(error)") }
    }

    func check() throws(CorrectionBatchError) {
      if count > 0 { throw .lines(lines, count: count) }
    }
  }
}

extension CorrectionService {
  /// Returns whether a change of labels or of a class's region, or a take of labels, leaves the
  /// ground truth of a sample unchanged. Returns false for other changes.
  ///
  /// - Parameter truth: the current ground truth of the sample.
  /// - Throws: ``CorrectionError``.
  package func changesNothing(
    _ save: CorrectionSave, _ truth: EffectiveTruth
  ) throws(CorrectionError) -> Bool {
    guard case .take = save.change else {
      guard truth.isAlready(save.change) else { return false }
      switch save.change {
      // A label whose class the dataset no longer has is not its ground truth.
      case .label, .addLabel: _ = try prepared(save)
      default: break
      }
      return true
    }
    let draft = try prepared(save)
    guard draft.target == .label else { return false }
    guard let labels = truth.labels else {
      return truth.label != nil && truth.label == draft.payload["category"]?.text
    }
    return draft.payload["categories"]?.elements?.compactMap(\.text) == labels.sorted()
  }
}

extension EffectiveTruth {
  /// Returns whether a change would have no effect.
  func isAlready(_ change: CorrectionSave.Change) -> Bool {
    switch change {
    case .label(let name): return label == name
    case .addLabel(let name): return labels?.contains(name) == true
    case .removeLabel(let name): return labels?.contains(name) == false
    case .region(let category, let after, _, let parts):
      guard size == after.size else { return false }
      let instances = Mask.union(
        of: objects.filter { $0.category == category && !$0.isCrowd }
          .compactMap { try? $0.mask(in: after.size) }, size: after.size)
      return region(of: category) == parts.region(after, beside: instances).mask
    case .outline(let target, .box(let box)):
      return objects.contains { $0.target == target && $0.shape == .box && $0.box == box }
    case .attributes(let target, let fields):
      guard let object = objects.first(where: { $0.target == target }) else { return false }
      let known = object.attributes.flatMap { try? JSONValue(parsing: $0) }?.members ?? []
      return fields.allSatisfy { field in
        (known.first { $0.name == field.name }?.value ?? .null) == field.value
      }
    default: return false
    }
  }
}

extension EffectiveTruth {
  /// Returns whether an entry that counts has this note by this author.
  package func hasNote(_ note: String, by author: String) -> Bool {
    history.contains {
      $0.isActive && !$0.isConflict && $0.remarks.note == note && $0.remarks.author == author
    }
  }
}

extension CorrectionSession {
  /// The class of a mask: the requested one, or the dataset's only class.
  ///
  /// - Throws: ``CorrectionBatchError/noCategory(_:)``.
  package func maskCategory(_ asked: String?, of sample: SampleRecord) throws -> String {
    if let asked { return asked }
    guard let dataset = try catalog.dataset(ofSample: sample.id) else {
      throw CorrectionBatchError.noDataset
    }
    let classes = try catalog.taxonomy(of: dataset.id).categories.filter { !$0.isVoid }.map(\.name)
    guard classes.count == 1 else { throw CorrectionBatchError.noCategory(classes) }
    return classes[0]
  }
}

/// The reasons why corrections from a file, or from the command line, are rejected.
package enum CorrectionBatchError: Error {
  case noDataset
  case noKey
  case noChange
  /// A mask without a class in a dataset with several classes.
  case noCategory([String])
  /// The messages for the first invalid lines, and the number of invalid lines.
  case lines([String], count: Int)
}

extension CorrectionBatchError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noDataset: "the dataset is missing: give --in NAME, or a column “dataset”"
    case .noKey: "the key is empty"
    case .noChange:
      "no change given: expected a label, a mask, or a label to add or remove"
    case .noCategory(let classes):
      "the class is missing; give --category: " + classes.prefix(20).joined(separator: ", ")
        + (classes.count > 20 ? ", … (\(classes.count))" : "")
    case .lines(let lines, let count):
      lines.joined(separator: "\n")
        + (count > lines.count ? "\nand \(count - lines.count) more" : "")
        + "\nnothing was saved"
    }
  }
}
