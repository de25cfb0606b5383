/// The reason why an XML file cannot be read, and where.
struct XMLProblem: Error, Hashable, CustomStringConvertible {
  /// The 1-based line.
  var line: Int
  /// One clause.
  var text: String

  var description: String { "line \(line): \(text)" }
}
