import AssayCore
import Testing

/// Tests which entries count, and what is reported about the others.
struct CorrectionReplayTests {
  private let size = ImageSize(width: 4, height: 3)
  private let square = Mask(rows: "##..", "##..", "....")

  private var labeled: ReplayScene { ReplayScene(ImportedTruth(label: "sad")) }

  @Test("Without entries the ground truth is the imported one")
  func nothing() {
    let truth = ReplayScene(
      ImportedTruth(label: "sad", objects: [AnnotatedObject(1, "dog", square)], size: size)
    ).truth()
    #expect(truth.label == "sad")
    #expect(truth.objects.map(\.category) == ["dog"])
    #expect(truth.head == nil)
    #expect(truth.usedSequence == nil)
    #expect(truth.status == .open)
    #expect(truth.conflicts.isEmpty && truth.visits.isEmpty && truth.history.isEmpty)
  }

  @Test("A label is another one, and of a prefix of the entries the one of then")
  func label() {
    var scene = labeled
    _ = scene.label("happy")
    _ = scene.label("fear", done: true)
    #expect(scene.truth().label == "fear")
    #expect(scene.truth().head == 2)
    #expect(scene.truth(upTo: 1).label == "happy")
    #expect(scene.truth(upTo: 1).status == .started)
    #expect(scene.truth().status == .done)
    #expect(scene.truth().corrections == 1)
  }

  @Test("What was undone does not count, and counts again after redo")
  func undo() {
    var scene = labeled
    let first = scene.label("happy")
    let second = scene.label("fear")
    scene.undo(second)
    #expect(scene.truth().label == "happy")
    #expect(scene.truth().history.map(\.isActive) == [true, false, true])
    scene.undo(first)
    #expect(scene.truth().label == "sad")
    #expect(scene.truth().corrections == 0)
    #expect(scene.truth().status == .open)
    scene.redo(second)
    #expect(scene.truth().label == "fear")
    #expect(scene.truth().corrections == 1)
  }

  @Test("An undo of what is not there, or of an undo, is passed over and counted")
  func badUndo() {
    var scene = labeled
    let first = scene.label("happy")
    scene.undo(99)
    scene.undo(first)
    scene.undo(3)
    #expect(scene.truth().label == "sad")
    #expect(scene.truth().skipped.missing == 2)
  }

  @Test("An undo far back is the same as never having done it")
  func farBack() {
    // More entries than there are between two stored states.
    var scene = ReplayScene(ImportedTruth(label: "sad", size: size))
    var without = scene
    var first: Int64?
    for number in 0..<50 {
      let pixel = Mask(
        rows: number % 3 == 0 ? "#..." : "....", number % 5 == 0 ? ".#.." : "....",
        number % 7 == 0 ? "...#" : "....")
      let entry = scene.draw("dog", pixel)
      if number == 3 { first = entry } else { without.draw("dog", pixel) }
    }
    if let first { scene.undo(first) }
    #expect(scene.truth().region(of: "dog") == without.truth().region(of: "dog"))
  }

  @Test("An entry on a state that is no longer the last is a conflict, and so is what follows it")
  func conflict() throws {
    var scene = labeled
    let first = scene.label("happy")
    scene.author = "ben"
    scene.visit = "v2"
    let beside = scene.label("fear", parent: .some(nil))
    let next = scene.label("angry", parent: beside)
    let truth = scene.truth()
    #expect(truth.label == "happy")
    #expect(truth.head == first)
    let branch = try #require(truth.conflicts.first)
    #expect(truth.conflicts.count == 1)
    #expect(branch.entries.map(\.sequence) == [beside, next])
    #expect(branch.head == next)
    #expect(branch.forkedFrom == nil)
    #expect(branch.label == "angry")
    #expect(truth.visits.map(\.author) == ["anna"])
    #expect(truth.history.map(\.isConflict) == [false, true, true])
  }

