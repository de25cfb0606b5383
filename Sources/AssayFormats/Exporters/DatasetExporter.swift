import AssayCore

/// A writer of one format: turns images and their annotations into the bytes of files.
///
/// A writer does not touch the disk. The workflow asks for the place of each image, for the files that
/// belong to one image, and for the rows of the files that grow; it gives only content that
/// ``capabilities`` can hold.
package protocol DatasetExporter: Sendable {
  var capabilities: ExportCapabilities { get }

  /// Notes about the form of the files for the reader, one clause each.
  var notes: [String] { get }

  /// The folder of an image's file; empty for the root.
  ///
  /// - Parameter label: the ordinal of its only label; `nil` if it has none or several.
  func imageFolder(split: Int, label: Int?) -> String

  /// True if two images in different folders may not have the same name.
  var hasFlatNames: Bool { get }

  /// The files that do not depend on images.
  var fixedFiles: [(path: String, bytes: [UInt8])] { get }

  /// The path of the file that belongs to one image alone; `nil` if the format has none.
  func path(ofImage image: ExportImage) -> String?

  /// The content of that file.
  func bytes(ofImage image: ExportImage) throws -> [UInt8]

  /// True if images are members of archives, ``imageFolder(split:label:)`` and a number each, and not
  /// files of the folder.
  var isSharded: Bool { get }

  /// The members that belong to one image in its archive, beside the image itself: the suffix of the
  /// name, and the content.
  func members(ofImage image: ExportImage) throws -> [(suffix: String, bytes: [UInt8])]

  /// The files that contain several images, in the order in which they are written.
  var tables: [ExportTable] { get }

  /// The elements of an image in a section of a table, with the section's separator between two of
  /// them; empty for none.
  func rows(_ image: ExportImage, table: Int, section: Int) throws -> [UInt8]
}

extension DatasetExporter {
  package var notes: [String] { [] }
  package var hasFlatNames: Bool { false }
  package var isSharded: Bool { false }
  package func members(ofImage image: ExportImage) throws -> [(suffix: String, bytes: [UInt8])] {
    []
  }
  package var fixedFiles: [(path: String, bytes: [UInt8])] { [] }
  package var tables: [ExportTable] { [] }
  package func path(ofImage image: ExportImage) -> String? { nil }
  package func bytes(ofImage image: ExportImage) throws -> [UInt8] { [] }
  package func rows(_ image: ExportImage, table: Int, section: Int) throws -> [UInt8] { [] }
}

/// A file that contains several images.
package struct ExportTable: Sendable {
  /// A list in the file.
  package struct Section: Sendable {
    /// The text before the first element.
    package var opening: [UInt8]
    package var separator: [UInt8]
    /// True if its elements need the objects of the images.
    package var needsObjects: Bool
    /// The positions of the images that can have elements; `nil` for all of the table.
    package var images: Range<Int>?

    package init(
      _ opening: String, separator: String, needsObjects: Bool = true, images: Range<Int>? = nil
    ) {
      self.images = images
      self.opening = Array(opening.utf8)
      self.separator = Array(separator.utf8)
      self.needsObjects = needsObjects
    }
  }

  package var path: String
  /// The split whose images it contains; `nil` for all.
  package var split: Int?
  package var sections: [Section]
  /// The text after the last section.
  package var closing: [UInt8]

  package init(path: String, split: Int?, sections: [Section], closing: String = "") {
    self.path = path
    self.split = split
    self.sections = sections
    self.closing = Array(closing.utf8)
  }
}

/// The list of writers.
package enum DatasetExporters {
  /// The content that a format can hold.
  package static func capabilities(
    of format: ExportFormat, _ variant: ExportVariant? = nil, keypoints: Int = 0
  ) -> ExportCapabilities {
    var dataset = ExportDataset(name: "", classes: [], splits: [])
    dataset.keypoints = keypoints
    return exporter(for: format, variant, dataset).capabilities
  }

  /// The writer of a format.
  ///
  /// - Parameter variant: the variant to write; `nil` for the one that loses least.
  package static func exporter(
    for format: ExportFormat, _ variant: ExportVariant? = nil, _ dataset: ExportDataset
  ) -> any DatasetExporter {
    switch format {
    case .coco: dataset.hasCaptionsOnly ? COCOCaptionsWriter(dataset) : COCOWriter(dataset)
    case .yolo: YOLOWriter.writer(dataset, variant)
    case .voc: VOCWriter(dataset)
    case .createML: CreateMLWriter(dataset)
    case .cvat: CVATWriter(dataset)
    case .labelStudio: LabelStudioWriter(dataset)
    case .csv: ObjectCSVWriter(dataset)
    case .datumaro: DatumaroWriter(dataset)
    case .hfImageFolder: HFImageFolderWriter(dataset)
    case .imageFolder: ClassFolderWriter(dataset)
    case .multiLabelCSV: LabelSetCSVWriter(dataset)
    case .masks: MasksWriter(dataset)
    case .cocoPanoptic: COCOPanopticWriter(dataset)
    case .webDataset: WebDatasetWriter(dataset)
    }
  }
}
