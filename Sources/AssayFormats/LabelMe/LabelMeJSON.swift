import AssayCore

/// LabelMe's JSON, versions 3 to 5: the shapes of one image.
struct LabelMeJSON: JSONImageFormat {
  let tally = JSONTally()

  var title: String { "LabelMe file" }
  var kind: String { "LabelMe annotations (JSON)" }
  var naming: Set<String>? { ["imagePath"] }
  var embedded: Set<String> { ["imageData"] }
  var notes: [String] { tally.notes }

  func layout(of sample: JSONSample) -> JSONFileLayout? {
    guard !sample.isList else { return nil }
    let names = Set(sample.names)
    let isLikely =
      names.contains("imagePath") || names.contains("imageData")
      || (names.contains("shapes") && !names.isDisjoint(with: ["version", "flags", "lineColor"]))
    guard isLikely else {
      // A long list of shapes can stand before everything else.
      guard names.contains("shapes"), sample.isCut else { return nil }
      return sample.allNames.contains("imagePath") ? .image : nil
    }
    if Self.isLabelMe(names) { return .image }
    // Images as base64 and long lists of shapes hide the members behind them.
    return sample.isCut && Self.isLabelMe(Set(sample.allNames)) ? .image : nil
  }

  /// A file without shapes is of this format, too: the import reports it.
  private static func isLabelMe(_ names: Set<String>) -> Bool {
    let further: Set<String> = ["version", "flags", "imageData", "imageHeight", "lineColor"]
    return names.contains("imagePath")
      && (names.contains("shapes") || names.intersection(further).count > 1)
      || names.contains("shapes") && names.contains("imageData")
  }

  func name(of element: JSONValue, file: String, member: String?) -> JSONImageName {
    // An image with the name of the JSON file is its image, even if `imagePath` is of another
    // machine.
    let stem = String(SortedFiles.stem(of: file))
    let twins = ImageName.candidates(stem)
    switch element.member("imagePath") {
    case .string(let name)? where !name.isEmpty: return .names([name] + twins)
    case nil, .null?, .string?: return .names(twins)
    case let other?:
      return .problem(
        .badField, "'imagePath' is \(other.kindName), expected the name of an image; left out")
    }
  }

  func count(_ element: JSONValue) -> Int {
    let shapes = element.member("shapes")?.elements?.count ?? 0
    return shapes > 0
      ? shapes : (element.member("flags")?.members ?? []).count { $0.value == .bool(true) }
  }

  private static let known: Set<String> = [
    "version", "flags", "shapes", "imagePath", "imageData", "imageHeight", "imageWidth",
    "lineColor", "fillColor",
  ]

  func read(_ element: JSONValue, into image: inout JSONImageReading) {
    image.state(
      width: element.member("imageWidth"), height: element.member("imageHeight"), "",
      "'imageWidth' and 'imageHeight'")
    if image.imageSize == nil { noteEmbedded(element.member("imageData"), &image) }
    guard let shapes = image.list(element.member("shapes"), "shapes") else { return }
    image.result.annotationsRead = shapes.count
    let flags = imageFlags(element.member("flags"), &image)
    for (place, shape) in shapes.enumerated() {
      LabelMeShape(shape, place, flags).read(into: &image)
    }
    // Without shapes the flags are the classes of the image: LabelMe's way to classify images.
    if shapes.isEmpty, !flags.isEmpty {
      image.result.annotationsRead = flags.count
      image.result.regions = flags.map { flag in
        LabeledRegion(
          category: Category(name: flag), shape: .tag, at: image.location("/flags"),
          title: "the flag \(flag)")
      }
      image.result.takeLabel(from: Array(image.result.regions.indices))
    }
    for member in element.members ?? [] where !Self.known.contains(member.name) {
      tally.add("members of files that are not kept: '\(member.name.prefix(60))'", image.file)
    }
  }

  /// The flags of the image that are true.
  private func imageFlags(_ value: JSONValue?, _ image: inout JSONImageReading) -> [String] {
    guard let value, value != .null else { return [] }
    guard let members = value.members else {
      image.warn(.badField, "/flags", "'flags' is \(value.kindName), not an object; ignored")
      return []
    }
    return members.filter { $0.value == .bool(true) }.map(\.name)
  }

  /// Reports an image that exists only inside the JSON.
  private func noteEmbedded(_ value: JSONValue?, _ image: inout JSONImageReading) {
    guard case .string(let start)? = value, !start.isEmpty else { return }
    let bytes = Base64.bytes(of: Array(start.utf8)) ?? []
    if image.result.statedSize == nil, let header = try? PNGSize(bytes) {
      image.result.statedSize = header.size
    }
    image.warn(
      .unsupportedField, "/imageData",
      "the image exists only inside the JSON ('imageData'), from which it is not taken; kept "
        + "without a file: write it to \(image.key), then run `assay relink`")
  }
}

/// The size in the header of a PNG.
struct PNGSize {
  let size: ImageSize

  struct Missing: Error {}

  /// - Parameter bytes: at least the first 24 bytes of the file.
  init(_ bytes: [UInt8]) throws {
    func number(_ start: Int) -> Int { bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
    guard bytes.count >= 24, bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
      let size = ImageSize.checked(width: number(16), height: number(20))
    else { throw Missing() }
    self.size = size
  }
}
