import AssayImaging
import Foundation
import Testing

/// A command and all its output as one text.
struct GoldenTranscript {
  let text: String

  /// - Parameters:
  ///   - files: names and texts of the files that it wrote.
  init(
    command: String, form: GoldenCase.Form = .text, outcome: Program.Outcome,
    files: [(name: String, text: String)] = []
  ) {
    let columns = form == .narrow ? "COLUMNS=60 " : ""
    var text = "$ \(columns)assay \(command)\(form == .json ? " --json" : "")\n"
    text += "exit status \(outcome.status)\n"
    text += Self.part("standard output", outcome.stdout)
    text += Self.part("standard error", outcome.stderr)
    for file in files { text += Self.part(file.name, file.text) }
    self.text = text
  }

  private static func part(_ name: String, _ text: String) -> String {
    guard !text.isEmpty else { return "" }
    return "──── \(name)\n\(text)" + (text.hasSuffix("\n") ? "" : "\n──── no newline at the end\n")
  }

  /// The files below the top-level entries of a folder that were not there before, sorted by name.
  ///
  /// Only the size of an image is listed: its bytes depend on the machine's fonts and zlib. The
  /// charts of a report are in the page, as SVG.
  static func files(in folder: String, except before: Set<String>) throws -> [(
    name: String, text: String
  )] {
    var files: [(String, String)] = []
    for name in try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    where !before.contains(name) {
      let below =
        FileManager.default.enumerator(atPath: folder + "/" + name)?
        .compactMap { ($0 as? String).map { name + "/" + $0 } } ?? []
      for path in ([name] + below).sorted() {
        var isFolder: ObjCBool = false
        _ = FileManager.default.fileExists(atPath: folder + "/" + path, isDirectory: &isFolder)
        guard !isFolder.boolValue else { continue }
        let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: folder + "/" + path)))
        files.append((path, try text(bytes, isPicture: path.hasSuffix(".png"))))
      }
    }
    return files
  }

  private static func text(_ bytes: [UInt8], isPicture: Bool) throws -> String {
    guard isPicture else {
      return try #require(String(validating: bytes, as: UTF8.self), "a file is not UTF-8")
    }
    let size = try ImageCodec.header(of: bytes).size
    return "PNG, \(size.width) × \(size.height)\n"
  }
}
