/// A finding about data: collected, stored, counted and displayed; never an error that stops the
/// import.
package struct Issue: Hashable, Sendable {
  /// The severity for the import.
  package enum Severity: String, Sendable, Codable, CaseIterable {
    /// Kept or repaired by a stated rule.
    case warning
    /// The record was rejected.
    case error
  }

  package var kind: IssueKind
  package var severity: Severity
  /// The location of the finding.
  package var location: IssueLocation
  /// The key of the affected sample, if there is one.
  package var sampleKey: String?
  /// The problem and how it was handled, one sentence.
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

/// The kinds of issues. The raw value is stored and queried (`issue = pixelCount`).
package enum IssueKind: String, CaseIterable, Sendable, Codable {
  /// A row has more or fewer fields than the header.
  case fieldCount
  /// A row has more or fewer pixels than the image size requires.
  case pixelCount
  /// A pixel is not a whole number in 0...255.
  case pixelValue
  /// A label that is not a known class.
  case unknownLabel
  /// An unknown usage or split; the sample keeps the spelling.
  case unknownSplit
  /// Bytes that are not UTF-8.
  case badUTF8
  /// The last line ends in the middle of a row.
  case truncated
  /// A line over the length limit.
  case lineTooLong
  /// A file that is listed but cannot be read or decoded.
  case unreadableImage
  /// A file that is not an image the importer accepts.
  case unsupportedFile
  /// An image over the pixel limit.
  case imageTooLarge
  /// A row without a label in a dataset that has labels.
  case missingLabel
  /// An image that an annotation file lists but that does not exist.
  case missingImage
  /// An image whose size differs from the one that its annotations state.
  case imageSize
  /// Two images with one name, or two annotations, images or classes with one id.
  case duplicateID
  /// An annotation for an image or class that the file does not have.
  case unknownReference
  /// A missing field, with the substituted value.
  case missingField
  /// A field that is not kept, or kept but not evaluated.
  case unsupportedField
  /// A field with the wrong type, or a number that is NaN or infinite.
  case badField
  /// A polygon, a box or run lengths that form no region, or extend beyond the image.
  case badShape
  /// A mask whose size differs from its image's.
  case maskSize
  /// A mask pixel with a value of no class.
  case maskValue
  /// A mask without an image, or an image without a mask.
  case unpairedMask
  /// A folder with images inside a class folder; its images get the class of the outer folder.
  case nestedFolder
  /// A file name or a link that leads outside the image folder.
  case outsideRoot
  /// A link whose target does not exist.
  case brokenLink
  /// A file whose checksum does not match its content.
  case badChecksum
}

/// A location in a source: a file relative to the root, and a line or a JSON pointer in it if
/// known.
package struct IssueLocation: Hashable, Sendable {
  /// The path relative to the source's root, `/` between components.
  package var file: String
  /// The 1-based line, for a line-based source.
  package var line: Int?
  /// The JSON pointer (RFC 6901), for a JSON source: `/annotations/17/segmentation`.
  package var pointer: String?

  package init(file: String, line: Int? = nil, pointer: String? = nil) {
    self.file = file
    self.line = line
    self.pointer = pointer
  }
}

extension IssueLocation: CustomStringConvertible {
  package var description: String {
    if let line { return "\(file):\(line)" }
    return pointer.map { "\(file)#\($0)" } ?? file
  }
}
