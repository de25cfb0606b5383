import AssayCore
import Foundation
import Testing

@Suite("Files that are written in a folder")
struct OpenFolderTests {
  private let path: String
  private let folder: OpenFolder

  init() throws {
    path = NSTemporaryDirectory() + "assay-folder-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    folder = try OpenFolder(path)
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: path + "/" + name, encoding: .utf8)
  }

  private func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: path + "/" + name, withDestinationPath: target)
  }

  private func removeAll() { try? FileManager.default.removeItem(atPath: path) }

  @Test("A link that has the name of a file gives way to it, and what it leads to stays")
  func linkedFile() throws {
    defer { removeAll() }
    try folder.write(Array("mine".utf8), as: "victim")
    try link("a.txt", to: "victim")
    try folder.write(Array("new".utf8), as: "a.txt")
    #expect(try text("victim") == "mine")
    #expect(try text("a.txt") == "new")
    #expect(try Set(folder.names()) == ["victim", "a.txt"])
  }

  @Test("A database and what lies beside a ledger is not replaced by another file")
  func databases() throws {
    defer { removeAll() }
    let database = Array("SQLite format 3\0".utf8) + [1, 2, 3]
    let path = folder.path + "/a.db"
    try Data(database).write(to: URL(filePath: path))
    for name in ["a.db", "a.ledger.secret", "a.ledger.server"] {
      #expect(throws: FileFailure.self) { try folder.write([1], as: name) }
    }
    #expect(try Data(contentsOf: URL(filePath: path)) == Data(database))
    #expect(try folder.names() == ["a.db"])
  }

  @Test("Nothing is written, removed or looked for through a folder that is a link")
  func linkedFolder() throws {
    defer { removeAll() }
    let victim = try folder.folder("victim", creating: true)
    try victim.write([1], as: "mine")
    try link("images", to: "victim")
    for work: () throws -> Void in [
      { try folder.write([2], as: "images/mine") }, { try folder.remove("images/mine") },
      { _ = try folder.has("images/mine") },
      { _ = try folder.folder("images/inner", creating: true) },
    ] {
      let error = #expect(throws: FileFailure.self) { try work() }
      #expect(error?.reason == OpenFolder.linkReason)
    }
    #expect(try victim.names() == ["mine"])
    #expect(victim.read("mine", limit: 10) == [1])
  }

  @Test("A name that leads out of the folder is refused", arguments: ["../a", "b/../../a", ".."])
  func outside(name: String) throws {
    defer { removeAll() }
    #expect(throws: FileFailure.self) { try folder.write([1], as: name) }
    #expect(throws: FileFailure.self) { try folder.remove(name) }
  }

  @Test("A folder is not removed as if it were a file")
  func removeFolder() throws {
    defer { removeAll() }
    _ = try folder.folder("images/kept", creating: true)
    try folder.remove("images/kept")
    #expect(try folder.has("images/kept"))
  }

  @Test("A link and a pipe are not read")
  func reading() throws {
    defer { removeAll() }
    try folder.write([1, 2, 3], as: "file")
    try link("link", to: "file")
    #expect(mkfifo(path + "/pipe", 0o600) == 0)
    #expect(folder.read("file", limit: 3) == [1, 2, 3])
    #expect(folder.read("file", limit: 2) == nil)
    #expect(folder.read("link", limit: 3) == nil)
    #expect(folder.read("pipe", limit: 3) == nil)
  }

  @Test("A draft that is given up leaves nothing, and its name cannot be known before")
  func givenUp() throws {
    defer { removeAll() }
    var names: Set<String> = []
    for _ in 0..<3 {
      let draft = try folder.draft(of: "a")
      try draft.append([1])
      names.formUnion(try folder.names())
      withExtendedLifetime(draft) {}
    }
    #expect(names.count == 3)
    #expect(names.allSatisfy { DraftName.isOne($0, of: .file) })
    #expect(try folder.names().isEmpty)
  }

  @Test("A file that is there is replaced only where that was asked for")
  func replacing() throws {
    defer { removeAll() }
    try folder.write([1], as: "a")
    let draft = try folder.draft(of: "a")
    let error = #expect(throws: FileFailure.self) { try draft.finish(replacing: false) }
    #expect(error?.code == EEXIST)
    #expect(folder.read("a", limit: 1) == [1])
    let other = try folder.draft(of: "b")
    try other.finish(replacing: false, synchronizing: true)
    #expect(folder.read("b", limit: 1) == [])
  }

  @Test("A device or a pipe is not replaced by a file")
  func special() throws {
    defer { removeAll() }
    #expect(mkfifo(path + "/pipe", 0o600) == 0)
    try link("null", to: "/dev/null")
    for name in ["pipe", "null"] {
      #expect(throws: FileFailure.self) { try folder.write([1], as: name) }
    }
    #expect(try Set(folder.names()) == ["pipe", "null"])
  }

  @Test("What killed processes left is removed; what lives or is somebody else's stays")
  func abandoned() throws {
    defer { removeAll() }
    let left = DraftName.make(.file)
    let others = [".assay-1.part", ".a.txt.part", "a.partial", DraftName.make(.backup)]
    for name in [left] + others {
      _ = FileManager.default.createFile(atPath: path + "/" + name, contents: nil)
    }
    let living = try folder.draft(of: "a")
    folder.removeAbandonedDrafts()
    #expect(try folder.names().count == others.count + 1)
    #expect(try !folder.has(left))
    try living.finish()
    #expect(try Set(folder.names()) == Set(others + ["a"]))
  }
}
