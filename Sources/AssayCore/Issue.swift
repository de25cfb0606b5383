/// A finding about data: collected, stored, counted and shown; never an error that stops the work.
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
  /// The place where it was found.
  package var location: IssueLocation
  /// The key of the sample concerned, where there is one.
  package var sampleKey: String?
  /// The problem and what was done about it, one sentence.
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
  /// An image that a file of annotations lists and that is not there.
  case missingImage
  /// An image whose size is not the one that its annotations state.
  case imageSize
  /// Two images of one name, or two annotations, images or classes of one id.
  case duplicateID
  /// An annotation of an image or of a class that the file does not have.
  case unknownReference
  /// A field that is missing, and what was taken instead.
  case missingField
  /// A field that is not kept, or kept and not evaluated.
  case unsupportedField
  /// A field of another type than it should be, or a number that is none (NaN, Infinity).
  case badField
  /// A polygon, a box or run lengths that make no region, or reach beyond the image.
  case badShape
  /// A mask of another size than its image.
  case maskSize
  /// A pixel of a mask that names no class.
  case maskValue
  /// A mask without an image, or an image without a mask.
  case unpairedMask
  /// A folder with images inside the folder of a class; its images get the class of the outer folder.
  case nestedFolder
  /// A file name or a link that leads out of the folder of images.
  case outsideRoot
  /// A link that leads to nothing.
  case brokenLink
  /// A file whose checksum is not that of its content.
  case badChecksum
}

/// A place in a source: a file relative to the root, and a line or a JSON pointer in it where known.
package struct IssueLocation: Hashable, Sendable {
  /// The path relative to the source's root, `/` between components.
  package var file: String
  /// The 1-based line, where the source is made of lines.
  package var line: Int?
  /// The JSON pointer (RFC 6901), where the source is JSON: `/annotations/17/segmentation`.
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
