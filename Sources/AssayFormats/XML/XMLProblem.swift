/// The reason why an XML file cannot be read, and where.
package struct XMLProblem: Error, Hashable, CustomStringConvertible {
  /// The 1-based line.
  var line: Int
  /// One clause.
  var text: String

  package var description: String { "line \(line): \(text)" }
}
