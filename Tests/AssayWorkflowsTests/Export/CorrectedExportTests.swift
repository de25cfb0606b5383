import AssayCore
import AssayFormats
import AssayImaging
import AssayStore
import AssayTestSupport
import Foundation
import Testing

@testable import AssayWorkflows

@Suite("Export of the corrected truth")
struct CorrectedExportTests {
  private func scope(
    _ hand: CorrectingHand, _ view: String, since: Int64? = nil,
    _ change: (inout CorrectedExportRequest) -> Void = { _ in }
  ) throws -> (scope: ExportScope, catalog: Catalog) {
    let opened = try hand.opened()
    var request = CorrectedExportRequest()
    request.since = since
    change(&request)
    let earlier = try since.map { try hand.opened(at: $0).catalog }
    let ledger = try ExportCorrections.LedgerState(
      opened.corrections, catalogPath: hand.catalog.path)
    return (
      try ExportScope.corrected(
        view, request, in: opened.catalog, since: earlier, ledger: ledger), opened.catalog
    )
  }

  /// Six faces, train and test; 1 and 4 are relabeled, 5 is left out.
  private func faces() throws -> (world: EvaluateCatalog, hand: CorrectingHand) {
    let world = try EvaluateCatalog()
    try world.importFaces(
      ["happy", "happy", "sad", "sad", "happy", "sad"], classes: ["happy", "sad"])
    let hand = try CorrectingHand(world.catalog)
    try hand.change("1", in: "faces", seconds: 12.5, .label("sad"))
    try hand.change("4", in: "faces", by: "=cmd|' /C calc'!A0", seconds: 3, .label("sad"))
    try hand.change("5", in: "faces", .reject("two faces"))
    try hand.change("0", in: "faces", .accept)
    return (world, hand)
  }

  @Test("The corrected labels are written and read again; who is left out is not")
  func labels() throws {
    let (world, hand) = try faces()
    let (scope, catalog) = try scope(hand, "faces")
    #expect(scope.samples.map(\.key) == ["0", "1", "2", "3", "4"])
    #expect(scope.corrections?.leftOut == [LeftOutSample(key: "5", reason: "two faces")])
    for kind in ["fer", "folder"] {
      let folder = try ExportFolder(world.folder.path + "/" + kind, force: false)
      let summary =
        try kind == "fer"
        ? FERExport(scope, catalog: catalog).run(into: folder)
        : FolderExport(scope, catalog: catalog).run(into: folder)
      var reading = TableExportCheck(of: summary, catalog: catalog)
      #expect(try reading.run().differences == [])
      var request = ImportRequest(summary.source)
      request.name = kind
      _ = try DatasetImport(request).run(
        catalogPath: world.catalog.path, progress: NoProgress())
      let names = try catalog.taxonomy(of: catalog.resolve(kind).dataset.id).names
      var labels: [Int: String] = [:]
      for sample in try world.catalog.samples(in: world.catalog.resolve(kind)) {
        let stem = sample.key.split(separator: "/").last?.split(separator: ".").first ?? ""
        labels[Int(stem) ?? -1] = sample.category.map { names[$0] }
      }
      #expect(labels == [0: "happy", 1: "sad", 2: "sad", 3: "sad", 4: "sad"])
    }
  }

  @Test("The manifest says what was corrected, by whom, how often, and in how many seconds")
  func manifest() throws {
    let (world, hand) = try faces()
    let (scope, catalog) = try scope(hand, "faces") { $0.weight = 2.5 }
    let path = world.folder.path + "/out"
    _ = try FERExport(scope, catalog: catalog).run(into: ExportFolder(path, force: false))
    let json = try JSONValue(
      parsing: String(contentsOfFile: path + "/manifest.json", encoding: .utf8))
    let ledger = hand.ledger
    #expect(json["ground_truth"]?.text == "corrected")
    #expect(json["ledger"]?["uuid"]?.text == ledger.uuid && json["ledger"]?["sequence"] == 4)
    #expect(json["ledger"]?["hash"]?.text?.count == 64)
    #expect(json["corrected_samples"] == 2 && json["corrections"] == 2)
    #expect(json["left_out_in_review"]?.elements?.count == 1)
    let samples = try #require(json["samples"]?.elements)
    #expect(samples.map { $0["corrected"] } == [false, true, false, false, true])
    #expect(samples.map { $0["weight"]?.double } == [1, 2.5, 1, 1, 2.5])
    #expect(samples[1]["label_change"] == ["from": "happy", "to": "sad"])
    #expect(samples[1]["authors"] == ["anna"] && samples[1]["seconds"]?.double == 12.5)
    #expect(samples[1]["corrections"] == 1 && samples[1]["last_entry"] == 1)
    // Sample 4 is in the test split.
    let warning = try #require(json["warnings"]?.elements?.first?.text)
    #expect(warning.hasPrefix("1 corrected sample is in the split test: "))
    #expect(scope.warnings == [warning])
    let rows = try String(contentsOfFile: path + "/manifest.csv", encoding: .utf8)
      .split(separator: "\n").map(String.init)
    #expect(rows[0] == ExportManifest.columns.joined(separator: ","))
    #expect(rows[2].hasPrefix("1,fer2013.csv,1,train,sad,1,happy,sad,,0,0,0,,1,1,anna,12.5,1,2.5,"))
    // The author's name is not interpreted as a formula in a spreadsheet.
    #expect(rows[5].contains(",\"'=cmd|' /C calc'!A0\","))
  }

