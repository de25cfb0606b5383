import AssayCore
import Testing

/// Properties that hold for any sequence of edits: random, with a fixed seed.
struct ReplayPropertyTests {
  private static let size = ImageSize(width: 13, height: 9)
  private static let classes = ["dog", "cat", "sofa"]
  private static let seeds = 0..<24

  /// A person who makes random edits to one sample.
  private struct Person {
    var scene: ReplayScene
    var random: SplitMix64
    /// The regions that were sent last, which only the client knows.
    var sent: [String: Mask] = [:]

    init(seed: Int) {
      random = SplitMix64(seed: UInt64(seed))
      var objects: [AnnotatedObject] = []
      for id in 0..<Int.random(in: 0...5, using: &random) {
        let mask = Self.blob(&random)
        if mask.isEmpty { continue }
        objects.append(
          AnnotatedObject(
            Int64(id), classes[Int.random(in: 0..<3, using: &random)], mask,
            isCrowd: Int.random(in: 0..<6, using: &random) == 0))
      }
      scene = ReplayScene(ImportedTruth(label: "old", objects: objects, size: size))
    }

    static func blob(_ random: inout SplitMix64) -> Mask {
      let x = Int.random(in: 0..<size.width, using: &random)
      let y = Int.random(in: 0..<size.height, using: &random)
      let width = Int.random(in: 1...6, using: &random)
      let height = Int.random(in: 1...5, using: &random)
      return Mask(
        box: Box(x: Double(x), y: Double(y), width: Double(width), height: Double(height)),
        size: size)
    }

    /// Changes a class's region by one blob, or by several in one step.
    @discardableResult
    mutating func stroke() -> Int64 {
      let category = classes[Int.random(in: 0..<3, using: &random)]
      var after = scene.truth().region(of: category) ?? Mask(emptyOf: size)
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let blob = Self.blob(&random)
        after = Bool.random(using: &random) ? after.union(blob) : after.subtracting(blob)
      }
      sent[category] = after
      return scene.draw(category, after)
    }

    /// Changes one object, or adds, removes, renames one, or labels the image.
    @discardableResult
    mutating func other() -> Int64 {
      let objects = scene.truth().objects
      let object = objects.randomElement(using: &random)
      switch (Int.random(in: 0..<6, using: &random), object) {
      case (0, let object?): return scene.add("remove", object.target)
      case (1, let object?):
        return scene.add(
          "label", object.target, [.init("category", .string(classes[object.category.count % 3]))])
      case (2, let object?):
        let before = (try? object.mask(in: size)) ?? Mask(emptyOf: size)
        let after = before.symmetricDifference(Self.blob(&random))
        return scene.add("mask", object.target, ReplayScene.delta(before, after))
      case (3, _), (2, nil):
        return scene.add(
          "add", .sample,
          [
            .init("category", "dog"), ReplayScene.size(size),
            .init("mask", ReplayScene.counts(Self.blob(&random))),
          ])
      case (4, _): return scene.label(Bool.random(using: &random) ? "new" : "newer")
      default: return scene.add("reject", .sample, [.init("reason", "why")])
      }
    }

