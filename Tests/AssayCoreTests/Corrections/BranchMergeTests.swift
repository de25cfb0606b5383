import AssayCore
import Testing

/// Versions of a conflict that are kept together, and those that cannot be.
@Suite("Both versions of a conflict")
struct BranchMergeTests {
  private static let size = ImageSize(width: 8, height: 4)
  private static let square = Mask(rows: "##......", "##......", "........", "........")

  private static var scene: ReplayScene {
    ReplayScene(
      ImportedTruth(
        label: "street", objects: [AnnotatedObject(1, "dog", square)], size: size))
  }

  private static func obstacle(_ scene: ReplayScene) throws -> MergeObstacle? {
    try #require(scene.truth().conflicts.last).obstacle
  }

  /// Keeps both versions of the last conflict.
  @discardableResult
  private static func keepBoth(_ scene: inout ReplayScene) throws -> Int64 {
    let branch = try #require(scene.truth().conflicts.last)
    return scene.add(
      "merge", .sample, [.init("entry", .string(ReplayScene.uuid(Int(branch.head))))],
      resolves: branch.entries.map(\.sequence))
  }

  private static func box(_ x: Double, _ y: Double, _ width: Double) -> [JSONValue.Member] {
    [
      ReplayScene.size(size), .init("category", "cat"),
      .init("box", [.number(x), .number(y), .number(width), .number(2)]),
    ]
  }

