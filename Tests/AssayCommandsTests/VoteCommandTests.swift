import AssayCore
import AssayTestSupport
import Foundation
import Testing

@Suite("assay import --votes")
struct VoteCommandTests {
  private static let table = """
    Usage,Image name,neutral,happiness,surprise,sadness,anger,disgust,fear,contempt,unknown,NF
    Training,fer0000000.png,8,1,0,0,1,0,0,0,0,0
    Training,fer0000001.png,0,5,5,0,0,0,0,0,0,0
    Training,fer0000002.png,0,0,0,0,0,0,0,0,8,2
    Training,,0,0,0,0,0,0,0,0,0,10
    PublicTest,fer0000004.png,2,2,2,2,2,0,0,0,0,0
    PrivateTest,fer0000005.png,0,0,0,6,3,0,1,0,0,0

    """
  private static let faces = """
    emotion,pixels,Usage
    6,1 2 3 4,Training
    3,1 2 3 5,Training
    4,1 2 3 6,Training
    0,1 2 3 7,Training
    0,1 2 3 8,PublicTest
    4,1 2 3 9,PrivateTest

    """

  private func program() throws -> Program {
    let program = try Program()
    try program.folder.write("fer2013.csv", Self.faces)
    try program.folder.write("votes.csv", Self.table)
    return program
  }

  @Test("Each rule gives its kind of dataset, and --replace changes it")
  func rules() throws {
    let program = try program()
    let arguments = ["import", "fer2013.csv", "--votes", "votes.csv", "--json"]
    let first = try program.run(arguments)
    #expect(first.status == 0, "\(first.stderr)")
    let votes = try #require(try first.json().member("votes"))
    #expect(votes.member("rule")?.text == "majority")
    #expect(votes.member("kept")?.whole == 2)
    #expect(votes.member("left_out")?.member("disagreement")?.whole == 2)
    #expect(votes.member("left_out")?.member("unknown")?.whole == 1)
    #expect(votes.member("left_out")?.member("no_face")?.whole == 0)
    #expect(votes.member("left_out")?.member("no_image_name")?.whole == 1)
    let again = try program.run(arguments)
    #expect(try again.json().member("status")?.text == "already imported")

    let other = try program.run(arguments + ["--label", "probability"])
    #expect(other.status != 0)
    #expect(other.stderr.contains("--replace"))
    let probability = try program.run(arguments + ["--label", "probability", "--replace"])
    #expect(probability.status == 0, "\(probability.stderr)")
    #expect(try probability.json().member("kept")?.whole == 2)
    #expect(try probability.json().member("added")?.whole == 1)
    let rows = try program.run(
      "sql", "SELECT key, json_extract(attributes, '$.distribution.surprise') FROM sample")
    #expect(rows.stdout.contains("0.5"), "\(rows.stdout)")

    let several = try program.run(arguments + ["--label", "multi-target", "--replace"])
    #expect(several.status == 0, "\(several.stderr)")
    let found = try program.run(
      "sql",
      "SELECT c.name FROM annotation a JOIN category c ON c.id = a.category "
        + "JOIN annotationSet t ON t.id = a.annotationSet WHERE t.name = 'labels'")
    #expect(found.stdout.split(separator: "\n").count == 6, "\(found.stdout)\(found.stderr)")
    #expect(found.stdout.contains("surprise"))
  }

  /// The counts of the set `votes` of each sample, as `key option count`.
  private func votes(_ program: Program) throws -> [String] {
    let found = try program.run(
      "sql", "--json",
      """
      SELECT s.key || ' ' || c.name || ' ' || (a.attributes ->> 'votes') AS row
      FROM annotation a JOIN annotationSet t ON t.id = a.annotationSet
      JOIN category c ON c.id = a.category JOIN sample s ON s.id = a.sample
      WHERE t.name = 'votes' ORDER BY s.key, a.ordinal
      """)
    #expect(found.status == 0, "\(found.stderr)")
    return found.stdout.matches(of: /\d+ [a-zA-Z]+ \d+/).map { String($0.output) }
  }