    /// Makes a random edit.
    @discardableResult
    mutating func act() -> Int64 {
      scene.visit = "v\(Int.random(in: 0..<3, using: &random))"
      return Bool.random(using: &random) ? stroke() : other()
    }
  }

  @Test("After a stroke the class's region is the one that was sent", arguments: seeds)
  func regionAsSent(seed: Int) {
    var person = Person(seed: seed)
    for _ in 0..<20 {
      person.stroke()
      for (category, mask) in person.sent {
        #expect(person.scene.truth().region(of: category) == mask)
      }
    }
    #expect(person.scene.truth().skipped.total == 0)
  }

  @Test(
    "Undoing the last entry gives the state before it, redoing it the state after", arguments: seeds
  )
  func undoRedo(seed: Int) {
    var person = Person(seed: seed)
    for _ in 0..<12 {
      let before = person.scene.truth().content
      let entry = person.act()
      let after = person.scene.truth().content
      person.scene.undo(entry)
      #expect(person.scene.truth().content == before)
      person.scene.redo(entry)
      #expect(person.scene.truth().content == after)
    }
  }

  @Test("Undoing everything gives the import, and no visit has changed anything", arguments: seeds)
  func undoAll(seed: Int) {
    var person = Person(seed: seed)
    let imported = person.scene.truth().content
    let entries = (0..<15).map { _ in person.act() }
    for entry in entries.shuffled(using: &person.random) { person.scene.undo(entry) }
    #expect(person.scene.truth().content == imported)
    #expect(person.scene.truth().corrections == 0)
    #expect(person.scene.truth().status == .open)
  }

  @Test(
    "What is undone counts as never done, whatever was undone and redone on the way",
    arguments: seeds)
  func undoIsLeavingOut(seed: Int) {
    var person = Person(seed: seed)
    let entries = (0..<25).map { _ in person.act() }
    var isUndone: Set<Int64> = []
    for _ in 0..<20 {
      guard let entry = entries.randomElement(using: &person.random) else { return }
      if isUndone.contains(entry) {
        person.scene.redo(entry)
        isUndone.remove(entry)
      } else {
        person.scene.undo(entry)
        isUndone.insert(entry)
      }
    }
    // The same entries with the undone ones replaced by unknown kinds.
    let plain = person.scene.entries.prefix(25).map { entry in
      var entry = entry
      if isUndone.contains(entry.sequence) { entry.kind = "later" }
      return entry
    }
    let expected = CorrectionReplay.replay(
      person.scene.imported, plain, contentHash: ReplayScene.hash)
    #expect(person.scene.truth().content == expected.content)
    #expect(person.scene.truth().corrections == expected.corrections)
  }

  @Test("Replay of a prefix is the state of then, however it is reached", arguments: seeds)
  func prefix(seed: Int) {
    var person = Person(seed: seed)
    var states = [person.scene.truth()]
    for step in 0..<20 {
      let entry = person.act()
      if step % 4 == 3 { person.scene.undo(entry) }
      while states.count <= person.scene.entries.count {
        states.append(person.scene.truth(upTo: Int64(states.count)))
      }
    }
    var replay = CorrectionReplay(person.scene.imported, contentHash: ReplayScene.hash)
    for (index, entry) in person.scene.entries.enumerated() {
      replay.append(entry)
      #expect(replay.truth() == states[index + 1])
    }
  }

  @Test("Changes of two things give the same in either order", arguments: seeds)
  func independent(seed: Int) {
    var one = Person(seed: seed)
    var two = Person(seed: seed)
    let blob = Person.blob(&one.random)
    let changes: [(inout ReplayScene) -> Void] = [
      { scene in
        scene.draw("dog", scene.truth().region(of: "dog")?.symmetricDifference(blob) ?? blob)
      },
      { scene in scene.draw("cat", scene.truth().region(of: "cat")?.union(blob) ?? blob) },
      { scene in _ = scene.label("new") },
    ]
    for change in changes { change(&one.scene) }
    for change in changes.reversed() { change(&two.scene) }
    // New instances are named after the entry that created them; apart from that the ground truth
    // is the same.
    func plain(_ truth: EffectiveTruth) -> [String] {
      truth.objects.map { "\($0.category) \($0.geometry ?? [])" }.sorted() + [truth.label ?? "-"]
    }
    #expect(plain(one.scene.truth()) == plain(two.scene.truth()))
  }

  @Test(
    "Whatever is saved beside the main branch, the truth stays; a decision keeps what it says",
    arguments: seeds)
  func conflicts(seed: Int) throws {
    var person = Person(seed: seed)
    for _ in 0..<6 { person.act() }
    let parent = person.scene.truth().head
    for _ in 0..<3 { person.act() }
    let before = person.scene.truth()
    // Another person draws on the state of three entries ago.
    let after = Person.blob(&person.random)
    var last = person.scene.draw("cat", after, parent: parent)
    #expect(person.scene.truth().content == before.content)
    last = person.scene.draw("dog", after, parent: last)
    let told = person.scene.truth()
    #expect(told.content == before.content)
    #expect(told.head == before.head)
    #expect(told.conflicts.map(\.head) == [last])
    let branch = try #require(told.conflicts.first)
    let names = branch.entries.map(\.sequence)
    var head = person.scene
    head.add("note", .sample, [], resolves: names)
    #expect(head.truth().content == before.content)
    #expect(head.truth().conflicts.isEmpty)
    var this = person.scene
    this.add(
      "take", .sample, [.init("entry", .string(ReplayScene.uuid(Int(last))))], resolves: names)
    #expect(this.truth().region(of: "cat") == after)
    #expect(this.truth().region(of: "dog") == after)
    #expect(this.truth().label == branch.label)
    #expect(this.truth().objects == branch.objects)
    #expect(this.truth().conflicts.isEmpty)
  }
}
