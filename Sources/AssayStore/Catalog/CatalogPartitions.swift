import GRDB

extension Catalog {
  /// The partitions of a dataset, by name.
  package func partitions(of dataset: Int64) throws -> [PartitionRecord] {
    try read("listing the partitions") { try PartitionRecord.fetchAll(of: dataset, in: $0) }
  }

  /// Stores a partition, whose parts are disjoint. A part can be empty.
  ///
  /// - Parameters:
  ///   - rule: the rule that created the partition, as JSON text.
  ///   - members: the parts in order, with their samples' ids.
  /// - Throws: ``StoreError/partTaken(_:dataset:)`` if the source or another partition of the
  ///   dataset already has one of the parts, ``StoreError/nameTaken(_:_:)``,
  ///   ``StoreError/badName(_:)``.
  package func addPartition(
    of dataset: Int64, named name: String, seed: UInt64, rule: String,
    members: [(part: String, samples: [Int64])]
  ) throws -> PartitionRecord {
    try write("storing a partition") { database in
      try Name.checked(name)
      let record = try DatasetRecord.fetch(dataset, in: database)
      let scope = try DatasetScope(of: record, truth: truth, in: database)
      guard !scope.partitions.contains(where: { $0.name == name }) else {
        throw StoreError.nameTaken(.partition, name)
      }
      var taken = Set(try scope.parts())
      for (part, _) in members {
        try Name.checked(part)
        guard try scope.splits(matching: part).isEmpty, taken.insert(part).inserted else {
          throw StoreError.partTaken(part, dataset: record.name)
        }
      }
      let id = try database.insert(
        "INSERT INTO partition (dataset, name, seed, rule) VALUES (?, ?, ?, ?)",
        [dataset, name, Int64(bitPattern: seed), rule])
      let insert = try RawStatement(
        database, "INSERT INTO partitionMember (partition, sample, part) VALUES (?1, ?2, ?3)")
      insert.bind(id, at: 1)
      for (ordinal, (part, samples)) in members.enumerated() {
        try database.execute(
          sql: "INSERT INTO partitionPart (partition, ordinal, name) VALUES (?, ?, ?)",
          arguments: [id, ordinal, part])
        insert.bind(part, at: 3)
        for sample in samples {
          insert.bind(sample, at: 2)
          try insert.run()
        }
      }
      return PartitionRecord(
        id: id, name: name, seed: seed, rule: rule,
        parts: members.map { PartCount(part: $0.part, count: $0.samples.count) })
    }
  }
}

extension PartitionRecord {
  static func fetchAll(of dataset: Int64, in database: Database) throws -> [PartitionRecord] {
    try Row.fetchAll(
      database, sql: "SELECT id, name, seed, rule FROM partition WHERE dataset = ? ORDER BY name",
      arguments: [dataset]
    ).map { row in
      let id: Int64 = row["id"]
      let parts = try Row.fetchAll(
        database,
        sql: """
          SELECT p.name, (SELECT count(*) FROM partitionMember m JOIN sample s ON s.id = m.sample
            WHERE m.partition = p.partition AND m.part = p.name AND s.retired = 0) AS count
          FROM partitionPart p WHERE p.partition = ? ORDER BY p.ordinal
          """, arguments: [id])
      return PartitionRecord(
        id: id, name: row["name"], seed: UInt64(bitPattern: row["seed"] as Int64),
        rule: row["rule"], parts: parts.map { PartCount(part: $0["name"], count: $0["count"]) })
    }
  }
}
