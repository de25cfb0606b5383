import AssayCore
import AssayStore
import Foundation
import Testing

import AssayWorkflows

struct CorrectionServiceTests {
  @Test("A region that is saved is an entry of what came and what went, with what the import had")
  func region() throws {
    let world = try CorrectionFixture()
    let after = try world.mask(".##.", "##..")
    let outcome = try world.add(.region(category: "person", after: after), done: true)
    #expect(outcome.entry.sequence == 1)
    #expect(outcome.entry.kind == "mask")
    #expect(outcome.entry.target == #"{"category":"person","set":"labels"}"#)
    #expect(!outcome.isRepeat && !outcome.isConflict)
    #expect(outcome.truth.region(of: "person") == after)
    #expect(outcome.truth.status == .done)
    #expect(outcome.truth.head == 1)
    let payload = try JSONValue(parsing: outcome.entry.payload)
    let size = world.size
    func mask(_ name: String) throws -> Mask {
      try Mask(size: size, compressed: #require(payload[name]?.text).utf8)
    }
    #expect(try mask("added") == world.mask("..#.", "...."))
    #expect(try mask("removed") == world.mask("#...", "...."))
    #expect(try mask("before") == world.mask("##..", "##.."))
    #expect(payload["size"] == [2, 4])
    #expect(payload["area"] == 4)
    #expect(payload["empty"] == nil)
    #expect(payload["author"] == "anna")
    #expect(payload["tool"] == "test")
    #expect(payload["time"] == "2023-11-14T22:13:20Z")
    #expect(payload["done"] == true)
    // The next one is not based on the import: it stores no “before”.
    let next = try world.add(.region(category: "person", after: try world.mask("....", "##..")))
    #expect(try JSONValue(parsing: next.entry.payload)["before"] == nil)
    #expect(next.entry.parent == 1)
  }

  @Test("The image's content hash is in the entry and in the catalog")
  func identity() throws {
    let world = try CorrectionFixture()
    let identity = try world.service.identity(of: world.sample())
    let bytes = try Data(contentsOf: world.world.folder.appending(path: "0.png"))
    #expect(identity.contentHash == ContentHash.of(Array(bytes)))
    #expect(identity.key == "0.png" && identity.dataset == "set")
    #expect(try world.world.catalog.contentHash(of: world.sample().id) == identity.contentHash)
    let entry = try world.add(.accept).entry
    #expect(entry.sample == identity)
  }

  @Test("An image that changed has another truth: its corrections no longer count")
  func imageChanged() throws {
    let world = try CorrectionFixture()
    try world.add(.region(category: "person", after: try world.mask("#...", "....")))
    try CorrectionFixture.picture(0, world.size, shade: 99, in: world.world.folder)
    let truth = try world.service.truth(of: world.sample())
    #expect(truth.region(of: "person") == (try world.mask("##..", "##..")))
    #expect(truth.skipped.imageChanged == 1)
    let next = try world.add(.region(category: "person", after: try world.mask("...#", "....")))
    #expect(!next.isConflict)
    #expect(next.truth.region(of: "person") == (try world.mask("...#", "....")))
  }

  @Test("The same uuid twice is one entry, also where the sample went on since")
  func repeated() throws {
    let world = try CorrectionFixture()
    let uuid = world.uuid()
    let visit = world.uuid()
    func save(_ change: CorrectionSave.Change) throws -> SaveOutcome {
      try world.service.save(
        CorrectionSave(
          uuid: uuid, visit: visit, sample: try world.sample(), parent: .sequence(0),
          author: "anna", tool: "test", change: change))
    }
    let change = CorrectionSave.Change.region(
      category: "person", after: try world.mask("#...", "...."))
    let first = try save(change)
    try world.add(.accept)
    let again = try save(change)
    #expect(again.isRepeat && !first.isRepeat)
    #expect(again.entry == first.entry)
    #expect(again.truth.head == 2)
    #expect(try world.ledger.head().sequence == 2)
  }

  @Test(
    "Both versions of a conflict are kept if they do not overlap; otherwise the reason is given")
  func both() throws {
    let world = try CorrectionFixture()
    try world.add(
      .region(category: "person", after: world.mask("#...", "....")), parent: .sequence(0))
    let late = try world.add(
      .region(category: "person", after: world.mask("....", "...#")), parent: .sequence(0),
      author: "ben")
    let kept = try world.add(.keep(conflict: late.entry.uuid, .both))
    #expect(kept.truth.conflicts.isEmpty && kept.entry.kind == "merge")
    // Both removed the lower pixels, and Ben the upper ones as well.
    #expect(kept.truth.region(of: "person") == (try world.mask("....", "...#")))
    let other = try world.add(
      .region(category: "person", after: world.mask("....", "..##")),
      parent: .entry(kept.entry.uuid))
    let late2 = try world.add(.reject("blurred"), parent: .entry(kept.entry.uuid), author: "ben")
    #expect(late2.isConflict && other.truth.conflicts.isEmpty)
    #expect(
      try world.refusal(.keep(conflict: late2.entry.uuid, .both))?
        .contains("one version replaces or excludes the sample as a whole") == true)
  }

