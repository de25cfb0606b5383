import AssayCore
import Testing

import AssayStore

@Suite("Importing regions")
struct RegionImportTests {
  private func annotations(
    _ catalog: Catalog, _ ids: [Int64], categories: Set<Int>? = nil, geometry: Bool = true
  ) throws -> [[AnnotationRecord]] {
    var found: [[AnnotationRecord]] = []
    try catalog.forEachAnnotations(of: ids, categories: categories, geometry: geometry) {
      #expect($0 == found.count)
      found.append($1)
    }
    return found
  }

  @Test("Every field of a region comes back as it was given")
  func fields() throws {
    let house = try TemporaryCatalog()
    let dataset = try house.catalog.importRegions(sixImages).dataset
    #expect(dataset.regions == 8)
    let found = try annotations(house.catalog, [1, 2, 3, 4, 5, 6])
    #expect(found.map(\.count) == [1, 3, 2, 1, 0, 1])
    #expect(
      found[1][0]
        == AnnotationRecord(
          ordinal: 2, category: 0, shape: .box, area: 40,
          box: Box(x: 0, y: 0, width: 10, height: 4), sourceID: .integer(1 << 40)))
    #expect(
      found[2][0]
        == AnnotationRecord(
          ordinal: 5, category: 0, shape: .polygon, area: 9215.9, sourceID: .text("p"),
          geometry: Geometry.polygons([[0, 0, 0, 10, 10, 10]]).packed))
    #expect(found[2][1].isCrowd)
    #expect(found[5][0].attributes == "{\"k\":1}")
    let size = ImageSize(width: 10, height: 10)
    #expect(try found[3][0].mask(in: size) == Mask(fullOf: size))
    #expect(try found[1][0].mask(in: size).area == 40)
    let samples = try house.catalog.samples(in: house.catalog.resolve("coco"))
    #expect(samples.map(\.sourceID) == [.integer(17), nil, nil, nil, nil, nil])
  }

  @Test("Lines and points are kept, counted, and omitted where regions are asked for")
  func linesAndPoints() throws {
    let house = try TemporaryCatalog()
    try house.catalog.importRegions([
      RegionSample(
        key: "a", size: ImageSize(width: 10, height: 10),
        regions: [
          RegionDraft("lane", line: [0, 0, 5.5, 9], attributes: "{\"k\":1}"),
          RegionDraft("car", box: (0, 0, 2, 2)), RegionDraft("car", points: [1, 1, 3, 4]),
        ])
    ])
    #expect(try annotations(house.catalog, [1]).map { $0.map(\.shape) } == [[.box]])
    var all: [AnnotationRecord] = []
    try house.catalog.forEachAnnotations(of: [1], regionsOnly: false) { all += $1 }
    #expect(all.map(\.shape) == [.polyline, .box, .points])
    // Datasets of lines and points alone have no ground truth of objects.
    #expect(try house.catalog.dataset(named: "coco").regions == 1)
    #expect(all[0].geometry == Geometry.polylines([[0, 0, 5.5, 9]]).packed)
    #expect(all[2].geometry == Geometry.points([1, 1, 3, 4]).packed)
    #expect(all[0].attributes == "{\"k\":1}")
    #expect(try house.catalog.keys("coco", "count(car) = 2 and count(lane) = 1") == ["a"])
    #expect(try house.catalog.keys("coco", "coverage(car) = 0.04") == ["a"])
    #expect(try house.catalog.keys("coco", "coverage(lane) = 0") == ["a"])
  }

  @Test("Additional fields of classes and samples come back, also where an import replaces them")
  func attributes() throws {
    let house = try TemporaryCatalog()
    func run(_ category: String?, _ sample: String?, replace: Bool) throws {
      var batch = ImportedBatch()
      batch.newCategories = [Category(name: "person", attributes: category)]
      batch.samples = [ImportedSample(key: "a", location: "a", attributes: sample)]
      var outcome = ImportOutcome()
      (outcome.read, outcome.accepted, outcome.ordinals) = (1, 1, [0])
      let (part, done) = (batch, outcome)
      let draft = ImportDraft(
        name: "coco", format: .coco, root: "/data", isSingleFile: false, replace: replace)
      try house.catalog.importDataset(draft) { writer in
        try writer.write(part)
        return (done, nil)
      }
    }
    func found() throws -> [String?] {
      let dataset = try house.catalog.dataset(named: "coco")
      let sample = try house.catalog.sql("SELECT attributes FROM sample").rows[0][0]
      let category = try house.catalog.taxonomy(of: dataset.id).categories[0].attributes
      return [category, sample == .null ? nil : "\(sample)"]
    }
    try run("{\"keypoints\":[\"nose\"]}", "{\"neg\":[3]}", replace: false)
    let first = try found()
    #expect(first[0] == "{\"keypoints\":[\"nose\"]}")
    #expect(first[1]?.contains("neg") == true)
    try run(nil, nil, replace: true)
    #expect(try found() == [nil, nil])
  }

  @Test("Regions come for the samples asked for, in their order, of the classes asked for")
  func choice() throws {
    let house = try TemporaryCatalog()
    try house.catalog.importRegions(sixImages)
    #expect(try annotations(house.catalog, [6, 5, 2, 2, 99]).map(\.count) == [1, 0, 3, 3, 0])
    #expect(try annotations(house.catalog, [1, 2, 3], categories: [1]).map(\.count) == [0, 1, 0])
    #expect(try annotations(house.catalog, [1, 2], categories: []).map(\.count) == [0, 0])
    let bare = try annotations(house.catalog, [3], geometry: false)
    #expect(bare[0].map(\.geometry) == [nil, nil])
    #expect(bare[0].map(\.shape) == [.polygon, .mask])
  }

  @Test(
    "The order in which regions arrive changes nothing but their place", arguments: [1, 3, 500])
  func order(chunk: Int) throws {
    let size = ImageSize(width: 30, height: 30)
    var random = SplitMix64(seed: 11)
    let samples = (0..<60).map { sample in
      RegionSample(
        key: "\(sample)", size: size,
        regions: (0..<Int.random(in: 0...9, using: &random)).map {
          RegionDraft(
            "c\($0 % 3)",
            polygon: (0..<8).map { _ in Double(Int.random(in: 0...30, using: &random)) },
            isCrowd: $0 == 4)
        })
    }
    let house = try TemporaryCatalog()
    try house.catalog.importRegions(samples, as: "sorted")
    try house.catalog.importRegions(samples, as: "shuffled", chunk: chunk) {
      $0.shuffle(using: &random)
    }
    func picture(_ name: String) throws -> [Set<[UInt8]?>] {
      let ids = try house.catalog.samples(in: house.catalog.resolve(name)).map(\.id)
      return try annotations(house.catalog, ids).map { Set($0.map(\.geometry)) }
    }
    #expect(try picture("sorted") == picture("shuffled"))
    // The counts per sample and class agree with the regions themselves.
    #expect(
      try house.catalog.sql(
        """
        SELECT annotationSet, category, sample, count, crowdCount FROM sampleCategory EXCEPT
        SELECT annotationSet, category, sample, sum(isCrowd = 0), sum(isCrowd) FROM annotation
        GROUP BY 1, 2, 3
        """
      ).rows.isEmpty)
    let rows = try house.catalog.sql(
      "SELECT count(*), (SELECT count(*) FROM (SELECT DISTINCT category, sample FROM annotation)) "
        + "FROM sampleCategory"
    ).rows
    #expect(rows[0][0] == rows[0][1])
    #expect(try house.catalog.sql("PRAGMA foreign_key_check").rows.isEmpty)
  }

  @Test("A label and a region of one class in one image are counted together")
  func labelAndRegion() throws {
    let house = try TemporaryCatalog()
    try house.catalog.importRegions([
      RegionSample(
        key: "a", size: ImageSize(width: 4, height: 4),
        regions: [RegionDraft("cat", box: (0, 0, 2, 2))], label: "cat")
    ])
    #expect(try house.catalog.keys("coco", "count(cat) = 2") == ["a"])
    #expect(try house.catalog.keys("coco", "coverage(cat) = 0.25") == ["a"])
  }

  @Test("What does not fit together refuses the whole import")
  func refusals() throws {
    let house = try TemporaryCatalog()
    let good = ImportedAnnotation(
      sample: 0, category: 0, ordinal: 1, shape: .box,
      box: Box(x: 0, y: 0, width: 1, height: 1))
    var bad: [[ImportedAnnotation]] = [[good, good]]
    for change: (inout ImportedAnnotation) -> Void in [
      { $0.sample = 1 }, { $0.category = 1 }, { $0.category = -1 }, { $0.shape = .polygon },
      { $0.geometry = 0..<5 }, { $0.shape = .label },
    ] {
      var annotation = good
      change(&annotation)
      bad.append([annotation])
    }
    for annotations in bad {
      let error = #expect(throws: StoreError.self) {
        try house.catalog.importDataset(
          ImportDraft(name: "x", format: .coco, root: "/x", isSingleFile: false)
        ) { writer in
          var batch = ImportedBatch()
          batch.newCategories = [Category(name: "a")]
          batch.samples = [ImportedSample(key: "0")]
          batch.geometry = [1, 2, 3]
          batch.annotations = annotations
          try writer.write(batch)
          var outcome = ImportOutcome()
          (outcome.read, outcome.accepted, outcome.ordinals) = (1, 1, [0])
          return (outcome, nil)
        }
      }
      guard case .badBatch = error else {
        Issue.record("not a bad batch: \(String(describing: error))")
        continue
      }
    }
    #expect(try house.catalog.datasets().isEmpty)
    #expect(try house.catalog.sql("SELECT count(*) FROM geometry").rows == [[.integer(0)]])
  }

  @Test("Importing again replaces regions, geometry and counts, and nothing is left over")
  func replace() throws {
    let house = try TemporaryCatalog()
    try house.catalog.importRegions(sixImages)
    #expect(try house.catalog.keys("coco", "coverage(person) > 0") == ["0", "1", "2", "3"])
    var later = sixImages
    later[3].regions = [RegionDraft("person", polygon: [0, 0, 5, 0, 5, 5, 0, 5])]
    later.remove(at: 1)
    let summary = try house.catalog.importRegions(later, replace: true)
    #expect((summary.kept, summary.retired, summary.dataset.regions) == (5, 1, 5))
    #expect(try house.catalog.keys("coco", "coverage(person) = 0.25") == ["3"])
    #expect(try house.catalog.keys("coco", "count(person, crowd) = 1") == ["2"])
    // Image 3 had a mask, image 2 still has two regions with geometry.
    #expect(try house.catalog.sql("SELECT count(*) FROM geometry").rows == [[.integer(3)]])
    #expect(
      try house.catalog.sql(
        "SELECT count(*) FROM geometry WHERE id NOT IN (SELECT geometry FROM annotation "
          + "WHERE geometry IS NOT NULL)"
      ).rows == [[.integer(0)]])
    #expect(try house.catalog.sql("PRAGMA foreign_key_check").rows.isEmpty)
  }

  @Test("A dataset that goes takes its geometry and counts with it, and leaves others theirs")
  func removal() throws {
    let house = try TemporaryCatalog()
    try house.catalog.importRegions(sixImages, as: "a")
    try house.catalog.importRegions(sixImages, as: "b")
    _ = try house.catalog.remove(.dataset, named: "a")
    for (table, count) in [("geometry", 3), ("annotation", 8), ("sampleCategory", 6)] {
      #expect(
        try house.catalog.sql("SELECT count(*) FROM \(table)").rows == [[.integer(Int64(count))]],
        "\(table)")
    }
    #expect(try house.catalog.keys("b", "coverage(person) = 0.7") == ["1"])
    #expect(try house.catalog.sql("PRAGMA foreign_key_check").rows.isEmpty)
  }

  @Test("Classes keep their supercategory and whether they are void; issues their pointer")
  func classesAndIssues() throws {
    let house = try TemporaryCatalog()
    let dataset = try house.catalog.importDataset(
      ImportDraft(name: "x", format: .coco, root: "/x", isSingleFile: false)
    ) { writer in
      var batch = ImportedBatch()
      batch.newCategories = [
        Category(name: "dog", sourceID: .integer(18), supercategory: "animal"),
        Category(name: "void", isVoid: true),
      ]
      batch.issues = [
        AssayCore.Issue(
          .badShape, .warning, at: IssueLocation(file: "a.json", pointer: "/annotations/3"), "odd")
      ]
      try writer.write(batch)
      var outcome = ImportOutcome()
      outcome.ordinals = [1, 0]
      return (outcome, nil)
    }.dataset
    let taxonomy = try house.catalog.taxonomy(of: dataset.id)
    #expect(
      taxonomy.categories == [
        Category(name: "void", isVoid: true),
        Category(name: "dog", sourceID: .integer(18), supercategory: "animal"),
      ])
    let issues = try house.catalog.issues(of: dataset.id)
    #expect(issues.map(\.issue.location.description) == ["a.json#/annotations/3"])
  }
}
