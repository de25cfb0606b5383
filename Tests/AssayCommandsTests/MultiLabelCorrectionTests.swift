import AssayCore
import Foundation
import Testing

@Suite("Corrections of label sets on the command line")
struct MultiLabelCorrectionTests {
  private static let anna = ["ASSAY_AUTHOR": "anna"]

  private static func scenes() throws -> Program {
    let program = try Program()
    let outcome = try program.run(
      "import", GoldenFile.data + "/scenes/labels.csv", "--name", "scenes")
    try #require(outcome.status == 0, "\(outcome.stderr)")
    return program
  }

  private static func labels(_ key: String, _ program: Program) throws -> [String] {
    try program.run("corrections", "show", "scenes:\(key)", "--json").json()["labels"]?.elements?
      .compactMap(\.text) ?? []
  }

  @Test("A file sets whole sets, or adds and removes several labels, all or nothing")
  func file() throws {
    let program = try Self.scenes()
    func add(_ text: String) throws -> Program.Outcome {
      try program.folder.write("c.csv", text)
      return try program.run(
        "corrections", "add", "--from", "c.csv", "--in", "scenes", environment: Self.anna)
    }
    let set = try add("key,labels\n00.png,dog|sky\n01.png,\n")
    try #require(set.status == 0, "\(set.stderr)")
    #expect(try Self.labels("00.png", program) == ["dog", "sky"])
    #expect(try Self.labels("01.png", program) == [])
    #expect(try add("key,labels\n00.png,sky|dog\n01.png,\n").stdout.contains("nothing to save"))
    let edits = try add("key,add,remove\n00.png,water|fog,dog|sky\n")
    try #require(edits.status == 0, "\(edits.stderr)")
    #expect(try Self.labels("00.png", program) == ["fog", "water"])
    let wrong = try add("key,labels\n00.png,sky\n01.png,sky|skye\n")
    #expect(wrong.status == 2 && wrong.stderr.contains("c.csv:3"), "\(wrong.stderr)")
    #expect(try Self.labels("00.png", program) == ["fog", "water"])
  }

  @Test("A correction that changes nothing is not saved; --accept confirms")
  func nothing() throws {
    let program = try Self.scenes()
    func add(_ options: String...) throws -> Program.Outcome {
      try program.run(
        ["corrections", "add", "--sample", "scenes:00.png"] + options, environment: Self.anna)
    }
    try #require(try add("--add-label", "fog").status == 0)
    let again = try add("--add-label", "fog")
    #expect(again.status == 0 && again.stdout.hasPrefix("nothing to save"), "\(again.stdout)")
    #expect(again.stdout.contains("--accept confirms it"))
    let history = try program.run("corrections", "show", "scenes:00.png", "--json").json()
    #expect(history["history"]?.elements?.count == 1)
    #expect(try add("--add-label", "fog", "--note", "thin").stdout.contains("note"))
    #expect(try add("--accept").stdout.contains("accepted"))
  }
}
