import AssayCommands
import AssayTestSupport
import Foundation
import Testing

@Suite("Commands in the errors of an import")
struct TypedPathTests {
  private func folder(_ program: Program, _ name: String, _ files: [String]) throws {
    let image = try Data(contentsOf: PackageFolder.fixture("yolo/loose/a.png"))
    for file in files {
      let url = URL(fileURLWithPath: program.folder.path).appending(path: "\(name)/\(file)")
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try image.write(to: url)
    }
  }

  @Test("They have the path as it was typed, quoted if it needs that")
  func typed() throws {
    let program = try Program()
    try folder(program, "my set", ["data/v1/train/cat/1.png", "data/v1/train/dog/2.png"])
    try folder(program, "plain", ["data/v1/train/cat/1.png", "data/v1/train/dog/2.png"])
    let quoted = try program.run("import", "my set")
    #expect(quoted.status == 2)
    #expect(
      quoted.stderr.contains("import that folder instead: 'my set'/data/v1;"), "\(quoted.stderr)")
    #expect(quoted.stderr.contains("'my set':image-folder --ignore-companions"), "\(quoted.stderr)")
    let plain = try program.run("import", "plain/")
    #expect(plain.stderr.contains("import that folder instead: plain/data/v1;"), "\(plain.stderr)")
    let json = try program.run("import", "plain", "--json")
    #expect(json.stdout.contains("plain:image-folder --ignore-companions"), "\(json.stdout)")
    // The command does what it says.
    #expect(try program.run("import", "plain/data/v1").status == 0)
  }

  @Test("A dataset of which no annotation is kept is not imported")
  func nothingKept() throws {
    let program = try Program()
    try folder(program, "set", ["images/a.png", "images/b.png"])
    let root = URL(fileURLWithPath: program.folder.path).appending(path: "set/labels")
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    for name in ["a", "b"] {
      try Data("0 0.5 0.5 0.2 0.2 0.4 0.4 2\n".utf8).write(to: root.appending(path: name + ".txt"))
    }
    let refused = try program.run("import", "set")
    #expect(refused.status == 2)
    #expect(
      refused.stderr.contains("all 2 annotations of set, read as yolo, are left out"),
      "\(refused.stderr)")
    #expect(refused.stderr.contains("labels/a.txt:1"))
  }
}
