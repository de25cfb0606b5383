import ArgumentParser
import AssayCore
import AssayImaging
import AssayTestSupport
import Foundation
import Testing

@testable import AssayCommands

@Suite("assay check")
struct CheckCommandTests {
  /// A program whose folder holds `pets` with one image in both splits, and a cut image.
  private func pets() throws -> Program {
    let program = try Program()
    let one = try ImageCodec.encodeJPEG(SeededPhoto.raster(seed: 1), quality: 90)
    let half = Resize.area(SeededPhoto.raster(seed: 1), to: ImageSize(width: 120, height: 90))
    let files: [(String, [UInt8])] = [
      ("train/cat/1.jpg", one), ("val/cat/1.jpg", try ImageCodec.encodeJPEG(half)),
      ("train/dog/2.jpg", try ImageCodec.encodeJPEG(SeededPhoto.raster(seed: 2))),
      ("val/dog/3.jpg", Array(one.dropLast(700))),
    ]
    for (name, bytes) in files { try program.folder.write("pets/" + name, bytes) }
    let outcome = try program.run("import", "pets:image-folder", "--name", "pets")
    try #require(outcome.status == 0, "\(outcome.stderr)")
    return program
  }

  @Test("JSON has the findings with their kinds and samples")
  func json() throws {
    let program = try pets()
    let outcome = try program.run("check", "pets", "--json")
    #expect(outcome.status == 0, "\(outcome.stderr)")
    let json = try JSONValue(parsing: outcome.stdout)
    let findings = json["findings"]?.elements ?? []
    let leak = findings.first { $0["kind"]?.text == "leakage" }
    #expect(
      leak?["samples"]?.elements?.compactMap(\.text) == ["train/cat/1.jpg", "val/cat/1.jpg"])
    #expect(findings.contains { $0["kind"]?.text == "unreadable" })
    #expect(json["leakage"]?["splits"]?.elements?.compactMap(\.text) == ["train", "val"])
    let query = try program.run("query", "issue = nearDuplicate", "--count", "--in", "pets")
    #expect(query.stdout == "2\n", "\(query.stderr)")
  }

  @Test("The exit status is 1 if a kind of --fail-on is found")
  func failing() throws {
    let program = try pets()
    #expect(try program.run("check", "pets", "--fail-on", "leakage,unreadable").status == 1)
    #expect(try program.run("check", "pets", "--fail-on", "blank").status == 0)
    // A gate for leakage that cannot find any must not pass.
    let one = try program.run("check", "pets/train", "--fail-on", "leakage")
    #expect(one.status == 2 && one.stderr.contains("fewer than two splits"), "\(one.stderr)")
    let only = try program.run("check", "pets", "--only", "blank,dark")
    #expect(only.stdout.hasPrefix("pets: 4 images, nothing found by 2 checks"), "\(only.stdout)")
  }

  @Test("A report is written, and a file of another program is not overwritten")
  func report() throws {
    let program = try pets()
    let outcome = try program.run("check", "pets", "--out", "r.html")
    #expect(outcome.status == 0, "\(outcome.stderr)")
    #expect(outcome.stdout.contains("report: r.html"))
    #expect(try program.folder.read("r.html").contains("Leakage between splits"))
    #expect(try program.run("check", "pets", "--out", "r.html").status == 0)
    try program.folder.write("mine.html", "mine")
    #expect(try program.run("check", "pets", "--out", "mine.html").status == 2)
    #expect(try program.folder.read("mine.html") == "mine")
  }

  @Test("A label that a run confidently contradicts is a likely error; no other one is")
  func labelErrors() throws {
    let program = try Program()
    // The third sample is labeled cat, but predicted dog.
    try program.folder.write(
      "set.csv", "label,pixels\n0,1 2 3 4\n0,2 3 4 5\n0,9 8 7 6\n1,9 8 7 5\n1,8 8 7 5\n1,8 7 7 5\n")
    try program.folder.write(
      "scores.csv", "cat,dog\n0.9,0.1\n0.9,0.1\n0.05,0.95\n0.1,0.9\n0.1,0.9\n0.45,0.55\n")
    let imported = try program.run(
      "import", "set.csv", "--name", "set", "--size", "2x2", "--classes", "cat,dog")
    #expect(imported.status == 0, "\(imported.stderr)")
    let run = try program.run("predictions", "import", "scores.csv", "--name", "r", "--in", "set")
    #expect(run.status == 0, "\(run.stderr)")
    let outcome = try program.run("check", "set", "--only", "labelError", "--run", "r", "--json")
    let findings = try JSONValue(parsing: outcome.stdout)["findings"]?.elements ?? []
    #expect(findings.count == 1, "\(outcome.stdout)\(outcome.stderr)")
    #expect(findings.first?["message"]?.text == "label cat (p = 0.05), predicted dog (0.95)")
  }

  @Test("Unknown kinds, and label errors without a run, are usage errors")
  func usage() throws {
    for arguments in [
      ["set", "--only", "duplicates"], ["set", "--only", ""], ["set", "--only", "labelError"],
      ["set", "--only", "blank", "--fail-on", "dark"], ["set", "--fail-on", "labelError"],
      ["set", "--only", "blank", "--run", "r1"], ["set", "--workers", "0"],
    ] {
      #expect(throws: (any Error).self, "\(arguments)") { try CheckCommand.parse(arguments) }
    }
    #expect(try CheckCommand.parse(["set", "--only", "blank, dark"]).only == "blank, dark")
    let outcome = try Program().run("check", "set", "--only", "nearDuplicates")
    #expect(outcome.status == 64)
    #expect(outcome.stderr.contains("did you mean “nearDuplicate”?"), "\(outcome.stderr)")
  }
}
