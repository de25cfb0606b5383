import AssayCore
import CEmbeddedFiles
import Foundation

/// A file of the editor's page.
struct EditorFile: Sendable {
  /// The name, as in `/app/NAME`.
  var name: String
  var type: String
  var bytes: [UInt8]
  /// The tag, with its quotes.
  var tag: String
}

/// The files of the editor's page, embedded in the program: the folder `Pages`, as listed by
/// CEmbeddedFiles. Nothing else is available under `/app/`.
enum EditorFiles {
  /// The page itself.
  static let page = EditorFile(name: "page.html", bytes: all["page.html"] ?? [])

  /// Returns the file with a name; `nil` if there is none.
  static func file(named name: String) -> EditorFile? { named[name] }

  /// All names, sorted.
  static var names: [String] { named.keys.sorted() }

  private static let named = Dictionary(
    uniqueKeysWithValues: all.filter { $0.key != page.name }.map {
      ($0.key, EditorFile(name: $0.key, bytes: $0.value))
    })

  private static let all: [String: [UInt8]] = {
    let pages = editorPages()
    let files = UnsafeBufferPointer(start: pages.files, count: pages.count)
    return Dictionary(
      uniqueKeysWithValues: files.map { file in
        (
          String(cString: file.name),
          Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
        )
      })
  }()
}

extension EditorFile {
  fileprivate init(name: String, bytes: [UInt8]) {
    self.name = name
    type = Self.type(of: name)
    self.bytes = bytes
    tag = "\"\(ContentHash.of(bytes).prefix(32))\""
  }

  /// Returns the media type by the name's extension. Files with an unknown
  /// extension are never executed.
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
