import AssayCore
import Foundation
import Testing

import AssayWorkflows

/// Folders that another user prepared.
@Suite("Planted links and lists in folders that are written to")
struct PlantedLinksTests {
  private let root = NSTemporaryDirectory() + "assay-planted-\(UUID().uuidString)"
  private var out: String { root + "/o" }
  private var victim: String { root + "/victim" }

  init() throws {
    try FileManager.default.createDirectory(atPath: out, withIntermediateDirectories: true)
    try FileManager.default.createDirectory(atPath: victim, withIntermediateDirectories: true)
    try write("victim/mine.txt", "mine")
  }

  private func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: root + "/" + name))
  }

  private func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: root + "/" + name, withDestinationPath: target)
  }

  private func expectVictimIsWhole() throws {
    #expect(try FileManager.default.contentsOfDirectory(atPath: victim) == ["mine.txt"])
    #expect(try String(contentsOfFile: victim + "/mine.txt", encoding: .utf8) == "mine")
  }

  private func removeAll() { try? FileManager.default.removeItem(atPath: root) }

  @Test("A link under the name that earlier versions wrote first is not written through")
  func knownName() throws {
    defer { removeAll() }
    try link("o/.report.html.part", to: victim + "/mine.txt")
    try link("o/.assay-files", to: victim + "/mine.txt")
    var folder = try OutputFolder(out, force: false)
    try folder.write([("report.html", [1])])
    try expectVictimIsWhole()
    try link(".x.png.part", to: victim + "/mine.txt")
    var file = try OutputFile(root + "/x.png", force: false)
    try file.write([1])
    try expectVictimIsWhole()
  }

  @Test("A file's own name as a link is foreign, also where it leads nowhere; forced it gives way")
  func ownName() throws {
    defer { removeAll() }
    try link("o/a.html", to: victim + "/none")
    var folder = try OutputFolder(out, force: false)
    #expect(throws: OutputError.foreign(path: out + "/a.html")) {
      try folder.write([("a.html", [1])])
    }
    var forced = try OutputFolder(out, force: true)
    try forced.write([("a.html", [1])])
    try expectVictimIsWhole()
  }

  @Test("What lies behind a linked folder is not touched", arguments: [false, true])
  func linkedFolder(force: Bool) throws {
    defer { removeAll() }
    try link("o/images", to: victim)
    try write("o/.assay-files", "images/mine.txt\n")
    for names in [["images/new.png"], ["annotations/instances.json"]] {
      let folder = try ExportFolder(out, force: force)
      let error = #expect(throws: OutputError.self) { try folder.begin(names) }
      #expect(
        error == .cannotWrite(path: out + "/images", reason: OpenFolder.linkReason))
      try expectVictimIsWhole()
    }
    let folder = try ExportFolder(out, force: force)
    #expect(throws: OutputError.self) { try folder.write("images/mine.txt", [1]) }
    #expect(throws: OutputError.self) { try folder.remove("images/mine.txt") }
    #expect(throws: OutputError.self) {
      try folder.stream("images/mine.txt") { append in try append([1]) }
    }
    try expectVictimIsWhole()
  }

  @Test("A link that the user names as the output is followed, and where it leads is said")
  func namedLink() throws {
    defer { removeAll() }
    try link("to-o", to: out)
    for path in [root + "/to-o", root + "/to-o/"] {
      var folder = try OutputFolder(path, force: false)
      try folder.write([("a.html", [1])])
      try ExportFolder(path, force: false).begin(["images/a.png"])
      let resolved = try #require(DirectoryTree.resolve(out))
      #expect(
        OutputFolder.linkRemark(path)
          == "note: \(path) is a symbolic link; the files are in \(resolved)")
    }
    #expect(FileManager.default.fileExists(atPath: out + "/a.html"))
    #expect(OutputFolder.linkRemark(out) == nil && OutputFolder.linkRemark(root + "/none") == nil)
  }

  @Test("An output that is a link to nothing is refused with the reason, and nothing is made")
  func danglingLink() throws {
    defer { removeAll() }
    try link("to-none", to: root + "/none")
    let path = root + "/to-none"
    let reason =
      "it is a symbolic link to \(root)/none, which does not exist; make that folder, or remove the link"
    #expect(throws: OutputError.cannotWrite(path: path, reason: reason)) {
      try OutputFolder(path, force: true)
    }
    #expect(throws: OutputError.cannotWrite(path: path, reason: reason)) {
      try ExportFolder(path, force: true)
    }
    #expect(!FileManager.default.fileExists(atPath: root + "/none"))
  }

  @Test(
    "An output that is another user's link is refused",
    .enabled(if: geteuid() == 0, "needs root"))
  func foreignLink() throws {
    defer { removeAll() }
    try link("theirs", to: victim)
    #expect(lchown(root + "/theirs", 65_534, 65_534) == 0)
    #expect(throws: OutputError.self) { try OutputFolder(root + "/theirs", force: true) }
    #expect(throws: OutputError.self) { try ExportFolder(root + "/theirs", force: true) }
    try expectVictimIsWhole()
  }

  @Test("A list that names a folder, or a place outside, removes nothing there")
  func preparedList() throws {
    defer { removeAll() }
    try FileManager.default.createDirectory(
      atPath: out + "/images/sub", withIntermediateDirectories: true)
    try write("o/images/sub/kept.png", "kept")
    try write("o/.assay-files", "images/sub\nimages/../../victim/mine.txt\n")
    let folder = try ExportFolder(out, force: false)
    try folder.begin(["annotations/instances.json"])
    try expectVictimIsWhole()
    #expect(FileManager.default.fileExists(atPath: out + "/images/sub/kept.png"))
  }

  @Test("A name of a sample that leads out of the folder makes nothing there")
  func outside() throws {
    defer { removeAll() }
    let folder = try ExportFolder(out, force: false)
    #expect(throws: OutputError.self) { try folder.begin(["../victim/new/a.png"]) }
    try expectVictimIsWhole()
  }

  @Test("An export that ended before its first file is whole can be given again")
  func begunBefore() throws {
    defer { removeAll() }
    // Killed while the list was written: the folder contains only its draft.
    try write("o/" + DraftName.make(.file), "")
    try ExportFolder(out, force: false).begin(["images/a/1.png", "manifest.json"])
    // Killed, or out of space, after it: everything that exists is on the list.
    let again = try ExportFolder(out, force: false)
    try again.begin(["images/a/1.png", "manifest.json"])
    try again.write("images/a/1.png", [1])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: out).sorted()
        == [".assay-files", "images"])
  }

  @Test("A file where a folder is needed is refused before anything is touched")
  func fileInTheWay() throws {
    defer { removeAll() }
    try write("o/images", "in the way")
    let forced = try ExportFolder(out, force: true)
    #expect(throws: OutputError.self) { try forced.begin(["images/a/1.png"]) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: out) == ["images"])
  }
}
