import AssayCore

/// The images of ImageNet and their classes, for ``RegionImport``.
struct ImageNetSource: RegionSource {
  let name: String
  let items: [ImageNetLayout.Item]
  let classes: [Category]
  let issues: [Issue]
  /// The counts of all boxes that were read.
  let tally = VOCTally()
  private let tree: any SourceTree
  private let layout: ImageNetLayout
  private let categories: [Category]
  private let objects: VOCClasses

  init(_ layout: ImageNetLayout, _ tree: any SourceTree) {
    name = tree.name
    self.tree = tree
    self.layout = layout
    items = layout.items
    categories = layout.classes.categories
    objects = VOCClasses(objects: layout.classes.bySynset)
    classes = Array(categories.prefix(layout.classes.declared))
    issues = layout.issues
  }

  func path(of item: ImageNetLayout.Item) -> String { layout.path(of: item) }

  func split(of item: ImageNetLayout.Item) -> String? {
    item.split < 0 ? nil : layout.splits[Int(item.split)]
  }

  func read(_ item: ImageNetLayout.Item, image: ImageProbe?) -> LabeledImage {
    var result = LabeledImage()
    if item.category >= 0 { readLabels(item, &result) }
    if item.boxes >= 0 { readBoxes(layout.files.files[Int(item.boxes)], path(of: item), &result) }
    return result
  }

  private func readLabels(_ item: ImageNetLayout.Item, _ result: inout LabeledImage) {
    guard let further = layout.further[item.image] else {
      result.label = categories[Int(item.category)]
      return
    }
    // Several classes: all are labels of the image, and none is its class.
    for place in [item.category] + further {
      let category = categories[Int(place)]
      result.regions.append(
        LabeledRegion(
          category: category, shape: .tag, at: IssueLocation(file: path(of: item)),
          title: "label \(category.name)"))
    }
    result.annotationsRead = result.regions.count
  }

  /// Reads the boxes of an image, a file in the form of Pascal VOC.
  private func readBoxes(_ file: SourceFile, _ key: String, _ result: inout LabeledImage) {
    let root: XMLElement
    do {
      root = try VOCAnnotation.root(file, in: tree)
    } catch {
      let problem = error as? XMLProblem
      result.issues.append(
        Issue(
          .unsupportedFile, .error, at: IssueLocation(file: file.path, line: problem?.line),
          sampleKey: key, "\(problem?.text ?? "\(error)"); the image is kept without its boxes"))
      return
    }
    var reader = VOCObjectReader(classes: objects, coordinates: .voc, file: file.path, key: key)
    reader.read(root)
    result.annotationsRead += VOCAnnotation.count(in: root)
    result.issues += reader.issues
    result.regions += reader.regions
    tally.add(reader.counts)
  }
}
