import AssayCore
import Testing

@Suite("Corrections that the imported ground truth includes")
struct IncludedCorrectionsTests {
  private let size = ImageSize(width: 4, height: 3)
  private let whole = Mask(rows: "##..", "##..", "....")
  private let left = Mask(rows: "#...", "#...", "....")
  private let right = Mask(rows: ".#..", ".#..", "....")
  private let ledger = "l"

  /// A scene on ground truth that was exported with the entries up to a sequence.
  private func scene(_ objects: [AnnotatedObject], upTo sequence: Int64) -> ReplayScene {
    var imported = ImportedTruth(label: nil, objects: objects, size: size)
    imported.includes = IncludedCorrections(ledger: ledger, sequence: sequence)
    return ReplayScene(imported)
  }

  /// The entries of a split in the editor: an object loses a part, which becomes an object.
  private func split(_ scene: inout ReplayScene) {
    scene.add(
      "mask", .annotation(set: "labels", sourceID: .integer(1), occurrence: 0),
      ReplayScene.delta(whole, left))
    scene.add(
      "add", .sample,
      [
        ReplayScene.size(size), .init("category", "dog"), .init("mask", ReplayScene.counts(right)),
      ])
  }

  @Test("A split is not applied again: no object is there twice, and later changes count")
  func splits() {
    var first = ReplayScene(ImportedTruth(objects: [AnnotatedObject(1, "dog", whole)], size: size))
    split(&first)
    #expect(first.truth().objects.count == 2)
    // The export gives the new object the next number.
    var again = scene([AnnotatedObject(1, "dog", left), AnnotatedObject(2, "dog", right)], upTo: 2)
    split(&again)
    #expect(again.truth().objects.count == 2)
    #expect(again.truth().corrections == 0)
    #expect(again.truth().history.map(\.isIncluded) == [true, true])
    #expect(again.truth().skipped.total == 0)
    again.visit = "v2"
    again.add(
      "remove", .annotation(set: "labels", sourceID: .integer(2), occurrence: 0))
    #expect(again.truth().objects.map(\.sourceID) == [.integer(1)])
    #expect(again.truth().corrections == 1)
    #expect(again.truth().history.map(\.isIncluded) == [true, true, false])
  }

  @Test("Without this, the object would be there twice")
  func doubled() {
    var again = ReplayScene(
      ImportedTruth(
        objects: [AnnotatedObject(1, "dog", left), AnnotatedObject(2, "dog", right)], size: size))
    split(&again)
    #expect(again.truth().objects.count == 3)
  }

  @Test("Objects without ids, whose numbers moved, are not taken for each other")
  func removed() {
    func object(_ occurrence: Int, _ mask: Mask) -> AnnotatedObject {
      AnnotatedObject(
        target: .annotation(set: "labels", sourceID: nil, occurrence: occurrence), category: "dog",
        mask: mask, isCrowd: false, sourceID: nil)
    }
    // The first of two was removed, so the second is now the first.
    var again = scene([object(0, right)], upTo: 1)
    again.add("remove", .annotation(set: "labels", sourceID: nil, occurrence: 0))
    #expect(again.truth().objects.count == 1)
  }

  @Test("Decisions still count, and so does a conflict that was open")
  func decisions() {
    var scene = scene([AnnotatedObject(1, "dog", whole)], upTo: 3)
    let first = scene.draw("dog", left, done: true)
    // Made on the state before the first entry.
    scene.draw("cat", right, parent: .some(nil))
    scene.add("reject", .sample, [.init("reason", "blurred")], parent: first)
    #expect(scene.truth().leftOut == "blurred")
    #expect(scene.truth().conflicts.count == 1)
    #expect(scene.truth().conflicts.first?.objects.count == 2)
    #expect(scene.truth().history.map(\.isIncluded) == [true, false, false])
  }

  @Test("Entries of another ledger are not included")
  func otherLedger() {
    var imported = ImportedTruth(label: "sad")
    imported.includes = IncludedCorrections(ledger: ledger, sequence: 5)
    #expect(imported.replaying(ledger: "l").includes?.sequence == 5)
    #expect(imported.replaying(ledger: "m").includes == nil)
  }

  @Test("Options of an import say it and are read back")
  func options() {
    let included = IncludedCorrections(ledger: "l", sequence: 7)
    let text = JSONValue.object([.init("split", .null), included.option]).text()
    #expect(IncludedCorrections(importOptions: text) == included)
    #expect(IncludedCorrections(importOptions: "{\"split\":null}") == nil)
    #expect(IncludedCorrections(importOptions: "includesCorrections") == nil)
  }
}
