package import AssayCore

/// The content that a target format can hold. Everything else is counted as an ``ExportLoss``.
package struct ExportCapabilities: Sendable {
  /// The labels of whole images.
  package enum Labels: Sendable {
    case none
    /// One per image, or none.
    case one
    /// A set per image.
    case set
  }

  /// The attributes of objects.
  package enum Attributes: Sendable {
    case none
    /// Those with these names.
    case named(Set<String>)
    /// Numbers, texts, `true` and `false`.
    case plain
    /// Any JSON value.
    case any
  }

  /// The names of splits.
  package enum Splits: Sendable {
    case none
    case any
    /// Names of files or folders.
    case files
    /// Names of folders that readers take for a split.
    case folders
    /// These, and spellings that mean one of them.
    case known([String])
  }

  /// The numbers of coordinates.
  package enum Numbers: Sendable {
    /// Every number reads back as the same double.
    case exact
    /// Corners with all digits: a size is a difference of two of them.
    case corners
    /// Parts of the image's sides with ten decimals.
    case relative
    /// Whole pixels.
    case whole
  }

  /// The names of classes.
  package enum ClassNames: Sendable {
    case any
    /// Names of folders.
    case folders
    /// Characters that XML 1.0 allows, without blanks at their ends.
    case xml
    /// Texts without blanks at their ends.
    case trimmed
    /// Words of a line in a list of the classes of masks; names that mean void only for void classes.
    case listed
    /// Lines of a text without blanks at their ends.
    case lines
  }

  /// The keypoints of objects.
  package enum Keypoints: Sendable {
    case none
    /// So many for every object.
    case fixed(Int)
    /// Those of any object, and any number.
    case any
    /// Those of objects of points whose list of points is that of the labeled keypoints, each with the
    /// visibility 0, 1 or 2.
    ///
    /// - Parameters:
    ///   - counts: the number of keypoints by the ordinal of the class, and no other class has any;
    ///     `nil` for any number.
    ///   - isApart: true if keypoints of other objects become such objects of their own.
    case ofPoints(counts: [Int: Int]?, isApart: Bool)
  }

  /// The further fields of classes.
  package enum ClassFields: Sendable {
    case none
    /// Those with these names.
    case named(Set<String>)
    /// The names of so many keypoints, and their mirrored order, which is the same for all classes.
    case keypointNames(Int, flips: [Int]?)
    case any
  }

  package var labels = Labels.none
  /// True if captions are kept, in a format that has no other labels beside objects.
  package var captions = false
  /// The shapes of objects; empty if only whole images have labels.
  package var shapes: Set<ShapeKind> = []
  /// True if polygons that are rotated boxes, and their attribute `rotation`, are kept as such.
  package var rotatedBoxes = false
  /// True if every object is a rotated box of four corners.
  package var isRotated = false
  /// True if an object can have several polygons.
  package var parts = false
  /// The maximum number of points of an object of points; `nil` for any number.
  package var pointLimit: Int?
  package var keypoints = Keypoints.none
  /// The class that keypoints apart from their object have, by the object's class; that of the object for
  /// others.
  package var keypointClasses: [Int: Int] = [:]
  /// The attribute with the number of the group that keypoints apart and their object are.
  package var groupAttribute = "group"
  /// The numbers of the tracks that are written as such.
  package var tracks: Set<Int64> = []
  package var crowds = false
  package var attributes = Attributes.none
  /// Names of attributes that mean something else in the format.
  package var reservedAttributes: Set<String> = []
  /// Names of attributes that can only be 0 or 1, false or true.
  package var flagAttributes: Set<String> = []
  /// True if a reader removes blanks around the texts of attributes.
  package var trimsTexts = false
  /// True if a box or an area can be stated beside a shape.
  package var statedBoxes = false
  package var areas = false
  package var numbers = Numbers.exact
  /// True if coordinates must lie inside the image.
  package var clips = false
  /// True if two equal objects of an image are one.
  package var mergesDuplicates = false
  /// True if a reader takes boxes in the first pixel for fractions.
  package var mistakesUnitBoxes = false
  /// True if a box of no width or height can be kept.
  package var emptyBoxes = true
  package var objectIDs = false
  package var imageIDs = false
  /// True if images keep their further fields.
  package var imageFields = false
  /// Names of fields of images that mean something else in the format.
  package var reservedImageFields: Set<String> = []
  /// The end of names of fields of images that mean something else in the format; `nil` for none.
  package var reservedImageFieldEnd: String?
  /// True if a field of an image can be `null`.
  package var nullImageFields = true
  package var classIDs = false
  package var classNames = ClassNames.any
  package var unusedClasses = false
  package var classOrder = false
  package var supercategories = false
  /// The further fields of classes: keypoints, skeletons, colors.
  package var classFields = ClassFields.none
  package var splits = Splits.any
  /// The folder of images without a split if others have one; empty for the root.
  package var missingSplitFolder = ""
  /// True if a reader takes that folder for a split.
  package var readsMissingSplit = false
  /// The split of all images if none has one; `nil` if they can be without.
  package var onlySplit: String?
  /// True if the coordinates relate to the size of the displayed image, whatever size is stated.
  package var usesDisplayedSize = false
  /// True if an image must have a file to be read back.
  package var needsFiles = false
  /// True if the image's size must be known.
  package var needsSizes = false
  /// True if coordinates must relate to the size of the displayed image.
  package var needsDisplayedSize = false
  /// The content that a pixel can belong to, if it belongs to one thing alone; `nil` if objects can
  /// overlap.
  package var flattening: ExportFlattening?
  /// True if a reader takes the number of pixels as the area of a mask.
  package var pixelAreas = false
  /// True if all void classes are one, which is named only where it is used.
  package var joinsVoids = false
  /// The maximum number of classes that are not void; `nil` for any number.
  package var classLimit: Int?

  package init() {}

  /// The largest difference of a coordinate that was written and read back, in pixels.
  package var tolerance: Double {
    switch numbers {
    case .exact, .whole: 0
    case .corners: 1e-6
    case .relative: 1e-5
    }
  }

  /// The name of a split in this format; `nil` if the format cannot say it.
  package func split(_ name: String?) -> String? {
    guard let name else { return nil }
    switch splits {
    case .none: return nil
    case .any: return name
    case .files: return SafeFileName.of(name)
    case .folders:
      return FolderLayout.isSplit(name) && SafeFileName.of(name) == name ? name : nil
    case .known(let names):
      return names.first { $0 == name }
        ?? names.first { name.split { "0123456789-_".contains($0) }.first.map(String.init) == $0 }
        ?? names.first { SplitName.match($0, name) }
    }
  }

  /// The split in whose folder an image lies: its own, and none for a name that a reader would not take for
  /// a split but for a class.
  package func heldSplit(_ name: String?) -> String? {
    if case .folders = splits, !missingSplitFolder.isEmpty, split(name) == nil { return nil }
    return name
  }

  /// Returns whether a further field of an image is kept.
  func holds(imageField field: JSONValue.Member) -> Bool {
    imageFields && !reservedImageFields.contains(field.name)
      && !(reservedImageFieldEnd.map { field.name.hasSuffix($0) } ?? false)
      && (nullImageFields || field.value != .null)
  }

  /// Returns whether a class is named in the files.
  package func names(_ category: Category, isUsed: Bool) -> Bool {
    isUsed || unusedClasses && !(joinsVoids && category.isVoid)
  }

  /// The name of each class in this format; different classes have different names.
  package func names(of classes: [Category]) -> [String] {
    guard classNames != .any else { return classes.map(\.name) }
    if classNames == .folders { return ClassFolderNames.of(classes.map(\.name)) }
    var distinct = DistinctNames(ignoresCase: false)
    let depth = IndexMap.Depth(classes: classes.count { !$0.isVoid })
    return classes.map { category in
      let safe: String
      switch classNames {
      case .any, .folders: safe = category.name
      case .xml: safe = Self.filled(XMLText.allowed(category.name).trimmingBlanks)
      case .trimmed: safe = Self.filled(LabelSeparator.trimmed(category.name))
      case .lines:
        let line = category.name.split(whereSeparator: \.isNewline).joined(separator: " ")
        safe = Self.filled(WebLabel.trimmed(line))
      case .listed: safe = MaskPairsExporter.listed(category, depth)
      }
      return distinct.add(safe)
    }
  }

  private static func filled(_ name: String) -> String { name.isEmpty ? "_" : name }
}
