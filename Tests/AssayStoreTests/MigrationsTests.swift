import AssayCore
import GRDB
import Testing

@testable import AssayStore

@Suite("Migrations")
struct MigrationsTests {
  /// The rows of a dataset with one sample and a run of masks on it.
  private static let maskRun = """
    INSERT INTO dataset VALUES (1, 'coco', 'coco', '/c', 0, 1);
    INSERT INTO import VALUES (1, 1, 1, 'h', '{}', 1, 1, 0, 1, 0, '2026-01-31T12:00:00Z');
    INSERT INTO sample (id, dataset, key, import) VALUES (1, 1, 'a.jpg', 1);
    INSERT INTO run (id, name, dataset, datasetVersion, view, settings, versions, samplesHash,
      createdAt, task)
    VALUES (1, 'seg', 1, 1, 'coco', '{}', '{}', 'h', '2026-01-31', 'segmentation');
    """

  @Test("Every earlier schema comes up to date and is whole", arguments: 0...Migrations.all.count)
  func fromEach(done: Int) throws {
    let database = try DatabaseQueue()
    if done > 0 {
      try Migrations.migrator.migrate(database, upTo: Migrations.all[done - 1].name)
    }
    try Migrations.migrator.migrate(database)
    #expect(try database.read { try Migrations.migrator.hasCompletedMigrations($0) })
    #expect(
      try database.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") } == "ok")
    #expect(
      try database.read { try Row.fetchAll($0, sql: "PRAGMA foreign_key_check").isEmpty })
  }

  @Test("A catalog of labels keeps its data, and its labels are counted as before")
  func labels() throws {
    let database = try DatabaseQueue()
    try Migrations.migrator.migrate(database, upTo: Migrations.all[0].name)
    try database.write { database in
      try database.execute(
        sql: """
          INSERT INTO dataset VALUES (1, 'faces', 'fer', '/f.csv', 1, 1);
          INSERT INTO import VALUES (1, 1, 1, 'h', '{}', 2, 2, 0, 2, 0, '2026-01-31T12:00:00Z');
          INSERT INTO taxonomy VALUES (1, 1, 'labels');
          INSERT INTO category VALUES (1, 1, 0, NULL, 'happy', NULL), (2, 1, 1, NULL, 'sad', NULL);
          INSERT INTO annotationSet VALUES (1, 1, 'labels', 1);
          INSERT INTO sample VALUES (1, 1, '0', NULL, 'train', 48, 48, NULL, 1, 0),
            (2, 1, '1', NULL, 'test', 48, 48, NULL, 1, 0);
          INSERT INTO annotation VALUES (1, 1, 0, 2, 'label', NULL), (2, 1, 0, 1, 'label', NULL);
          INSERT INTO run VALUES (1, 'r', NULL, 1, 1, 'faces', '{}', '{}', 'h', '2026-01-31');
          """)
    }
    try Migrations.migrator.migrate(database)
    func values(_ sql: String) throws -> [String] {
      try database.read { try String.fetchAll($0, sql: sql) }
    }
    #expect(
      try values(
        """
        SELECT annotationSet || ' ' || category || ' ' || sample || ' ' || count || ' ' || crowdCount
        FROM sampleCategory WHERE unionArea IS NULL ORDER BY category
        """) == ["1 1 2 1 0", "1 2 1 1 0"])
    #expect(try values("SELECT task FROM run") == ["classification"])
    #expect(try values("SELECT sum(isCrowd) || ' ' || count(*) FROM annotation") == ["0 2"])
    #expect(try values("SELECT key FROM sample ORDER BY id") == ["0", "1"])
  }

  @Test("A catalog of masks keeps its runs and evaluations, and can take detections")
  func masks() throws {
    let database = try DatabaseQueue()
    try Migrations.migrator.migrate(database, upTo: Migrations.all[1].name)
    try database.write { database in
      try database.execute(
        sql: """
          \(Self.maskRun)
          INSERT INTO runClass VALUES (1, 0, 'person');
          INSERT INTO runSample VALUES (1, 1, 0, 'done', NULL);
          INSERT INTO maskPrediction VALUES (1, 1, 0, 7, 0.5, 0.25, x'3031');
          INSERT INTO evaluation VALUES (1, 1, 'default', '{"a":1}', '2026-01-31');
          INSERT INTO evaluationClass VALUES (1, 0, 'person');
          INSERT INTO pixelTally (evaluation, sample, void, iou, confusion, boundary)
          VALUES (1, 1, 0, 0.5, zeroblob(8), zeroblob(16));
          INSERT INTO score (evaluation, metric, value, n) VALUES (1, 'mean_iou', 0.5, 1);
          """)
    }
    try Migrations.migrator.migrate(database)
    func values(_ sql: String) throws -> [String] {
      try database.read { try String.fetchAll($0, sql: sql) }
    }
    #expect(
      try values("SELECT name || settings || ifnull(iouThresholds, '-') FROM evaluation")
        == ["default{\"a\":1}-"])
    #expect(try values("SELECT area || ' ' || hex(counts) FROM maskPrediction") == ["7 3031"])
    #expect(try values("SELECT iou || ' ' || length(boundary) FROM pixelTally") == ["0.5 16"])
    try database.write { database in
      try database.execute(
        sql: """
          INSERT INTO detection VALUES (1, 1, 0, 0, 0.5, 1, 2, 3, 4, NULL, NULL, NULL, NULL, NULL);
          INSERT INTO detectionTally VALUES (1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, x'00', x'00');
          INSERT INTO match VALUES (1, 1, 0, 0, 1, 0, 0.5, 0.75, NULL, 63, 0);
          """)
    }
    #expect(
      try database.read { try Row.fetchAll($0, sql: "PRAGMA foreign_key_check").isEmpty })
  }

  @Test("A catalog of reviews keeps its labels, and none of its datasets becomes multi-label")
  func labelSets() throws {
    let database = try DatabaseQueue()
    try Migrations.migrator.migrate(database, upTo: Migrations.all[4].name)
    try database.write { database in
      try database.execute(
        sql: """
          INSERT INTO dataset VALUES (1, 'faces', 'fer', '/f.csv', 1, 1);
          INSERT INTO import VALUES (1, 1, 1, 'h', '{}', 1, 1, 0, 1, 0, '2026-01-31T12:00:00Z');
          INSERT INTO taxonomy VALUES (1, 1, 'labels');
          INSERT INTO category (id, taxonomy, ordinal, name) VALUES (1, 1, 0, 'happy');
          INSERT INTO annotationSet (id, dataset, name, taxonomy) VALUES (1, 1, 'labels', 1);
          INSERT INTO sample (id, dataset, key, import) VALUES (1, 1, '0', 1);
          INSERT INTO annotation (sample, annotationSet, ordinal, category, shape)
          VALUES (1, 1, 0, 1, 'label');
          """)
    }
    try Migrations.migrator.migrate(database)
    try database.read { database in
      #expect(try Int.fetchOne(database, sql: "SELECT sum(multiLabel) FROM annotationSet") == 0)
      let dataset = try DatasetRecord.fetch(1, in: database)
      #expect(!dataset.isMultiLabel)
      #expect(try !AnnotationSet(of: 1, in: database).isMultiLabel)
    }
  }

  @Test("A catalog of an evaluation of masks keeps its counts, and has no measures")
  func maskMeasures() throws {
    let database = try DatabaseQueue()
    try Migrations.migrator.migrate(database, upTo: Migrations.all[5].name)
    try database.write { database in
      try database.execute(
        sql: """
          \(Self.maskRun)
          INSERT INTO evaluation (id, run, name, settings, createdAt)
          VALUES (1, 1, 'default', '{}', '2026-01-31');
          INSERT INTO pixelTally (evaluation, sample, void, iou, confusion, boundary)
          VALUES (1, 1, 0, 0.5, zeroblob(32), zeroblob(32));
          """)
    }
    try Migrations.migrator.migrate(database)
    let columns = MaskMeasure.allCases.map(\.rawValue).joined(separator: ", ")
    let row = try #require(
      try database.read {
        try Row.fetchOne(
          $0, sql: "SELECT iou, length(confusion) AS bytes, \(columns) FROM pixelTally")
      })
    #expect(row["iou"] == 0.5 && row["bytes"] == 32)
    for (place, measure) in MaskMeasure.allCases.enumerated() {
      #expect(row.hasNull(atIndex: 2 + place), "\(measure)")
    }
  }

  @Test("Classes and samples of earlier catalogs have no additional fields")
  func attributes() throws {
    let database = try DatabaseQueue()
    try Migrations.migrator.migrate(database, upTo: Migrations.all[6].name)
    try database.write { database in
      try database.execute(
        sql: """
          \(Self.maskRun)
          INSERT INTO taxonomy (id, dataset, name) VALUES (1, 1, 'default');
          INSERT INTO category (taxonomy, ordinal, name) VALUES (1, 0, 'person');
          """)
    }
    try Migrations.migrator.migrate(database)
    try database.read { database in
      for table in ["category", "sample"] {
        let rows = try Row.fetchAll(database, sql: "SELECT attributes FROM \(table)")
        #expect(!rows.isEmpty)
        #expect(rows.allSatisfy { $0.hasNull(atIndex: 0) })
      }
    }
  }

  @Test("A catalog from before checks keeps its issues, and has no findings")
  func findings() throws {
    let database = try DatabaseQueue()
    try Migrations.migrator.migrate(database, upTo: Migrations.all[6].name)
    try database.write { database in
      try database.execute(
        sql: """
          INSERT INTO dataset VALUES (1, 'faces', 'fer', '/f.csv', 1, 1);
          INSERT INTO import VALUES (1, 1, 1, 'h', '{}', 1, 1, 0, 1, 0, '2026-01-31T12:00:00Z');
          INSERT INTO issue (import, kind, severity, file, message)
          VALUES (1, 'pixelValue', 'warning', 'f.csv', 'odd');
          """)
    }
    try Migrations.migrator.migrate(database)
    let counts = try database.read { database in
      try ["issue", "finding"].map {
        try Int.fetchOne(database, sql: "SELECT count(*) FROM \($0)")
      }
    }
    #expect(counts == [1, 0])
  }

  @Test("Every table of ours is STRICT")
  func strict() throws {
    let database = try DatabaseQueue()
    try Migrations.migrator.migrate(database)
    let loose = try database.read { database in
      try String.fetchAll(
        database,
        sql: """
          SELECT name FROM pragma_table_list
          WHERE type = 'table' AND strict = 0 AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'grdb_%'
          """)
    }
    #expect(loose == [])
  }

  @Test("The names of the migrations start with their numbers, without gaps")
  func names() {
    let numbers = Migrations.all.map { $0.name.prefix { $0.isNumber } }
    #expect(numbers.map { Int($0) } == Array(1...Migrations.all.count))
  }
}
