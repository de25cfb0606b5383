package import AssayCore
import AssayMetrics

/// An error that prevents the evaluation of masks in files.
package enum FileSegmentationError: Error, Hashable {
  /// A folder on one side and a file on the other.
  case folderAndFile(truth: String, results: String)
  /// A folder without an image.
  case noPictures(folder: String)
  /// Two images whose names differ only in their extension.
  case sameName(String, String, folder: String)
  /// Ground-truth images without a result: examples without their extension, and the total number.
  case missingResults([String], total: Int, folder: String)
  /// `--classes` that is not a number, names or a file with names.
  case badClasses(String, reason: String)
  /// `--ignore` that is not a pixel value or a class.
  case badIgnored(String, classes: [String])
  /// Values other than 0 and 255 where shades of gray are not allowed and no classes are given: one
  /// of the values.
  case notBinary(file: String, value: Int)
  /// A mask with more than 8 bits per value.
  case deepMask(file: String, bits: Int)
  /// A label map whose format has changed its values, and the name of the format.
  case lossyLabels(file: String, format: String)
  /// A label map with colors.
  case colorLabels(file: String)
  /// An image that cannot be decoded.
  case unreadable(file: String, reason: String)
  /// A pair of images with different sizes.
  case sizes(file: String, truth: ImageSize, result: ImageSize)
  /// A predicted pixel whose value is not a class.
  case valueBeyond(file: String, value: Int, classes: Int)
  /// An option for binary masks that is used with label maps.
  case notForLabels(option: String)
  /// An image of a COCO file without a size, by its id.
  case noImageSize(file: String, image: String)
  /// A COCO file without a region, and the name of its entries.
  case noRegions(file: String, entry: String)
  /// A COCO file in which no result can be used, and the reasons.
  case nothingUsable(file: String, count: Int, reasons: [String])
  /// A category that is not in the ground truth.
  case unknownCategory(String, known: [String])
}

extension FileSegmentationError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .folderAndFile(let truth, let results):
      """
      \(truth) and \(results): one is a folder and the other is a file; give two folders of images \
      or two COCO files
      """
    case .noPictures(let folder): "\(folder) contains no image"
    case .sameName(let first, let second, let folder):
      "\(first) and \(second) in \(folder) differ only in their extension; keep one of them"
    case .missingResults(let names, let total, let folder):
      """
      \(total) of the ground-truth images have no counterpart in \(folder): \(names.joined(separator: ", "))\
      \(total > names.count ? ", …" : ""); images are paired by path without extension. Give \
      --ignore-missing to leave them out
      """
    case .badClasses(let text, let reason):
      """
      --classes \(text): \(reason); give the number of classes, their names separated by commas, or \
      a file with one name per line
      """
    case .badIgnored(let text, let classes):
      "--ignore \(text) is neither a value in 0…255 nor a class"
        + (NearMiss.suggestion(for: text, among: classes).map { "; did you mean “\($0)”?" } ?? "")
    case .notBinary(let file, let value):
      """
      \(file): a pixel has the value \(value), so this is not a binary mask of 0 and 255; give --classes for \
      label maps, or --threshold for masks with gray values
      """
    case .deepMask(let file, let bits):
      """
      \(file): a mask of \(bits) bits; label maps are evaluated with at most \(SegmentationLabels.limit) \
      classes; save it with 8 bits per value
      """
    case .lossyLabels(let file, let format):
      "\(file): \(format) changes values, so it cannot store a label map; save label maps as PNG"
    case .colorLabels(let file):
      """
      \(file) is a color image; a label map has one channel whose values are class numbers
      """
    case .unreadable(let file, let reason): "\(file): \(reason)"
    case .sizes(let file, let truth, let result):
      "\(file): the ground truth is \(truth) and the result is \(result); "
        + "both must have the same size"
    case .valueBeyond(let file, let value, let classes):
      """
      \(file): a pixel of the result has the value \(value), and the classes end at \(classes - 1)\
      \(value == 255 ? "; binary masks of 0 and 255 are evaluated without --classes" : "")
      """
    case .notForLabels(let option):
      "--\(option): label maps have one class per pixel; it is for binary masks, without --classes"
    case .noImageSize(let file, let image):
      """
      \(file): image \(image) needs a width and height of at most \(ImageSize.pixelLimit / 1_000_000) \
      megapixels, as its mask has that size
      """
    case .noRegions(let file, let entry):
      """
      \(file): no \(entry) has a 'segmentation', and masks are made of these; evaluate boxes without \
      --task segmentation
      """
    case .nothingUsable(let file, let count, let reasons):
      ([
        "\(file): "
          + (count == 1
            ? "its only result cannot be used" : "none of \(count) results can be used")
      ] + reasons.map { "  " + $0 }).joined(separator: "\n")
    case .unknownCategory(let name, let known):
      "the ground truth has no category “\(name)”"
        + (NearMiss.suggestion(for: name, among: known).map { "; did you mean “\($0)”?" }
          ?? "; it has " + known.prefix(20).joined(separator: ", "))
    }
  }
}
