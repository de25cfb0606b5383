import AssayCore

/// One image of a source and its regions, as a format describes them.
struct LabeledImage: Sendable {
  /// The image's size that the annotations state; `nil` if they state none.
  var statedSize: ImageSize?
  /// The label of the whole image; `nil` for none, and in multi-label datasets.
  var label: Category?
  /// True if the label is an annotation of the source that ``annotationsRead`` counts.
  var labelIsAnnotation = false
  /// The labels of the whole image in a multi-label dataset, each once.
  var labels: [Category] = []
  /// The regions in source order.
  var regions: [LabeledRegion] = []
  /// The annotations of other people; ``label`` and ``regions`` are those that count.
  var others: [OtherAnnotator] = []
  /// Additional fields of the image, by name; stored as one JSON object.
  var attributes: [JSONValue.Member] = []
  /// The number of annotations that the source lists for the image, including omitted ones.
  var annotationsRead = 0
  /// The problems with the annotations.
  var issues: [Issue] = []
  /// True if the image must be left out; the reason is one of the issues, of severity error.
  var isRejected = false

  init() {}

  /// Makes the only label of the image its class. If it has fields, it stays among the regions, and
  /// ``PackedImage`` makes both one annotation; repetitions stay as annotations of their own.
  ///
  /// - Parameter tags: the indices of its labels in ``regions``.
  mutating func takeLabel(from tags: [Int]) {
    guard label == nil, Set(tags.map { regions[$0].category.name }).count == 1 else { return }
    label = regions[tags[0]].category
    let bare = tags.first { regions[$0].attributes.isEmpty && regions[$0].sourceID == nil }
    guard let place = bare else { return }
    regions.remove(at: place)
    labelIsAnnotation = true
  }
}

/// The annotations of another person in an image whose labels are someone else's.
struct OtherAnnotator: Sendable {
  /// The name or number of the person; each once per image.
  var name: String
  var label: Category?
  /// True if ``label`` is an annotation beside those of ``regions``.
  var labelIsAnnotation = true
  var regions: [LabeledRegion]
}

/// One region of a ``LabeledImage``, in pixels of the displayed image.
struct LabeledRegion: Sendable {
  enum Shape: Sendable {
    /// A box alone.
    case box(Box)
    /// Polygons `x0, y0, x1, y1, …`; the region is their union.
    case polygons([[Double]])
    /// Pixels. The mask has the size of the image.
    case mask(Mask)
    /// Open lines `x0, y0, x1, y1, …`; kept and not evaluated.
    case polylines([[Double]])
    /// Points `x0, y0, x1, y1, …`; kept and not evaluated.
    case points([Double])
    /// The whole image: one of its labels; kept and not evaluated.
    case tag
  }

  /// The class.
  var category: Category
  var shape: Shape
  /// The box that the source states beside polygons or a mask; `nil` if it states none.
  var box: Box?
  var isCrowd = false
  var sourceID: SourceID?
  /// Additional fields of the source, by name; stored as one JSON object.
  var attributes: [JSONValue.Member] = []
  /// The place where the source defines the region.
  var location: IssueLocation
  /// The name of the region in messages: "object 3 (cat)".
  var title: String

  init(
    category: Category, shape: Shape, box: Box? = nil, at location: IssueLocation, title: String
  ) {
    self.category = category
    self.shape = shape
    self.box = box
    self.location = location
    self.title = title
  }
}

/// The images of a source whose annotations are regions: what a format provides to ``RegionImport``.
protocol RegionSource: Sendable {
  /// One image and where its annotations are.
  associatedtype Item: Sendable

  /// The name of the source, for issues that concern it as a whole.
  var name: String { get }
  /// The images, sorted by path (bytewise); each path once.
  var items: [Item] { get }
  /// The classes that the source declares, in its order; empty if it declares none.
  var classes: [Category] { get }
  /// The issues found before an image was read.
  var issues: [Issue] { get }
  /// The number of images in the source that no annotation belongs to, and that are left out.
  var imagesLeftOut: Int { get }

  /// The path of an item's image below the root: the key of its sample.
  func path(of item: Item) -> String
  /// The file of an item's image, if the tree does not list it; `nil` to look for its path in the tree.
  func file(of item: Item, at path: String) -> SourceFile?
  /// The split of an item; `nil` if the source has none.
  func split(of item: Item) -> String?

  /// Reads the annotations of one image. Runs on several threads.
  ///
  /// - Parameter image: the displayed size of the image and its orientation; `nil` if the file does
  ///   not exist.
  func read(_ item: Item, image: ImageProbe?) -> LabeledImage
}

extension RegionSource {
  var imagesLeftOut: Int { 0 }

  func file(of item: Item, at path: String) -> SourceFile? { nil }
}
