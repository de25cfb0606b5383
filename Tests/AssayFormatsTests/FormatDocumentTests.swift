import AssayCore
import AssayFormats
import AssayTestSupport
import Foundation
import Testing

/// The table of import formats in `Docs/Formats.md`, which is generated from the importers.
@Suite struct FormatDocumentTests {
  private static let path = PackageFolder.url("Docs/Formats.md")
  private static let heading = "\n## Import formats\n"

  @Test("Docs/Formats.md has every import format; ASSAY_REWRITE_GOLDENS=1 writes the table")
  func table() throws {
    let text = try String(contentsOf: Self.path, encoding: .utf8)
    let start = try #require(text.range(of: Self.heading)).upperBound
    let end = try #require(text.range(of: "\n## ", range: start..<text.endIndex)).lowerBound
    let made = Self.made
    if ProcessInfo.processInfo.environment["ASSAY_REWRITE_GOLDENS"] != nil {
      try Data(text.replacingCharacters(in: start..<end, with: made).utf8).write(to: Self.path)
    } else {
      #expect(text[start..<end] == made)
    }
  }

  private static var made: String {
    let rows = Importers.all.map { importer in
      let name = importer.format.rawValue
      let (contents, signs) = (cell(importer.summary), cell(importer.recognizedBy))
      let written = ExportFormat(writing: importer.format)
      let lost = written.map {
        $0.notHeld.isEmpty ? "nothing" : cell($0.notHeld.joined(separator: ", "))
      }
      return "| [\(name)](#\(name)) | \(contents) | \(signs) | \(lost ?? "not written") |\n"
    }
    return
      "\nIn the order in which they are asked. The last column says which formats are written, too, and what these "
      + "do not hold, whatever the dataset; [Exports](#exports) has the details.\n\n"
      + "| format | contents | recognized by | written, but for |\n|---|---|---|---|\n"
      + rows.joined()
  }

  private static func cell(_ text: String) -> String {
    text.replacing("|", with: "\\|").replacing("<", with: "&lt;")
  }
}
