import AssayCore
import Foundation
import GRDB
import Testing

@testable import AssayStore

@Suite("Tags and notes of samples")
struct SampleTagTests {
  @discardableResult
  private func tag(
    _ house: CorrectedHouse, _ key: String, _ name: String, remove: Bool = false,
    parent: CorrectionDraft.Parent = .head, hash: String? = nil
  ) throws -> AppendOutcome {
    try house.ledger.append(
      house.draft(
        key, remove ? .untag : .tag, .sample, ["tag": .string(name)], parent: parent, hash: hash))
  }

  private func tags(_ catalog: Catalog) throws -> [String] {
    let samples = try catalog.samples(in: catalog.resolve("faces")).map(\.id)
    let tags = try catalog.tags(of: samples)
    return samples.enumerated().map { place, _ in
      tags.isEmpty ? "" : tags[place].joined(separator: " ")
    }
  }

  @Test("They are found, counted and removed, and change nothing else")
  func fields() throws {
    let house = try CorrectedHouse()
    try tag(house, "0", "hard")
    try tag(house, "0", "a b")
    try tag(house, "1", "hard")
    try tag(house, "4", "harder")
    try tag(house, "1", "hard", remove: true)
    try tag(house, "5", "hard", remove: true)
    try house.ledger.append(
      house.draft("2", .note, .sample, ["note": "a blurred [photo]"]))
    try house.ledger.append(
      house.draft("3", .label, .label, ["category": "sad", "note": "clearly blue"]))
    for catalog in [try house.imported(), try house.corrected()] {
      #expect(try tags(catalog) == ["a b hard", "", "", "", "harder", ""])
      #expect(try catalog.keys("faces", "tag = hard") == ["0"])
      #expect(try catalog.keys("faces", "tag = \"a b\" or tag in (harder)") == ["0", "4"])
      #expect(try catalog.keys("faces", "tag in (hard, harder)") == ["0", "4"])
      #expect(try catalog.keys("faces", "tag like \"hard?*\"") == ["4"])
      #expect(try catalog.keys("faces", "not tag like \"*\"") == ["1", "2", "3", "5"])
      #expect(try catalog.keys("faces", "note like \"*blu*\"") == ["2", "3"])
      #expect(try catalog.keys("faces", "note like \"*[photo]\"") == ["2"])
      #expect(try catalog.keys("faces", "note = \"clearly blue\"") == ["3"])
      #expect(try catalog.keys("faces", "not note like \"*\"") == ["0", "1", "4", "5"])
      #expect(try catalog.keys("faces", "corrected = true") == ["3"])
      #expect(try catalog.keys("faces", "corrected_by = anna") == ["3"])
      #expect(
        try catalog.keys("faces", "reviewed = true or left_out = true or conflict = true") == [])
      let counts = try catalog.tagCounts(in: catalog.resolve("faces"))
      #expect(
        counts
          == TagCounts(
            samples: 6, untagged: 4,
            tags: [
              TagCount(tag: "a b", samples: 1), TagCount(tag: "hard", samples: 1),
              TagCount(tag: "harder", samples: 1),
            ]))
      #expect(try catalog.tagCounts(in: catalog.resolve("faces/train")).untagged == 1)
      #expect(try catalog.samples(taggedWith: "hard") == [1])
      // Who only tagged did not correct.
      #expect(try catalog.corrected(of: [1, 4]).map(\.authors) == [[], ["anna"]])
      #expect(try catalog.corrected(of: [1]).map(\.status) == [.open])
    }
    let error = #expect(throws: StoreError.self) {
      try house.imported().keys("faces", "tag = hrad")
    }
    guard case .expression(let fault)? = error else {
      Testing.Issue.record("\(String(describing: error))")
      return
    }
    #expect(fault.message == "unknown tag “hrad”" && fault.suggestion == "hard")
    #expect(fault.candidates == ["a b", "hard", "harder"])
    #expect(try house.ledger.verify().firstBad == nil)
  }

  @Test("A state at an earlier entry has the tags of that entry")
  func earlier() throws {
    let house = try CorrectedHouse()
    try tag(house, "0", "hard")
    try tag(house, "0", "hard", remove: true)
    #expect(try tags(house.corrected(at: 1))[0] == "hard")
    #expect(try tags(house.corrected(at: 2))[0] == "")
    #expect(try tags(house.corrected(at: 0))[0] == "")
  }

  @Test("Undo and redo count for one tag; an entry for another image does not count")
  func undo() throws {
    let house = try CorrectedHouse()
    let first = try tag(house, "0", "hard").entry
    try tag(house, "0", "soft")
    try tag(house, "1", "hard", hash: CorrectedHouse.hash("another image"))
    #expect(try tags(house.imported()).prefix(2) == ["hard soft", ""])
    for (kind, expected) in [(CorrectionKind.undo, "soft"), (.redo, "hard soft")] {
      try house.ledger.append(house.draft("0", kind, .sample, ["entry": .string(first.uuid)]))
      #expect(try tags(house.imported())[0] == expected)
    }
    // The image becomes another one.
    house.images["0"] = CorrectedHouse.hash("new")
    try house.catalog.importFaces(sixFaces, replace: true, hash: "2")
    #expect(try tags(house.imported()).allSatisfy(\.isEmpty))
    house.images["0"] = nil
    try house.catalog.importFaces(sixFaces, replace: true, hash: "3")
    #expect(try tags(house.imported())[0] == "hard soft")
  }

  @Test("A tag that another person adds or removes in between is no conflict, on either side")
  func commuting() throws {
    let house = try CorrectedHouse()
    let seen = try house.label("0", "sad").sequence
    // Someone tags while another has the sample open, who then saves on what they saw.
    let between = try tag(house, "0", "hard")
    let saved = try house.ledger.append(
      house.draft("0", .label, .label, ["category": "angry"], by: "ben", parent: .sequence(seen)))
    #expect(!saved.isConflict)
    #expect(saved.entry.parent == between.entry.sequence)
    // Tags made on what was seen before.
    for parent in [0, seen, between.entry.sequence] {
      let outcome = try tag(house, "0", "late \(parent)", parent: .sequence(parent))
      #expect(!outcome.isConflict)
    }
    #expect(try !tag(house, "0", "hard", remove: true, parent: .sequence(0)).isConflict)
    let catalog = try house.corrected()
    #expect(try tags(catalog)[0] == "late 0 late 1 late 2")
    #expect(try catalog.keys("faces", "conflict = true") == [])
    #expect(try catalog.keys("faces", "label = angry") == ["0", "3"])
    // A label made after such a tag has not seen the other label: that is a conflict, as before.
    let beside = try tag(house, "0", "beside", parent: .sequence(seen)).entry
    let stale = try house.ledger.append(
      house.draft(
        "0", .label, .label, ["category": "happy"], by: "ben", parent: .entry(beside.uuid)))
    #expect(stale.isConflict)
    #expect(try house.corrected().keys("faces", "conflict = true") == ["0"])
    #expect(try house.corrected().keys("faces", "label = angry") == ["0", "3"])
    #expect(try tags(house.corrected())[0] == "beside late 0 late 1 late 2")
    #expect(try house.ledger.verify().firstBad == nil)
  }

  @Test("A note or a label in between still makes a label a conflict")
  func notCommuting() throws {
    let house = try CorrectedHouse()
    let seen = try house.label("0", "sad").sequence
    try tag(house, "0", "hard")
    try house.label("0", "happy", by: "ben")
    try tag(house, "0", "soft")
    #expect(
      try house.ledger.append(
        house.draft("0", .label, .label, ["category": "angry"], parent: .sequence(seen))
      ).isConflict)
  }

  @Test(
    "A catalog that cannot be written has them in its own file; so has one of an earlier version")
  func beside() throws {
    let house = try CorrectedHouse()
    try tag(house, "0", "hard")
    try house.ledger.append(house.draft("1", .note, .sample, ["note": "blurred"]))
    _ = try house.imported()
    // A state of an earlier version, without tags and notes.
    try house.catalog.write("going back") { database in
      try database.execute(
        sql: """
          DROP TABLE sampleTag; DROP TABLE sampleNote; DROP TABLE sampleField;
          DELETE FROM grdb_migrations WHERE identifier LIKE '14 %' OR identifier LIKE '16 %';
          """)
    }
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o444], ofItemAtPath: house.catalog.path)
    let old = try Catalog.open(house.catalog.path, .readOnly)
    if try !hasTags(old) {
      let state = try house.refresh(old).state()
      #expect(state.file != nil)
      let catalog = try old.reading(state.reading(corrected: false))
      #expect(try catalog.keys("faces", "tag = hard or note like \"blur*\"") == ["0", "1"])
    }
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o644], ofItemAtPath: house.catalog.path)
    let new = try Catalog.open(house.catalog.path, .readWrite)
    let catalog = try house.corrected(at: nil, new)
    #expect(try hasTags(new))
    #expect(try catalog.keys("faces", "tag = hard") == ["0"])
    #expect(try catalog.keys("faces", "note like \"blur*\"") == ["1"])
  }

  private func hasTags(_ catalog: Catalog) throws -> Bool {
    try catalog.read("looking for a table") {
      try Bool.fetchOne(
        $0, sql: "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'sampleTag')") ?? false
    }
  }

  @Test("Whatever is tagged, the ground truth and the other facts are as without", arguments: 0..<3)
  func transparent(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let (plain, tagged) = (try CorrectedHouse(), try CorrectedHouse())
    var visible: [String: (plain: Int64, tagged: Int64)] = [:]
    var expected: [String: Set<String>] = [:]
    for _ in 0..<120 {
      let key = "\(Int.random(in: 0..<4, using: &random))"
      if Bool.random(using: &random) {
        let name = ["x", "y", "z"][Int.random(in: 0..<3, using: &random)]
        let isRemoval = Int.random(in: 0..<3, using: &random) == 0
        let parent: CorrectionDraft.Parent =
          Int.random(in: 0..<3, using: &random) == 0 ? .sequence(visible[key]?.tagged ?? 0) : .head
        try tag(tagged, key, name, remove: isRemoval, parent: parent)
        if isRemoval {
          expected[key]?.remove(name)
        } else {
          expected[key, default: []].insert(name)
        }
      } else {
        let label = ["happy", "sad", "angry"][Int.random(in: 0..<3, using: &random)]
        let isStale = Int.random(in: 0..<3, using: &random) == 0
        let visit = TemporaryLedger.uuid(0x900 + Int.random(in: 0..<5, using: &random))
        func save(_ house: CorrectedHouse, _ parent: Int64?) throws -> AppendOutcome {
          try house.ledger.append(
            house.draft(
              key, .label, .label, ["category": .string(label)], visit: visit,
              parent: isStale ? .sequence(parent ?? 0) : .head))
        }
        let one = try save(plain, visible[key]?.plain)
        let other = try save(tagged, visible[key]?.tagged)
        #expect(one.isConflict == other.isConflict)
        if !one.isConflict, Bool.random(using: &random) {
          visible[key] = (one.entry.sequence, other.entry.sequence)
        }
      }
    }
    func facts(_ house: CorrectedHouse) throws -> [String] {
      let catalog = try house.corrected()
      return try catalog.sql(
        """
        SELECT z.sample, z.isChanged, z.label, z.status, z.leftOut, z.corrections, z.conflicts
        FROM truthState t JOIN correctedSample z ON z.state = t.id
        WHERE t.isHead AND z.isChanged ORDER BY z.sample
        """
      ).rows.map { "\($0)" }
    }
    #expect(try facts(plain) == facts(tagged))
    let found = try tags(tagged.corrected())
    #expect(
      found.prefix(4)
        == (0..<4).map { (expected["\($0)"] ?? []).sorted().joined(separator: " ") }[...])
    #expect(try tagged.ledger.verify().firstBad == nil)
  }

  @Test("The rules for names")
  func names() throws {
    #expect(try TagName.checked("  a b\n") == "a b")
    #expect(try TagName.checked("e\u{301}").unicodeScalars.count == 1)
    #expect(try TagName.checked(String(repeating: "é", count: 100)).count == 100)
    for (name, error) in [
      ("", TagNameError.empty), (" \t", .empty),
      (String(repeating: "a", count: 101), .tooLong(101)),
      ("a\nb", .control("\n")), ("a\u{7f}", .control("\u{7f}")),
      ("a\u{202e}b", .control("\u{202e}")),
      ("a\u{2028}b", .control("\u{2028}")),
    ] {
      #expect(throws: error) { try TagName.checked(name) }
    }
    // An entry with another name is kept and not used.
    let house = try CorrectedHouse()
    try tag(house, "0", "a\nb")
    try tag(house, "0", "")
    #expect(try tags(house.imported())[0] == "")
  }
}
