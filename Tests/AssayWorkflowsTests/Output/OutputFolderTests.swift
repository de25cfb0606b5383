import AssayWorkflows
import Foundation
import Testing

@Suite("Output folders")
struct OutputFolderTests {
  private func temporary() -> String {
    FileManager.default.temporaryDirectory.appending(path: "assay-\(UUID().uuidString)").path
  }

  private func text(_ path: String) throws -> String {
    try String(contentsOfFile: path, encoding: .utf8)
  }

  @Test("A folder is made when the first file is written, and may be written again")
  func again() throws {
    let path = temporary() + "/inner"
    defer { try? FileManager.default.removeItem(atPath: path) }
    var folder = try OutputFolder(path, force: false)
    #expect(!FileManager.default.fileExists(atPath: path))
    try folder.write([("a.txt", Array("one".utf8))])
    var later = try OutputFolder(path, force: false)
    try later.write([("a.txt", Array("two".utf8)), ("b.txt", [])])
    #expect(try text(path + "/a.txt") == "two")
  }

  @Test("A foreign file stays, and nothing is written beside it, unless forced")
  func foreign() throws {
    let path = temporary()
    defer { try? FileManager.default.removeItem(atPath: path) }
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try Data("mine".utf8).write(to: URL(fileURLWithPath: path + "/b.txt"))
    var folder = try OutputFolder(path, force: false)
    #expect(throws: OutputError.foreign(path: path + "/b.txt")) {
      try folder.write([("a.txt", []), ("b.txt", [])])
    }
    #expect(!FileManager.default.fileExists(atPath: path + "/a.txt"))
    var forced = try OutputFolder(path, force: true)
    try forced.write([("b.txt", Array("ours".utf8))])
    #expect(try text(path + "/b.txt") == "ours")
  }

  @Test("A file where the folder should be is an error")
  func notAFolder() throws {
    let path = temporary()
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data().write(to: URL(fileURLWithPath: path))
    #expect(throws: OutputError.notAFolder(path: path)) { try OutputFolder(path, force: true) }
  }

  @Test("A folder without a name is refused: its files would go into the root of the disk")
  func noName() {
    #expect(throws: OutputError.noName) { try OutputFolder("", force: true) }
    #expect(throws: OutputError.noName) { try ExportFolder("", force: true) }
  }
}
