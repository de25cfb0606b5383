import AssayCore
import Foundation

/// A file of the editor's page.
struct EditorFile: Sendable {
  /// As in `/app/NAME`.
  var name: String
  var type: String
  var bytes: [UInt8]
  /// With its quotes.
  var tag: String
}

/// The files of the editor's page, inside the program: the folder `Pages`, as CEmbeddedFiles lists it. Nothing
/// else can be asked for under `/app/`.
enum EditorFiles {
  /// The page itself.
  static let page = EditorFile(EditorPages.page)

  /// The file of a name; `nil` for every other name.
  static func file(named name: String) -> EditorFile? { named[name] }

  /// All names, sorted.
  static var names: [String] { named.keys.sorted() }

  private static let named = Dictionary(
    uniqueKeysWithValues: EditorPages.files.map { ($0.name, EditorFile($0)) })
}

extension EditorFile {
  fileprivate init(_ file: EditorPages.File) {
    name = file.name
    type = Self.type(of: file.name)
    bytes = file.bytes
    tag = "\"\(ContentHash.of(file.bytes).prefix(32))\""
  }

  /// By the name's ending. What is none of the page's is never run.
  static func type(of name: String) -> String {
    switch name.split(separator: ".").last {
    case "html": "text/html; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "js": "text/javascript; charset=utf-8"
    case "svg": "image/svg+xml"
    case "png": "image/png"
    default: "application/octet-stream"
    }
  }
}
