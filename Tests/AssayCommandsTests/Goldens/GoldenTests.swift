import AssayCore
import AssayImaging
import AssayTestSupport
import Foundation
import Testing

/// The printed and written output of the evaluation commands, for every task, byte by byte.
///
/// `Tests/Fixtures/goldens/README.md` describes the golden files and how to rewrite them.
@Suite("Golden output")
struct GoldenTests {
  @Test("A command prints and writes what its golden file holds", arguments: GoldenTable.all)
  func output(_ golden: GoldenCase) throws {
    let catalog = try GoldenCatalog.prepared(golden.catalog)
    let folder = try TemporaryFolder()
    try catalog.copy(to: folder.path)
    let before = try Set(FileManager.default.contentsOfDirectory(atPath: folder.path))
    let outcome = try Program.run(
      golden.arguments, in: folder.path, environment: golden.environment)
    let files = try GoldenTranscript.files(
      in: folder.path, except: before.union([".stdout", ".stderr"]))
    let transcript = GoldenTranscript(
      command: golden.command, form: golden.form, outcome: outcome,
      files: files.filter { !$0.name.hasPrefix("assay.") })
    // The corrected catalog has its images in the folder they were imported from.
    let imported = try GoldenCatalog.prepared(.imported)
    try Self.check(
      transcript.text, golden.path, folders: [folder.path, catalog.folder, imported.folder])
  }

  @Test(
    "The preparation prints what its golden file holds",
    arguments: [
      ("imported.txt", GoldenCatalog.Kind.imported), ("corrected.txt", .corrected),
      ("label-sets.txt", .labelSets),
    ])
  func preparation(_ path: String, _ kind: GoldenCatalog.Kind) throws {
    let catalog = try GoldenCatalog.prepared(kind)
    let imported = try GoldenCatalog.prepared(.imported)
    try Self.check(catalog.transcript, path, folders: [catalog.folder, imported.folder])
  }

  @Test("Each golden file belongs to one case")
  func files() throws {
    let paths =
      GoldenTable.all.map(\.path) + [
        "imported.txt", "corrected.txt", "label-sets.txt", "style.css",
      ]
    #expect(Set(paths).count == paths.count, "two cases have one file")
    for path in GoldenFile.paths where !paths.contains(path) {
      if GoldenFile.isRewriting {
        try FileManager.default.removeItem(atPath: GoldenFile.expected + "/" + path)
      } else {
        Issue.record("\(path) belongs to no case; \(GoldenFile.rewriting) removes it")
      }
    }
  }

  @Test(
    "Each mask stands in some golden file, and nothing that differs between machines in any",
    .disabled(if: GoldenFile.isRewriting))
  func masksAreUsed() throws {
    var missing = Set(GoldenMask.allCases)
    for path in GoldenFile.paths {
      let text = try GoldenFile.text(of: path)
      missing = missing.filter { !text.contains($0.rawValue) }
      #expect(!text.contains("/tmp/") && !text.contains("assay-goldens-"), "\(path)")
      #expect(!text.contains("data:image/png"), "\(path)")
      #expect(
        text.firstMatch(of: #/20\d\d-\d\d-\d\dT|[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-/#) == nil,
        "\(path)")
    }
    #expect(missing.isEmpty)
  }

  @Test(
    "A mask replaces what varies and nothing beside it",
    arguments: [
      ("made 2026-01-02T03:04:05Z.", "made ‹time›."), ("2026-01-02  3", "2026-01-02  3"),
      ("rejected 0, in 0.192 s\n", "rejected 0, in ‹seconds› s\n"),
      ("drawn in 0.192 s", "drawn in 0.192 s"), ("0.192, 2026, 1.2.3", "0.192, 2026, 1.2.3"),
      ("{\"assay\": \"1.20.3\"}", "{\"assay\": \"‹version›\"}"),
      ("<dt>assay</dt><dd>0.1.0</dd>", "<dt>assay</dt><dd>‹version›</dd>"),
      ("at /a/b/c.png, /a/bc.png", "at ‹folder›/c.png, /a/bc.png"),
      ("<style>a</style>b", "<style>‹style.css›</style>b"),
      ("data:image/png;base64,AAAA", "data:image/png;base64,AAAA"),
    ])
  func masks(_ text: String, _ masked: String) {
    #expect(GoldenMask.masked(text, folders: ["/a/b"]) == masked)
  }

  @Test("Embedded images are compared by size and pixels, not by the file's bytes")
  func pictures() throws {
    func masked(_ pixels: [UInt8]) throws -> String {
      let raster = try #require(Raster(width: 2, height: 1, elements: pixels))
      let bytes = try Data(ImageCodec.encodePNG(raster)).base64EncodedString()
      return GoldenMask.masked("<img src=\"data:image/png;base64,\(bytes)\">", folders: [])
    }
    #expect(try masked([0, 1]).hasPrefix("<img src=\"‹PNG 2 × 1 × 1 "))
    #expect(try masked([0, 1]).hasSuffix("›\">"))
    #expect(try masked([0, 1]) != masked([0, 2]))
  }

  @Test("A difference is shown by its first lines, with the command that accepts it")
  func difference() {
    let golden = "one\ntwo\nthree\nfour\nfive\n"
    #expect(
      GoldenFile.difference(from: golden, to: "one\ntwo\nthree\n4\nfive\n", "a.txt") == """
        a.txt differs from line 4 on (− golden file, + program):
            two
            three
          − four
          + 4
        to accept what the program prints now: ASSAY_REWRITE_GOLDENS=1 swift test --filter \
        GoldenTests; then review git diff
        """)
    let missing = GoldenFile.difference(from: nil, to: golden, "a.txt")
    #expect(missing.hasPrefix("there is no golden file a.txt\n"))
    let long = String(repeating: "x", count: 1_000)
    let shown = GoldenFile.difference(from: long + "a" + long, to: long + "b" + long, "a.txt")
    #expect(shown.contains("xa") && shown.contains("xb") && shown.count < 700, "\(shown)")
    #expect(GoldenFile.difference(from: "a\n", to: "a", "a.txt").contains("line 2"))
  }

  /// Compares the masked text, and the style sheet of a page that it contains.
  private static func check(_ text: String, _ path: String, folders: [String]) throws {
    var styles: [String] = []
    let masked = GoldenMask.masked(text, folders: folders) { styles.append($0) }
    for style in styles { try GoldenFile.check(style, "style.css") }
    try GoldenFile.check(masked, path)
  }
}
