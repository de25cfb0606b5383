import AssayCore
import AssayTestSupport
import Testing

@testable import AssayFormats

@Suite("Archives in a folder")
struct ArchiveHintTests {
  private static func archive(_ name: String) throws -> [UInt8] {
    try FileTree(fixture: "archives/\(name)").readAll(name, limit: 1 << 20)
  }

  private static func error(_ files: [String: [UInt8]]) -> String {
    let error = #expect(throws: FormatError.self) {
      try FormatDetector.detect(MemoryTree(folder: files))
    }
    return error.map { "\($0)" } ?? ""
  }

  @Test("A folder that only holds an archive is refused with the command that imports the archive")
  func single() throws {
    for name in ["splits.zip", "splits.tar.gz", "coco.tar"] {
      let text = Self.error(["sub/" + name: try Self.archive(name), "README.md": []])
      #expect(
        text.contains(
          "sub/\(name) is an archive, which is read in place; import it: assay import PATH/sub/\(name)"
        ))
    }
  }

  @Test(
    "Several archives are named, and one that is not read comes with the command that unpacks it")
  func others() throws {
    let zip = try Self.archive("splits.zip")
    let two = Self.error(["a.zip": zip, "b.zip": zip])
    #expect(two.contains("it has 2 archives") && two.contains("assay import PATH/a.zip"))
    let packed = Self.error(["a.7z": Array("7z".utf8) + [0xBC, 0xAF, 0x27, 0x1C, 0, 0]])
    #expect(packed.contains("7z x a.7z"))
  }
}
