/// The possible role of a file in a Pascal VOC dataset, from its path alone.
enum VOCFileRole: UInt8, Sendable {
  /// An image outside of the folders of masks.
  case image
  /// An annotation of one image.
  case xml
  /// A PNG in `SegmentationClass`: the class of each pixel.
  case classMask
  /// A PNG in `SegmentationObject`: the object of each pixel.
  case objectMask
  /// A text in `ImageSets`.
  case list
  /// `labelmap.txt`: names, colors, parts and actions of the classes.
  case labelMap
  /// A list of class names.
  case names
  case other

  /// The roles of files in a folder.
  enum Folder: Sendable {
    case plain, classMasks, objectMasks, lists
    /// The masks of classes for more images, which are read where there are no others.
    case moreClassMasks
    /// The drawings that labelme's converters write.
    case drawings
    /// Masks that the format does not have, such as the trimaps of Oxford-IIIT Pet.
    case otherMasks

    /// The nearest folder with such a name decides.
    init(_ folder: Substring) {
      self = .plain
      for part in folder.split(separator: "/").reversed() {
        switch part.lowercased() {
        case "segmentationclass", "segmentationclasspng": self = .classMasks
        case "segmentationclassaug": self = .moreClassMasks
        case "segmentationobject", "segmentationobjectpng": self = .objectMasks
        case "imagesets": self = .lists
        case "segmentationclassvisualization", "segmentationobjectvisualization",
          "annotationsvisualization":
          self = .drawings
        case "trimaps", "masks": self = .otherMasks
        default: continue
        }
        return
      }
    }
  }

  init(_ path: String, in folder: Folder) {
    let tail = path.utf8.suffix(5)
    guard let dot = tail.lastIndex(of: UInt8(ascii: ".")) else {
      self = .other
      return
    }
    switch String(decoding: tail[dot...], as: UTF8.self).lowercased() {
    case let suffix where PairPath.isImageName(suffix):
      self =
        switch folder {
        case .classMasks, .moreClassMasks: .classMask
        case .objectMasks: .objectMask
        case .plain, .lists: .image
        case .drawings, .otherMasks: .other
        }
    case ".xml": self = .xml
    case ".txt":
      if case .lists = folder {
        self = .list
      } else {
        let name = path.utf8.lastIndex(of: UInt8(ascii: "/")).map {
          path[path.utf8.index(after: $0)...]
        }
        switch (name ?? path[...]).lowercased() {
        case "labelmap.txt", "label_map.txt": self = .labelMap
        case "classes.txt", "class_names.txt", "labels.txt": self = .names
        default: self = .other
        }
      }
    default: self = .other
    }
  }
}
