import AssayCore
import AssayImaging
import CSimdJSON

/// Reads batches of a file's images; each record depends on that image alone.
struct COCOImageReader: Sendable {
  /// An image.
  struct Record: Sendable {
    /// Its index in the file's list.
    var place: Int
    var id: SourceID?
    /// Its path below the images' root, and true if the file exists.
    var path: String
    var isThere: Bool
    var size: ImageSize?
    /// True if the image and its annotations are omitted.
    var isLeftOut = false
    /// Additional fields as one canonical JSON object; `nil` if there are none.
    var attributes: String?
    /// True if it has LVIS's lists of classes.
    var hasLists = false
  }

  struct Part: Sendable {
    var records: [Record] = []
    var findings: OddityIssues
    var read = 0
    var sizes = COCOSizeComparison()

    mutating func leaveOut(_ id: SourceID?, at place: Int) {
      records.append(
        Record(place: place, id: id, path: "", isThere: false, size: nil, isLeftOut: true))
    }
  }

  let tree: any SourceTree
  let path: String
  /// The root of the images.
  let images: any SourceTree
  let folder: COCOImageFolder
  let checksImages: Bool
  let parsers: [COCOParser]
  /// True for LVIS's images, whose names are in a URL.
  var isLVIS = false
  /// The images whose size is compared with that of their file.
  let compared: COCOSizeSample

  /// The kind of the list of images.
  static func kind(isLVIS: Bool) -> assay_coco_kind {
    isLVIS ? assay_coco_lvis_images : assay_coco_images
  }

  func read(_ span: JSONOutline.Batch, worker: Int) throws -> Part {
    try parsers[worker].parse(Self.kind(isLVIS: isLVIS), tree, path, span.bytes) { batch in
      if !isLVIS { try batch.marks.check(path, "/images", from: span.first) }
      var part = Part(findings: OddityIssues(path))
      guard let records = batch.images else { return part }
      part.read = batch.count
      part.records.reserveCapacity(batch.count)
      for index in 0..<batch.count {
        add(records[index], at: span.first + index, in: batch, to: &part)
      }
      return part
    }
  }

  private func add(
    _ record: assay_coco_image, at place: Int, in batch: assay_coco_batch, to part: inout Part
  ) {
    let pointer = "/images/\(place)"
    guard record.is_object else {
      part.findings.note(.badImage, pointer, "the image is not an object; left out")
      return
    }
    let id = batch.id(record.id)
    let (name, nameState) = batch.name(of: record)
    let title = Self.title(id, name)
    guard nameState.isUsable, !name.isEmpty else {
      let what = nameState.isUsable ? "is empty" : nameState.complaint
      part.findings.note(
        .badImage, pointer + "/file_name", "\(title): 'file_name' \(what); left out")
      part.leaveOut(id, at: place)
      return
    }
    guard let (path, isThere) = locate(name, title, pointer, &part.findings) else {
      part.leaveOut(id, at: place)
      return
    }
    noteID(record.id, id, title, pointer, path, &part.findings)
    guard let size = size(record, title, pointer, path, isThere, &part.findings) else {
      part.leaveOut(id, at: place)
      return
    }
    if checksImages, isThere {
      check(path, size, title, pointer, &part.findings)
    } else if isThere, let size, compared.contains(place) {
      compare(path, size, title, pointer, &part)
    }
    var found = Record(place: place, id: id, path: path, isThere: isThere, size: size)
    if record.attributes.count > 0 { found.attributes = batch.text(record.attributes) }
    found.hasLists = record.has_lists
    if record.has_nulled_attribute {
      part.findings.note(
        .nulledAttribute, pointer, key: path,
        "\(title): a further field is NaN or infinite; kept as null")
    }
    part.records.append(found)
  }

  /// The name of an image in messages.
  static func title(_ id: SourceID?, _ name: String) -> String {
    let id = id.map { "image \($0)" } ?? "the image without id"
    return name.isEmpty ? id : "\(id) (\(name))"
  }

  private func locate(
    _ name: String, _ title: String, _ pointer: String, _ findings: inout OddityIssues
  ) -> (path: String, isThere: Bool)? {
    switch folder.place(of: name) {
    case .path(let path, let isThere): return (path, isThere)
    case .repaired(let path, let isThere, let why):
      findings.note(
        .oddFileName, pointer + "/file_name", key: path,
        "\(title): 'file_name' \(why); taken as \(path)")
      return (path, isThere)
    case .outside:
      findings.note(
        .outsideRoot, pointer + "/file_name",
        "\(title): 'file_name' is outside the image folder; the image and its annotations are "
          + "left out")
      return nil
    }
  }

  private func noteID(
    _ field: assay_coco_id, _ id: SourceID?, _ title: String, _ pointer: String, _ key: String,
    _ findings: inout OddityIssues
  ) {
    if id == nil {
      findings.note(
        .imageWithoutID, pointer + "/id", key: key,
        "\(title): 'id' \(field.field.complaint); kept, and no annotation can refer to it")
    } else if let what = field.oddity {
      findings.note(.oddImageID, pointer + "/id", key: key, "\(title): \(what)")
    }
  }

