import AssayCore
import AssayStore
import AssayTestSupport
import Foundation
import Testing

@testable import AssayWorkflows

@Suite("Merging datasets")
struct DatasetMergeTests {
  private let place: MergeCatalog

  /// `a` with the classes car and truck, `b` with truck and bus; one image is in both.
  init() throws {
    place = try MergeCatalog()
    try place.add(
      "a",
      [
        Category(name: "car", sourceID: .integer(1)),
        Category(name: "truck", sourceID: .integer(2)),
      ],
      [
        .init(key: "1.png", split: "train", boxes: [0, 1], id: 1, gray: 1),
        .init(key: "2.png", split: "val", boxes: [1], id: 2, gray: 2),
        .init(key: "3.png", boxes: [], id: 3, gray: 3),
      ])
    try place.add(
      "b",
      [
        Category(name: "truck", sourceID: .integer(2)),
        Category(name: "bus", sourceID: .integer(3)),
      ],
      [
        .init(key: "x/4.png", split: "train", boxes: [0, 1], id: 4, gray: 4),
        .init(key: "x/5.png", split: "test", boxes: [1, 1], id: 5, gray: 2),
      ])
  }

  @Test("Samples keep splits, annotations and ids; classes are united by name")
  func union() throws {
    let summary = try place.merge("a", "b")
    #expect(try place.rows("all") == place.rows("a") + place.rows("b"))
    let dataset = summary.dataset
    #expect(dataset.samples == 5 && dataset.regions == 7 && dataset.root == place.folder.path)
    let classes = try place.catalog.taxonomy(of: dataset.id).categories
    #expect(classes.map(\.name) == ["car", "truck", "bus"])
    #expect(classes.map(\.sourceID) == [1, 2, 3].map { SourceID.integer($0) })
    let samples = try place.catalog.samples(in: place.catalog.resolve("all"))
    #expect(samples.map(\.sourceID) == [1, 2, 3, 4, 5].map { SourceID.integer($0) })
    #expect(samples.map(\.location) == ["a/1.png", "a/2.png", "a/3.png", "b/x/4.png", "b/x/5.png"])
    #expect(summary.notes.contains { $0.hasPrefix("a has no class “bus”") })
    #expect(summary.notes.contains { $0.hasPrefix("b has no class “car”") })
    #expect(try place.catalog.count(in: place.catalog.resolve("all/train")) == 2)
    #expect(
      try place.catalog.count(in: place.catalog.resolve("all"), where: "count(truck) > 0") == 3)
  }

  @Test("Random datasets keep every shape, crowd, attribute and oddity", arguments: [1, 2, 3])
  func random(seed: UInt64) throws {
    let folder = place.folder
    for (name, seed) in [("r", seed), ("s", seed + 100)] {
      var dataset = RandomDataset(seed: seed, folder: folder.url.appending(path: name))
      try dataset.write(keypoints: true)
      var request = ImportRequest(folder.path("\(name):coco"))
      request.name = name
      _ = try DatasetImport(request).run(
        catalogPath: folder.path("assay.db"), progress: NoProgress())
    }
    let summary = try place.merge("r", "s") { $0.prefixesKeys = true }
    let rows = try place.rows("r").map { "r/" + $0 } + place.rows("s").map { "s/" + $0 }
    #expect(try place.rows("all") == rows)
    // Both count their images and annotations from the same number.
    let samples = try place.catalog.samples(in: place.catalog.resolve("all"))
    #expect(samples.allSatisfy { $0.sourceID == nil })
    #expect(summary.notes.contains { $0.hasPrefix("ids of images are in two datasets") })
    #expect(summary.notes.contains { $0.hasPrefix("ids of annotations are in two datasets") })
    // Every image is found through its source.
    let rasters = try SampleImages(catalog: place.catalog, dataset: summary.dataset)
      .rasters(of: samples)
    #expect(rasters.allSatisfy { (try? $0.get()) != nil })
  }

  @Test("Classes are merged, renamed and dropped, with counts")
  func changes() throws {
    let summary = try place.merge("a", "b") { request in
      _ = request.changes.addMerge("car,bus=vehicle", isRename: false)
      _ = request.changes.addDropped("truck")
    }
    #expect(summary.classes == ["vehicle"])
    #expect(summary.dataset.regions == 4)
    #expect(summary.notes.contains { $0.hasPrefix("3 labels and annotations of dropped classes") })
    #expect(throws: ExportError.self) {
      try place.merge("a", "b", into: "other") { _ = $0.changes.addDropped("bicycle") }
    }
  }

  @Test("Keys of two datasets are refused, or get a prefix; nothing is written before")
  func keys() throws {
    try place.add(
      "c", [Category(name: "car")], [.init(key: "1.png", boxes: [0], gray: 9)])
    let expected = MergeConflict.sharedKeys(count: 1, example: "1.png", sources: ["a", "c"])
    #expect(throws: expected) { try place.merge("a", "c") }
    #expect(try place.catalog.findDataset(named: "all") == nil)
    try place.merge("a", "c") { $0.prefixesKeys = true }
    let keys = try place.catalog.samples(in: place.catalog.resolve("all")).map(\.key)
    #expect(keys == ["a/1.png", "a/2.png", "a/3.png", "c/1.png"])
  }

  @Test("An image of two datasets is kept with a note, taken once, or refused")
  func duplicates() throws {
    let kept = try place.merge("a", "b")
    #expect(kept.sameImages == 1 && kept.dataset.samples == 5)
    #expect(
      kept.notes.contains {
        $0.hasPrefix("1 image is in an earlier dataset, too (for example a 2.png and b x/5.png)")
      })
    #expect(
      throws: MergeError.sameImages(count: 1, example: ["a 2.png", "b x/5.png"])
    ) { try place.merge("a", "b", into: "other") { $0.duplicates = .refuse } }
    let once = try place.merge("a", "b", into: "once") { $0.duplicates = .first }
    #expect(once.dataset.samples == 4)
    #expect(once.sources.map(\.samples) == [3, 1] && once.sources.map(\.duplicates) == [0, 1])
    #expect(try place.rows("once") == place.rows("a") + place.rows("b").prefix(1))
  }

  @Test("The same image in two datasets becomes one sample with the annotations of both")
  func unitedImages() throws {
    let summary = try place.merge("a", "b") { $0.duplicates = .union }
    #expect(summary.dataset.samples == 4 && summary.sources.map(\.duplicates) == [0, 1])
    // a's truck and b's two buses.
    #expect(summary.united == UnitedAnnotations(added: 2) && summary.dataset.regions == 7)
    let rows = try place.rows("all")
    #expect(rows.filter { $0.hasPrefix("2.png val ") }.count == 1)
    let row = try #require(rows.first { $0.hasPrefix("2.png") })
    #expect(row.split(separator: " ").filter { $0 == "bus" }.count == 2)
    #expect(row.split(separator: " ").filter { $0 == "truck" }.count == 1)
    #expect(
      summary.notes.contains("1 image united: 2 annotations added, 0 identical ones kept once"))
    #expect(summary.notes.contains { $0.hasPrefix("1 of these images has different splits") })
    // The same annotation counts once; classes are compared after they were merged.
    let mapped = try place.merge("a", "b", into: "mapped") { request in
      request.duplicates = .union
      _ = request.changes.addMerge("truck,bus=vehicle", isRename: false)
    }
    #expect(mapped.united == UnitedAnnotations(identical: 2) && mapped.dataset.regions == 5)
    // A third dataset with the image again.
    try place.add(
      "c", [Category(name: "car")], [.init(key: "z.png", boxes: [0], gray: 2)])
    let third = try place.merge("a", "b", "c", into: "third") { $0.duplicates = .union }
    #expect(third.united == UnitedAnnotations(added: 3) && third.dataset.samples == 4)
  }

  @Test("Different labels of one image are refused by a union, a missing one is taken")
  func unitedLabels() throws {
    let names = [Category(name: "x"), Category(name: "y")]
    try place.add(
      "l", names, [.init(key: "1.png", label: 0, gray: 31), .init(key: "2.png", gray: 32)])
    try place.add(
      "m", names,
      [.init(key: "3.png", label: 1, gray: 31), .init(key: "4.png", label: 1, gray: 32)]
    )
    let expected = MergeError.labels(count: 1, example: ["l 1.png (x)", "m 3.png (y)"])
    #expect(throws: expected) { try place.merge("l", "m") { $0.duplicates = .union } }
    #expect(try place.catalog.findDataset(named: "all") == nil)
    try place.merge("l", "m") { request in
      request.duplicates = .union
      _ = request.changes.addMerge("x,y=z", isRename: false)
    }
    #expect(try place.rows("all").map { $0.suffix(5) } == [#"["z"]"#, #"["z"]"#])
    try place.add(
      "s", names, [.init(key: "5.png", labels: [0], gray: 33)], isMultiLabel: true)
    try place.add(
      "t", names, [.init(key: "6.png", labels: [1], gray: 33)], isMultiLabel: true)
    let sets = try place.merge("s", "t", into: "sets") { $0.duplicates = .union }
    #expect(try place.rows("sets").map { $0.suffix(10) } == [#"["x", "y"]"#])
    #expect(sets.notes.contains { $0.hasPrefix("1 of these images has different sets of labels") })
  }

  @Test("Embedded pixels of two formats are copied, and equal ones are found")
  func pixels() throws {
    let names = [Category(name: "x")]
    let drafts: [MergeCatalog.Draft] = (0..<3).map {
      .init(key: "\($0)", label: 0, gray: UInt8($0))
    }
    try place.add("gray", names, drafts, embedded: .gray8)
    try place.add("color", names, drafts, embedded: .rgb8)
    try place.add("more", names, Array(drafts.prefix(1)), embedded: .gray8)
    let summary = try place.merge("gray", "color", "more") { $0.prefixesKeys = true }
    #expect(summary.sameImages == 1)
    let samples = try place.catalog.samples(in: place.catalog.resolve("all"))
    let rasters = try SampleImages(catalog: place.catalog, dataset: summary.dataset)
      .rasters(of: samples).map { try $0.get() }
    #expect(rasters.map(\.channels) == [1, 1, 1, 3, 3, 3, 1])
    #expect(rasters.map { $0.elements[0] } == [0, 1, 2, 0, 1, 2, 0])
    // A merge of the result reads formats in turn within one batch.
    try place.add("last", names, [.init(key: "9", label: 0, gray: 9)], embedded: .gray8)
    let nested = try place.merge("all", "last", into: "nested")
    #expect(nested.dataset.samples == 8)
  }

  @Test("Sets of labels merge with sets, labels with labels; other pairs are refused")
  func contents() throws {
    let names = [Category(name: "x"), Category(name: "y")]
    try place.add("labels", names, [.init(key: "l.png", label: 1, gray: 20)])
    try place.add("plain", [], [.init(key: "p.png", gray: 21)])
    try place.add(
      "sets", names,
      [.init(key: "s.png", labels: [0, 1], gray: 22), .init(key: "t.png", gray: 23)],
      isMultiLabel: true)
    try place.add(
      "others", [Category(name: "y"), Category(name: "z")],
      [.init(key: "o.png", labels: [0, 1], gray: 24)], isMultiLabel: true)
    #expect(throws: MergeError.tasks(objects: "a", labels: "labels")) {
      try place.merge("labels", "a")
    }
    #expect(throws: MergeError.labelSets(with: "sets", without: "labels")) {
      try place.merge("labels", "sets")
    }
    #expect(throws: MergeError.labelSets(with: "sets", without: "plain")) {
      try place.merge("sets", "plain")
    }
    let negatives = try place.merge("a", "plain")
    #expect(
      negatives.notes.contains(
        "plain has no annotations: its 1 image count as images without objects"))
    let unlabeled = try place.merge("labels", "plain", into: "unlabeled")
    #expect(try place.rows("unlabeled") == place.rows("labels") + place.rows("plain"))
    #expect(unlabeled.notes.isEmpty)
    let sets = try place.merge("sets", "others", into: "union") {
      _ = $0.changes.addMerge("x,y=w", isRename: false)
    }
    #expect(sets.dataset.isMultiLabel)
    #expect(
      try place.rows("union") == [
        "s.png - 3×2 [\"w\"]", "t.png - 3×2 []", "o.png - 3×2 [\"w\", \"z\"]",
      ])
  }

  @Test("Void classes, spellings and ids of classes")
  func classes() throws {
    try place.add(
      "v",
      [
        Category(name: "Traffic_Light", sourceID: .integer(1)), Category(name: "bus", isVoid: true),
      ],
      [.init(key: "v.png", boxes: [0], gray: 30)])
    try place.add(
      "w", [Category(name: "traffic light", sourceID: .integer(1))],
      [.init(key: "w.png", boxes: [0], gray: 31)])
    #expect(throws: MergeError.mixedVoid("bus")) { try place.merge("b", "v") }
    let summary = try place.merge("v", "w")
    #expect(
      summary.notes.contains {
        $0.contains("--map 'Traffic_Light,traffic light=Traffic_Light' makes them one")
      })
    #expect(summary.notes.contains { $0.hasPrefix("the ids of the classes differ") })
    let classes = try place.catalog.taxonomy(of: summary.dataset.id).categories
    #expect(classes.map(\.sourceID) == [nil, nil, nil])
    #expect(classes.map(\.isVoid) == [false, true, false])
  }

  @Test("Views of one dataset are united, and one dataset alone is refused")
  func views() throws {
    let summary = try place.merge("a/train", "b", "a/val", "a/train")
    #expect(summary.sources.map(\.dataset) == ["a", "b"])
    #expect(summary.sources.map(\.samples) == [2, 2])
    #expect(throws: MergeError.oneDataset("a")) { try place.merge("a/train", "a/val", into: "x") }
    #expect(throws: MergeError.nameOfSource("a")) {
      try place.merge("a", "b", into: "a") { $0.replace = true }
    }
    #expect(throws: MergeError.isPath(place.folder.path)) {
      try place.merge("a", place.folder.path, into: "x")
    }
  }

  @Test("A second merge keeps the ids of samples, and takes what is new")
  func replace() throws {
    try place.merge("a", "b")
    let before = try place.catalog.samples(in: place.catalog.resolve("all")).map(\.id)
    try place.add("c", [Category(name: "car")], [.init(key: "6.png", boxes: [0], gray: 9)])
    #expect(throws: StoreError.self) { try place.merge("a", "c") }
    let summary = try place.merge("a", "c") { $0.replace = true }
    #expect((summary.added, summary.kept, summary.retired) == (1, 3, 2))
    let after = try place.catalog.samples(in: place.catalog.resolve("all")).map(\.id)
    #expect(after.prefix(3) == before.prefix(3))
    #expect(try place.rows("all") == place.rows("a") + place.rows("c"))
  }

  @Test("A merge that stops leaves nothing behind")
  func stopped() throws {
    struct Stop: Error {}
    let sources = try ["a", "b"].map { name in
      let dataset = try place.catalog.dataset(named: name)
      return MergeSource(
        dataset: dataset,
        samples: try place.catalog.sampleIDs(in: place.catalog.resolve(name)), classes: [0, 0])
    }
    let plan = MergePlan(
      ImportDraft(name: "all", format: .coco, root: "/", isSingleFile: false),
      classes: [Category(name: "car")], sources: sources, prefixesKeys: false)
    #expect(throws: Stop.self) { try place.catalog.merge(plan) { _ in throw Stop() } }
    #expect(try place.catalog.findDataset(named: "all") == nil)
    // The temporary table is gone, too.
    _ = try place.catalog.merge(plan) { _ in }
    #expect(try place.catalog.dataset(named: "all").samples == 5)
  }

  @Test("Images of a merge of a merge are found, after one source moved, too")
  func moved() throws {
    try place.merge("a", "b", into: "inner")
    try place.add("c", [Category(name: "car")], [.init(key: "6.png", boxes: [0], gray: 9)])
    try place.merge("inner", "c")
    func read() throws -> Int {
      let dataset = try place.catalog.dataset(named: "all")
      let samples = try place.catalog.samples(in: place.catalog.resolve("all"))
      return try SampleImages(catalog: place.catalog, dataset: dataset).rasters(of: samples)
        .count { (try? $0.get()) != nil }
    }
    #expect(try read() == 6)
    try FileManager.default.moveItem(
      atPath: place.folder.path("b"), toPath: place.folder.path("elsewhere"))
    #expect(try read() == 4)
    let relinker = Relinker(catalog: place.catalog)
    #expect(throws: RelinkError.self) {
      try relinker.relink("all", to: place.folder.path("elsewhere"))
    }
    #expect(throws: RelinkError.self) {
      try relinker.relink("all", to: place.folder.path("elsewhere"), source: "inner")
    }
    #expect(throws: RelinkError.self) {
      try relinker.relink("all", to: place.folder.path("c"), source: "inner/b")
    }
    let relinked = try relinker.relink(
      "all", to: place.folder.path("elsewhere"), source: "inner/b")
    #expect(relinked.files == 2 && relinked.found == 2)
    #expect(try read() == 6)
    let dataset = try place.catalog.dataset(named: "all")
    #expect(dataset.formatText == "merged: coco")
    #expect(
      DatasetRoot.roots(of: dataset) == ["a", "elsewhere", "c"].map { place.folder.path($0) })
    #expect(
      DatasetRoot.file("inner/b/x/4.png", of: dataset) == place.folder.path("elsewhere/x/4.png"))
  }
}
