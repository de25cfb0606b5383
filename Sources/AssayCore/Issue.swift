/// A finding about data: collected, stored, counted and shown; never an error that stops the work.
package struct Issue: Hashable, Sendable {
  /// How bad it is for the import.
  package enum Severity: String, Sendable, Codable, CaseIterable {
    /// Kept or repaired by a stated rule.
    case warning
    /// The record was rejected.
    case error
  }

  package var kind: IssueKind
  package var severity: Severity
  /// Where it was found.
  package var location: IssueLocation
  /// The key of the sample concerned, where there is one.
  package var sampleKey: String?
  /// What is wrong and what was done about it, one sentence.
  package var message: String

  package init(
    _ kind: IssueKind, _ severity: Severity, at location: IssueLocation,
    sampleKey: String? = nil, _ message: String
  ) {
    self.kind = kind
    self.severity = severity
    self.location = location
    self.sampleKey = sampleKey
    self.message = message
  }
}

/// What an issue is about. The raw value is stored and queried (`issue = pixelCount`).
package enum IssueKind: String, CaseIterable, Sendable, Codable {
  /// A row has more or fewer fields than the header.
  case fieldCount
  /// A row has more or fewer pixels than the image size asks for.
  case pixelCount
  /// A pixel is not a whole number in 0...255.
  case pixelValue
  /// A label that names no class.
  case unknownLabel
  /// A usage or split that is not known; the sample keeps the spelling.
  case unknownSplit
  /// Bytes that are not UTF-8.
  case badUTF8
  /// The last line ends within a row.
  case truncated
  /// A line over the length limit.
  case lineTooLong
  /// A file that is listed but cannot be read or decoded.
  case unreadableImage
  /// A file that is no image the importer takes.
  case unsupportedFile
  /// An image over the pixel limit.
  case imageTooLarge
  /// A row without a label in a set that has labels.
  case missingLabel
}

/// A place in a source: a file relative to the root, and a line or byte in it where known.
package struct IssueLocation: Hashable, Sendable {
  /// The path relative to the source's root, `/` between components.
  package var file: String
  /// The 1-based line, where the source is made of lines.
  package var line: Int?

  package init(file: String, line: Int? = nil) {
    self.file = file
    self.line = line
  }
}

extension IssueLocation: CustomStringConvertible {
  package var description: String { line.map { "\(file):\($0)" } ?? file }
}