  /// The stated size, else that of the file's header; `.some(nil)` if neither is known, `nil` if
  /// the image is omitted.
  private func size(
    _ record: assay_coco_image, _ title: String, _ pointer: String, _ path: String,
    _ isThere: Bool, _ findings: inout OddityIssues
  ) -> ImageSize?? {
    let (width, height) = (FieldState(record.width_state), FieldState(record.height_state))
    let isStated = width.isUsable && height.isUsable
    if isStated, record.width >= 1, record.height >= 1 {
      guard
        let size = ImageSize.checked(width: Int(record.width), height: Int(record.height))
      else {
        findings.note(
          .sizeTooLarge, pointer,
          "\(title): \(record.width)×\(record.height) is more than \(ImageSize.pixelLimit / 1_000_000) megapixels, the limit; left out"
        )
        return nil
      }
      if width == .odd || height == .odd {
        findings.note(
          .oddSize, pointer, key: path,
          "\(title): 'width' or 'height' is not a whole number; taken as \(size)")
      }
      return size
    }
    let what =
      isStated
      ? "\(record.width)×\(record.height) is not a valid size"
      : width.isUsable ? "'height' \(height.complaint)" : "'width' \(width.complaint)"
    let cause: COCOOddity = width == .missing || height == .missing ? .noImageSize : .oddSize
    var found: ImageSize?
    if isThere {
      found = try? ImageProbe(images, SourceFile(path: path, size: 0, modified: 0)).size.get()
    }
    let instead =
      found.map { "\($0) is taken from the file" }
      ?? "kept without a size, so its shapes cannot be made into masks"
    findings.note(cause, pointer, key: path, "\(title): \(what); \(instead)")
    return .some(found)
  }

  /// Compares the stated size with that in the file's header. A file without a readable header is left
  /// to the commands that read images.
  private func compare(
    _ path: String, _ size: ImageSize, _ title: String, _ pointer: String, _ part: inout Part
  ) {
    let probe = ImageProbe(images, SourceFile(path: path, size: 0, modified: 0))
    guard case .success(let found) = probe.size else { return }
    part.sizes.compared += 1
    guard size != found, size != probe.storedSize else { return }
    part.sizes.different += 1
    Self.noteSize(found, size, title, pointer, path, &part.findings)
  }

  private static func noteSize(
    _ found: ImageSize, _ stated: ImageSize, _ title: String, _ pointer: String, _ path: String,
    _ findings: inout OddityIssues
  ) {
    findings.note(
      .sizeMismatch, pointer, key: path,
      "\(title): the file is \(found), and its annotations are for \(stated); kept")
  }

  /// The maximum size of an image file, in bytes.
  private static let fileLimit = 512 << 20

  /// Decodes the whole file and compares its size with the stated one.
  private func check(
    _ path: String, _ size: ImageSize?, _ title: String, _ pointer: String,
    _ findings: inout OddityIssues
  ) {
    do {
      let bytes = try images.readAll(path, limit: Self.fileLimit)
      let header = try ImageCodec.header(of: bytes)
      _ = try ImageCodec.decode(bytes, as: .native)
      if let size, size != header.orientedSize, size != header.size {
        Self.noteSize(header.orientedSize, size, title, pointer, path, &findings)
      }
    } catch {
      findings.note(.unreadableImage, pointer, key: path, "\(title): \(path): \(error); kept")
    }
  }
}

extension assay_coco_batch {
  /// The file name of an image. LVIS v1 has none: it is the end of the URL, `train2017/1.jpg`; the
  /// names of LVIS v0.5 have a prefix (`COCO_train2014_`) that COCO 2017's files lack.
  func name(of image: assay_coco_image) -> (text: String, state: FieldState) {
    let state = FieldState(image.name_state)
    let hasURL = FieldState(image.url_state).isUsable && image.url.count > 0
    if !state.isUsable, hasURL {
      let parts = text(image.url).split(separator: "/")
      return (parts.suffix(2).joined(separator: "/"), .fine)
    }
    let name = text(image.name)
    guard hasURL, name.hasPrefix("COCO_"), let last = name.split(separator: "_").last else {
      return (name, state)
    }
    return (String(last), state)
  }
}

extension assay_coco_id {
  /// The oddity of a usable id; `nil` if there is none.
  var oddity: String? {
    guard field.isUsable else { return nil }
    if is_text {
      return field == .odd ? "its id is beyond 64 bits; kept as text" : "its id is a text; kept"
    }
    if field == .odd { return "its id is written with a fraction; taken as \(integer)" }
    return integer.magnitude > 1 << 53
      ? "its id is beyond 2^53, so programs that read numbers as floating point can change it; kept"
      : nil
  }
}