  @Test(
    "A change on a state that is no longer the last is kept as a conflict, and decided either way")
  func conflict() throws {
    let world = try CorrectionFixture()
    let mine = try world.mask("#...", "....")
    let theirs = try world.mask("....", "...#")
    try world.add(.region(category: "person", after: mine), parent: .sequence(0))
    let late = try world.add(
      .region(category: "person", after: theirs), parent: .sequence(0), author: "ben")
    #expect(late.isConflict)
    #expect(late.truth.region(of: "person") == mine)
    #expect(late.truth.head == 1)
    // An entry that follows the conflict, identified by uuid: the delta is against the conflict's
    // own state.
    let more = try world.mask("...#", "...#")
    let follower = try world.add(
      .region(category: "person", after: more), parent: .entry(late.entry.uuid), author: "ben")
    #expect(follower.isConflict)
    let branch = try #require(follower.truth.conflicts.first)
    #expect(branch.entries.map(\.sequence) == [2, 3])
    #expect(try branch.objects.map { try $0.mask(in: world.size) } == [more])

    #expect(
      try world.refusal(.keep(conflict: "nobody", .this))?.contains("not an open conflict") == true)
    let kept = try world.add(.keep(conflict: late.entry.uuid, .this), done: true)
    #expect(!kept.isConflict)
    #expect(kept.truth.conflicts.isEmpty)
    #expect(kept.truth.region(of: "person") == more)
    #expect(kept.truth.status == .done)
    let undone = try world.add(.undo())
    #expect(undone.truth.conflicts.count == 1)
    #expect(undone.truth.region(of: "person") == mine)
    let head = try world.add(.keep(conflict: late.entry.uuid, .head))
    #expect(head.truth.conflicts.isEmpty)
    #expect(head.truth.region(of: "person") == mine)
    #expect(try world.refusal(.keep(conflict: late.entry.uuid, .head)) != nil)
  }

  @Test("Undo goes back one by one and says when there is nothing left; redo comes forward")
  func undo() throws {
    let world = try CorrectionFixture()
    let first = try world.mask("#...", "....")
    let second = try world.mask("....", "#...")
    try world.add(.region(category: "person", after: first))
    try world.add(.region(category: "person", after: second))
    #expect(try world.add(.undo()).truth.region(of: "person") == first)
    #expect(try world.add(.undo()).truth.region(of: "person") == world.mask("##..", "##.."))
    #expect(try world.refusal(.undo()) == "0.png: nothing to undo")
    #expect(try world.add(.redo()).truth.region(of: "person") == first)
    #expect(try world.add(.redo()).truth.region(of: "person") == second)
    #expect(try world.refusal(.redo()) == "0.png: nothing to redo")
    let entries = try world.service.truth(of: world.sample()).history.map(\.entry)
    #expect(entries.map(\.kind) == ["mask", "mask", "undo", "undo", "redo", "redo"])
    // The pixels that the second entry removed and added, relative to the import.
    #expect(
      try world.add(.undo(entries[0].uuid)).truth.region(of: "person")
        == world.mask(".#..", "##.."))
    #expect(
      try world.refusal(.undo(entries[0].uuid)) == "entry 1 is already undone")
    #expect(try world.refusal(.redo(entries[1].uuid))?.contains("entry 2 is not undone") == true)
    #expect(try world.refusal(.undo(entries[2].uuid))?.contains("cannot be undone") == true)
    #expect(try world.refusal(.undo("nobody"))?.contains("no entry nobody") == true)
    // After a new change there is nothing to redo.
    try world.add(.redo())
    try world.add(.undo())
    try world.add(.region(category: "person", after: first))
    #expect(try world.refusal(.redo()) != nil)
  }

  @Test("Objects are added, changed, renamed and taken away, each by its target")
  func objects() throws {
    let world = try CorrectionFixture()
    let corner = try world.mask("...#", "....")
    let added = try world.add(.add(category: "car", corner))
    let made = CorrectionTarget.made(entry: added.entry.uuid)
    #expect(added.truth.objects.map(\.target).last == made)
    let wider = try world.mask("..##", "....")
    let drawn = try world.add(.object(target: made, after: wider))
    #expect(drawn.truth.region(of: "car") == wider)
    #expect(try world.add(.category(target: made, "person")).truth.objects[1].category == "person")
    let imported = try world.service.imported(of: world.sample()).objects[0].target
    #expect(try world.add(.remove(target: imported)).truth.objects.map(\.target) == [made])
    #expect(try world.refusal(.remove(target: imported))?.contains("has no object") == true)
    let gone = try world.add(
      .object(target: made, after: Mask(emptyOf: world.size), emptied: true))
    #expect(gone.truth.objects.isEmpty)
  }

  @Test("What cannot be is refused with the next step, and nothing is saved")
  func refusals() throws {
    let world = try CorrectionFixture()
    let small = Mask(emptyOf: ImageSize(width: 2, height: 2))
    let empty = Mask(emptyOf: world.size)
    let full = Mask(fullOf: world.size)
    #expect(
      try world.refusal(.region(category: "persn", after: full))
        == "“set” has no class “persn”; did you mean “person”?")
    #expect(
      try world.refusal(.region(category: "zebra", after: full))
        == "“set” has no class “zebra”; it has person, car")
    #expect(
      try world.refusal(.region(category: "person", after: small))
        == "the mask is 2×2, the image 4×2; they must have the same size")
    #expect(
      try world.refusal(.region(category: "person", after: empty))?.contains("--empty") == true)
    #expect(try world.refusal(.add(category: "car", empty))?.contains("at least one pixel") == true)
    #expect(try world.refusal(.label("person"))?.contains("regions and no labels") == true)
    #expect(try world.refusal(.reject(" "))?.contains("reason is missing") == true)
    #expect(try world.refusal(.note)?.contains("note is empty") == true)
    #expect(try world.refusal(.accept, author: "  ")?.contains("--author") == true)
    #expect(try world.refusal(.accept, author: String(repeating: "a", count: 300)) != nil)
    #expect(
      try world.refusal(.accept, ledger: world.uuid())?.contains("nothing was saved") == true)
    #expect(try world.refusal(.accept, parent: .sequence(7))?.contains("no entry 7") == true)
    #expect(try world.refusal(.accept, parent: .entry("nobody")) != nil)
    #expect(try world.refusal(.take(run: "nobody")) != nil)
    #expect(throws: CorrectionError.self) { try world.sample("9.png") }
    #expect(
      try world.add(.region(category: "person", after: empty, emptied: true)).truth.objects.isEmpty)
  }

  @Test("A label of another sample's entry is no parent here")
  func foreignParent() throws {
    let world = try CorrectionFixture()
    let other = try world.add(.accept, to: 1).entry
    #expect(try world.refusal(.accept, parent: .sequence(other.sequence)) != nil)
    #expect(try world.refusal(.accept, parent: .entry(other.uuid)) != nil)
  }

  @Test("What another service wrote is taken in before anything is said")
  func twoServices() throws {
    let world = try CorrectionFixture()
    let other = CorrectionService(
      catalog: world.world.catalog,
      ledger: try Ledger.open(world.ledger.path, .readWrite, synchronous: .off))
    _ = try world.service.truth(of: world.sample())
    _ = try other.save(
      world.save(.region(category: "person", after: try world.mask("#...", "...."))))
    #expect(try world.service.truth(of: world.sample()).region(of: "person")?.area == 1)
    let next = try world.add(.region(category: "person", after: try world.mask("##..", "....")))
    #expect(next.entry.parent == 1 && !next.isConflict)
    #expect(try other.truth(of: world.sample()).region(of: "person")?.area == 2)
    #expect(try other.truth(of: world.sample(), upTo: 1).region(of: "person")?.area == 1)
    #expect(try other.truth(of: world.sample(), upTo: 0).region(of: "person")?.area == 4)
  }

  @Test("Many threads save to the same samples, and every entry is there once in one chain")
  func threads() throws {
    let world = try CorrectionFixture()
    let samples = try (0..<3).map { try world.sample($0) }
    let saves = try (0..<120).map { index in
      try world.save(
        .region(
          category: "car",
          after: index % 2 == 0 ? world.mask("...#", "....") : world.mask("#...", "....")),
        to: index % 3)
    }
    let service = world.service
    DispatchQueue.concurrentPerform(iterations: saves.count) { index in
      _ = try? service.save(saves[index])
    }
    #expect(try world.ledger.head().sequence == 120)
    for sample in samples {
      let truth = try world.service.truth(of: sample)
      #expect(truth.history.count == 40)
      #expect(truth.conflicts.isEmpty)
      // The cached ground truth equals that of a replay from the start.
      let fresh = CorrectionService(catalog: world.world.catalog, ledger: world.ledger)
      #expect(try fresh.truth(of: sample) == truth)
    }
  }

  @Test("Many changes are saved in one transaction, all or none")
  func together() throws {
    let world = try CorrectionFixture()
    let corner = try world.mask("...#", "....")
    let good = try (0..<3).map { try world.save(.region(category: "car", after: corner), to: $0) }
    var bad = good
    bad[2] = try world.save(.region(category: "cat", after: corner), to: 2)
    #expect(throws: CorrectionError.self) { try world.service.save(all: bad) }
    #expect(try world.ledger.head().sequence == 0)
    let outcomes = try world.service.save(all: good)
    #expect(outcomes.map(\.entry.sequence) == [1, 2, 3])
    for index in 0..<3 {
      #expect(try world.service.truth(of: world.sample(index)).region(of: "car") == corner)
    }
  }
}
