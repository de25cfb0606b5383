import AssayCore
import AssayTestSupport
import Foundation
import Testing

/// Runs on faces with the votes of FER+, evaluated against the votes.
@Suite("assay evaluate on votes")
struct VoteEvaluationTests {
  private static let table = """
    Usage,Image name,neutral,happiness,surprise,sadness,anger,disgust,fear,contempt,unknown,NF
    Training,fer0000000.png,8,1,0,0,1,0,0,0,0,0
    Training,fer0000001.png,0,6,4,0,0,0,0,0,0,0
    Training,fer0000002.png,3,0,0,7,0,0,0,0,0,0
    Training,fer0000003.png,0,0,0,0,6,0,0,4,0,0

    """
  private static let faces = """
    emotion,pixels,Usage
    6,1 2 3 4,Training
    3,1 2 3 5,Training
    4,1 2 3 6,Training
    0,1 2 3 7,Training

    """
  private static let classes = [
    "neutral", "happiness", "surprise", "sadness", "anger", "disgust", "fear", "contempt",
  ]
  private static let scores: [[Double]] = [
    [0.7, 0.1, 0.1, 0.1, 0, 0, 0, 0], [0.1, 0.3, 0.6, 0, 0, 0, 0, 0],
    [0.25, 0, 0, 0.75, 0, 0, 0, 0], [0.2, 0, 0, 0, 0.5, 0, 0, 0.3],
  ]

  private func world(_ rule: String, dropping: String? = nil) throws -> Program {
    let program = try Program()
    try program.folder.write("fer2013.csv", Self.faces)
    try program.folder.write("votes.csv", Self.table)
    let imported = try program.run(
      "import", "fer2013.csv", "--votes", "votes.csv", "--label", rule, "--name", "faces")
    try #require(imported.status == 0, "\(imported.stderr)")
    let kept = Self.classes.indices.filter { Self.classes[$0] != dropping }
    var lines = ["sample," + kept.map { Self.classes[$0] }.joined(separator: ",")]
    for (index, row) in Self.scores.enumerated() {
      let sum = kept.reduce(0) { $0 + row[$1] }
      lines.append("\(index)," + kept.map { "\(row[$0] / sum)" }.joined(separator: ","))
    }
    try program.folder.write("r1.csv", lines.joined(separator: "\n") + "\n")
    let run = try program.run("predictions", "import", "r1.csv", "--name", "r1", "--in", "faces")
    try #require(run.status == 0, "\(run.stderr)")
    return program
  }

  /// −Σ t·ln p, with p as float32.
  private func crossEntropy(_ shares: [Double], _ row: [Double]) -> Double {
    zip(shares, row).reduce(0) { $0 - ($1.0 > 0 ? $1.0 * log(Double(Float($1.1))) : 0) }
  }

  @Test(
    "The votes of emotions without single votes, or the distribution of the rule",
    arguments: ["majority", "probability"])
  func targets(_ rule: String) throws {
    let program = try world(rule)
    // The first face has two single votes, which every rule drops. The rule probability takes the largest
    // counts until they cover 75 %: both of them here, and for the third face 7 + 3.
    let targets: [[Double]] = [
      [1, 0, 0, 0, 0, 0, 0, 0], [0, 0.6, 0.4, 0, 0, 0, 0, 0], [0.3, 0, 0, 0.7, 0, 0, 0, 0],
      [0, 0, 0, 0, 0.6, 0, 0, 0.4],
    ]
    let json = try program.run("evaluate", "r1", "--json").json()
    let entropies = zip(targets, Self.scores).map { crossEntropy($0, $1) }
    let own = targets.map { $0.reduce(0) { $0 - ($1 > 0 ? $1 * log($1) : 0) } }
    let found = try #require(json["vote_cross_entropy"]?.double)
    let kl = try #require(json["vote_kl"]?.double)
    let mean = entropies.reduce(0, +) / 4
    #expect(abs(found - mean) < 1e-12)
    #expect(abs(kl - (mean - own.reduce(0, +) / 4)) < 1e-12)
    #expect(
      abs((json["expected_accuracy"]?.double ?? 0) - (1 + 0.4 + 0.7 + 0.6) / 4) < 1e-12)
    #expect(json["defined"]?["vote_kl"]?["defined"]?.whole == 4)
    #expect(json["intervals"]?["vote_kl"]?.elements?.count == 2)
    #expect(json["interval_methods"]?["vote_kl"]?.text == "student")
    let notes = json["notes"]?.elements?.compactMap(\.text).joined(separator: "; ") ?? ""
    #expect(
      notes.contains(
        rule == "majority"
          ? "without votes that only one person gave" : "the distribution of the rule"), "\(notes)")
    let text = try program.run("evaluate", "r1")
    #expect(text.stdout.contains("vote_cross_entropy") && text.stdout.contains("4 of 4 samples"))
    #expect(try program.run("gate", "r1", "expected_accuracy >= 0.6 and vote_kl < 2").status == 0)
    // The differences of a comparison are those of the evaluations.
    try program.folder.write(
      "r2.csv",
      try program.folder.read("r1.csv").replacing("0.3,0.6", with: "0.6,0.3"))
    _ = try program.run("predictions", "import", "r2.csv", "--name", "r2", "--in", "faces")
    let other = try program.run("evaluate", "r2", "--json").json()
    let compared = try program.run("compare", "r1", "r2", "--json").json()
    for key in ["vote_cross_entropy", "vote_kl", "expected_accuracy"] {
      let difference = compared["differences"]?[key] ?? compared[key]
      #expect(difference?["a"] == json[key] && difference?["b"] == other[key], "\(compared)")
    }
    let report = try program.run("report", "r1", "--out", "report")
    #expect(report.status == 0, "\(report.stderr)")
    let page = try program.folder.read("report/report.html")
    #expect(page.contains("expected accuracy") && page.contains("cross-entropy to the votes"))
  }

  @Test("Votes for a class that the model does not have leave the sample out, with a note")
  func missingClass() throws {
    let program = try world("majority", dropping: "contempt")
    let json = try program.run("evaluate", "r1", "--json").json()
    #expect(json["defined"]?["vote_cross_entropy"]?["defined"]?.whole == 3)
    #expect(json["defined"]?["expected_accuracy"]?["defined"]?.whole == 4)
    let notes = json["notes"]?.elements?.compactMap(\.text).joined(separator: "; ") ?? ""
    #expect(notes.contains("leave out 1 sample") && notes.contains("contempt"), "\(notes)")
  }
}
