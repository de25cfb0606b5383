import AssayCore
import Foundation
import GRDB
import Testing

import AssayStore

extension Catalog {
  /// Imports samples with sets of labels given by name; classes are in the given order.
  @discardableResult
  func importSets(
    _ sets: [(key: String, split: String?, labels: [String])], classes: [String],
    as name: String = "tags", replace: Bool = false
  ) throws -> ImportSummary {
    let draft = ImportDraft(
      name: name, format: .multiLabelCSV, root: "/data", isSingleFile: false, replace: replace,
      isMultiLabel: true)
    return try importDataset(draft) { writer in
      var batch = ImportedBatch()
      batch.newCategories = classes.map { Category(name: $0) }
      batch.samples = sets.map { set in
        ImportedSample(
          key: set.key, location: set.key, split: set.split,
          size: ImageSize(width: 2, height: 1),
          categories: set.labels.compactMap { classes.firstIndex(of: $0) })
      }
      try writer.write(batch)
      var outcome = ImportOutcome()
      outcome.read = sets.count
      outcome.accepted = sets.count
      outcome.ordinals = Array(classes.indices)
      return (outcome, nil)
    }
  }
}

@Suite("Multi-label datasets")
struct MultiLabelTests: CorrectionMirrorTests {
  static let sets: [(key: String, split: String?, labels: [String])] = [
    ("a", "train", ["dog"]), ("b", "train", ["tree", "cat"]), ("c", "train", []),
    ("d", "val", ["cat", "dog"]), ("e", "val", ["tree"]), ("f", nil, ["cat", "dog", "tree"]),
  ]
  static let classes = ["cat", "dog", "tree", "unused"]

  private func tagged() throws -> TemporaryCatalog {
    let house = try TemporaryCatalog()
    try house.catalog.importFaces(sixFaces)
    try house.catalog.importSets(Self.sets, classes: Self.classes)
    return house
  }

  private func sets(_ catalog: Catalog) throws -> [String: [Int]] {
    let samples = try catalog.samples(in: catalog.resolve("tags"))
    #expect(samples.count == Self.sets.count)
    #expect(samples.allSatisfy { $0.category == nil })
    return Dictionary(uniqueKeysWithValues: samples.map { ($0.key, $0.categories) })
  }

  private let expected = [
    "a": [1], "b": [0, 2], "c": [], "d": [0, 1], "e": [2], "f": [0, 1, 2],
  ]

  @Test("A sample is one row with its set of labels, however it is read")
  func records() throws {
    let house = try tagged()
    let catalog = house.catalog
    #expect(try sets(catalog) == expected)
    let dataset = try catalog.resolve("tags").dataset
    #expect(dataset.isMultiLabel)
    #expect(try !catalog.resolve("faces").dataset.isMultiLabel)
    let samples = try catalog.samples(in: catalog.resolve("tags"))
    #expect(try catalog.samples(ids: samples.map(\.id)) == samples)
    #expect(try catalog.sample(key: "f", of: dataset.id)?.categories == [0, 1, 2])
    #expect(try catalog.samples(in: catalog.resolve("tags/val")).map(\.key) == ["d", "e"])
    #expect(try catalog.samples(in: catalog.resolve("faces")).allSatisfy { $0.categories.isEmpty })
    #expect(try catalog.samples(in: catalog.resolve("faces")).count { $0.category != nil } == 5)
    let regions = try catalog.instanceCounts(in: catalog.resolve("tags"))
    #expect(regions.images == 6)
    #expect(regions.imagesWithout == 6)
  }

