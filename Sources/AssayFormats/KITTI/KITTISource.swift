import AssayCore

/// The images of a KITTI dataset and their labels, for ``RegionImport``.
struct KITTISource: RegionSource {
  let name: String
  let items: [KITTIItem]
  let classes: [Category]
  let issues: [Issue]

  private let tree: any SourceTree
  private let layout: KITTILayout
  /// The classes by name; `nil` if every name is a class.
  private let known: Set<String>?

  /// The maximum size of a label file.
  static let byteLimit = 16 << 20

  /// - Parameters:
  ///   - given: all classes in order; `nil` if every name is a class.
  ///   - names: the first classes in order, if none are given.
  init(
    _ tree: any SourceTree, _ layout: KITTILayout, given: [String]?, names: [String]?
  ) {
    self.tree = tree
    self.layout = layout
    name = tree.name
    items = layout.items
    issues = layout.issues
    classes = (given ?? names ?? []).map(Self.category)
    known = given.map { Set($0) }
  }

  private static func category(_ name: String) -> Category {
    Category(name: name, isVoid: name == KITTILine.ignored)
  }

  func path(of item: KITTIItem) -> String { layout.path(of: item) }

  func split(of item: KITTIItem) -> String? {
    item.split < 0 ? nil : layout.splitNames[Int(item.split)]
  }

  func read(_ item: KITTIItem, image: ImageProbe?) -> LabeledImage {
    var result = LabeledImage()
    guard item.label >= 0 else { return result }
    let (file, key) = (layout.files[Int(item.label)], path(of: item))
    func reject(_ kind: IssueKind, _ message: String) {
      result.isRejected = true
      result.issues.append(
        Issue(
          kind, .error, at: IssueLocation(file: file), sampleKey: key,
          "\(message); the image is left out"))
    }
    let bytes: [UInt8]
    do {
      bytes = try tree.readAll(file, limit: Self.byteLimit)
    } catch {
      reject(.unsupportedFile, "\(error)")
      return result
    }
    guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else {
      reject(.badUTF8, "the label file is not UTF-8 text")
      return result
    }
    var number = 0
    var seen: Set<[Substring]> = []
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      number += 1
      let fields = line.split { $0.isWhitespace || $0 == "\u{FEFF}" }
      guard !fields.isEmpty else { continue }
      result.annotationsRead += 1
      guard seen.insert(fields).inserted else {
        result.issues.append(
          Issue(
            .duplicateID, .warning, at: IssueLocation(file: file, line: number), sampleKey: key,
            "the line repeats another one of the file; counted once"))
        continue
      }
      add(fields, IssueLocation(file: file, line: number), key, &result)
    }
    return result
  }

  private func add(
    _ fields: [Substring], _ location: IssueLocation, _ key: String, _ image: inout LabeledImage
  ) {
    func note(_ kind: IssueKind, _ severity: Issue.Severity, _ message: String) {
      image.issues.append(Issue(kind, severity, at: location, sampleKey: key, message))
    }
    do throws(KITTILine.Problem) {
      let line = try KITTILine(fields)
      if let known, !known.contains(line.type), line.type != KITTILine.ignored {
        note(.unknownLabel, .error, "unknown class “\(line.type)”; left out")
        return
      }
      if let oddity = line.oddity { note(.badField, .warning, "\(oddity); kept") }
      var region = LabeledRegion(
        category: Self.category(line.type), shape: .box(line.box), at: location,
        title: "“\(line.type)”")
      region.isCrowd = line.type == KITTILine.ignored
      region.attributes = line.attributes
      image.regions.append(region)
    } catch {
      note(error.kind, .error, "\(error.text); left out")
    }
  }
}