  @Test("Strokes on different pixels are both kept, and one undo takes the other's away")
  func strokes() throws {
    var scene = Self.scene
    scene.draw("dog", Mask(rows: "###.....", "##......", "........", "........"))
    scene.author = "ben"
    scene.draw(
      "dog", Mask(rows: "##......", "#.......", "........", "......##"), parent: .some(nil))
    #expect(try Self.obstacle(scene) == nil)
    let merge = try Self.keepBoth(&scene)
    let truth = scene.truth()
    #expect(
      truth.region(of: "dog")
        == Mask(rows: "###.....", "#.......", "........", "......##"))
    #expect(truth.conflicts.isEmpty && truth.skipped.total == 0)
    scene.undo(merge)
    #expect(
      scene.truth().region(of: "dog")
        == Mask(rows: "###.....", "##......", "........", "........"))
    #expect(scene.truth().conflicts.count == 1)
    scene.redo(merge)
    #expect(scene.truth().content == truth.content)
  }

  @Test("A pixel that one sets and the other clears is an overlap")
  func overlap() throws {
    var scene = Self.scene
    scene.draw("dog", Mask(rows: "#.......", "##......", "........", "........"))
    scene.draw("dog", Mask(rows: "........", "##......", "........", "........"))
    scene.draw(
      "dog", Mask(rows: "###.....", "##......", "........", "........"), parent: .some(nil))
    #expect(try Self.obstacle(scene) == nil)
    var other = Self.scene
    other.add("remove", .annotation(set: "labels", sourceID: .integer(1), occurrence: 0))
    other.draw(
      "dog", Mask(rows: "###.....", "##......", "........", "........"), parent: .some(nil))
    #expect(try Self.obstacle(other) == .overlap(["dog"]))
  }

  @Test("In a label map, a pixel that both gave a class is an overlap")
  func labelMap() throws {
    var imported = ImportedTruth(objects: [AnnotatedObject(1, "dog", Self.square)], size: Self.size)
    imported.isLabelMap = true
    let cat = Mask(rows: "........", "........", "....##..", "........")
    for (sofa, isFree) in [
      (Mask(rows: "........", "........", ".....##.", "........"), false),
      (Mask(rows: "........", "........", "......##", "........"), true),
    ] {
      var scene = ReplayScene(imported)
      scene.draw("cat", cat)
      scene.draw("sofa", sofa, parent: .some(nil))
      #expect(try (Self.obstacle(scene) == nil) == isFree)
    }
  }

  @Test("New objects are both kept, unless they are one object drawn twice")
  func newObjects() throws {
    var boxes = Self.scene
    boxes.add("add", .sample, Self.box(0, 0, 4))
    boxes.add("add", .sample, Self.box(3, 0, 4), parent: .some(nil))
    #expect(try Self.obstacle(boxes) == nil)
    try Self.keepBoth(&boxes)
    #expect(boxes.truth().objects.map(\.category) == ["dog", "cat", "cat"])
    #expect(boxes.truth().objects.last?.target == ReplayScene.made(2))

    // An IoU of exactly 0.5: [0, 3) and [1, 4).
    var twice = Self.scene
    twice.add("add", .sample, Self.box(0, 0, 3))
    twice.add("add", .sample, Self.box(1, 0, 3), parent: .some(nil))
    #expect(try Self.obstacle(twice) == .overlap(["cat"]))

    var masks = Self.scene
    masks.draw("cat", Mask(rows: "........", "........", "..##....", "........"))
    masks.draw(
      "cat", Mask(rows: "........", "........", "...##...", "........"), parent: .some(nil))
    #expect(try Self.obstacle(masks) != nil)
  }

  @Test("An object that one changed and the other removed is an overlap")
  func removed() throws {
    let dog = CorrectionTarget.annotation(set: "labels", sourceID: .integer(1), occurrence: 0)
    var scene = Self.scene
    scene.add("remove", dog)
    scene.add("label", dog, [.init("category", "cat")], parent: .some(nil))
    #expect(
      try Self.obstacle(scene) == .overlap(["cat", "dog"])
        || Self.obstacle(scene) == .overlap(["dog"]))
    // Both removed it: the second removal finds nothing to remove.
    var both = Self.scene
    both.add("remove", dog)
    both.add("remove", dog, parent: .some(nil))
    #expect(try Self.obstacle(both) != nil)
  }

  @Test("Two labels are an overlap, a label and a stroke are not")
  func labels() throws {
    var two = Self.scene
    _ = two.label("park")
    _ = two.label("beach", parent: .some(nil))
    #expect(try Self.obstacle(two) == .overlap([]))
    var scene = Self.scene
    _ = scene.label("park", done: true)
    scene.draw("dog", Mask(emptyOf: Self.size), parent: .some(nil), done: true)
    #expect(try Self.obstacle(scene) == nil)
    try Self.keepBoth(&scene)
    #expect(scene.truth().label == "park" && scene.truth().objects.isEmpty)
    #expect(scene.truth().status == .done)
  }

  @Test(
    "An exclusion, a replacement and an undo of earlier changes are not kept together with others")
  func whole() throws {
    var excluded = Self.scene
    excluded.add("reject", .sample, [.init("reason", "blurred")])
    excluded.draw("dog", Mask(emptyOf: Self.size), parent: .some(nil))
    #expect(try Self.obstacle(excluded) == .replacesAll)

    var undone = Self.scene
    let first = undone.draw("dog", Mask(rows: "###.....", "##......", "........", "........"))
    _ = undone.label("park")
    undone.undo(first, parent: .some(first))
    #expect(try Self.obstacle(undone) == .revisesEarlier)
  }

  @Test("Undone entries of a branch do not count, and three people can be merged one by one")
  func three() throws {
    var scene = Self.scene
    scene.draw("dog", Mask(rows: "###.....", "##......", "........", "........"))
    let wrong = scene.draw(
      "dog", Mask(rows: "........", "##......", "........", "........"), parent: .some(nil))
    let back = Int64(scene.entries.count + 1)
    scene.undo(wrong, parent: .some(wrong))
    scene.add("add", .sample, Self.box(0, 2, 2), parent: .some(back))
    #expect(try Self.obstacle(scene) == nil)
    try Self.keepBoth(&scene)
    scene.add("add", .sample, Self.box(5, 2, 2), parent: .some(nil))
    #expect(try Self.obstacle(scene) == nil)
    try Self.keepBoth(&scene)
    let truth = scene.truth()
    #expect(truth.region(of: "dog") == Mask(rows: "###.....", "##......", "........", "........"))
    #expect(truth.objects.count == 3 && truth.conflicts.isEmpty)
  }

  @Test("Entries of a branch after it was merged are a conflict that is not merged again")
  func continued() throws {
    var scene = Self.scene
    _ = scene.label("park")
    let beside = scene.add("add", .sample, Self.box(0, 2, 2), parent: .some(nil))
    try Self.keepBoth(&scene)
    scene.add("add", .sample, Self.box(5, 2, 2), parent: .some(beside))
    #expect(try Self.obstacle(scene) == .revisesEarlier)
    let before = scene.truth().objects
    try Self.keepBoth(&scene)
    #expect(scene.truth().objects == before)
    #expect(scene.truth().skipped.missing == 1)
  }

  @Test(
    "Whatever two people draw: if both are kept, every pixel that one changed is as that one left it"
  )
  func random() throws {
    var merged = 0
    for seed in 0..<600 {
      var random = SplitMix64(seed: UInt64(seed))
      var scene = Self.scene
      func blob() -> Mask {
        Mask(
          box: Box(
            x: Double(Int.random(in: 0..<8, using: &random)),
            y: Double(Int.random(in: 0..<4, using: &random)),
            width: Double(Int.random(in: 1...3, using: &random)), height: 1), size: Self.size)
      }
      let base = Self.square
      let one = Bool.random(using: &random) ? base.union(blob()) : base.subtracting(blob())
      let two = Bool.random(using: &random) ? base.union(blob()) : base.subtracting(blob())
      guard one != base, two != base else { continue }
      scene.draw("dog", one)
      scene.draw("dog", two, parent: .some(nil))
      guard try Self.obstacle(scene) == nil else { continue }
      try Self.keepBoth(&scene)
      merged += 1
      let changedOne = one.symmetricDifference(base)
      let changedTwo = two.symmetricDifference(base)
      let result = scene.truth().region(of: "dog") ?? Mask(emptyOf: Self.size)
      #expect(result.intersection(changedOne) == one.intersection(changedOne))
      #expect(result.intersection(changedTwo) == two.intersection(changedTwo))
      let rest = changedOne.union(changedTwo)
      #expect(result.subtracting(rest) == base.subtracting(rest))
    }
    #expect(merged > 50)
  }
}
