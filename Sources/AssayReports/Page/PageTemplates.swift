import CEmbeddedFiles
import Mustache

/// The built-in templates, parsed once per page.
///
/// Double braces escape; triple braces are for text that this program generates:
/// charts, images, finished sections.
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
        // A partial in the middle of a line must not include its file's trailing newline.
        if text.hasSuffix("\n") { text.removeLast() }
        try library.register(pragma + text, named: name)
      } catch {
        throw .template(name: name, reason: "\(error)")
      }
    }
    self.library = library
  }

  /// Renders a template with values.
  ///
  /// - Throws: ``ReportError/template(name:reason:)`` if there is no template of that name.
  func render(_ name: String, _ values: [String: Any]) throws(ReportError) -> String {
    guard let text = library.render(values, withTemplate: name) else {
      throw .template(name: name, reason: "there is none")
    }
    return text
  }

  /// Returns the style or the script of the page: files next to the templates.
  static func text(of name: String) -> String { files[name] ?? "" }

  /// All names of files, sorted.
  static var names: [String] { files.keys.sorted() }

  /// The contents of the folder `Templates`, as listed by CEmbeddedFiles, by file name.
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
/// Mustache's own escaping is not used: it works on grapheme clusters, so it does not recognize a
/// quote followed by a combining accent, but the browser does.
struct MarkupContent: MustacheContentType {
  func escapeText(_ text: String) -> String { text.markupEscaped }

  /// The name by which templates select this content type.
  static let name = "MARKUP"

  /// Registers the content type; required before a template that uses it is parsed.
  static func register() { MustacheContentTypes.register(MarkupContent(), named: name) }
}
