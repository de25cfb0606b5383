import AssayCore

/// LFW's images, their people and landmarks, for ``RegionImport``.
struct LFWSource: RegionSource {
  let name: String
  let items: [LFWLayout.Item]
  let classes: [Category]
  let issues: [Issue]
  private let layout: LFWLayout

  init(_ layout: LFWLayout, name: String) {
    self.name = name
    self.layout = layout
    items = layout.items
    issues = layout.issues
    classes = layout.people.map { Category(name: $0) }
  }

  func path(of item: LFWLayout.Item) -> String { layout.path(of: item) }

  func split(of item: LFWLayout.Item) -> String? { layout.split(of: path(of: item)) }

  func read(_ item: LFWLayout.Item, image: ImageProbe?) -> LabeledImage {
    var result = LabeledImage()
    let path = path(of: item)
    let landmarks = layout.landmarks[item.image]
    result.annotationsRead = landmarks.map { 1 + $0.repeats } ?? 0
    guard let person = LFWName.person(of: path) else {
      result.issues.append(
        Issue(
          .missingLabel, .warning, at: IssueLocation(file: path), sampleKey: path,
          "the image is in no folder of a person; kept without a label"
            + (landmarks == nil ? "" : ", and without its landmarks")))
      return result
    }
    let category = Category(name: person)
    result.label = category
    guard let landmarks else { return result }
    var region = LabeledRegion(
      category: category, shape: .points(landmarks.points),
      at: IssueLocation(file: landmarks.table, line: landmarks.line),
      title: "the landmarks of \(path)")
    for (name, pairs) in [
      ("positive_pairs", layout.positive[item.image]),
      ("negative_pairs", layout.negative[item.image]),
    ] {
      if let pairs { region.attributes.append(.init(name, .array(pairs.map { .string($0) }))) }
    }
    result.regions = [region]
    return result
  }
}
