extension Unicode.Scalar {
  /// True for the invisible characters that reorder the text around them (embeddings, overrides and
  /// isolates of Unicode's bidirectional algorithm): with one in it, a name of a file can read as
  /// another one.
  package var reordersText: Bool {
    (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value)
  }

  /// The character in visible form: `\u{202e}`.
  package var visible: String { "\\u{" + String(value, radix: 16) + "}" }
}
