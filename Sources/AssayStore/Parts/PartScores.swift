import AssayCore
import GRDB

/// The predictions of a run of classes in several parts, with the labels of a catalog, column by column.
///
/// An evaluation that needs neither keys nor fields of samples reads these columns instead of rows: no text is
/// made for a sample.
package struct PartScores: Sendable {
  /// The ordinal of each sample's label among the dataset's classes; -1 for a sample without a label.
  package let labels: [Int32]
  /// True for the samples with a prediction; the others failed.
  package let isDone: [Bool]
  /// The scores, one per class of the run for each sample; 0 for a sample that failed.
  package let scores: [Float]
}

extension Catalog {
  /// Reads the scores of parts and the labels of their samples, if the samples are those of a selection.
  ///
  /// The ids and keys of the catalog are compared with the hash in the parts, as before a merge.
  ///
  /// - Parameters:
  ///   - parts: all parts of the run, verified.
  ///   - run: the run of the parts.
  ///   - selection: the view of the run; its dataset has one label per sample.
  ///   - list: the ``hash(of:)`` of the run's samples.
  ///   - progress: receives the fraction that is done; the work stops if it throws.
  /// - Returns: the columns in the order of the run; `nil` if they cannot be read in this way: the run has other
  ///   samples than the selection or another order, samples have fields, or the catalog changed meanwhile.
  /// - Throws: ``StoreError``, ``PartFault``; any error that `progress` throws.
  package func partScores(
    _ parts: [PartFile], of run: RunRecord, in selection: Selection, list: String, workers: Int,
    progress: (Double) throws -> Void
  ) throws -> PartScores? {
    guard truth.truth == nil else { return nil }
    let version = try changeCount()
    let total = parts.reduce(0) { $0 + $1.samples }
    let jobs = [ColumnJob.samples, .labels] + parts.map { .part($0) }
    var (samples, labels) = (IDColumn(), LabelColumn())
    var positions = PartPositions(total: total, classes: run.classes.count)
    var (next, done) = (0, 0)
    try OrderedWorkers(workers: workers, window: jobs.count).run(
      next: {
        defer { next += 1 }
        return next < jobs.count ? jobs[next] : nil
      },
      transform: { _, job -> ReadColumn in
        switch job {
        case .samples: .samples(try self.sampleColumns(in: selection, expecting: total))
        case .labels: .labels(try self.labelColumns(of: selection.dataset, expecting: total))
        case .part(let file): .part(try file.rows(of: run))
        }
      },
      deliver: { result in
        switch result {
        case .samples(let found): samples = found
        case .labels(let found): labels = found
        case .part(let rows): try positions.add(rows)
        }
        done += 1
        try progress(Double(done) / Double(jobs.count))
      })
    guard positions.isComplete else {
      throw PartFault.inconsistent("a sample is missing or in two parts")
    }
    guard !samples.haveFields, samples.ids == positions.samples, samples.hash == list,
      try changeCount() == version
    else { return nil }
    return PartScores(
      labels: labels.aligned(with: samples.ids), isDone: positions.isDone,
      scores: positions.scores)
  }

  /// A number that changes when another connection changes the catalog.
  private func changeCount() throws -> Int64 {
    try translating(path, "reading samples") {
      try connection.unsafeReentrantWrite {
        try Int64.fetchOne($0, sql: "PRAGMA data_version") ?? 0
      }
    }
  }

  /// The ids of a selection's samples, ascending, with the hash of their ids and keys.
  private func sampleColumns(
    in selection: Selection, expecting total: Int
  ) throws -> IDColumn {
    try withReader("reading samples") { database in
      let query = try SampleQuery(selection, truth: truth, in: database)
      let statement = try query.columns("s.id, s.key, s.attributes IS NULL", in: database)
      var columns = IDColumn()
      columns.ids.reserveCapacity(total)
      var hash = SampleListHash()
      while try statement.step() {
        let id = statement.integer(0)
        columns.ids.append(id)
        hash.add(id, UnsafeRawBufferPointer(statement.textBytes(1)))
        if statement.integer(2) == 0 { columns.haveFields = true }
      }
      columns.hash = hash.text
      return columns
    }
  }

  /// The labels of a dataset's samples, ascending by sample.
  private func labelColumns(
    of dataset: DatasetRecord, expecting total: Int
  ) throws -> LabelColumn {
    try withReader("reading labels") { database in
      let set = try AnnotationSet(of: dataset.id, in: database)
      let ordinals = set.ordinals
      let statement = try RawStatement(
        database,
        """
        SELECT sample, category FROM main.annotation
        WHERE annotationSet = ?1 AND ordinal = 0 AND shape = 'label' ORDER BY sample
        """)
      statement.bind(set.annotationSet, at: 1)
      var columns = LabelColumn()
      columns.samples.reserveCapacity(total)
      columns.labels.reserveCapacity(total)
      while try statement.step() {
        guard let ordinal = ordinals[statement.integer(1)] else {
          // A label with a class that the dataset no longer has, or a damaged one.
          throw StoreError.damaged(table: "annotation", "a label is no class of its dataset")
        }
        columns.samples.append(statement.integer(0))
        columns.labels.append(Int32(ordinal))
      }
      return columns
    }
  }
}