  @Test("Votes are an annotation set with the options as classes, beside the labels")
  func annotationSet() throws {
    let program = try program()
    let arguments = ["import", "fer2013.csv", "--votes", "votes.csv", "--name", "f"]
    #expect(try program.run(arguments).status == 0)
    #expect(
      try votes(program) == [
        "0 neutral 8", "0 happiness 1", "0 anger 1", "5 sadness 6", "5 anger 3", "5 fear 1",
      ])
    let shown = try program.run("show", "f", "--json").json()
    #expect(
      shown.member("votes")?.elements?.map {
        "\($0.member("option")?.text ?? "") \($0.member("votes")?.whole ?? -1) \($0.member("samples")?.whole ?? -1)"
      } == [
        "neutral 8 1", "happiness 1 1", "surprise 0 0", "sadness 6 1", "anger 4 2", "disgust 0 0",
        "fear 1 1", "contempt 0 0", "unknown 0 0", "NF 0 0",
      ])
    #expect(shown.member("classes")?.elements?.count == 8)
    #expect(try program.run("show", "f").stdout.contains("neutral 8, happiness 1, surprise 0"))
    #expect(try program.run("query", "label = sadness", "--in", "f").stdout.contains("1 sample"))

    // Another rule makes the set again, with the samples that it keeps.
    #expect(
      try program.run(arguments + ["--label", "multi-target", "--replace"]).status == 0)
    #expect(
      try votes(program) == [
        "0 neutral 8", "0 happiness 1", "0 anger 1", "1 happiness 5", "1 surprise 5",
        "5 sadness 6", "5 anger 3", "5 fear 1",
      ])
    #expect(try program.run("rm", "dataset", "f").status == 0)
    #expect(try votes(program) == [])
    let left = try program.run("sql", "--json", "SELECT count(*) AS n FROM taxonomy")
    #expect(left.stdout.filter { !$0.isWhitespace }.contains("\"n\":0"))
  }

  @Test("Exports keep the votes or say that they are lost")
  func exports() throws {
    let program = try program()
    #expect(try program.run("import", "fer2013.csv", "--votes", "votes.csv").status == 0)
    for format in ["fer", "folder"] {
      let outcome = try program.run("export", "fer2013", "--to", format, "--out", format)
      #expect(outcome.stdout.contains("such as votes, are left out"), "\(format) \(outcome)")
    }
    let table = try program.run("export", "fer2013", "--to", "parquet", "--out", "parquet")
    #expect(table.status == 0 && !table.stdout.contains("left out"), "\(table)")
    let folders = try program.run("export", "fer2013", "--to", "createml", "--out", "createml")
    #expect(
      (folders.stdout + folders.stderr).contains("further fields of 2 images are left out"),
      "\(folders)")
    let kept = try program.run("export", "fer2013", "--to", "datumaro", "--out", "datumaro")
    #expect(kept.status == 0, "\(kept)")
    let json = program.folder.path + "/datumaro/annotations/train.json"
    let text = try String(contentsOfFile: json, encoding: .utf8)
    #expect(text.contains(#""votes""#), "\(text)")
  }

  @Test("Wrong arguments are refused with the next step, and nothing is imported")
  func refusals() throws {
    let program = try program()
    try program.folder.write("labels.csv", "image,label\na.png,cat\n")
    let cases: [([String], String)] = [
      (["votes.csv", "--votes", "fer2013.csv"], "assay import fer2013.csv --votes"),
      (["fer2013.csv", "--votes", "labels.csv"], "expected the columns of FER+'s table"),
      (["fer2013.csv", "--votes", "missing.csv"], "missing.csv"),
      (["fer2013.csv", "--votes", "."], "found a folder"),
      (["fer2013.csv", "--label", "majority"], "--label needs --votes"),
      (["fer2013.csv", "--votes", "votes.csv", "--label", "most"], "--label must be majority"),
      (
        ["fer2013.csv", "--votes", "votes.csv", "--classes", "a,b"], "--classes does not apply"
      ),
      (["fer2013.csv:pixel-csv", "--votes", "votes.csv"], "--votes does not apply to pixel-csv"),
    ]
    for (arguments, message) in cases {
      let outcome = try program.run(["import"] + arguments)
      #expect(outcome.status != 0, "\(arguments)")
      #expect(outcome.stderr.contains(message), "\(arguments) \(outcome.stderr)")
      #expect(!outcome.stdout.contains("imported"))
    }
  }
}
