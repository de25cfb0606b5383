import Foundation
import Testing

import AssayWorkflows

@Suite("One file as output")
struct OutputFileTests {
  private let folder = FileManager.default.temporaryDirectory
    .appending(path: "assay-file-\(UUID().uuidString)")

  @Test("A file of somebody else's is refused before any work, one of assay's own is replaced")
  func foreign() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let foreign = folder.appending(path: "theirs.png")
    try Data([1]).write(to: foreign)
    #expect(throws: OutputError.foreign(path: foreign.path)) {
      try OutputFile(foreign.path, force: false)
    }
    var forced = try OutputFile(foreign.path, force: true)
    try forced.write([2])
    #expect(try Data(contentsOf: foreign) == Data([2]))

    let own = folder.appending(path: "new/ours.png")
    for byte in [UInt8(3), 4] {
      var file = try OutputFile(own.path, force: false)
      try file.write([byte])
      #expect(try Data(contentsOf: own) == Data([byte]))
    }
  }
}
