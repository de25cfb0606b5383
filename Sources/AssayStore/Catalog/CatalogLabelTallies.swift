import AssayCore
import GRDB

/// The contribution of one sample to a multi-label evaluation.
package struct LabelTallyRecord: Hashable, Sendable {
  package var sample: Int64
  /// The true classes, ascending indices of the evaluation's classes.
  package var labels: [Int]
  /// The number of true classes that are not predicted, and of predicted classes that are not true.
  package var missed: Int
  package var added: Int
  /// In 0...1; `nil` if the sample has no class or all of them.
  package var rankingLoss: Double?

  package init(sample: Int64, labels: [Int], missed: Int, added: Int, rankingLoss: Double?) {
    self.sample = sample
    self.labels = labels
    self.missed = missed
    self.added = added
    self.rankingLoss = rankingLoss
  }
}

extension Catalog {
  /// The label tallies of an evaluation, by sample id.
  ///
  /// - Throws: ``StoreError/damaged(table:_:)`` for classes or numbers that the evaluation cannot have.
  package func labelTallies(of evaluation: EvaluationRecord) throws -> [LabelTallyRecord] {
    try read("reading tallies") { database in
      let classes = evaluation.classes.count
      let statement = try RawStatement(
        database,
        """
        SELECT sample, labels, missed, added, rankingLoss FROM labelTally
        WHERE evaluation = ?1 ORDER BY sample
        """)
      statement.bind(evaluation.id, at: 1)
      var tallies: [LabelTallyRecord] = []
      while try statement.step() {
        let (sample, bytes) = (statement.integer(0), statement.bytes(1))
        let labels = stride(from: 0, to: bytes.count - 3, by: 4).map { offset in
          Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
        }
        let tally = LabelTallyRecord(
          sample: sample, labels: labels, missed: Int(statement.integer(2)),
          added: Int(statement.integer(3)), rankingLoss: statement.optionalReal(4))
        guard bytes.count == 4 * labels.count, tally.fits(classes: classes) else {
          throw StoreError.damaged(
            table: "labelTally",
            "the numbers of sample \(sample) do not fit an evaluation of \(classes) classes")
        }
        tallies.append(tally)
      }
      return tallies
    }
  }

  static func insert(
    _ tallies: [LabelTallyRecord], of evaluation: Int64, classes: Int, in database: Database
  ) throws {
    guard !tallies.isEmpty else { return }
    let insert = try RawStatement(
      database,
      """
      INSERT INTO labelTally (evaluation, sample, labels, missed, added, rankingLoss)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6)
      """)
    insert.bind(evaluation, at: 1)
    for tally in tallies {
      guard tally.fits(classes: classes) else {
        throw StoreError.badTally(sample: tally.sample, classes: classes)
      }
      insert.bind(tally.sample, at: 2)
      insert.bind(Int64(tally.missed), at: 4)
      insert.bind(Int64(tally.added), at: 5)
      insert.bind(tally.rankingLoss, at: 6)
      let labels = tally.labels.map { UInt32($0).littleEndian }
      try labels.withUnsafeBytes { bytes in
        insert.bind(noCopy: bytes, at: 3)
        try insert.run()
      }
    }
  }
}

extension LabelTallyRecord {
  /// True if an evaluation with this many classes can have this tally.
  fileprivate func fits(classes: Int) -> Bool {
    labels.allSatisfy { (0..<classes).contains($0) }
      && zip(labels, labels.dropFirst()).allSatisfy { $0 < $1 }
      && (0...labels.count).contains(missed) && (0...classes - labels.count).contains(added)
      && rankingLoss.map { (0...1).contains($0) } != false
  }
}
