import AssayCore

/// The images of a YOLO dataset and their labels, for ``RegionImport``.
struct YOLOSource: RegionSource {
  let name: String
  let items: [YOLOItem]
  let classes: [Category]
  let issues: [Issue]
  /// The counts of all lines that were read.
  let tally = YOLOTally()

  private let tree: any SourceTree
  private let layout: YOLOLayout
  private let reader: YOLOLabelReader
  private let files: SortedFiles

  init(_ layout: YOLOLayout, _ names: YOLONames) {
    name = layout.inventory.tree.name
    items = layout.items
    classes = names.classes.declared
    issues = names.issues + layout.issues
    tree = layout.inventory.tree
    files = layout.inventory.files
    self.layout = layout
    reader = YOLOLabelReader(
      classes: names.classes, keypoints: layout.dataFiles.chosen?.keypoints)
  }

  var imagesLeftOut: Int { layout.imagesLeftOut }

  func path(of item: YOLOItem) -> String { layout.path(of: item) }

  func split(of item: YOLOItem) -> String? {
    item.split < 0 ? nil : layout.splitNames[Int(item.split)]
  }

  func read(_ item: YOLOItem, image: ImageProbe?) -> LabeledImage {
    var result = LabeledImage()
    let key = path(of: item)
    var bytes: [UInt8] = []
    if item.label >= 0 {
      let file = files.files[Int(item.label)]
      do throws(LabelProblem) {
        bytes = try text(of: file)
      } catch {
        result.reject(
          Issue(error.kind, .error, at: IssueLocation(file: file.path), sampleKey: key, error.text))
        return result
      }
    }
    switch item.kind {
    case .image: break
    case .missing(let number):
      result.annotationsRead = YOLOLabelReader.lineCount(bytes)
      result.reject(
        Issue(
          .missingImage, .error, at: layout.missing[Int(number)].location, sampleKey: key,
          "\(key) does not exist; left out" + Self.lost(result.annotationsRead)))
      return result
    case .label:
      result.annotationsRead = YOLOLabelReader.lineCount(bytes)
      let path = files[Int(item.label)]
      result.reject(
        Issue(
          .missingImage, .error, at: IssueLocation(file: path),
          "there is no image for this label file (\(SortedFiles.stem(of: path)).jpg, .png, …); "
            + "left out" + Self.lost(result.annotationsRead)))
      return result
    }
    // Another problem with the image is reported by the import.
    guard case .success(let size) = image?.size else {
      result.annotationsRead = YOLOLabelReader.lineCount(bytes)
      result.isRejected = true
      return result
    }
    guard item.label >= 0 else { return result }
    let counts = reader.read(
      bytes, size: size, file: files[Int(item.label)], key: key, into: &result)
    tally.add(counts)
    return result
  }

  /// The end of a message about objects that are left out.
  private static func lost(_ count: Int) -> String {
    count == 0 ? "" : ", with \(count == 1 ? "its object" : "its \(count) objects")"
  }

  // MARK: Label files

  /// The reason why a label file cannot be read.
  private struct LabelProblem: Error {
    var kind: IssueKind
    var text: String
  }

  private func text(of file: SourceFile) throws(LabelProblem) -> [UInt8] {
    let bytes: [UInt8]
    do {
      guard file.size <= YOLOLabelReader.byteLimit else {
        throw SourceReadError.tooLarge(path: file.path, limit: YOLOLabelReader.byteLimit)
      }
      bytes = try whole(file)
    } catch {
      throw LabelProblem(kind: .unsupportedFile, text: "\(error); the image is left out")
    }
    guard !bytes.contains(0) else {
      throw LabelProblem(
        kind: .badUTF8,
        text: "the label file is not UTF-8 text (it contains a byte 0); the image is left out")
    }
    return bytes
  }

  /// Reads a file, in most cases with a single call.
  private func whole(_ file: SourceFile) throws -> [UInt8] {
    let size = max(0, file.size)
    let bytes = try [UInt8](unsafeUninitializedCapacity: size + 1) { buffer, count in
      count = try tree.read(file.path, at: 0, into: UnsafeMutableRawBufferPointer(buffer))
    }
    return bytes.count == size
      ? bytes : try tree.readAll(file.path, limit: YOLOLabelReader.byteLimit)
  }
}

extension LabeledImage {
  /// Leaves the image out, for a reason.
  fileprivate mutating func reject(_ issue: Issue) {
    issues.append(issue)
    isRejected = true
  }
}
