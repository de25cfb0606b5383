import CEmbeddedFiles
import Mustache

/// The built-in templates, parsed once a page.
///
/// Two braces escape; three are for what this program made itself: charts, pictures, finished sections.
struct PageTemplates: Sendable {
  private let library: MustacheLibrary

  /// - Throws: ``ReportError/template(name:reason:)``.
  init() throws(ReportError) {
    MarkupContent.register()
    let pragma = "{{% CONTENT_TYPE:\(MarkupContent.name)}}"
    var library = MustacheLibrary()
    for (file, source) in Self.files where file.hasSuffix(".mustache") {
      let name = String(file.dropLast(".mustache".count))
      do {
        var text = source
        // A part in the middle of a line must not bring its file's last line feed along.
        if text.hasSuffix("\n") { text.removeLast() }
        try library.register(pragma + text, named: name)
      } catch {
        throw .template(name: name, reason: "\(error)")
      }
    }
    self.library = library
  }

  /// A template filled with values.
  ///
  /// - Throws: ``ReportError/template(name:reason:)`` where there is none of that name.
  func render(_ name: String, _ values: [String: Any]) throws(ReportError) -> String {
    guard let text = library.render(values, withTemplate: name) else {
      throw .template(name: name, reason: "there is none")
    }
    return text
  }

  /// The style and the script of the page: files beside the templates.
  static func text(of name: String) -> String { files[name] ?? "" }

  /// All names of files, sorted.
  static var names: [String] { files.keys.sorted() }

  /// The texts of the folder `Templates`, as CEmbeddedFiles lists it, by file name.
  private static let files: [String: String] = {
    let templates = reportTemplates()
    let files = UnsafeBufferPointer(start: templates.files, count: templates.count)
    return Dictionary(
      uniqueKeysWithValues: files.map { file in
        let bytes = UnsafeBufferPointer(start: file.bytes, count: file.count)
        return (String(cString: file.name), String(decoding: bytes, as: UTF8.self))
      })
  }()
}

/// The escaping of text in the templates.
///
/// Mustache's own escaping is not used: it goes by characters, so a quote with a combining accent after it is
/// not a quote to it, but is one to the browser.
struct MarkupContent: MustacheContentType {
  func escapeText(_ text: String) -> String { text.markupEscaped }

  /// The name that templates ask for it by.
  static let name = "MARKUP"

  /// Makes the name known; needed before a template that uses it is parsed.
  static func register() { MustacheContentTypes.register(MarkupContent(), named: name) }
}
