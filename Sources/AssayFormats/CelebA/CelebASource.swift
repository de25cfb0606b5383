import AssayCore

/// CelebA's images with their attributes as labels, or with their faces, for ``RegionImport``.
struct CelebASource: RegionSource {
  let name: String
  let items: [CelebALayout.Item]
  let classes: [Category]
  let issues: [Issue]
  private let layout: CelebALayout
  private let withFaces: Bool
  /// The columns of the attributes that are classes.
  private let columns: [Int]

  private static let face = Category(name: "face")
  private static let splits = ["train", "val", "test"]

  /// - Parameter classes: the attributes to keep; all if `nil`.
  /// - Throws: ``FormatError/mismatch(name:format:reason:)`` for an unknown attribute.
  init(
    _ layout: CelebALayout, name: String, withFaces: Bool, classes: [String]?
  ) throws(FormatError) {
    self.name = name
    self.layout = layout
    self.withFaces = withFaces
    items = layout.items
    issues = layout.issues
    let names = layout.tables[.attributes]?.columns ?? []
    var chosen = Array(names.indices)
    if let classes {
      chosen = []
      for wanted in classes {
        guard let place = names.firstIndex(of: wanted) else {
          let near = NearMiss.suggestion(for: wanted, among: names)
          throw .mismatch(
            name: name, format: .celebA,
            reason: "--classes names “\(wanted.prefix(60))”, which is no attribute"
              + (near.map { " (did you mean “\($0)”?)" } ?? ""))
        }
        if !chosen.contains(place) { chosen.append(place) }
      }
    }
    columns = chosen
    self.classes = withFaces ? [Self.face] : chosen.map { Category(name: names[$0]) }
  }

  func path(of item: CelebALayout.Item) -> String { layout.path(of: item) }

  func split(of item: CelebALayout.Item) -> String? {
    guard let table = layout.tables[.partition],
      let row = table.row(of: SortedFiles.stem(of: path(of: item))), let value = table[row].first
    else { return nil }
    return Self.splits[Int(value)]
  }

  func read(_ item: CelebALayout.Item, image: ImageProbe?) -> LabeledImage {
    var result = LabeledImage()
    let path = path(of: item)
    let stem = SortedFiles.stem(of: path)
    if withFaces {
      readFace(stem, path, &result)
    } else if let table = layout.tables[.attributes], let row = table.row(of: stem) {
      let values = table[row]
      result.labels = columns.indices.filter { values[values.startIndex + columns[$0]] == 1 }
        .map { classes[$0] }
    } else {
      reject(path, layout.tables[.attributes], &result)
    }
    if !result.isRejected, let table = layout.tables[.partition], table.row(of: stem) == nil {
      result.issues.append(
        Issue(
          .unknownSplit, .warning, at: IssueLocation(file: path), sampleKey: path,
          "\(table.path) does not have the image; kept without a split"))
    }
    return result
  }

  private func reject(_ path: String, _ table: CelebATable?, _ result: inout LabeledImage) {
    result.issues.append(
      Issue(
        .missingLabel, .error, at: IssueLocation(file: path), sampleKey: path,
        "\(table?.path ?? "no table") does not have the image; left out"))
    result.isRejected = true
  }

  private func readFace(_ stem: Substring, _ path: String, _ result: inout LabeledImage) {
    func found(_ kind: CelebATable.Kind) -> (table: CelebATable, row: Int)? {
      guard let table = layout.tables[kind], let row = table.row(of: stem) else { return nil }
      return (table, row)
    }
    let box = layout.isAligned ? nil : found(.boxes)
    let landmarks = found(layout.isAligned ? .alignedLandmarks : .landmarks)
    guard let source = box ?? landmarks else {
      reject(path, layout.main, &result)
      return
    }
    let points = landmarks.map { Array($0.table[$0.row]) }
    let shape: LabeledRegion.Shape
    if let box {
      let values = Array(box.table[box.row])
      shape = .box(Box(x: values[0], y: values[1], width: values[2], height: values[3]))
    } else {
      shape = .points(points ?? [])
    }
    var region = LabeledRegion(
      category: Self.face, shape: shape,
      at: IssueLocation(file: source.table.path, line: Int(source.table.lines[source.row])),
      title: "the face of \(path)")
    if let points {
      var keypoints: [JSONValue] = []
      for place in stride(from: 0, to: points.count - 1, by: 2) {
        keypoints += [.number(points[place]), .number(points[place + 1]), .integer(2)]
      }
      region.attributes = [
        .init("keypoints", .array(keypoints)),
        .init("num_keypoints", .integer(Int64(points.count / 2))),
      ]
    }
    if let (table, row) = found(.attributes) {
      for (name, value) in zip(table.columns, table[row]) where !Self.ownNames.contains(name) {
        region.attributes.append(.init(name, .integer(Int64(value))))
      }
    }
    if let (table, row) = found(.identity), let value = table[row].first {
      region.attributes.append(.init("identity", .integer(Int64(value))))
    }
    result.regions = [region]
    result.annotationsRead = 1
  }

  /// Members that the importer writes.
  private static let ownNames: Set<String> = ["keypoints", "num_keypoints", "identity"]
}
