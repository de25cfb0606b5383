import GRDB

/// A tag and the number of samples that have it.
package struct TagCount: Hashable, Sendable {
  package var tag: String
  package var samples: Int
}

/// The tags in a selection.
package struct TagCounts: Hashable, Sendable {
  /// The number of the selection's samples, and of those without a tag.
  package var samples: Int
  package var untagged: Int
  /// By number of samples, largest first, then by name.
  package var tags: [TagCount]
}

extension Catalog {
  /// The tags of each sample, sorted by their bytes; empty if no sample of the catalog has any.
  package func tags(of samples: [Int64]) throws -> [[String]] {
    guard let marks = truth.marks else { return [] }
    return try read("reading tags") { database in
      let isAny = try Bool.fetchOne(
        database,
        sql: "SELECT EXISTS (SELECT 1 FROM \(truth.schema).sampleTag WHERE state = ?)",
        arguments: [marks])
      guard isAny == true else { return [] }
      let statement = try RawStatement(
        database,
        """
        SELECT tag FROM \(truth.schema).sampleTag WHERE state = \(marks) AND sample = ?1
        ORDER BY tag
        """)
      return try samples.map { sample in
        statement.bind(sample, at: 1)
        defer { statement.reset() }
        var tags: [String] = []
        while try statement.step() { tags.append(statement.text(0)) }
        return tags
      }
    }
  }

  /// The row ids of the samples that have a tag, of any dataset.
  ///
  /// - Parameter tag: the tag as stored.
  package func samples(taggedWith tag: String) throws -> Set<Int64> {
    guard let marks = truth.marks else { return [] }
    return try read("reading tags") { database in
      try Int64.fetchSet(
        database,
        sql: "SELECT sample FROM \(truth.schema).sampleTag WHERE state = ? AND tag = ?",
        arguments: [marks, tag])
    }
  }

  /// The number of samples with each tag.
  ///
  /// - Throws: ``StoreError/expression(_:)``.
  package func tagCounts(in selection: Selection) throws -> TagCounts {
    try asking("counting tags") { database in
      let samples = Set(try SampleQuery(selection, truth: truth, in: database).ids(in: database))
      guard let marks = truth.marks else {
        return TagCounts(samples: samples.count, untagged: samples.count, tags: [])
      }
      let statement = try RawStatement(
        database,
        "SELECT sample, tag FROM \(truth.schema).sampleTag WHERE state = \(marks) ORDER BY sample")
      var counts: [String: Int] = [:]
      var (last, tagged) = (nil as Int64?, 0)
      while try statement.step() {
        let sample = statement.integer(0)
        guard samples.contains(sample) else { continue }
        if sample != last { tagged += 1 }
        last = sample
        counts[statement.text(1), default: 0] += 1
      }
      return TagCounts(
        samples: samples.count, untagged: samples.count - tagged,
        tags: counts.map { TagCount(tag: $0.key, samples: $0.value) }.sorted {
          ($1.samples, $0.tag) < ($0.samples, $1.tag)
        })
    }
  }

  /// The known hashes of the images of a dataset, by row id.
  package func contentHashes(in dataset: Int64) throws -> [Int64: String] {
    try read("reading images' hashes") { database in
      let statement = try RawStatement(
        database,
        """
        SELECT id, contentHash FROM sample
        WHERE dataset = ?1 AND retired = 0 AND contentHash IS NOT NULL
        """)
      statement.bind(dataset, at: 1)
      var hashes: [Int64: String] = [:]
      while try statement.step() { hashes[statement.integer(0)] = statement.text(1) }
      return hashes
    }
  }
}
