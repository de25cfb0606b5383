package import AssayCore

/// An error that prevents the evaluation of masks in files.
package enum FileSegmentationError: Error, Hashable {
  /// A folder on one side and a file on the other.
  case folderAndFile(truth: String, results: String)
  /// A folder without a picture.
  case noPictures(folder: String)
  /// Two pictures whose names differ in their ending alone.
  case sameName(String, String, folder: String)
  /// Truths that have no result: examples without their ending, and how many.
  case missingResults([String], total: Int, folder: String)
  /// `--classes` that is neither a number nor names nor a file with them.
  case badClasses(String, reason: String)
  /// `--ignore` that is neither a value of a pixel nor a class.
  case badIgnored(String, classes: [String])
  /// Other values than 0 and 255 where they cannot be shades of gray, and no classes given: one of them.
  case notBinary(file: String, value: Int)
  /// A mask with more than 8 bits a value.
  case deepMask(file: String, bits: Int)
  /// A label map that is no PNG, whose values JPEG has changed.
  case lossyLabels(file: String)
  /// A label map with colours.
  case colorLabels(file: String)
  /// A picture that cannot be decoded.
  case unreadable(file: String, reason: String)
  /// Two pictures of a pair.
  case sizes(file: String, truth: ImageSize, result: ImageSize)
  /// A predicted pixel that is no class.
  case valueBeyond(file: String, value: Int, classes: Int)
  /// An option about binary masks, given for label maps.
  case notForLabels(option: String)
  /// A COCO file that cannot be read.
  case badCOCO(file: String, reason: String)
  /// A category that the truth has not.
  case unknownCategory(String, known: [String])
}

extension FileSegmentationError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .folderAndFile(let truth, let results):
      """
      \(truth) and \(results): one is a folder and the other a file; masks need two folders of pictures, \
      or two COCO files
      """
    case .noPictures(let folder): "\(folder) holds no PNG or JPEG"
    case .sameName(let first, let second, let folder):
      "\(first) and \(second) in \(folder) differ in their ending alone; keep one of them"
    case .missingResults(let names, let total, let folder):
      """
      \(total) of the truth's pictures have no partner in \(folder): \(names.joined(separator: ", "))\
      \(total > names.count ? ", …" : ""); pictures pair by their path without its ending. Give \
      --ignore-missing to leave them out
      """
    case .badClasses(let text, let reason):
      """
      --classes \(text): \(reason); give how many classes there are, their names divided by commas, or \
      a file with one name a line
      """
    case .badIgnored(let text, let classes):
      "--ignore \(text) is neither a value in 0…255 nor a class"
        + (NearMiss.suggestion(for: text, among: classes).map { "; did you mean “\($0)”?" } ?? "")
    case .notBinary(let file, let value):
      """
      \(file): a pixel has the value \(value), so this is no binary mask of 0 and 255; give --classes for \
      label maps, or --threshold for masks in shades of gray
      """
    case .deepMask(let file, let bits):
      "\(file): a mask of \(bits) bits; save it with 8 bits a value"
    case .lossyLabels(let file):
      "\(file): JPEG changes values, so it cannot hold a label map; save label maps as PNG"
    case .colorLabels(let file):
      """
      \(file) is a picture in colour; a label map has one channel whose values are the numbers of classes
      """
    case .unreadable(let file, let reason): "\(file): \(reason)"
    case .sizes(let file, let truth, let result):
      "\(file): the truth has \(truth) pixels and the result \(result); both need one size"
    case .valueBeyond(let file, let value, let classes):
      """
      \(file): a pixel of the result has the value \(value), and the classes end at \(classes - 1)\
      \(value == 255 ? "; binary masks of 0 and 255 are judged without --classes" : "")
      """
    case .notForLabels(let option):
      "--\(option): label maps have one class a pixel already; it is for binary masks, without --classes"
    case .badCOCO(let file, let reason): "\(file): \(reason)"
    case .unknownCategory(let name, let known):
      "the truth has no category “\(name)”"
        + (NearMiss.suggestion(for: name, among: known).map { "; did you mean “\($0)”?" }
          ?? "; it has " + known.prefix(20).joined(separator: ", "))
    }
  }
}
