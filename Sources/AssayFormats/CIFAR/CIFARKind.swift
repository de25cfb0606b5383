import AssayCore

/// The binary datasets of small color images that have one layout of files each.
enum CIFARKind: Hashable, Sendable {
  /// CIFAR-10: a label, then 3,072 values.
  case ten
  /// CIFAR-100: a coarse and a fine label, then 3,072 values.
  case hundred
  /// STL-10: 27,648 values; the labels are in a file of their own, from 1.
  case stl

  var title: String {
    switch self {
    case .ten: "CIFAR-10"
    case .hundred: "CIFAR-100"
    case .stl: "STL-10"
    }
  }

  var size: ImageSize {
    switch self {
    case .ten, .hundred: ImageSize(width: 32, height: 32)
    case .stl: ImageSize(width: 96, height: 96)
    }
  }

  /// The number of labels before the values of a record.
  var labelBytes: Int {
    switch self {
    case .ten: 1
    case .hundred: 2
    case .stl: 0
    }
  }

  /// The number of bytes of a record.
  var recordBytes: Int { labelBytes + 3 * size.area }

  /// The number of the first class.
  var firstLabel: Int { self == .stl ? 1 : 0 }

  /// The numbers of the classes that the published dataset has.
  var labels: ClosedRange<Int> {
    switch self {
    case .ten: 0...9
    case .hundred: 0...99
    case .stl: 1...10
    }
  }

  /// The file of the class names, beside the images.
  var namesFile: String {
    switch self {
    case .ten: "batches.meta.txt"
    case .hundred: "fine_label_names.txt"
    case .stl: "class_names.txt"
    }
  }

  /// The pixels of a record, channels interleaved and row by row.
  ///
  /// CIFAR stores a red, a green and a blue plane row by row, STL-10 column by column.
  func pixels(_ record: ArraySlice<UInt8>) -> [UInt8] {
    let area = size.area
    let (width, height) = (size.width, size.height)
    let start = record.startIndex + labelBytes
    var result = [UInt8](repeating: 0, count: 3 * area)
    for channel in 0..<3 {
      for y in 0..<height {
        for x in 0..<width {
          let place = self == .stl ? x * height + y : y * width + x
          result[3 * (y * width + x) + channel] = record[start + channel * area + place]
        }
      }
    }
    return result
  }
}
