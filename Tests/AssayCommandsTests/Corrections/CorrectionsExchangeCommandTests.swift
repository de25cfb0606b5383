import AssayCore
import AssayStore
import Foundation
import Testing

import AssayCommands

@Suite("assay corrections verify, export, import, adopt")
struct CorrectionsExchangeCommandTests {
  private static func uuid(_ number: Int) -> String {
    String(format: "00000000-0000-4000-8000-%012lx", number)
  }

  private static func draft(
    _ number: Int, _ key: String, dataset: String = "old", pixel: UInt8 = 0,
    after parent: CorrectionDraft.Parent = .head
  ) -> CorrectionDraft {
    CorrectionDraft(
      uuid: uuid(number),
      sample: SampleIdentity(
        dataset: dataset, key: key,
        contentHash: ContentHash.of(Array("gray8 2 1\n".utf8) + [pixel, 255])),
      target: .label, kind: .label, visit: uuid(99), parent: parent,
      payload: ["author": "anna", "category": "happy", "done": true])
  }

  @discardableResult
  private func append(_ program: Program, _ name: String, _ drafts: [CorrectionDraft]) throws
    -> Ledger
  {
    let ledger = try Ledger.open("\(program.folder.path)/\(name).ledger.db", .create)
    try ledger.append(drafts)
    return ledger
  }

