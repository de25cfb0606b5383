import AssayCore

/// The place of the images' annotations in a JSON file.
enum JSONFileLayout: Hashable, Sendable {
  /// The file is the annotations of one image.
  case image
  /// A list with one element per image.
  case list
  /// A list with one element per image, which is a member of the file's object.
  case listBelow(String)
  /// An object with one member per image, below these member names; none for the file's object.
  case members([String])
}

/// The image of an element, as the element names it.
enum JSONImageName: Hashable, Sendable {
  /// The possible names, in the order in which they are looked for; the first one counts if no image
  /// is found.
  case names([String])
  /// The element has no usable name.
  case problem(IssueKind, String)
}

/// A format with JSON files that name images and hold their annotations: what it provides to
/// ``JSONImagePlan`` and ``JSONImageSource``. One value serves one import.
protocol JSONImageFormat: Sendable {
  /// The name of the format's files in messages: "LabelMe file".
  var title: String { get }
  /// The kind of the files in the list of several datasets: "LabelMe annotations".
  var kind: String { get }
  /// The members of an element that ``name(of:file:)`` needs; `nil` for all.
  var naming: Set<String>? { get }
  /// The members of an element that hold images as base64 and are not read.
  var embedded: Set<String> { get }
  /// The suffixes of project files, which repeat what the files of the images say.
  var projects: Set<String> { get }
  /// True if a second element of an image is added to the first; otherwise it is left out.
  var addsRepeats: Bool { get }
  /// Notes about all elements read so far, one sentence each without a period.
  var notes: [String] { get }

  /// The layout of a file; `nil` if the file is not of this format.
  func layout(of sample: JSONSample) -> JSONFileLayout?

  /// The name of an element's image.
  ///
  /// - Parameters:
  ///   - element: the members in ``naming``.
  ///   - file: the path of the file.
  ///   - member: the name of the element in its file, for files whose elements are members.
  func name(of element: JSONValue, file: String, member: String?) -> JSONImageName

  /// Reads the annotations of one image; runs on several threads.
  func read(_ element: JSONValue, into image: inout JSONImageReading)

  /// The folders in which the images of a file are by the format's convention, relative to the root;
  /// they are looked at first, and an image that does not exist belongs in the first one.
  func folders(of file: String) -> [String]

  /// The number of annotations of an element that is left out.
  func count(_ element: JSONValue) -> Int

  /// Returns whether a file has the name of an image, and not of a mask beside one.
  func isImage(_ path: String) -> Bool

  /// Returns whether an element is one of several that an image can have, each of another annotator.
  func isPart(_ element: JSONValue) -> Bool

  /// Reads the annotations of one image that has several such elements; runs on several threads.
  ///
  /// - Parameter parts: the readings of the elements, without annotations, in the order of the file.
  func read(_ parts: [(element: JSONValue, reading: JSONImageReading)]) -> JSONImageReading

  /// Ends an import.
  ///
  /// - Throws: an error for options that do not fit what was read.
  func finish() throws

  /// The classes that a file declares, in its order; empty if it declares none.
  func classes(of sample: JSONSample) -> [Category]
}

extension JSONImageFormat {
  var embedded: Set<String> { [] }
  var projects: Set<String> { [] }
  var addsRepeats: Bool { false }

  func isImage(_ path: String) -> Bool { PairPath.isImageName(path) }

  var notes: [String] { [] }
  func isPart(_ element: JSONValue) -> Bool { false }
  func finish() throws {}

  func read(_ parts: [(element: JSONValue, reading: JSONImageReading)]) -> JSONImageReading {
    var reading = parts[0].reading
    read(parts[0].element, into: &reading)
    return reading
  }

  func folders(of file: String) -> [String] { [] }
  func classes(of sample: JSONSample) -> [Category] { [] }
}
