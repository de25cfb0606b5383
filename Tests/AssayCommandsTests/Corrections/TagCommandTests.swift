import AssayCore
import AssayStore
import AssayTestSupport
import Foundation
import Testing

@Suite("assay tag and assay tags")
struct TagCommandTests {
  private let house: CorrectedProgram

  init() throws { house = try CorrectedProgram() }

  @discardableResult
  private func run(_ arguments: String..., author: String = "anna") throws -> Program.Outcome {
    try house.program.run(arguments, environment: ["ASSAY_AUTHOR": author, "USER": "somebody"])
  }

  @Test("Samples are tagged once, counted, found and untagged")
  func tags() throws {
    let first = try run("tag", "faces", "hard", "--where", "label = happy")
    #expect(first.status == 0)
    #expect(
      first.stdout
        == "tagged “hard”: 2 samples of faces (entries 1 to 2); by anna ($ASSAY_AUTHOR)\n")
    #expect(
      try run("tag", "faces/train", " hard ", author: "ben").stdout == """
        tagged “hard”: 2 samples of faces/train (entries 3 to 4); by ben ($ASSAY_AUTHOR)
        1 sample with the tag already

        """)
    #expect(
      try run("tag", "faces", "hard", "--where", "key like \"[012]\"").stdout == """
        nothing to save
        no sample of faces matches

        """)
    #expect(
      try run("tag", "faces", "night shot", "--where", "key = 2", "--json").json() == [
        "dataset": "faces", "view": "faces", "tag": "night shot", "removed": false, "samples": 1,
        "changed": 1, "already": 0, "unreadable": 0, "first_entry": 5, "last_entry": 5,
      ])
    #expect(
      try run("tags", "faces").stdout == """
        2 tags in faces: 4 of 5 samples tagged

        tag         samples
        hard              4
        night shot        1

        """)
    #expect(
      try run("query", "tag = hard and not tag like \"night*\"", "--in", "faces").stdout == """
        3 samples in faces

        key  split       label    size  tags
        0    train       happy     2×2  hard
        1    train       neutral   2×2  hard
        3    validation  happy     2×2  hard

        """)
    let found = try run("query", "key in (2, 4)", "--in", "faces", "--json").json()
    #expect(found["samples"]?.elements?.map { $0["tags"] } == [["hard", "night shot"], []])
    #expect(
      try run("tag", "faces", "hard", "--where", "not label = happy", "--remove").stdout == """
        removed “hard” from 2 samples of faces (entries 6 to 7); by anna ($ASSAY_AUTHOR)
        1 sample without the tag

        """)
    #expect(
      try run("tags", "faces", "--json").json() == [
        "dataset": "faces", "view": "faces", "samples": 5, "untagged": 2,
        "tags": [["tag": "hard", "samples": 2], ["tag": "night shot", "samples": 1]],
      ])
    #expect(try run("tags", "street").stdout.hasPrefix("no tags in street\n"))
    let verified = try house.corrections("verify")
    #expect(verified.status == 0, "\(verified.stdout)")
  }

  @Test("Formats without tags say so, that with tags has them")
  func exports() throws {
    try run("tag", "faces", "hard", "--where", "label = happy")
    let note = "note: 2 samples have tags, which this format does not hold"
    for (format, corrected) in [("folder", []), ("webdataset", ["--corrected"]), ("parquet", [])] {
      let outcome = try house.program.run(
        ["export", "faces", "--to", format, "--out", "out-" + format] + corrected)
      #expect(outcome.status == 0, "\(outcome.stderr)")
      #expect(outcome.stderr.contains(note) == (format != "parquet"), "\(outcome.stderr)")
    }
  }

  @Test(
    "They are listed, shown and undone as entries, survive another import, and are no corrections")
  func ledger() throws {
    try run("tag", "faces", "hard", "--where", "key = 1")
    let listed = try house.json("ls")
    #expect(listed["corrections"] == 0 && listed["entries"] == 1)
    #expect(listed["list"]?.elements?.first?["tags"] == ["hard"])
    #expect(listed["list"]?.elements?.first?["status"] == "open")
    #expect(try house.corrections("ls").stdout.contains("tag “hard”"))
    let shown = try house.corrections("show", "faces:1").stdout
    #expect(shown.contains("tags: hard"))
    #expect(shown.split(separator: "\n").contains { $0.contains("tag   hard") }, "\(shown)")
    let undone = try house.corrections("undo", "1")
    #expect(
      undone.stdout.hasPrefix("entry 2: faces:1 undo of entry 1, without tag “hard”"), "\(undone)")
    #expect(try run("tags", "faces", "--json").json()["untagged"] == 5)
    let redone = try house.corrections("redo", "1")
    #expect(
      redone.stdout.hasPrefix("entry 3: faces:1 redo of entry 1, with tag “hard”"), "\(redone)")
    // The dataset is removed and the catalog made again.
    try FileManager.default.removeItem(atPath: house.folder.path + "/assay.db")
    let again = try CorrectedProgram()
    try FileManager.default.copyItem(
      atPath: house.folder.path + "/assay.ledger.db", toPath: again.folder.path + "/assay.ledger.db"
    )
    let found = try again.program.run("query", "tag = hard", "--in", "faces", "--json").json()
    #expect(found["samples"]?.elements?.map { $0["key"] } == ["1"])
    #expect(found["corrections"]?["exist"] == 0)
  }

  @Test("Two people's ledgers merge without a conflict, whatever was tagged meanwhile")
  func exchange() throws {
    let other = try CorrectedProgram()
    try run("tag", "faces", "hard")
    try run("tag", "faces", "mine", "--where", "key = 2")
    try house.corrections("add", "--sample", "faces:2", "--label", "happy")
    for arguments in [
      ["tag", "faces", "hard"], ["tag", "faces", "theirs", "--where", "key in (2, 3)"],
    ] {
      try other.program.run(arguments, environment: ["ASSAY_AUTHOR": "ben"])
    }
    try other.corrections("export", "theirs.jsonl", author: "ben")
    let merged = try house.corrections("import", other.folder.path + "/theirs.jsonl")
    #expect(merged.status == 0 && merged.stdout.contains("0 conflicts"), "\(merged)")
    #expect(try house.json("ls")["conflicts"] == 0)
    let tags = try run("tags", "faces", "--json").json()["tags"]
    #expect(
      tags == [
        ["tag": "hard", "samples": 5], ["tag": "theirs", "samples": 2],
        ["tag": "mine", "samples": 1],
      ])
    let label = try run("query", "key = 2", "--in", "faces", "--corrected", "--json").json()
    #expect(label["samples"]?.elements?.first?["label"] == "happy")
  }

  @Test("Regions and images on disk are tagged; an unreadable one is named, and nothing is guessed")
  func regions() throws {
    try FileManager.default.removeItem(atPath: house.folder.path + "/street/d.png")
    let outcome = try run("tag", "street", "hard")
    #expect(outcome.status == 0)
    #expect(
      outcome.stdout == """
        tagged “hard”: 2 samples of street (entries 1 to 2); by anna ($ASSAY_AUTHOR)
        not changed: 1 sample whose image cannot be read (d.png); assay check street says why

        """)
    #expect(
      try run("query", "tag = hard and count(car) = 1", "--in", "street", "--count").stdout == "2\n"
    )
    try run("export", "street", "--to", "parquet", "--out", "out")
    let bytes = try Data(contentsOf: house.folder.url.appending(path: "out/samples.parquet"))
    #expect(bytes.range(of: Data("tags".utf8)) != nil && bytes.range(of: Data("hard".utf8)) != nil)
  }

  @Test(
    "A name or an expression that cannot be used is refused with the reason",
    arguments: [
      (["tag", "faces", " "], 64, "the tag is empty; expected 1 to 100 characters"),
      (["tag", "faces", "a\nb"], 64, "the tag contains the control character \\u{a}"),
      (["tag", "faces", String(repeating: "x", count: 101)], 64, "the tag has 101 characters"),
      (["tag", "faces", "a", "--where", "labl = x"], 2, "unknown field “labl”"),
      (["tag", "fces", "a"], 2, "unknown"), (["tags", "fces"], 2, "unknown"),
      (["query", "tag = hrd", "--in", "faces"], 2, "there are no tags yet; `assay tag` adds one"),
    ] as [([String], Int32, String)])
  func refused(arguments: [String], status: Int32, text: String) throws {
    let outcome = try house.program.run(arguments, environment: ["ASSAY_AUTHOR": "anna"])
    #expect(outcome.status == status, "\(outcome)")
    #expect(outcome.stderr.contains(text), "\(outcome.stderr)")
    #expect(!Ledger.exists(at: house.folder.path + "/assay.ledger.db"))
  }

  @Test("Ctrl-C leaves whole batches, and the same command continues")
  func interrupted() throws {
    let count = 9_000
    let catalog = try Catalog.open(house.folder.path + "/many.db", .create)
    _ = try catalog.importDataset(
      ImportDraft(name: "many", format: .fer, root: "/many.csv", isSingleFile: true)
    ) { writer in
      var batch = ImportedBatch()
      batch.newCategories = [Category(name: "a")]
      for index in 0..<count {
        batch.pixels.append(UInt8(index % 251))
        batch.samples.append(
          ImportedSample(
            key: "\(index)", size: ImageSize(width: 1, height: 1), category: 0,
            pixels: index..<index + 1))
      }
      try writer.write(batch)
      var outcome = ImportOutcome()
      (outcome.read, outcome.accepted, outcome.ordinals) = (count, count, [0])
      return (outcome, nil)
    }
    let stopped = try house.program.shell(
      """
      ASSAY_AUTHOR=anna "$A" tag many hard --db many.db & P=$!
      while ! [ -s many.ledger.db ] || [ "$(stat -c %s many.ledger.db)" -lt 600000 ]; do
        kill -0 $P 2>/dev/null || break; sleep 0.01
      done
      kill -INT $P 2>/dev/null; wait $P
      """)
    let ledger = try Ledger.open(house.folder.path + "/many.ledger.db", .readOnly)
    let entries = try ledger.head().sequence
    #expect(entries > 0 && (entries % 2_000 == 0 || entries == count), "\(entries) \(stopped)")
    if entries < count {
      #expect(stopped.status == 130)
      #expect(stopped.stderr.contains("run the same command to continue"))
    }
    let rest = try run("tag", "many", "hard", "--db", "many.db", "--json").json()
    #expect(rest["changed"] == .integer(Int64(count) - entries))
    #expect(rest["already"] == .integer(entries))
    #expect(try run("tags", "many", "--db", "many.db", "--json").json()["untagged"] == 0)
  }
}