  @Test("A conflict that the main branch decides on is told no longer, and may be taken over")
  func resolved() {
    var scene = labeled
    _ = scene.label("happy")
    let beside = scene.label("fear", parent: .some(nil))
    var head = scene
    head.add("note", .sample, [], resolves: [beside])
    #expect(head.truth().conflicts.isEmpty)
    #expect(head.truth().label == "happy")
    let decision = scene.add(
      "take", .sample, [.init("entry", .string(ReplayScene.uuid(Int(beside))))],
      resolves: [beside])
    #expect(scene.truth().conflicts.isEmpty)
    #expect(scene.truth().label == "fear")
    scene.undo(decision)
    #expect(scene.truth().conflicts.count == 1)
    #expect(scene.truth().label == "happy")
  }

  @Test("A branch's truth is the main branch up to where it forks, and its own entries")
  func branch() throws {
    var scene = ReplayScene(ImportedTruth(objects: [AnnotatedObject(1, "dog", square)], size: size))
    scene.draw("dog", Mask(rows: "###.", "##..", "...."))
    scene.draw("dog", Mask(rows: "####", "##..", "...."))
    let beside = scene.draw("dog", Mask(rows: "###.", "###.", "...."), parent: 1)
    let branch = try #require(scene.truth().conflicts.first)
    #expect(try branch.objects[0].mask(in: size) == Mask(rows: "###.", "###.", "...."))
    #expect(scene.truth().region(of: "dog") == Mask(rows: "####", "##..", "...."))
    scene.add(
      "take", .sample, [.init("entry", .string(ReplayScene.uuid(Int(beside))))],
      resolves: [beside])
    #expect(scene.truth().region(of: "dog") == Mask(rows: "###.", "###.", "...."))
  }

  @Test("Objects are added, get another class, and are taken away")
  func objects() {
    var scene = ReplayScene(ImportedTruth(objects: [AnnotatedObject(1, "dog", square)], size: size))
    let corner = Mask(rows: "....", "....", "...#")
    let entry = scene.add(
      "add", .sample,
      [
        .init("category", "cat"), ReplayScene.size(size), .init("mask", ReplayScene.counts(corner)),
        .init("crowd", true),
      ])
    #expect(scene.truth().mask(ReplayScene.made(entry)) == corner)
    #expect(scene.truth().objects[1].isCrowd)
    scene.add("label", ReplayScene.made(entry), [.init("category", "dog")])
    #expect(scene.truth().objects.map(\.category) == ["dog", "dog"])
    scene.add("label", scene.imported.objects[0].target, [.init("category", "cat")])
    #expect(scene.truth().objects[0].category == "cat")
    #expect(scene.truth().objects[0].isChanged)
    scene.add("remove", scene.imported.objects[0].target)
    #expect(scene.truth().objects.map(\.target) == [ReplayScene.made(entry)])
    scene.add("remove", scene.imported.objects[0].target)
    #expect(scene.truth().skipped.missing == 1)
  }

  @Test("What a run found replaces the objects of its classes")
  func takenObjects() {
    var scene = ReplayScene(
      ImportedTruth(
        objects: [AnnotatedObject(1, "dog", square), AnnotatedObject(2, "sofa", square)],
        size: size))
    let entry = scene.add(
      "take", .sample,
      [
        ReplayScene.size(size), .init("categories", ["dog", "cat"]),
        .init(
          "objects",
          [
            ["category": "cat", "box": [1, 0.5, 2, 2]],
            ["category": "dog", "mask": ReplayScene.counts(square)],
          ]),
      ])
    let truth = scene.truth()
    #expect(truth.objects.map(\.category) == ["sofa", "cat", "dog"])
    #expect(truth.objects[1].box == Box(x: 1, y: 0.5, width: 2, height: 2))
    #expect(truth.objects[1].shape == .box)
    #expect(truth.objects[2].target == ReplayScene.made(entry, 1))
  }

