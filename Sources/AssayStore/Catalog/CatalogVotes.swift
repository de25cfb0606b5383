import AssayCore
import GRDB

/// The votes for one option in a dataset.
package struct OptionVotes: Hashable, Sendable {
  /// The name of the option.
  package var option: String
  /// The number of votes, and of samples with at least one.
  package var votes: Int
  package var samples: Int
}

extension Catalog {
  /// The votes that the samples of a dataset have, by option, in the order of the source; empty for a dataset without
  /// votes.
  ///
  /// - Throws: ``StoreError``.
  package func votes(of dataset: Int64) throws -> [OptionVotes] {
    try read("reading the votes") { database in
      let set = try Row.fetchOne(
        database, sql: "SELECT id, taxonomy FROM annotationSet WHERE dataset = ? AND name = ?",
        arguments: [dataset, AnnotationSet.votes])
      guard let set else { return [] }
      return try Row.fetchAll(
        database,
        sql: """
          SELECT c.name, ifnull(sum(v.votes), 0) AS votes, count(v.votes) AS samples
          FROM category c LEFT JOIN (
            SELECT a.category, a.attributes ->> 'votes' AS votes
            FROM sample s CROSS JOIN main.annotation a ON a.sample = s.id AND a.annotationSet = ?
            WHERE s.dataset = ? AND NOT s.retired) v ON v.category = c.id
          WHERE c.taxonomy = ? GROUP BY c.id ORDER BY c.ordinal
          """, arguments: [set["id"] as Int64, dataset, set["taxonomy"] as Int64]
      ).map { OptionVotes(option: $0["name"], votes: $0["votes"], samples: $0["samples"]) }
    }
  }
}