  @Test("Without a ledger there is nothing to verify or export, and the reason is said")
  func none() throws {
    let program = try Program()
    for words in [["verify"], ["export", "x.jsonl"], ["adopt", "a", "b"]] {
      let outcome = try program.run(["corrections"] + words)
      #expect(outcome.status == 2)
      #expect(
        outcome.stderr.contains(words[0] == "adopt" ? "no catalog at" : "no corrections yet"),
        "\(outcome)")
    }
    #expect(!program.folder.has("assay.ledger.db") && !program.folder.has("x.jsonl"))
  }

  @Test("verify says whole with status 0, and the first bad entry with status 1")
  func verify() throws {
    let program = try Program()
    let ledger = try append(
      program, "assay", (1...3).map { Self.draft($0, "0") })
    let hash = try ledger.head().hash.hexadecimal
    let whole = try program.run("corrections", "verify")
    #expect(whole.status == 0)
    #expect(
      whole.stdout == "OK: ledger intact, assay.ledger.db, 3 entries\nlast entry 3, hash \(hash)\n",
      "\(whole)")
    let json = try program.run("corrections", "verify", "--json").json()
    #expect(json["intact"] == true && json["entries"] == 3 && json["first_bad"] == .null)
    #expect(json["head"]?["hash"]?.text == hash && json["ledger"]?.text == ledger.uuid)

    // One byte of entry 2's payload in the file.
    let path = program.folder.path + "/assay.ledger.db"
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let row = try #require(bytes.range(of: Data((Self.uuid(2) + "old").utf8)))
    let tail = row.upperBound..<min(bytes.endIndex, row.upperBound + 600)
    let word = try #require(bytes.range(of: Data("happy".utf8), in: tail))
    bytes[word.lowerBound] = UInt8(ascii: "H")
    try bytes.write(to: URL(fileURLWithPath: path))
    let broken = try program.run("corrections", "verify")
    #expect(broken.status == 1)
    #expect(broken.stdout.hasPrefix("broken at entry 2: its hash does not match its contents"))
    #expect(broken.stdout.contains("assay.ledger.db: 3 entries; entries 1 to 1 are good"))
    let found = try program.run("corrections", "verify", "--json")
    #expect(found.status == 1)
    #expect(try found.json()["first_bad"]?["sequence"] == 2)
    #expect(try found.json()["first_bad"]?["kind"] == "hash")

    try program.folder.write("assay.ledger.db", String(repeating: "no ledger", count: 1_000))
    let other = try program.run("corrections", "verify")
    #expect(other.status == 2 && other.stderr.contains("is not a ledger of corrections"))
  }

  @Test("export and import carry corrections from one catalog to another, once")
  func exchange() throws {
    let program = try Program()
    try append(
      program, "anna", [Self.draft(1, "0"), Self.draft(2, "0"), Self.draft(3, "1\u{1B}[31m")])
    let export = try program.run("corrections", "export", "a.jsonl", "--db", "anna.db")
    #expect(export.status == 0, "\(export.stderr)")
    #expect(export.stdout == "3 entries of 2 samples written to a.jsonl\n")
    #expect(try program.run("corrections", "export", "a.jsonl", "--db", "anna.db").status == 2)
    let part = try program.run(
      "corrections", "export", "a.jsonl", "--db", "anna.db", "--force", "--since", "1", "--in",
      "old",
      "--json"
    ).json()
    #expect(part["entries"] == 2 && part["since"] == 1 && part["dataset"] == "old")
    try program.run("corrections", "export", "a.jsonl", "--db", "anna.db", "--force")

    let made = try program.run("corrections", "import", "a.jsonl", "--db", "ben.db")
    #expect(made.status == 0, "\(made.stderr)")
    #expect(
      made.stdout
        == "3 new, 0 already present, 0 conflicts\na new ledger was created: ben.ledger.db\n")
    let again = try program.run("corrections", "import", "a.jsonl", "--db", "ben.db")
    #expect(again.stdout == "0 new, 3 already present, 0 conflicts\n")

    // Ben and Carl continue from the same entries.
    try append(program, "ben", [Self.draft(10, "1\u{1B}[31m")])
    try program.run("corrections", "import", "a.jsonl", "--db", "carl.db")
    try append(program, "carl", [Self.draft(20, "1\u{1B}[31m"), Self.draft(21, "5")])
    try program.run("corrections", "export", "c.jsonl", "--db", "carl.db")
    let joined = try program.run("corrections", "import", "c.jsonl", "--db", "ben.db")
    #expect(
      joined.stdout == """
        2 new, 3 already present, 1 conflict
        conflicts to resolve:
          old:1\\u{1b}[31m, 1 entry
        next: assay corrections show 'old:1\\u{1b}[31m'

        """)
    let json = try program.run("corrections", "import", "c.jsonl", "--db", "ben.db", "--json")
      .json()
    #expect(json["new"] == 0 && json["already_there"] == 5 && json["new_ledger"] == false)
    #expect(try program.run("corrections", "verify", "--db", "ben.db").status == 0)

    try program.folder.write(
      "bad.jsonl", try program.folder.read("c.jsonl").replacing("happy", with: "angry"))
    let bad = try program.run("corrections", "import", "bad.jsonl", "--db", "dora.db")
    #expect(bad.status == 2 && bad.stdout.isEmpty)
    #expect(bad.stderr.hasPrefix("error: bad.jsonl, line 2: its hash does not match its contents"))
    #expect(!program.folder.has("dora.ledger.db"))
  }

  @Test("adopt tells what it adopted and what it left, and why")
  func adopt() throws {
    let four = try CommandCatalog.four()
    let program = try Program()
    try FileManager.default.copyItem(atPath: four.path, toPath: program.folder.path + "/assay.db")
    try append(
      program, "assay", [Self.draft(1, "x0", pixel: 1), Self.draft(2, "x1", pixel: 77)])
    let outcome = try program.run("corrections", "adopt", "old", "faces", "--author", "ben")
    #expect(outcome.status == 0, "\(outcome.stderr)")
    #expect(
      outcome.stdout == """
        faces adopted the corrections of 1 sample of old
        not adopted: those of 1 sample
          x1: no image of faces is the corrected image

        """)
    let json = try program.run("corrections", "adopt", "old", "faces", "--json").json()
    #expect(json["adopted"] == [])
    #expect(json["adopted_before"] == [["from": "x0", "to": "1", "entry": 3]])
    #expect(json["left"]?.elements?.first?["why"] == "missing")
    let unknown = try program.run("corrections", "adopt", "odl", "faces")
    #expect(unknown.status == 2)
    #expect(unknown.stderr.contains("did you mean “old”?"))
  }
}
