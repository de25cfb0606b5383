import Testing

@testable import AssayCore

@Suite("Independent versions")
struct IndependentVersionTests {
  private static let anna = IndependentVersion(review: "r", author: "anna")
  private static let ben = IndependentVersion(review: "r", author: "ben")

  private static func label(
    _ name: String, by author: String, parent: Int64?, in scene: inout ReplayScene,
    review: String = "r"
  ) -> Int64 {
    scene.author = author
    scene.visit = author
    return scene.add(
      "label", .label, [.init("category", .string(name)), .init("independent", .string(review))],
      parent: .some(parent), done: true, format: IndependentVersion.entryFormat)
  }

  private static func truth(
    _ scene: ReplayScene, as version: IndependentVersion
  ) -> EffectiveTruth {
    var replay = CorrectionReplay(
      scene.imported, contentHash: ReplayScene.hash, version: version.based(on: scene.entries))
    for entry in scene.entries { replay.append(entry) }
    return replay.truth()
  }

  @Test("Each version has only its author's entries, and none of them counts for others")
  func apart() {
    var scene = ReplayScene(ImportedTruth(label: "happy"))
    let first = Self.label("sad", by: "anna", parent: nil, in: &scene)
    _ = Self.label("angry", by: "ben", parent: nil, in: &scene)
    _ = Self.label("calm", by: "anna", parent: first, in: &scene)
    #expect(Self.truth(scene, as: Self.anna).label == "calm")
    #expect(Self.truth(scene, as: Self.anna).status == .done)
    #expect(Self.truth(scene, as: Self.anna).conflicts.isEmpty)
    #expect(Self.truth(scene, as: Self.anna).history.count == 2)
    #expect(Self.truth(scene, as: Self.ben).label == "angry")
    let other = IndependentVersion(review: "other", author: "anna")
    #expect(Self.truth(scene, as: other).label == "happy")
    let truth = scene.truth()
    #expect(truth.label == "happy")
    #expect(truth.status == .open)
    #expect(truth.head == nil)
    #expect(truth.history.isEmpty && truth.conflicts.isEmpty && truth.skipped.total == 0)
  }

  @Test("A version starts from the entries before its first one, and later ones are not in it")
  func base() {
    var scene = ReplayScene(ImportedTruth(label: "happy"))
    scene.author = "carla"
    let before = scene.add("label", .label, [.init("category", "sad")])
    _ = Self.label("angry", by: "anna", parent: before, in: &scene)
    scene.author = "carla"
    scene.add("note", .sample, [], parent: .some(before))
    scene.add("label", .label, [.init("category", "calm")], parent: .some(3))
    #expect(scene.truth().label == "calm")
    #expect(scene.truth().conflicts.isEmpty)
    let version = Self.truth(scene, as: Self.anna)
    #expect(version.label == "angry")
    #expect(version.history.count == 2)
    // A person without an entry sees what the review started from.
    let ben = IndependentVersion(review: "r", author: "ben", base: before)
    #expect(Self.truth(scene, as: ben).label == "sad")
  }

  @Test("An entry of the main branch takes a version, which stays as it was at that time")
  func taken() {
    var scene = ReplayScene(ImportedTruth(label: "happy"))
    let first = Self.label("sad", by: "anna", parent: nil, in: &scene)
    _ = Self.label("angry", by: "ben", parent: nil, in: &scene)
    scene.author = "carla"
    scene.add(
      "take", .sample,
      [
        .init("entry", .string(ReplayScene.uuid(Int(first)))),
        .init("consensus", ["rule": "adjudicated", "review": "r", "versions": []]),
      ], parent: .some(nil), done: true)
    _ = Self.label("calm", by: "anna", parent: first, in: &scene)
    let truth = scene.truth()
    #expect(truth.label == "sad")
    #expect(truth.status == .done)
    #expect(truth.corrections == 1)
    #expect(truth.history.last?.remarks.consensus == "adjudicated")
    #expect(Self.truth(scene, as: Self.anna).label == "calm")
    #expect(Self.truth(scene, as: Self.ben).label == "angry")
    // Undone, the imported label counts again.
    scene.author = "carla"
    scene.add(
      "undo", .sample, [.init("entry", .string(ReplayScene.uuid(3)))], parent: .some(3))
    #expect(scene.truth().label == "happy")
  }

  @Test("Undo within a version, and an outdated save of it, concern that version alone")
  func undo() {
    var scene = ReplayScene(ImportedTruth(label: "happy"))
    let first = Self.label("sad", by: "anna", parent: nil, in: &scene)
    scene.add(
      "undo", .sample,
      [.init("entry", .string(ReplayScene.uuid(Int(first)))), .init("independent", "r")],
      parent: .some(first), format: IndependentVersion.entryFormat)
    #expect(Self.truth(scene, as: Self.anna).label == "happy")
    #expect(Self.truth(scene, as: Self.anna).status == .open)
    // From another window that did not see the undo.
    _ = Self.label("calm", by: "anna", parent: first, in: &scene)
    #expect(Self.truth(scene, as: Self.anna).conflicts.count == 1)
    #expect(scene.truth().conflicts.isEmpty)
  }
}
