import AssayCore

/// The images of a CVAT dataset and their shapes, for ``RegionImport``.
struct CVATSource: RegionSource {
  var name: String { layout.name }
  var items: [CVATLayout.Item] { layout.items }
  let classes: [Category]
  var issues: [Issue] { layout.issues }
  var imagesLeftOut: Int { layout.imagesLeftOut }
  /// The counts of all shapes that were read.
  let tally = CVATTally()

  private let tree: any SourceTree
  private let layout: CVATLayout

  /// The maximum size of one image's part of a file in bytes, and of its elements.
  private static let byteLimit = 256 << 20
  private static let elementLimit = 2_000_000

  init(_ layout: CVATLayout, in tree: any SourceTree) {
    self.layout = layout
    self.tree = tree
    classes = layout.classes.map {
      Category(name: $0, attributes: layout.skeletons[$0]?.fields.text())
    }
  }

  func path(of item: CVATLayout.Item) -> String { item.path }

  func split(of item: CVATLayout.Item) -> String? {
    item.split < 0 ? nil : layout.splitNames[Int(item.split)]
  }

  /// One element of an item, and where it is from.
  private struct Part {
    var element: XMLElement
    var slice: CVATLayout.Slice
  }

  func read(_ item: CVATLayout.Item, image: ImageProbe?) -> LabeledImage {
    var result = LabeledImage()
    var parts: [Part] = []
    for slice in layout.slices[item.slices] {
      let file = layout.indexes[Int(slice.file)].file
      do {
        parts.append(Part(element: try element(slice), slice: slice))
      } catch {
        // The file was well-formed when it was indexed.
        result.annotationsRead += 1
        let line = (error as? XMLProblem)?.line ?? slice.slice.line
        result.issues.append(
          Issue(
            .unsupportedFile, .error, at: IssueLocation(file: file, line: line),
            sampleKey: item.path,
            "\((error as? XMLProblem)?.text ?? "\(error)"); left out"))
      }
    }
    var size: ImageSize?
    if let image, case .success(let found) = image.size { size = found }
    for part in parts where part.slice.frame < 0 {
      if let stated = stated(part.element, part.slice, image, item.path, &result) {
        result.statedSize = result.statedSize ?? stated
      }
    }
    if let first = parts.first, first.slice.frame >= 0 {
      result.statedSize = layout.indexes[Int(first.slice.file)].meta.frameSize
    }
    read(parts, size ?? result.statedSize, item.path, &result)
    if let image, case .failure = image.size { result.isRejected = true }
    return result
  }

  /// The element of a slice; its lines are those of the file.
  private func element(_ slice: CVATLayout.Slice) throws -> XMLElement {
    let index = layout.indexes[Int(slice.file)]
    guard slice.slice.length <= Self.byteLimit else {
      throw SourceReadError.tooLarge(path: index.file, limit: Self.byteLimit)
    }
    var bytes = [UInt8](repeating: 0, count: slice.slice.length)
    var filled = 0
    while filled < bytes.count {
      let count = try bytes.withUnsafeMutableBytes { buffer in
        try tree.read(
          index.file, at: slice.slice.offset + filled,
          into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]))
      }
      guard count > 0 else { break }
      filled += count
    }
    var element: XMLElement
    do throws(XMLProblem) {
      element = try XMLTree.read(
        Array(bytes[..<filled]), limit: Self.elementLimit, encoding: index.encoding)
    } catch {
      throw XMLProblem(line: error.line + slice.slice.line - 1, text: error.text)
    }
    element.move(by: slice.slice.line - 1)
    return element
  }

  /// The size that an image element states; `nil` if it states none.
  private func stated(
    _ element: XMLElement, _ slice: CVATLayout.Slice, _ image: ImageProbe?, _ key: String,
    _ result: inout LabeledImage
  ) -> ImageSize? {
    let texts = [element["width"], element["height"]]
    let values = texts.compactMap { $0.flatMap { Int($0) } }
    if values.count == 2, values[0] > 0, values[1] > 0,
      let size = ImageSize.checked(width: values[0], height: values[1])
    {
      return size
    }
    result.issues.append(
      Issue(
        texts.contains(nil) ? .missingField : .badField, .warning,
        at: IssueLocation(
          file: layout.indexes[Int(slice.file)].file, line: slice.slice.line),
        sampleKey: key,
        "the stated size, \(texts[0] ?? "none") × \(texts[1] ?? "none"), is not the size of an image; "
          + (image == nil ? "kept without a size" : "the image's size is used")))
    return nil
  }

  private func read(
    _ parts: [Part], _ size: ImageSize?, _ key: String, _ result: inout LabeledImage
  ) {
    var tags: [Int] = []
    var start = 0
    while start < parts.count {
      let file = parts[start].slice.file
      var end = start
      while end < parts.count, parts[end].slice.file == file { end += 1 }
      let index = layout.indexes[Int(file)]
      var reader = CVATShapeReader(meta: index.meta, file: index.file, key: key, size: size)
      var points: [Int32: [(name: String, element: XMLElement)]] = [:]
      for part in parts[start..<end] where part.slice.slice.point >= 0 {
        points[part.slice.slice.track, default: []].append(
          (index.points[Int(part.slice.slice.point)], part.element))
      }
      for part in parts[start..<end] {
        if part.slice.frame < 0 {
          for child in part.element.children { reader.read(child) }
        } else if part.slice.slice.point < 0 {
          let track = index.tracks[Int(part.slice.slice.track)]
          reader.read(
            part.element,
            place: CVATShapeReader.Place(
              track: track, number: Int(track.id) ?? Int(part.slice.slice.track),
              frame: part.slice.frame),
            points: points[part.slice.slice.track] ?? [])
        }
      }
      tags += reader.tags.map { result.regions.count + $0 }
      result.regions += reader.regions
      result.issues += reader.issues
      result.annotationsRead += reader.read
      tally.add(reader.counts)
      start = end
    }
    result.takeLabel(from: tags)
  }
}

extension XMLElement {
  /// Moves the lines of the element and its content.
  fileprivate mutating func move(by lines: Int) {
    line += lines
    for index in children.indices { children[index].move(by: lines) }
  }
}
