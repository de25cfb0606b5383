import AssayCore

/// The objects and parts of one image of ADE20K's full release (2021): `x.json` beside `x.jpg`.
///
/// The polygons show whole objects, also where others hide them. `x_seg.png` and `x_parts_1.png` hold
/// the visible pixels of the same objects and parts, and are not read.
struct ADE20KJSON: JSONImageFormat {
  /// The source, for objects that are a mask alone.
  let tree: any SourceTree
  private let tally = JSONTally()

  init(_ tree: any SourceTree) { self.tree = tree }

  var title: String { "ADE20K file" }
  var kind: String { "ADE20K annotations" }
  /// The image has the name of the file.
  var naming: Set<String>? { [] }
  var notes: [String] { tally.notes }

  func layout(of sample: JSONSample) -> JSONFileLayout? {
    guard !sample.isList, sample.names.contains("annotation"),
      ["\"filename\"", "\"imsize\"", "\"object\""].allSatisfy(sample.contains)
    else { return nil }
    return .image
  }

  func name(of element: JSONValue, file: String, member: String?) -> JSONImageName {
    let stem = String(SortedFiles.stem(of: JSONImageFinder.last(file)))
    return .names([".jpg", ".jpeg", ".png", ".JPG", ".PNG"].map { stem + $0 })
  }

  func isImage(_ path: String) -> Bool { PairPath.isImageName(path) && !Self.isMask(path) }

  /// Returns whether an image is a mask beside the images: `x_seg.png`, `x_parts_1.png`,
  /// `x/instance_000_x.png`.
  static func isMask(_ path: String) -> Bool {
    let name = path.fileName
    guard name.hasSuffix(".png") else { return false }
    if name.hasSuffix("_seg.png") || name.hasPrefix("instance_") { return true }
    let stem = name.dropLast(4)
    let digits = stem.reversed().prefix(while: \.isNumber).count
    return digits > 0 && stem.dropLast(digits).hasSuffix("_parts_")
  }

  func count(_ element: JSONValue) -> Int {
    element.member("annotation").flatMap(Self.objects)?.count ?? 0
  }

  /// The list of objects; a list of one element can be written as the element.
  private static func objects(of annotation: JSONValue) -> [JSONValue]? {
    guard let value = annotation.member("object") else { return nil }
    return value.elements ?? (value.members == nil ? nil : [value])
  }

  func read(_ element: JSONValue, into image: inout JSONImageReading) {
    guard let annotation = element.member("annotation"), annotation.members != nil else {
      return image.reject(
        .badField, "/annotation",
        "'annotation' is not a JSON object, so the objects of the image are unknown")
    }
    let size = annotation.member("imsize")?.elements ?? []
    image.state(
      width: size.count > 1 ? size[1] : nil, height: size.first, "/annotation/imsize", "'imsize'")
    checkName(annotation.member("filename")?.text, &image)
    for name in ["scene", "source"] {
      guard let value = annotation.member(name), !Self.isEmpty(value) else { continue }
      image.result.attributes.append(.init(name, value))
    }
    guard let objects = Self.objects(of: annotation) else {
      return image.reject(
        annotation.member("object") == nil ? .missingField : .badField, "/annotation",
        "'object' is missing or no list, so the objects of the image are unknown")
    }
    image.result.annotationsRead = objects.count
    for (place, object) in objects.enumerated() {
      ADE20KObject(object, place, tree, tally).read(into: &image)
    }
  }

  /// Compares the name that the file states with that of its image.
  private func checkName(_ stated: String?, _ image: inout JSONImageReading) {
    guard let stated, !stated.isEmpty else { return }
    let own = SortedFiles.stem(of: JSONImageFinder.last(image.key))
    guard SortedFiles.stem(of: JSONImageFinder.last(stated)) != own else { return }
    image.warn(
      .badField, "/annotation/filename",
      "the file names the image '\(stated.prefix(200))'; \(image.key), which has the name of the file, is "
        + "taken")
  }

  static func isEmpty(_ value: JSONValue) -> Bool {
    switch value {
    case .null, .string(""), .array([]), .object([]): true
    default: false
    }
  }
}