  @Test("Labels of the image, lines and points stay when a run's objects are taken")
  func keptBesideTaken() {
    func object(_ number: Int64, _ shape: ShapeKind) -> AnnotatedObject {
      AnnotatedObject(
        target: .annotation(set: "labels", sourceID: .integer(number), occurrence: 0),
        category: "dog", shape: shape, sourceID: .integer(number))
    }
    let all = [
      object(1, .tag), AnnotatedObject(2, "dog", square), object(3, .polyline), object(4, .points),
    ]
    for list: JSONValue.Member? in [.init("categories", ["dog"]), nil] {
      var scene = ReplayScene(ImportedTruth(objects: all, size: size))
      scene.add(
        "take", .sample,
        [
          ReplayScene.size(size),
          .init("objects", [["category": "dog", "box": [1, 0.5, 2, 2]]]),
        ] + [list].compactMap(\.self))
      let truth = scene.truth()
      #expect(truth.objects.map(\.shape) == [.tag, .polyline, .points, .box])
      #expect(truth.objects.map(\.isChanged) == [false, false, false, true])
      #expect(truth.skipped == SkippedEntries())
    }
  }

  @Test(
    "A tag has no pixels: an edit of its class's region leaves it, one of its own is not applied")
  func tagEdits() {
    let tag = AnnotatedObject(
      target: .annotation(set: "labels", sourceID: .integer(1), occurrence: 0), category: "dog",
      shape: .tag, sourceID: .integer(1))
    var scene = ReplayScene(
      ImportedTruth(objects: [tag, AnnotatedObject(2, "dog", square)], size: size))
    scene.draw("dog", Mask(emptyOf: size))
    #expect(scene.truth().objects == [tag])
    scene.draw("dog", square)
    #expect(scene.truth().objects.map(\.shape) == [.tag, .mask])
    scene.add("mask", tag.target, ReplayScene.delta(Mask(emptyOf: size), square))
    #expect(scene.truth().objects.map(\.shape) == [.tag, .mask])
    #expect(scene.truth().skipped.missing == 1)
  }

  @Test(
    "A sample is left out with the reason, until somebody puts it right and is done, or accepts it")
  func leftOut() {
    var scene = labeled
    scene.add("reject", .sample, [.init("reason", "two faces")])
    #expect(scene.truth().leftOut == "two faces")
    #expect(scene.truth().status == .leftOut)
    #expect(scene.truth().corrections == 1)
    scene.add("unsure")
    #expect(scene.truth().status == .unsure)
    #expect(scene.truth().leftOut == "two faces")
    _ = scene.label("happy")
    #expect(scene.truth().leftOut == "two faces")
    var accepted = scene
    _ = scene.label("fear", done: true)
    #expect(scene.truth().leftOut == nil)
    #expect(scene.truth().status == .done)
    accepted.add("accept")
    #expect(accepted.truth().leftOut == nil)
    #expect(accepted.truth().status == .done)
    accepted.add("bad")
    #expect(accepted.truth().leftOut == "bad image")
    accepted.add("skip")
    #expect(accepted.truth().status == .skipped)
  }

  @Test("Entries made on another image do not count, and do not break the chain")
  func imageChanged() {
    var scene = labeled
    scene.place.contentHash = String(repeating: "b", count: 64)
    _ = scene.label("fear")
    scene.add("reject", .sample, [.init("reason", "dark")])
    scene.place.contentHash = ReplayScene.hash
    #expect(scene.truth().label == "sad")
    #expect(scene.truth().leftOut == nil)
    #expect(scene.truth().skipped.imageChanged == 2)
    #expect(scene.truth().head == 2)
    #expect(scene.truth().status == .open)
    _ = scene.label("happy")
    #expect(scene.truth().label == "happy")
    #expect(scene.truth().conflicts.isEmpty)
  }

  @Test("A renamed sample goes on where its other name ended")
  func renamed() {
    var scene = labeled
    _ = scene.label("happy")
    scene.place.key = "new"
    scene.add("adopt", .sample, [], parent: .some(nil))
    _ = scene.label("fear", parent: 2)
    #expect(scene.truth().conflicts.isEmpty)
    #expect(scene.truth().label == "fear")
    #expect(scene.truth().head == 3)
  }
}