  @Test("label asks whether a sample has a label, labels how many")
  func expressions() throws {
    let house = try tagged()
    let catalog = house.catalog
    func keys(_ expression: String) throws -> String {
      try catalog.keys("tags", expression).joined()
    }
    #expect(try keys("label = dog") == "adf")
    #expect(try keys("label != dog") == "bce")
    #expect(try keys("not label = dog") == "bce")
    #expect(try keys("label = dog and label = cat") == "df")
    #expect(try keys("label in (dog, tree)") == "abdef")
    #expect(try keys("label not in (dog, tree)") == "c")
    #expect(try keys("label = unused") == "")
    #expect(try keys("count(dog) = 1") == "adf")
    #expect(try keys("count(dog) = 0 and count(tree) > 0") == "be")
    #expect(try keys("labels = 0") == "c")
    #expect(try keys("labels in 2..3") == "bdf")
    let selection = try catalog.resolve("tags")
    let ids = try catalog.samples(in: selection).map(\.id)
    #expect(
      try catalog.numbers(["labels"], of: ids, in: selection) == [[1], [2], [0], [2], [1], [3]])
    #expect(
      try catalog.samples(
        in: selection, orderedBy: SampleOrder(field: "labels", isDescending: true), limit: 2
      ).map(\.key) == ["f", "b"])
    #expect(try catalog.keys("faces", "labels = 0") == ["4"])
    #expect(try catalog.keys("faces", "labels = 1 and label != happy") == ["1", "3", "5"])
    #expect(throws: StoreError.self) { try keys("label = dgo") }
  }

  @Test("Splits count a sample once for each of its labels, and those without a label")
  func splitCounts() throws {
    let house = try tagged()
    let catalog = house.catalog
    let dataset = try catalog.resolve("tags").dataset.id
    let counts = try catalog.splitCounts(of: dataset).map {
      "\($0.split ?? "-") \($0.category.map(String.init) ?? "-") \($0.count)"
    }
    #expect(
      counts == [
        "- 0 1", "- 1 1", "- 2 1", "train 0 1", "train 1 1", "train 2 1", "train - 1", "val 0 1",
        "val 1 1", "val 2 1",
      ])
  }

  @Test("Only multi-label classification has ground truth, and other datasets have none for it")
  func groundTruth() throws {
    let house = try tagged()
    let catalog = house.catalog
    let (tags, faces) = (try catalog.resolve("tags").dataset, try catalog.resolve("faces").dataset)
    for task in ModelTask.allCases {
      #expect(try catalog.hasGroundTruth(for: task, in: tags) == (task == .multiLabel))
      #expect(try catalog.hasGroundTruth(for: task, in: faces) == (task == .classification))
    }
  }

  @Test("Sets where one label is expected, labels twice and regions are refused")
  func badBatches() throws {
    let house = try TemporaryCatalog()
    func write(isMultiLabel: Bool, _ fill: (inout ImportedBatch) -> Void) throws {
      let draft = ImportDraft(
        name: "x", format: .multiLabelCSV, root: "/d", isSingleFile: false,
        isMultiLabel: isMultiLabel)
      _ = try house.catalog.importDataset(draft) { writer in
        var batch = ImportedBatch()
        batch.newCategories = [Category(name: "a"), Category(name: "b")]
        fill(&batch)
        try writer.write(batch)
        return (ImportOutcome(), nil)
      }
    }
    let set = ImportedSample(key: "k", categories: [0, 1])
    #expect(throws: StoreError.badBatch("sample “k” has a set of labels")) {
      try write(isMultiLabel: false) { $0.samples = [set] }
    }
    #expect(throws: StoreError.badBatch("sample “k” has one label")) {
      try write(isMultiLabel: true) { $0.samples = [ImportedSample(key: "k", category: 0)] }
    }
    #expect(throws: StoreError.badBatch("sample “k” has a label twice")) {
      try write(isMultiLabel: true) { $0.samples = [ImportedSample(key: "k", categories: [1, 1])] }
    }
    #expect(throws: StoreError.badBatch("a multi-label dataset has regions")) {
      try write(isMultiLabel: true) {
        $0.samples = [set]
        $0.annotations = [
          ImportedAnnotation(sample: 0, category: 0, ordinal: 0, shape: .box)
        ]
      }
    }
  }

  @Test("Importing again replaces the sets, also where the dataset had one label before")
  func replacement() throws {
    let house = try tagged()
    try house.catalog.importSets(
      [("a", nil, ["tree"]), ("b", nil, [])], classes: ["tree"], replace: true)
    let samples = try house.catalog.samples(in: house.catalog.resolve("tags"))
    #expect(samples.map(\.categories) == [[0], []])
    try house.catalog.importSets(
      [("0", nil, ["x", "y"])], classes: ["x", "y"], as: "faces", replace: true)
    let faces = try house.catalog.samples(in: house.catalog.resolve("faces"))
    #expect(faces.map(\.category) == [nil])
    #expect(faces.map(\.categories) == [[0, 1]])
    try house.catalog.importFaces(sixFaces, replace: true)
    #expect(try house.catalog.keys("faces", "label = sad") == ["1", "5"])
    #expect(try !house.catalog.resolve("faces").dataset.isMultiLabel)
  }

  // MARK: Corrections

  private func corrected() throws -> CorrectedHouse {
    try CorrectedHouse { try $0.importSets(Self.sets, classes: Self.classes) }
  }

  private func edit(
    _ house: CorrectedHouse, _ key: String, _ kind: CorrectionKind, _ name: String,
    parent: CorrectionDraft.Parent = .head
  ) throws -> AppendOutcome {
    try house.ledger.append(
      house.draft(
        key, kind, .label, ["category": .string(name)], dataset: "tags", parent: parent))
  }

  @Test("The corrected truth has the corrected sets, in records, expressions and counts")
  func mirror() throws {
    let house = try corrected()
    _ = try edit(house, "a", .add, "tree")
    _ = try edit(house, "b", .remove, "cat")
    _ = try edit(house, "e", .remove, "tree")
    try house.ledger.append(
      house.draft("c", .take, .label, ["categories": ["dog", "cat"]], dataset: "tags"))
    let catalog = try house.corrected()
    let wanted = ["a": [1, 2], "b": [2], "c": [0, 1], "d": [0, 1], "e": [], "f": [0, 1, 2]]
    #expect(try sets(catalog) == wanted)
    #expect(try sets(house.imported()) == expected)
    #expect(try catalog.keys("tags", "label = tree") == ["a", "b", "f"])
    #expect(try catalog.keys("tags", "label != tree") == ["c", "d", "e"])
    #expect(try catalog.keys("tags", "count(dog) = 1") == ["a", "c", "d", "f"])
    #expect(try catalog.keys("tags", "labels = 0") == ["e"])
    #expect(try catalog.keys("tags", "labels = 2") == ["a", "c", "d"])
    let selection = try catalog.resolve("tags")
    let ids = try catalog.samples(in: selection).map(\.id)
    #expect(
      try catalog.numbers(["labels"], of: ids, in: selection) == [[2], [1], [2], [2], [0], [3]])
    #expect(
      try catalog.splitCounts(of: selection.dataset.id).filter { $0.split == "val" }
        .map { "\($0.category ?? -1) \($0.count)" } == ["0 1", "1 1", "-1 1"])
    #expect(try catalog.samples(ids: ids).map(\.categories).last == [0, 1, 2])
    try whole(house)
    try house.ledger.append(
      house.draft(
        "a", .undo, .sample, ["entry": .string(TemporaryLedger.uuid(1))], dataset: "tags"))
    #expect(try sets(house.corrected())["a"] == [1])
    try whole(house)
  }

  @Test("Two people who edit different labels do not conflict; opposite edits do")
  func commuting() throws {
    let house = try corrected()
    let first = try edit(house, "a", .add, "tree", parent: .sequence(0))
    let second = try edit(house, "a", .add, "cat", parent: .sequence(0))
    #expect(!first.isConflict && !second.isConflict)
    #expect(second.entry.parent == first.entry.sequence)
    // The first person continues from the state that they saw.
    let third = try edit(house, "a", .remove, "dog", parent: .sequence(first.entry.sequence))
    #expect(!third.isConflict)
    // The same edit again is not a conflict, the opposite one is.
    #expect(try !edit(house, "a", .remove, "dog", parent: .sequence(0)).isConflict)
    #expect(try edit(house, "a", .remove, "tree", parent: .sequence(0)).isConflict)
    #expect(try sets(house.corrected())["a"] == [0, 2])
    // But not after an accept by another person, and not for other kinds.
    let accepted = try house.ledger.append(house.draft("d", .accept, .sample, dataset: "tags"))
    #expect(try edit(house, "d", .add, "tree", parent: .sequence(0)).isConflict)
    #expect(!accepted.isConflict)
    #expect(
      try house.ledger.append(
        house.draft(
          "a", .take, .label, ["categories": []], dataset: "tags", parent: .sequence(0))
      ).isConflict)
    #expect(try house.ledger.verify().firstBad == nil)
  }

  @Test("Edits of a class that the dataset does not have are told, and the others count")
  func unknownClass() throws {
    let house = try corrected()
    _ = try edit(house, "a", .add, "cow")
    _ = try edit(house, "a", .add, "cat")
    let catalog = try house.corrected()
    #expect(try sets(catalog)["a"] == [0, 1])
    #expect(try catalog.correctionIssues().map(\.kind) == [.unknownClass])
  }
}
