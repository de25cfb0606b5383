import AssayCore

/// The images of ImageNet and their classes, for ``RegionImport``.
struct ImageNetSource: RegionSource {
  let name: String
  let items: [ImageNetLayout.Item]
  let classes: [Category]
  let issues: [Issue]
  private let layout: ImageNetLayout
  private let categories: [Category]

  init(_ layout: ImageNetLayout, name: String) {
    self.name = name
    self.layout = layout
    items = layout.items
    categories = layout.classes.categories
    classes = Array(categories.prefix(layout.classes.declared))
    issues = layout.issues
  }

  func path(of item: ImageNetLayout.Item) -> String { layout.path(of: item) }

  func split(of item: ImageNetLayout.Item) -> String? {
    item.split < 0 ? nil : layout.splits[Int(item.split)]
  }

  func read(_ item: ImageNetLayout.Item, image: ImageProbe?) -> LabeledImage {
    var result = LabeledImage()
    if item.category >= 0 { result.label = categories[Int(item.category)] }
    return result
  }
}
