package import AssayCore

/// An image to be written, with its labels and objects.
package struct ExportImage: Hashable, Sendable {
  /// The position among all images of the export, from 0.
  package var number: Int
  /// The number of objects of the images of the same split before it.
  package var firstObject = 0
  /// The file's path in the export.
  package var path: String
  /// The index of the split in ``ExportDataset/splits``.
  package var split: Int
  /// The size that coordinates relate to; `nil` if it is unknown.
  package var size: ImageSize?
  /// The ordinals of the labels of the whole image, ascending.
  package var labels: [Int] = []
  package var sourceID: SourceID?
  /// True if the image has a file, or pixels that become one.
  package var hasFile = true
  package var objects: [ExportObject] = []
  /// Further fields that the source states, in their order.
  package var fields: [JSONValue.Member] = []
  /// The results of a run; `nil` if none are written, or the run has none for the image.
  package var prediction: ExportPrediction?

  package init(number: Int, path: String, split: Int, size: ImageSize?) {
    self.number = number
    self.path = path
    self.split = split
    self.size = size
  }

  /// The last component of the path.
  package var name: Substring { path[path.utf8.index(path.startIndex, offsetBy: folderBytes)...] }

  /// The number of bytes of the path up to and including the last slash.
  private var folderBytes: Int {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map {
      path.utf8.distance(from: path.utf8.startIndex, to: $0) + 1
    } ?? 0
  }

  /// The last component of the path without its suffix.
  package var stem: Substring { SortedFiles.stem(of: path) }
}

extension ExportImage {
  /// Makes tags without fields labels of the image. A tag with fields of the class that is the image's
  /// label is the same annotation, and stays alone.
  package mutating func settleTags() {
    guard objects.contains(where: { $0.shape == .tag }) else { return }
    let tagged = Set(objects.filter { $0.shape == .tag && $0.hasFields }.map(\.category))
    labels.removeAll(where: tagged.contains)
    objects.removeAll { object in
      guard object.shape == .tag, !object.hasFields, !labels.contains(object.category) else {
        return false
      }
      labels.append(object.category)
      return true
    }
    labels.sort()
  }
}

/// An object of an image, in pixels.
package struct ExportObject: Hashable, Sendable {
  package enum Shape: Hashable, Sendable {
    /// The box alone.
    case box
    /// Polygons `x0, y0, x1, y1, …`; the region is their union.
    case polygons([[Double]])
    case mask(Mask)
    /// Open lines.
    case lines([[Double]])
    case points([Double])
    /// The whole image: a label with fields of its own, or one that it has twice. The box is empty.
    case tag

    package var kind: ShapeKind {
      switch self {
      case .box: .box
      case .polygons: .polygon
      case .mask: .mask
      case .lines: .polyline
      case .points: .points
      case .tag: .tag
      }
    }
  }

  /// The class's ordinal.
  package var category: Int
  package var shape: Shape
  /// The stated box, else the bounds of the shape.
  package var box: Box
  package var area: Double?
  package var isCrowd = false
  package var sourceID: SourceID?
  /// Sorted by name.
  package var attributes: [JSONValue.Member] = []

  package init(category: Int, shape: Shape, box: Box) {
    self.category = category
    self.shape = shape
    self.box = box
  }

  /// True if it has attributes or an id.
  package var hasFields: Bool { !attributes.isEmpty || sourceID != nil }

  /// COCO's keypoints: x, y and visibility of each; `nil` if it has none.
  package var keypoints: [Double]? {
    guard let list = attributes.first(where: { $0.name == Self.keypointsName })?.value.elements,
      !list.isEmpty, list.count.isMultiple(of: 3)
    else { return nil }
    let numbers = list.compactMap(\.double)
    return numbers.count == list.count ? numbers : nil
  }

  package static let keypointsName = "keypoints"
  package static let keypointCountName = "num_keypoints"
}

/// A dataset to be written: what a writer has to know before the first image.
package struct ExportDataset: Sendable {
  package struct Split: Hashable, Sendable {
    /// The name in the files; `nil` if there is none.
    package var name: String?
    /// The name of its folder or file, different for each split; empty if there is none.
    package var folder: String
    package var images: Int

    package init(name: String?, folder: String, images: Int) {
      self.name = name
      self.folder = folder
      self.images = images
    }
  }

  package var name: String
  /// The classes, with their names in the files.
  package var classes: [Category]
  /// The splits, without-split last.
  package var splits: [Split]
  /// The largest number of keypoints of an object.
  package var keypoints = 0
  /// The ordinals of the classes with objects of another shape than points with keypoints.
  package var otherThanKeypoints: Set<Int> = []
  /// The ordinals of the classes with objects that have keypoints.
  package var withKeypoints: Set<Int> = []
  /// The class that the keypoints of a class's objects become objects of, in formats in which a class has one
  /// kind of shape; by the ordinal.
  package var keypointClasses: [Int: Int] = [:]
  /// True if any object has polygons or a mask.
  package var hasShapes = false
  /// The ordinal of the class of captions; `nil` if there is none.
  package var caption: Int?
  /// The name of the class of captions.
  package static let captionClass = COCOCaptionReader.className
  /// The largest number of captions of an image.
  package var captions = 0
  /// True if images have captions and nothing else.
  package var hasCaptionsOnly = false
  /// True if a split has more than one label on some image, or sets of labels.
  package var isMultiLabel = false
  package var hasLabels = false
  /// True if results of a run are written beside the annotations.
  package var hasPredictions = false
  /// True if any image has objects, or labels with fields or beside objects.
  package var hasObjects = false
  /// True if an image has labels beside regions, or with fields.
  package var hasTags = false
  /// True if every image, or every object, has an id of its source that is a number or a text.
  package var hasImageIDs = false
  package var hasObjectIDs = false
  /// True if ids of images, annotations and classes are COCO's own: any number or text.
  package var hasCOCOIDs = false
  /// The objects that are written as tracks; empty if the images are not the frames of one film.
  package var tracks: [ExportTrack] = []
  /// The size of all frames; `nil` without tracks.
  package var frameSize: ImageSize?
  /// Notes about tracks that are not written as such, one clause each.
  package var trackNotes: [String] = []
  /// The names of attributes that any object has, at most 1,000.
  package var attributes: Set<String> = []

  package init(name: String, classes: [Category], splits: [Split]) {
    self.name = name
    self.classes = classes
    self.splits = splits
  }
}

extension ExportDataset {
  /// Adds a class of skeletons for each class whose objects have keypoints beside other shapes.
  package mutating func addKeypointClasses() {
    for ordinal in withKeypoints.intersection(otherThanKeypoints).sorted() {
      guard CVATSkeleton(of: classes[ordinal]) != nil else { continue }
      keypointClasses[ordinal] = classes.count
      classes.append(
        Category(
          name: classes[ordinal].name + " (keypoints)", attributes: classes[ordinal].attributes))
    }
  }
}

extension ExportObject {
  /// The bounds of a shape; `nil` for a box alone and an empty shape.
  package static func bounds(of shape: Shape) -> Box? { ExportOutlines.bounds(of: shape) }
}

extension ExportObject {
  /// The attribute with the text of a caption.
  package static let captionName = "caption"

  /// The text of a label of the image that is a caption; `nil` for other objects.
  package var caption: String? {
    guard shape == .tag else { return nil }
    return attributes.first { $0.name == Self.captionName }?.value.text
  }
}
