package import AssayCore
import GRDB

/// A list of samples to review, frozen when it was created.
package struct ReviewRecord: Hashable, Sendable {
  package var id: Int64
  package var name: String
  package var dataset: DatasetRecord
  /// As typed: a view, runs, or both, separated by blanks.
  package var subject: String
  package var order: ReviewOrder
  /// The filter for the samples; `nil` for all.
  package var expression: String?
  /// The request as JSON text; equal requests have equal text.
  package var settings: String
  package var seed: UInt64
  /// The time of creation, as `2026-01-31T12:00:00Z`.
  package var createdAt: String
  /// The number of samples in the list, including those retired since.
  package var total: Int
}

/// A sample of a review, with its reason and position.
package struct ReviewItem: Hashable, Sendable {
  /// The 0-based position in the list.
  package var position: Int
  package var sample: SampleRecord
  /// The score that determines its position, larger first; `nil` in a random order.
  package var score: Double?
  /// The reason as text.
  package var reason: String
  /// The people to whom it is assigned, sorted; empty if it is assigned to nobody.
  package var people: [String] = []
  /// True if each of these people corrects it independently.
  package var isShared = false
}

/// A review to be saved.
package struct ReviewDraft: Hashable, Sendable {
  /// One sample of the review.
  package struct Entry: Hashable, Sendable {
    package var sample: Int64
    package var score: Double?
    package var reason: String
    /// The people to whom it is assigned; empty for nobody.
    package var people: [String] = []
    /// True if each of these people corrects it independently.
    package var isShared = false

    package init(sample: Int64, score: Double?, reason: String) {
      self.sample = sample
      self.score = score
      self.reason = reason
    }
  }

  package var name: String
  package var dataset: Int64
  package var subject: String
  package var order: ReviewOrder
  package var expression: String?
  package var settings: String
  package var seed: UInt64
  /// In list order; each sample once.
  package var entries: [Entry]

  package init(
    name: String, dataset: Int64, subject: String, order: ReviewOrder, expression: String? = nil,
    settings: String = "{}", seed: UInt64 = 0, entries: [Entry]
  ) {
    self.name = name
    self.dataset = dataset
    self.subject = subject
    self.order = order
    self.expression = expression
    self.settings = settings
    self.seed = seed
    self.entries = entries
  }
}

extension ReviewRecord {
  /// Reviews as `v`; further clauses can follow.
  static let query = """
    SELECT v.*, (SELECT count(*) FROM reviewSample x WHERE x.review = v.id) AS total FROM review v
    """

  init(row: Row, in database: Database) throws {
    let seed: Int64 = row["seed"]
    self.init(
      id: row["id"], name: row["name"],
      dataset: try DatasetRecord.fetch(row["dataset"], in: database), subject: row["subject"],
      order: try row.stored("ordering", of: "review"), expression: row["expression"],
      settings: row["settings"], seed: UInt64(bitPattern: seed), createdAt: row["createdAt"],
      total: row["total"])
  }
}
