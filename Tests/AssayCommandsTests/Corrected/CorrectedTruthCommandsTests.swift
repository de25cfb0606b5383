import AssayCore
import Foundation
import Testing

@Suite("Commands and the corrected ground truth")
struct CorrectedTruthCommandsTests {
  private let house: CorrectedProgram

  private func run(_ arguments: String..., status: Int32 = 0) throws -> Program.Outcome {
    let outcome = try house.program.run(arguments)
    #expect(outcome.status == status, "\(arguments): \(outcome.stdout)\(outcome.stderr)")
    return outcome
  }

  private func json(_ arguments: String...) throws -> JSONValue {
    let outcome = try house.program.run(arguments + ["--json"])
    #expect(outcome.status == 0, "\(arguments): \(outcome.stdout)\(outcome.stderr)")
    return try outcome.json()
  }

  private static let unused = "2 corrections exist, not used (--corrected uses them)"

  /// Labels: 0 happy, 1 neutral, 2 sad, 3 happy, 4 neutral; 0 and 3 become sad.
  init() throws {
    house = try CorrectedProgram()
    for key in ["0", "3"] {
      let outcome = try house.corrections("add", "--sample", "faces:\(key)", "--label", "sad")
      #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
    }
  }

  @Test("query counts and lists with either ground truth, and reports which one")
  func query() throws {
    let plain = try run("query", "label = sad", "--in", "faces", "--count")
    #expect(plain.stdout == "1\n")
    #expect(plain.stderr == Self.unused + "\n")
    let corrected = try run("query", "label = sad", "--in", "faces", "--count", "--corrected")
    #expect(corrected.stdout == "3\n")
    #expect(corrected.stderr == "2 corrections to 2 samples used (entry 2)\n")
    let then = try run(
      "query", "label = sad", "--in", "faces", "--count", "--corrected", "--at", "1")
    #expect(then.stdout == "2\n")
    let found = try json("query", "corrected_by = anna", "--in", "faces")
    #expect(found["samples"]?.elements?.compactMap { $0["key"]?.text } == ["0", "3"])
    #expect(found["samples"]?.elements?.compactMap { $0["label"]?.text } == ["happy", "happy"])
    #expect(found["corrections"]?["exist"] == 2)
    #expect(found["corrections"]?["used"] == false)
    let used = try json("query", "corrected = true", "--in", "faces", "--corrected")
    #expect(used["samples"]?.elements?.compactMap { $0["label"]?.text } == ["sad", "sad"])
    #expect(used["corrections"]?["entry"] == 2)
    // Another dataset has none, and nothing is printed.
    #expect(try run("query", "--in", "street", "--count").stderr == "")
    #expect(try run("query", "--at", "1", status: 64).stderr.contains("--at needs --corrected"))
    #expect(
      try run("query", "--in", "faces", "--corrected", "--at", "9", status: 2).stderr
        .contains("the ledger ends at entry 2"))
    let slip = try run("query", "corrected_by = ana", "--in", "faces", status: 2)
    #expect(slip.stderr.contains("did you mean “anna”?"))
  }

  @Test("stats counts with either ground truth, without what was left out")
  func stats() throws {
    let plain = try run("stats", "faces")
    #expect(plain.stderr.contains(Self.unused))
    #expect(try json("stats", "faces")["corrections"]?["used"] == false)
    #expect(
      try house.corrections("add", "--sample", "faces:4", "--reject", "two faces").status == 0)
    let corrected = try json("stats", "faces", "--corrected")
    let counts = corrected["classes"]?.elements?.compactMap { $0["count"]?.double }
    // The rejected one no longer counts as neutral.
    #expect(counts == [0, 1, 3])
    #expect(corrected["samples"] == 4)
    #expect(
      try run("stats", "faces", "--corrected").stderr
        == "3 corrections to 3 samples used (entry 3); 1 sample left out\n")
    let regions = try json("stats", "street", "--corrected")
    #expect(regions["corrections"]?["exist"] == 0)
  }

  @Test("show, ls and view say what there is")
  func lists() throws {
    #expect(try run("show", "faces").stderr == Self.unused + "\n")
    let shown = try json("show", "faces", "--corrected")
    #expect(shown["corrections"]?["used"] == true)
    #expect(try run("show", "street").stderr == "")
    let list = try run("ls", "datasets")
    #expect(list.stdout.contains("corrections"))
    let rows = try json("ls", "datasets")["datasets"]?.elements ?? []
    #expect(rows.map { $0["corrections"] } == [2, 0])
    let saved = try run("view", "save", "mine", "--in", "faces", "--where", "corrected = true")
    #expect(saved.stdout.contains("2 samples"))
    #expect(try run("query", "--in", "mine", "--count").stdout == "2\n")
    #expect(
      try run("query", "--in", "mine", "label = sad", "--count", "--corrected").stdout == "2\n")
  }

  @Test("sql has the mirror's tables, up to date, as its help says")
  func sql() throws {
    let labels = """
      SELECT s.key, c.name FROM sample s \
      JOIN dataset d ON d.id = s.dataset AND d.name = 'faces' \
      LEFT JOIN annotation a ON a.sample = s.id AND a.shape = 'label' \
      LEFT JOIN correctedSample z ON z.sample = s.id AND z.isChanged \
      AND z.state = (SELECT id FROM truthState WHERE isHead) \
      LEFT JOIN category c ON c.id = iif(z.sample IS NULL, a.category, z.label) ORDER BY s.key
      """
    let rows = try json("sql", labels)["rows"]?.elements ?? []
    #expect(rows.compactMap { $0["name"]?.text } == ["sad", "neutral", "sad", "sad", "neutral"])
    let people = try json("sql", "SELECT DISTINCT author FROM correctedBy")
    #expect(people["rows"]?.elements?.compactMap { $0["author"]?.text } == ["anna"])
  }

  @Test("rm and a new import keep every correction; backup copies both files")
  func lives() throws {
    let copied = try run("backup", "copy.db")
    #expect(copied.stdout.contains("copy.ledger.db"))
    #expect(copied.stdout.contains("2 entries"))
    let copy = try house.program.run(
      "query", "label = sad", "--in", "faces", "--count", "--corrected", "--db", "copy.db")
    #expect(copy.stdout == "3\n")
    #expect(try run("backup", "copy.db", status: 2).stderr.contains("--force"))
    #expect(try run("backup", "copy.db", "--force").status == 0)

    let removed = try run("rm", "dataset", "faces")
    #expect(removed.stdout.contains("2 corrections stay in the ledger"))
    #expect(try run("ls").stderr.contains("2 samples whose corrections no longer apply"))
    let csv =
      "emotion,pixels\n0,0 255 0 0\n1,1 255 0 10\n2,2 255 0 20\n0,3 255 0 30\n1,4 255 0 40\n"
    try house.folder.write("faces.csv", csv.utf8)
    let imported = try run(
      "import", "faces.csv", "--name", "faces", "--size", "2x2", "--classes", "happy,neutral,sad")
    #expect(imported.stderr.contains("2 corrections to 2 samples apply"))
    #expect(
      try run("query", "label = sad", "--in", "faces", "--count", "--corrected").stdout == "3\n")
    // The import itself reports an image that changed.
    try house.folder.write(
      "faces.csv", csv.replacingOccurrences(of: "0,0 255", with: "0,9 255").utf8)
    let again = try run(
      "import", "faces.csv", "--name", "faces", "--size", "2x2", "--classes", "happy,neutral,sad",
      "--replace")
    #expect(again.stderr.contains("1 sample whose corrections no longer apply"))
    #expect(
      try run("query", "label = sad", "--in", "faces", "--count", "--corrected").stdout == "2\n")
  }
}
