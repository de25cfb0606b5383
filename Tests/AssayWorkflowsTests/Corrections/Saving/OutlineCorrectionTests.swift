import AssayCore
import AssayStore
import AssayTestSupport
import AssayWorkflows
import Foundation
import Testing

/// Tests the service with boxes, polygons and fields of objects.
@Suite("Corrections of boxes, polygons and fields")
struct OutlineCorrectionTests {
  private let start = Box(x: 0.5, y: 0, width: 2.25, height: 1.5)

  private func boxed() throws -> (world: CorrectionFixture, target: CorrectionTarget) {
    let world = try CorrectionFixture()
    let added = try world.add(.draw(category: "car", .box(start)))
    let object = try #require(added.truth.objects.last)
    #expect(object.shape == .box && object.box == start && object.category == "car")
    #expect(object.target == .made(entry: added.entry.uuid))
    return (world, object.target)
  }

  @Test("A box is added, moved and removed, with the numbers that were given")
  func boxes() throws {
    let (world, target) = try boxed()
    let next = Box(x: 1, y: 0.25, width: 2, height: 1)
    let moved = try world.add(.outline(target: target, .box(next)))
    #expect(moved.entry.kind == "outline")
    #expect(moved.truth.objects.last?.box == next)
    #expect(try world.add(.undo()).truth.objects.last?.box == start)
    #expect(try world.add(.redo()).truth.objects.last?.box == next)
    #expect(try world.add(.remove(target: target)).truth.objects.count == 1)
  }

  @Test("The first correction of a sample states the box before it")
  func before() throws {
    let world = try CorrectionFixture()
    let imported = try world.service.imported(of: world.sample()).objects[0].target
    // The region of the fixture is a mask, so polygons replace it.
    let saved = try world.add(
      .outline(target: imported, .polygons([[0, 0, 3, 0, 3, 2, 0, 2]])))
    let payload = try JSONValue(parsing: saved.entry.payload)
    #expect(payload["before"]?.elements?.map(\.double) == [0, 0, 2, 2])
    #expect(saved.truth.objects[0].shape == .polygon)
    #expect(saved.truth.objects[0].area == 6)
    #expect(saved.truth.region(of: "person") == (try world.mask("###.", "###.")))
  }

  @Test("What is outside, of another shape or no field is refused, and nothing is saved")
  func refusals() throws {
    let (world, target) = try boxed()
    let imported = try world.service.imported(of: world.sample()).objects[0].target
    let sequence = try world.ledger.head().sequence
    for box in [
      Box(x: 4, y: 0, width: 2, height: 1), Box(x: 0, y: 0, width: 0, height: 1),
      Box(x: -5, y: 0, width: 5, height: 1),
    ] {
      #expect(
        try world.refusal(.outline(target: target, .box(box)))?.contains("no part inside the image")
          == true)
      #expect(try world.refusal(.draw(category: "car", .box(box))) != nil)
    }
    #expect(
      try world.refusal(.outline(target: imported, .box(start)))?
        .contains("is a mask, whose box follows from its shape") == true)
    #expect(
      try world.refusal(.outline(target: target, .polygons([[0, 0, 3, 0, 3, 2]])))?
        .contains("is a box; it cannot become a polygon") == true)
    #expect(
      try world.refusal(.draw(category: "persn", .box(start)))?.contains("did you mean") == true)
    #expect(
      try world.refusal(.attributes(target: target, []))?.contains("no field") == true)
    #expect(
      try world.refusal(.attributes(target: target, [.init("keypoints", [1, 2])]))?
        .contains("x, y and a visibility") == true)
    #expect(
      try world.refusal(.attributes(target: target, [.init("keypoints", [1, 2, 3])]))?
        .contains("x, y and a visibility") == true)
    #expect(
      try world.refusal(
        .attributes(target: target, [.init("a", 1), .init("a", 2)]))?.contains("set twice") == true)
    #expect(try world.ledger.head().sequence == sequence)
  }

  @Test("Keypoints keep their number; other fields are free")
  func fields() throws {
    let (world, target) = try boxed()
    try world.add(
      .attributes(target: target, [.init("keypoints", [1, 1, 2, 0, 0, 0]), .init("pose", "left")]))
    #expect(
      try world.refusal(.attributes(target: target, [.init("keypoints", [1, 1, 2])]))?
        .contains("has 1 points, but the object has 2") == true)
    let saved = try world.add(
      .attributes(target: target, [.init("keypoints", [2, 1, 1, 0, 0, 0]), .init("pose", .null)]))
    #expect(saved.truth.objects.last?.attributes == #"{"keypoints":[2,1,1,0,0,0]}"#)
    #expect(saved.truth.objects.last?.box == start)
  }

  @Test("num_keypoints follows the keypoints; the same save again is the same entry")
  func keypointCount() throws {
    let (world, target) = try boxed()
    try world.add(
      .attributes(
        target: target, [.init("keypoints", [1, 1, 2, 0, 0, 0]), .init("num_keypoints", 1)]))
    let save = try world.save(
      .attributes(target: target, [.init("keypoints", [1, 1, 2, 2, 1, 1])]))
    let saved = try world.service.save(save)
    #expect(
      saved.truth.objects.last?.attributes == #"{"keypoints":[1,1,2,2,1,1],"num_keypoints":2}"#)
    #expect(try world.service.save(save).isRepeat)
    var wrong = save
    wrong.change = .attributes(target: target, [.init("keypoints", [1, 1, 2, 2, 1, 2])])
    #expect(throws: CorrectionError.self) { try world.service.save(wrong) }
  }

  @Test("The same save again is the same entry; another box under its uuid is refused")
  func repeated() throws {
    let (world, target) = try boxed()
    let changes: [(CorrectionSave.Change, other: CorrectionSave.Change)] = [
      (
        .draw(category: "car", .box(Box(x: 0, y: 0, width: 1, height: 1))),
        .draw(category: "car", .box(Box(x: 0, y: 0, width: 1, height: 2)))
      ),
      (
        .outline(target: target, .box(Box(x: 0, y: 0, width: 1, height: 1))),
        .outline(target: target, .box(Box(x: 1, y: 0, width: 1, height: 1)))
      ),
      (
        .attributes(target: target, [.init("a", 1), .init("b", "x")]),
        .attributes(target: target, [.init("a", 2)])
      ),
    ]
    for (change, other) in changes {
      let save = try world.save(change)
      let first = try world.service.save(save)
      let again = try world.service.save(save)
      #expect(again.isRepeat && again.entry == first.entry)
      var wrong = save
      wrong.change = other
      #expect(throws: CorrectionError.self) { try world.service.save(wrong) }
    }
  }

  @Test("Two people who move one box are in conflict, and a person decides")
  func conflict() throws {
    let (world, target) = try boxed()
    let parent = CorrectionDraft.Parent.sequence(1)
    let mine = Box(x: 0, y: 0, width: 1, height: 1)
    let theirs = Box(x: 1, y: 0, width: 1, height: 1)
    try world.add(.outline(target: target, .box(mine)), parent: parent)
    let second = try world.add(
      .outline(target: target, .box(theirs)), parent: parent, author: "ben")
    #expect(second.isConflict)
    #expect(second.truth.objects.last?.box == mine)
    #expect(second.truth.conflicts.first?.objects.last?.box == theirs)
    let kept = try world.add(.keep(conflict: second.entry.uuid, .this))
    #expect(kept.truth.objects.last?.box == theirs && kept.truth.conflicts.isEmpty)
  }
}