  @Test("A view says which samples corrections moved out of it and into it")
  func moves() throws {
    let (world, hand) = try faces()
    let selection = try world.catalog.resolve("faces")
    _ = try world.catalog.addView(named: "happy", in: selection, where: "label = happy")
    _ = try world.catalog.addView(named: "sad", in: selection, where: "label = sad")
    let happy = try scope(hand, "happy").scope
    #expect(happy.samples.map(\.key) == ["0"])
    #expect(happy.corrections?.movedOut == ["1", "4"] && happy.corrections?.movedIn == [])
    #expect(
      happy.moves == [
        "corrections moved 2 samples (1, 4) out of happy: not exported; without --corrected the view contains them"
      ])
    let sad = try scope(hand, "sad").scope
    #expect(sad.samples.map(\.key) == ["1", "2", "3", "4"])
    #expect(sad.moves == ["corrections moved 2 samples (1, 4) into sad"])
    let members = ExportManifest.members(of: happy, written: happy.samples)
    #expect(members.first { $0.name == "moved_out_of_view" }?.value == ["1", "4"])
    // The whole dataset loses none, whatever its labels are.
    #expect(try scope(hand, "faces").scope.moves == [])
    try hand.change("0", in: "faces", .label("sad"))
    #expect(throws: ExportError.allMoved(view: "happy", count: 3)) { try scope(hand, "happy") }
  }

  @Test("Only what was corrected, and only what was since an entry")
  func only() throws {
    let (world, hand) = try faces()
    #expect(
      try scope(hand, "faces") { $0.onlyCorrected = true }.scope.samples.map(\.key) == ["1", "4"])
    #expect(try scope(hand, "faces", since: 1).scope.samples.map(\.key) == ["4"])
    #expect(try scope(hand, "faces", since: 0).scope.samples.map(\.key) == ["1", "4"])
    #expect(throws: ExportError.nothingCorrected(view: "faces", since: 2)) {
      try scope(hand, "faces", since: 2)
    }
    // Undone after entry 4: it has the imported label again, which an earlier export did not have.
    try hand.change("1", in: "faces", .undo())
    #expect(try scope(hand, "faces", since: 4).scope.samples.map(\.key) == ["1"])
    #expect(try scope(hand, "faces") { $0.onlyCorrected = true }.scope.samples.map(\.key) == ["4"])
    // No longer left out.
    try hand.change("5", in: "faces", .undo())
    #expect(try scope(hand, "faces", since: 5).scope.samples.map(\.key) == ["5"])
    #expect(try world.catalog.samples(in: world.catalog.resolve("faces")).count == 6)
  }

  @Test("A dataset that nobody has corrected is exported as it was imported")
  func noLedger() throws {
    let world = try EvaluateCatalog()
    try world.importFaces(["a", "b"], classes: ["a", "b"])
    let opened = try CorrectedCatalog.open(
      world.catalog.path, .readOnly, truth: .corrected, reportingTo: NoProgress())
    let scope = try ExportScope.corrected(
      "faces", CorrectedExportRequest(), in: opened.catalog, since: nil,
      ledger: ExportCorrections.LedgerState(
        opened.corrections, catalogPath: world.catalog.path))
    #expect(scope.samples.count == 2 && scope.corrections?.ledger == nil)
  }

  @Test("COCO: new, changed and removed objects are written, and read back the same")
  func coco() throws {
    let set = try ExportCatalog.odd()
    let hand = try CorrectingHand(set.catalog)
    let size = ImageSize(width: 8, height: 6)
    let desk = CorrectionService(catalog: set.catalog, ledger: hand.ledger)
    let sample = try #require(
      try set.catalog.samples(in: set.catalog.resolve("set")).first { $0.key == "train/a.png" })
    let person = try #require(
      try desk.imported(of: sample).objects.first { $0.category == "person" })
    let old = try person.mask(in: size)
    let new = old.union(Mask(6, 0, 2, 2, in: size))
    try hand.change(
      sample.key, in: "set", .object(target: person.target, after: new))
    try hand.change(
      sample.key, in: "set", by: "ben",
      .add(category: "traffic \"light\"", Mask(3, 4, 2, 2, in: size)))
    try hand.change("val/empty.png", in: "set", .bad("black"))
    let (scope, catalog) = try scope(hand, "set")
    let summary = try COCOExport(scope, catalog: catalog, copiesImages: true, workers: 2)
      .run(into: ExportFolder(set.path + "/out", force: false))
    #expect(summary.images == 3 && summary.annotations == 5 && summary.copied == 3)
    var reading = COCOExportCheck(of: summary, catalog: catalog)
    #expect(try reading.run().differences == [])
    let json = try JSONValue(
      parsing: String(decoding: set.bytes("out/manifest.json"), as: UTF8.self))
    let row = try #require(
      json["samples"]?.elements?.first { $0["key"]?.text == "train/a.png" })
    #expect(row["objects_changed"] == 1 && row["objects_added"] == 1 && row["corrections"] == 2)
    #expect(row["authors"] == ["anna", "ben"])
    let regions = try #require(row["regions"]?.elements)
    #expect(regions[0]["category"]?.text == "person" && regions[0]["pixels_added"] == 4)
    #expect(
      regions[0]["iou_before_after"]?.double
        == Double(old.area) / Double(new.area))
    #expect(row["image_sha256"]?.text == ContentHash.of(try set.bytes("source/train/a.png")))
    let again = try set.add(set.path + "/out:coco", named: "again")
    #expect(again.dataset.samples == 3 && again.dataset.rejected == 0)
    let masks = try Self.region("person", of: "train/a.png", in: "again", set.catalog)
    #expect(masks == new)
  }

  private static func region(
    _ category: String, of key: String, in view: String, _ catalog: Catalog
  ) throws -> Mask? {
    let selection = try catalog.resolve(view)
    let ordinal = try catalog.taxonomy(of: selection.dataset.id).names.firstIndex(of: category)
    let sample = try catalog.samples(in: selection).first { $0.key == key }
    guard let sample, let size = sample.size else { return nil }
    var masks: [Mask] = []
    try catalog.forEachAnnotations(of: [sample.id]) { _, annotations in
      masks = try annotations.filter { $0.category == ordinal }.map { try $0.mask(in: size) }
    }
    return Mask.union(of: masks, size: size)
  }

  @Test("Masks: the corrected region is painted, and read again")
  func masks() throws {
    let set = try ExportCatalog.odd()
    let hand = try CorrectingHand(set.catalog)
    let size = ImageSize(width: 8, height: 6)
    let after = Mask(2, 1, 3, 4, in: size)
    try hand.change("train/a.png", in: "set", .region(category: "person", after: after))
    let (scope, catalog) = try scope(hand, "set")
    var request = MaskExportRequest(view: "set")
    request.categories = ["person"]
    let summary = try MaskExport(request, scope: scope, catalog: catalog)
      .run(into: ExportFolder(set.path + "/out", force: false))
    #expect(summary.pairs.count == 4)
    let again = try set.add(set.path + "/out:masks", named: "again")
    #expect(again.dataset.samples == 4)
    let keys = try set.catalog.samples(in: set.catalog.resolve("again")).map(\.key)
    let key = try #require(keys.first { $0.hasSuffix("train/a.png") })
    #expect(try Self.region("person", of: key, in: "again", set.catalog) == after)
    let json = try JSONValue(
      parsing: String(decoding: set.bytes("out/manifest.json"), as: UTF8.self))
    #expect(json["corrected_samples"] == 1 && json["kind"]?.text == "masks")
    #expect(try set.files("out").contains("manifest.csv"))
  }

  @Test(
    "Splits that models are judged by are known by their names",
    arguments: [
      ("val", true), ("valid", true), ("validation", true), ("test", true), ("val2017", true),
      ("test-dev2017", true), ("PublicTest", true), ("PrivateTest", true), ("minival", true),
      ("train", false), ("train2017", false), ("Training", false), ("fold1", false),
      ("contest", false),
    ])
  func heldOut(name: String, isHeldOut: Bool) {
    #expect(SplitName.isHeldOut(name) == isHeldOut)
  }
}
