import AssayCore
import AssayImaging
import AssayStore
import Testing

@testable import AssayWorkflows

/// A uuid that is received twice: the same save again, or another one.
struct RepeatedSaveTests {
  private let visit = "99999999-2222-4333-8444-555555555555"

  private func save(
    _ world: CorrectionFixture, _ change: CorrectionSave.Change, uuid: String,
    parent: CorrectionDraft.Parent = .head, visit: String? = nil, note: String? = nil,
    done: Bool = false, author: String = "anna", to index: Int = 0
  ) throws -> SaveOutcome {
    try world.service.save(
      CorrectionSave(
        uuid: uuid, visit: visit ?? self.visit, sample: try world.sample(index), parent: parent,
        author: author, tool: "test", note: note, done: done, change: change))
  }

  /// One change of each kind, on two objects of “person”.
  private func changes(_ world: CorrectionFixture) throws -> [CorrectionSave.Change] {
    let object = try #require(try world.service.truth(of: world.sample()).objects.first).target
    let undone = try world.add(.accept).entry.uuid
    return [
      .region(category: "person", after: try world.mask("#..#", "....")),
      .region(category: "person", after: try world.mask("##..", "...#")),
      .region(category: "car", after: try world.mask("#..#", "....")),
      .region(category: "person", after: try world.mask("....", "...."), emptied: true),
      .object(target: object, after: try world.mask("#...", "....")),
      .object(target: object, after: try world.mask("##..", "....")),
      .add(category: "person", try world.mask("...#", "....")),
      .add(category: "car", try world.mask("...#", "....")),
      .add(category: "car", try world.mask("..##", "....")),
      .remove(target: object), .category(target: object, "car"), .accept, .unsure, .skip, .note,
      .reject("two of them"), .reject("dark"), .bad("dark"), .bad("blurred"), .bad(nil),
      .undo(undone),
    ]
  }

  @Test("The same save again is the entry that is there, whatever came after it")
  func same() throws {
    let places = try changes(CorrectionFixture()).indices
    for place in places {
      let world = try CorrectionFixture()
      let change = try changes(world)[place]
      let uuid = world.uuid()
      let note = "a note"
      let first = try save(world, change, uuid: uuid, note: note)
      #expect(!first.isRepeat)
      let at = try #require(first.entry.parent)
      for later in [CorrectionSave.Change.skip, .label("person"), .accept] {
        _ = try? world.add(later)
        let last = try world.ledger.head().sequence
        for parent in [CorrectionDraft.Parent.head, .sequence(at)] {
          let again = try save(world, change, uuid: uuid, parent: parent, note: note)
          #expect(again.isRepeat && again.entry == first.entry, "\(change)")
        }
        #expect(try world.ledger.head().sequence == last)
      }
    }
  }

  @Test("Another change under a uuid that is taken is refused, and nothing is saved")
  func different() throws {
    let count = try changes(CorrectionFixture()).count
    for first in 0..<count {
      let world = try CorrectionFixture()
      let changes = try changes(world)
      let uuid = world.uuid()
      let entry = try save(world, changes[first], uuid: uuid, note: "a note").entry
      for other in 0..<count where other != first {
        do {
          _ = try save(world, changes[other], uuid: uuid, note: "a note")
          Issue.record("\(changes[other]) was taken for \(changes[first])")
        } catch CorrectionError.ledger(.uuidTaken(let taken, let sequence)) {
          #expect(taken == uuid && sequence == entry.sequence)
        }
      }
      #expect(try world.ledger.head().sequence == entry.sequence)
    }
  }

  @Test("What a save says besides its change counts too")
  func remarks() throws {
    let world = try CorrectionFixture()
    let uuid = world.uuid()
    _ = try save(world, .accept, uuid: uuid, note: "a", done: true)
    func isTaken(_ work: () throws -> SaveOutcome) -> Bool {
      do {
        _ = try work()
        return false
      } catch CorrectionError.ledger(.uuidTaken) {
        return true
      } catch {
        return false
      }
    }
    #expect(isTaken { try save(world, .accept, uuid: uuid, note: "b", done: true) })
    #expect(isTaken { try save(world, .accept, uuid: uuid, note: "a") })
    #expect(isTaken { try save(world, .accept, uuid: uuid, note: "a", done: true, author: "ben") })
    #expect(
      isTaken { try save(world, .accept, uuid: uuid, visit: world.uuid(), note: "a", done: true) })
    #expect(isTaken { try save(world, .accept, uuid: uuid, note: "a", done: true, to: 1) })
    #expect(try save(world, .accept, uuid: uuid, note: "a", done: true).isRepeat)
    #expect(try world.ledger.head().sequence == 1)
  }

  @Test("A save in conflict and the decision on it are known again")
  func conflict() throws {
    let world = try CorrectionFixture()
    let mine = CorrectionSave.Change.region(
      category: "person", after: try world.mask("...#", "...#"))
    try world.add(.region(category: "person", after: try world.mask("#...", "....")))
    let uuid = world.uuid()
    let late = try save(world, mine, uuid: uuid, parent: .sequence(0))
    #expect(late.isConflict)
    let decision = world.uuid()
    _ = try save(world, .keep(conflict: uuid, .this), uuid: decision)
    #expect(try save(world, mine, uuid: uuid, parent: .sequence(0)).isRepeat)
    #expect(try save(world, .keep(conflict: uuid, .this), uuid: decision).isRepeat)
    #expect(throws: CorrectionError.self) {
      try save(world, .keep(conflict: uuid, .head), uuid: decision)
    }
    #expect(try world.ledger.head().sequence == 3)
  }
}

/// Tests the service's cache of sample states.
struct SampleStateCacheTests {
  @Test("Samples are kept within a bound of bytes, those used last")
  func bytes() {
    var samples = SampleStateCache()
    let third = SampleStateCache.byteLimit / 3
    for sample in 1...3 as ClosedRange<Int64> {
      _ = samples.slot(SampleStateKey(sample: sample))
      samples.weigh(SampleStateKey(sample: sample), bytes: third)
    }
    #expect(samples.count == 3)
    _ = samples.slot(SampleStateKey(sample: 1))
    let fourth = samples.slot(SampleStateKey(sample: 4))
    samples.weigh(SampleStateKey(sample: 4), bytes: third)
    // The second was the least recently used.
    #expect(samples.count == 3 && samples.bytes == 3 * third)
    #expect(samples.slot(SampleStateKey(sample: 4)) === fourth)
    samples.weigh(SampleStateKey(sample: 4), bytes: 2 * SampleStateCache.byteLimit)
    #expect(samples.count == 1 && samples.slot(SampleStateKey(sample: 4)) === fourth)
    samples.weigh(SampleStateKey(sample: 4), bytes: 100)
    #expect(samples.bytes == 100)
    samples.weigh(SampleStateKey(sample: 99), bytes: 5)
    #expect(samples.bytes == 100)
    for sample in 5...200 as ClosedRange<Int64> { _ = samples.slot(SampleStateKey(sample: sample)) }
    #expect(samples.count == SampleStateCache.limit && samples.bytes == 0)
  }

  @Test("A sample weighs more with each save")
  func weight() throws {
    let world = try CorrectionFixture()
    func bytes() throws -> Int { world.service.samples.withLock(\.bytes) }
    _ = try world.service.truth(of: world.sample())
    let empty = try bytes()
    #expect(empty > 0)
    try world.add(.region(category: "person", after: try world.mask("#..#", "....")))
    let one = try bytes()
    #expect(one > empty)
    try world.add(.region(category: "person", after: try world.mask("....", "#..#")))
    #expect(try bytes() > one)
  }
}
