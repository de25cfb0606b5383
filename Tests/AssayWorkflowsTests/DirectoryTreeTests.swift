import AssayCore
import AssayTestSupport
import Foundation
import Testing

import AssayWorkflows

@Suite("Directory tree")
struct DirectoryTreeTests {
  @Test("Files come sorted by bytes, hidden ones left out")
  func listing() throws {
    let folder = try TemporaryFolder()
    for name in [
      "b.png", "a/z.png", "a/Z.png", ".hidden", ".git/config", "é.png", "__MACOSX/a.png",
      "a/@eaDir/b.png",
    ] {
      try folder.write(name, name)
    }
    let tree = try DirectoryTree(folder.path)
    #expect(try tree.files().map(\.path) == ["a/Z.png", "a/z.png", "b.png", "é.png"])
    #expect(try tree.files().first?.size == 7)
    #expect(!tree.isSingleFile)
  }

  @Test("A name in either normalization form finds the file, and is listed composed")
  func normalizationForms() throws {
    let folder = try TemporaryFolder()
    let (composed, decomposed) = ("\u{e9}", "e\u{301}")
    try folder.write("\(decomposed)/\(decomposed).png", "deep")
    try folder.write("\(decomposed)/\(composed)x.png", "mixed")
    try folder.write("f\(composed).png", "one")
    try folder.write("f\(decomposed).png", "other")
    let tree = try DirectoryTree(folder.path)
    func bytes(_ paths: [String]) -> [[UInt8]] { paths.map { Array($0.utf8) } }
    // Two that differ only by their form stay as they are.
    #expect(
      bytes(try tree.files().map(\.path))
        == bytes([
          "f\(decomposed).png", "f\(composed).png", "\(composed)/\(composed).png",
          "\(composed)/\(composed)x.png",
        ]))
    func text(_ path: String) throws -> String {
      String(decoding: try tree.readAll(path, limit: 9), as: UTF8.self)
    }
    for form in [composed, decomposed] {
      for other in [composed, decomposed] {
        #expect(try text("\(form)/\(other).png") == "deep")
        #expect(try text("\(form)/\(other)x.png") == "mixed")
      }
    }
    #expect(try text("f\(composed).png") == "one" && text("f\(decomposed).png") == "other")
    let missing = #expect(throws: SourceError.self) { try text("\(composed)/z\(composed).png") }
    #expect(
      missing == .missing(path: tree.root + "/\(composed)/z\(composed).png"))
    #expect(throws: SourceError.self) { try text("\(composed)/../../\(composed).png") }
  }

  @Test("A named pipe or a socket is no file: it is told, and never opened")
  func pipe() throws {
    let folder = try TemporaryFolder()
    try folder.write("a.png", "x")
    try #require(mkfifo(folder.path + "/a.txt", 0o600) == 0)
    let tree = try DirectoryTree(folder.path)
    #expect(try tree.files().map(\.path) == ["a.png"])
    #expect(
      try tree.issues() == [
        Issue(
          .unsupportedFile, .error, at: IssueLocation(file: "a.txt"),
          "a named pipe, neither a file nor a folder; left out")
      ])
  }

  @Test("A single file is a tree of one")
  func singleFile() throws {
    let folder = try TemporaryFolder()
    try folder.write("x.csv", "0123456789")
    try folder.write("other.csv", "no")
    let tree = try DirectoryTree(folder.path + "/x.csv")
    #expect(tree.isSingleFile && tree.name == "x.csv")
    #expect(try tree.files().map(\.path) == ["x.csv"])
    #expect(try String(decoding: tree.readAll("x.csv", limit: 10), as: UTF8.self) == "0123456789")
    #expect(throws: SourceReadError.self) { try tree.readAll("x.csv", limit: 9) }
    var buffer = [UInt8](repeating: 0, count: 4)
    let count = try buffer.withUnsafeMutableBytes { try tree.read("x.csv", at: 8, into: $0) }
    #expect(count == 2 && buffer == [56, 57, 0, 0])  // "89"
  }

  @Test("Nothing outside the root is read, by dots or by links")
  func inside() throws {
    let folder = try TemporaryFolder()
    try folder.write("in/a.txt", "a")
    try folder.write("in-secret/b.txt", "b")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/in/link.txt", withDestinationPath: "../in-secret/b.txt")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/in/near.txt", withDestinationPath: "a.txt")
    let tree = try DirectoryTree(folder.path + "/in")
    #expect(try tree.files().map(\.path) == ["a.txt", "near.txt"])
    #expect(throws: SourceError.self) { try tree.readAll("../in-secret/b.txt", limit: 10) }
    #expect(throws: SourceError.self) { try tree.readAll("link.txt", limit: 10) }
    #expect(try tree.readAll("near.txt", limit: 10) == [97])
  }

  @Test("What is not there, and what is no file, is said")
  func missing() throws {
    #expect(throws: SourceError.missing(path: "/nowhere/at/all")) {
      try DirectoryTree("/nowhere/at/all")
    }
    #expect(throws: SourceError.special(path: "/dev/null")) { try DirectoryTree("/dev/null") }
    #expect(throws: SourceError.self) { try DirectoryTree("a\u{0}b") }
  }

  @Test("A name that is not UTF-8 is an error, not left out in silence")
  func notUTF8() throws {
    let folder = try TemporaryFolder()
    try folder.write("a/x.png", "x")
    let bytes: [CChar] = (folder.path + "/a/").utf8CString.dropLast() + [-1, -2, 0]
    let descriptor = open(bytes, O_CREAT | O_WRONLY, 0o600)
    #expect(descriptor >= 0)
    close(descriptor)
    let tree = try DirectoryTree(folder.path)
    #expect(throws: SourceError.notUTF8(path: tree.root + "/a/\u{FFFD}\u{FFFD}")) {
      try tree.files()
    }
  }
}
