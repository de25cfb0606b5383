import Mustache

/// How text is escaped in the templates.
///
/// Not Mustache's own way: that goes by characters, so a quote with a combining accent behind it is not a
/// quote to it, but is one to the browser.
struct MarkupContent: MustacheContentType {
  func escapeText(_ text: String) -> String { text.markupEscaped }

  /// The name that templates ask for it by.
  static let name = "MARKUP"

  /// Makes the name known; needed before a template that uses it is parsed.
  static func register() { MustacheContentTypes.register(MarkupContent(), named: name) }
}