/// A piece of the work of reading columns.
private enum ColumnJob: Sendable {
  case samples
  case labels
  case part(PartFile)
}

private enum ReadColumn: Sendable {
  case samples(IDColumn)
  case labels(LabelColumn)
  case part(PartRows)
}

private struct IDColumn: Sendable {
  var ids: [Int64] = []
  var hash = ""
  /// True if a sample has fields of the source.
  var haveFields = false
}

/// Labels, ascending by sample.
private struct LabelColumn: Sendable {
  var samples: [Int64] = []
  var labels: [Int32] = []

  /// The label of each of some samples, given ascending; -1 for a sample without a label.
  func aligned(with ids: [Int64]) -> [Int32] {
    if samples == ids { return labels }
    var aligned: [Int32] = []
    aligned.reserveCapacity(ids.count)
    var place = 0
    for id in ids {
      while place < samples.count, samples[place] < id { place += 1 }
      aligned.append(place < samples.count && samples[place] == id ? labels[place] : -1)
    }
    return aligned
  }
}

/// The samples of one part with their scores.
struct PartRows: Sendable {
  var positions: [Int] = []
  var samples: [Int64] = []
  var isDone: [Bool] = []
  /// One per class for each sample.
  var scores: [Float] = []
}

extension PartFile {
  /// The samples of the part with their scores.
  ///
  /// - Throws: ``PartFault``, `StoreError`.
  fileprivate func rows(of run: RunRecord) throws -> PartRows {
    try Self.seal.reading(path) { database in
      let listed = try RawStatement(
        database, "SELECT sample, position, status = 'done' FROM runSample ORDER BY run, sample")
      let predicted = try RawStatement(
        database,
        """
        SELECT sample, class, scores FROM prediction WHERE ordinal = 0
        ORDER BY run, sample, ordinal
        """)
      let classes = run.classes.count
      var rows = PartRows()
      rows.positions.reserveCapacity(self.samples)
      rows.samples.reserveCapacity(self.samples)
      rows.isDone.reserveCapacity(self.samples)
      rows.scores.reserveCapacity(self.samples * classes)
      while try listed.step() {
        let isDone = listed.integer(2) != 0
        rows.samples.append(listed.integer(0))
        rows.positions.append(Int(listed.integer(1)))
        rows.isDone.append(isDone)
        guard isDone else {
          rows.scores.append(contentsOf: repeatElement(0, count: classes))
          continue
        }
        guard try predicted.step(), predicted.integer(0) == listed.integer(0) else {
          throw PartFault.inconsistent("a sample has no prediction")
        }
        let bytes = predicted.bytes(2)
        guard bytes.count == 4 * classes else {
          // A run without scores, or damage.
          rows.scores += try Catalog.scores(bytes, of: Int(predicted.integer(1)), in: run)
          continue
        }
        for index in 0..<classes {
          let bits = bytes.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self)
          rows.scores.append(Float(bitPattern: UInt32(littleEndian: bits)))
        }
      }
      guard try !predicted.step() else {
        throw PartFault.inconsistent("there is a prediction of another sample")
      }
      return rows
    }
  }
}

/// The samples of all parts in the order of the run.
private struct PartPositions {
  private(set) var samples: [Int64]
  private(set) var isDone: [Bool]
  private(set) var scores: [Float]
  private var isThere: [Bool]
  private var found = 0
  private let classes: Int

  init(total: Int, classes: Int) {
    samples = Array(repeating: 0, count: total)
    isDone = Array(repeating: false, count: total)
    isThere = isDone
    scores = Array(repeating: 0, count: total * classes)
    self.classes = classes
  }

  var isComplete: Bool { found == samples.count }

  /// - Throws: ``PartFault`` if a position does not exist or is there twice.
  mutating func add(_ rows: PartRows) throws {
    for (index, position) in rows.positions.enumerated() {
      guard isThere.indices.contains(position), !isThere[position] else {
        throw PartFault.inconsistent("a sample is missing or in two parts")
      }
      isThere[position] = true
      samples[position] = rows.samples[index]
      isDone[position] = rows.isDone[index]
      for place in 0..<classes {
        scores[position * classes + place] = rows.scores[index * classes + place]
      }
    }
    found += rows.positions.count
  }
}
