import AssayCore
import Testing

import AssayStore

/// Labels of whole images beside regions: annotations of the shape `tag`.
@Suite("Labels beside regions")
struct TagTests {
  /// Three images: a box and two tags; a box and the label; nothing.
  private func street() throws -> TemporaryCatalog {
    let house = try TemporaryCatalog()
    try house.catalog.importDataset(Self.draft) { writer in
      var batch = ImportedBatch()
      batch.newCategories = ["car", "sunny", "wet"].map { Category(name: $0) }
      batch.samples = [
        ImportedSample(key: "a.jpg", location: "a.jpg", size: ImageSize(width: 8, height: 6)),
        ImportedSample(
          key: "b.jpg", location: "b.jpg", size: ImageSize(width: 8, height: 6), category: 1),
        ImportedSample(key: "c.jpg", location: "c.jpg", size: ImageSize(width: 8, height: 6)),
      ]
      let box = Box(x: 1, y: 1, width: 2, height: 2)
      batch.annotations = [
        ImportedAnnotation(sample: 0, category: 0, ordinal: 0, shape: .box, area: 4, box: box),
        ImportedAnnotation(sample: 0, category: 1, ordinal: 1, shape: .tag),
        ImportedAnnotation(
          sample: 0, category: 2, ordinal: 2, shape: .tag, attributes: #"{"sure":true}"#),
        ImportedAnnotation(sample: 1, category: 0, ordinal: 1, shape: .box, area: 4, box: box),
      ]
      try writer.write(batch)
      var outcome = ImportOutcome()
      (outcome.read, outcome.accepted, outcome.ordinals) = (3, 3, [0, 1, 2])
      return (outcome, nil)
    }
    return house
  }

  private static let draft = ImportDraft(
    name: "street", format: .cvat, root: "/street", isSingleFile: false)

  @Test("Each tag is a row; regions do not include it")
  func rows() throws {
    let house = try street()
    let catalog = house.catalog
    let dataset = try catalog.dataset(named: "street")
    #expect(dataset.regions == 2)
    let rows = try catalog.sql("SELECT shape FROM annotation ORDER BY sample, ordinal").rows
    #expect(rows.map { "\($0[0])" }.count == 5)
    let ids = try catalog.samples(in: catalog.resolve("street")).map(\.id)
    #expect(try catalog.regionCounts(of: ids).map { $0.map(\.category) } == [[0], [0], []])
    var found: [[ShapeKind]] = []
    try catalog.forEachAnnotations(of: ids, regionsOnly: false) { _, annotations in
      found.append(annotations.map(\.shape))
    }
    #expect(found == [[.box, .tag, .tag], [.box], []])
  }

  @Test(
    "A query finds labels in both forms",
    arguments: [
      ("label = sunny", ["a.jpg", "b.jpg"]), ("label = wet", ["a.jpg"]), ("label = car", []),
      ("label in (wet, car)", ["a.jpg"]), ("label != sunny", []), ("label != wet", ["b.jpg"]),
      ("labels = 2", ["a.jpg"]), ("labels = 1", ["b.jpg"]), ("labels = 0", ["c.jpg"]),
      ("count(sunny) = 1", ["a.jpg", "b.jpg"]), ("count(car) = 1", ["a.jpg", "b.jpg"]),
    ])
  func query(_ text: String, _ keys: [String]) throws {
    let house = try street()
    let catalog = house.catalog
    #expect(try catalog.keys("street", text) == keys, "\(text)")
  }

  @Test("Samples count once for each label")
  func counts() throws {
    let house = try street()
    let catalog = house.catalog
    let dataset = try catalog.dataset(named: "street")
    let cells = try catalog.splitCounts(of: dataset.id)
    #expect(cells.map(\.category) == [1, 2, nil])
    #expect(cells.map(\.count) == [2, 1, 1])
    let samples = try catalog.samples(in: catalog.resolve("street"))
    #expect(samples.map(\.category) == [nil, 1, nil])
    #expect(samples.map(\.categories) == [[1, 2], [], []])
    #expect(try catalog.samples(ids: samples.map(\.id)).map(\.categories) == [[1, 2], [], []])
  }

  @Test("The labels of further annotators do not count")
  func annotators() throws {
    let house = try TemporaryCatalog()
    let catalog = house.catalog
    try catalog.importDataset(Self.draft) { writer in
      var batch = ImportedBatch()
      batch.newCategories = ["sunny", "wet"].map { Category(name: $0) }
      batch.newSets = [.annotator("ben")]
      batch.samples = ["a.jpg", "b.jpg"].map { ImportedSample(key: $0, location: $0) }
      batch.annotations = [
        ImportedAnnotation(sample: 0, category: 0, ordinal: 0, shape: .tag),
        ImportedAnnotation(sample: 0, category: 1, ordinal: 1, shape: .tag, set: 0),
        ImportedAnnotation(sample: 1, category: 1, ordinal: 0, shape: .label, set: 0),
        ImportedAnnotation(sample: 1, category: 0, ordinal: 1, shape: .tag, set: 0),
      ]
      try writer.write(batch)
      var outcome = ImportOutcome()
      (outcome.read, outcome.accepted, outcome.ordinals) = (2, 2, [0, 1])
      return (outcome, nil)
    }
    for (text, keys) in [
      ("label = sunny", ["a.jpg"]), ("label = wet", []), ("labels = 1", ["a.jpg"]),
      ("labels = 0", ["b.jpg"]), ("label != wet", ["a.jpg"]),
      ("count(wet) = 0", ["a.jpg", "b.jpg"]),
    ] {
      #expect(try catalog.keys("street", text) == keys, "\(text)")
    }
    let samples = try catalog.samples(in: catalog.resolve("street"))
    #expect(samples.map(\.categories) == [[0], []])
    #expect(try catalog.samples(ids: samples.map(\.id)).map(\.categories) == [[0], []])
    let cells = try catalog.splitCounts(of: catalog.dataset(named: "street").id)
    #expect(cells.map(\.category) == [0, nil] && cells.map(\.count) == [1, 1])
  }

  /// One image with a box and the label `sunny`, which has an id and an attribute.
  @Test("A label with fields is one row: the image's label, and an annotation with its fields")
  func labelWithFields() throws {
    let house = try TemporaryCatalog()
    let catalog = house.catalog
    try catalog.importDataset(Self.draft) { writer in
      var batch = ImportedBatch()
      batch.newCategories = ["car", "sunny"].map { Category(name: $0) }
      batch.samples = [
        ImportedSample(
          key: "a.jpg", location: "a.jpg", size: ImageSize(width: 8, height: 6), category: 1),
        ImportedSample(key: "b.jpg", location: "b.jpg", category: 1),
      ]
      let box = Box(x: 1, y: 1, width: 2, height: 2)
      batch.annotations = [
        ImportedAnnotation(
          sample: 0, category: 1, ordinal: 0, shape: .label, sourceID: .integer(7),
          attributes: #"{"sure":true}"#),
        ImportedAnnotation(sample: 0, category: 0, ordinal: 1, shape: .box, area: 4, box: box),
      ]
      try writer.write(batch)
      var outcome = ImportOutcome()
      (outcome.read, outcome.accepted, outcome.ordinals) = (2, 2, [0, 1])
      return (outcome, nil)
    }
    let rows = try catalog.sql(
      "SELECT sample, ordinal, shape, sourceId, attributes FROM annotation ORDER BY 1, 2"
    ).rows
    #expect(rows.count == 3)
    #expect(
      try catalog.sql("SELECT 1 FROM annotation WHERE shape = 'label'").rows.count == 2)
    let samples = try catalog.samples(in: catalog.resolve("street"))
    #expect(samples.map(\.category) == [1, 1])
    var found: [[AnnotationRecord]] = []
    try catalog.forEachAnnotations(of: samples.map(\.id), regionsOnly: false) { _, annotations in
      found.append(annotations)
    }
    #expect(found.map { $0.map(\.shape) } == [[.tag, .box], []])
    #expect(found[0][0].attributes == #"{"sure":true}"# && found[0][0].sourceID == .integer(7))
    for (text, keys) in [
      ("label = sunny", ["a.jpg", "b.jpg"]), ("labels = 1", ["a.jpg", "b.jpg"]),
      ("count(sunny) = 1", ["a.jpg", "b.jpg"]), ("label != sunny", []),
      ("objects(class = sunny) = 0", ["a.jpg", "b.jpg"]),
    ] {
      #expect(try catalog.keys("street", text) == keys, "\(text)")
    }
    let imported = try catalog.importedTruths(of: samples.map(\.id))
    #expect(imported.map(\.label) == ["sunny", "sunny"])
    #expect(imported.map { $0.objects.map(\.shape) } == [[.tag, .box], []])
  }

  @Test("A label among the annotations must be the image's")
  func strayLabel() throws {
    let house = try TemporaryCatalog()
    #expect(throws: StoreError.badBatch("annotation 0 is a label of the whole image")) {
      try house.catalog.importDataset(Self.draft) { writer in
        var batch = ImportedBatch()
        batch.newCategories = ["car", "sunny"].map { Category(name: $0) }
        batch.samples = [ImportedSample(key: "a.jpg", location: "a.jpg", category: 1)]
        batch.annotations = [ImportedAnnotation(sample: 0, category: 0, ordinal: 0, shape: .label)]
        try writer.write(batch)
        return (ImportOutcome(), nil)
      }
    }
  }

  @Test("A tag without geometry is accepted, a polygon without it is not")
  func polygon() throws {
    let house = try TemporaryCatalog()
    #expect(throws: StoreError.badBatch("annotation 0 is a polygon without geometry")) {
      try house.catalog.importDataset(Self.draft) { writer in
        var batch = ImportedBatch()
        batch.newCategories = [Category(name: "car")]
        batch.samples = [ImportedSample(key: "a.jpg", location: "a.jpg")]
        batch.annotations = [
          ImportedAnnotation(sample: 0, category: 0, ordinal: 0, shape: .polygon)
        ]
        try writer.write(batch)
        return (ImportOutcome(), nil)
      }
    }
  }
}
