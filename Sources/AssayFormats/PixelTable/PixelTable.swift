import AssayCore

/// The layout of the rows of a CSV file of pixels, determined once from its head.
struct PixelTable: Hashable, Sendable {
  /// The columns of a row's pixels.
  enum Pixels: Hashable, Sendable {
    /// All pixels in one column, separated by blanks.
    case text(column: Int)
    /// One column per pixel, in this order.
    case columns([Int])
  }

  /// The file's path in its tree.
  var file: String
  /// True if the first line contains the column names.
  var hasHeader: Bool
  /// The number of fields in a row, at least 1.
  var columnCount: Int
  /// The index of the label column, from 0; `nil` if there is none.
  var labelColumn: Int?
  /// The index of the split column, from 0; `nil` if there is none.
  var splitColumn: Int?
  var pixels: Pixels
  /// The size of every image.
  var size: ImageSize
  var format: PixelFormat
  var labels: LabelRule
  var splits: SplitRule

  /// The number of values in a row's pixels, at least 1.
  var valueCount: Int { size.area * format.channels }

  /// The numbers of columns before and after the pixels; `nil` if another column is among them.
  var margins: (before: Int, behind: Int)? {
    switch pixels {
    case .text(let column): return (column, columnCount - 1 - column)
    case .columns(let columns):
      guard let first = columns.first, columns.elementsEqual(first..<(first + columns.count))
      else { return nil }
      return (first, columnCount - first - columns.count)
    }
  }

  /// The separator between two pixels.
  var separator: UInt8 {
    switch pixels {
    case .text: UInt8(ascii: " ")
    case .columns: UInt8(ascii: ",")
    }
  }
}

/// The rule that turns a label's text into a class.
enum LabelRule: Hashable, Sendable {
  /// A text that equals a name is that class; else a number is the 0-based index of a name, and
  /// else case is ignored.
  case named([String])
  /// Every label is a class; whole numbers are written without leading zeros.
  case discovered
}

/// The rule that turns a split's text into a split.
struct SplitRule: Hashable, Sendable {
  /// True if FER-2013's usages become `train`, `validation` and `test`.
  var translatesUsage: Bool
  /// True if an unknown spelling is an issue.
  var reportsUnknown: Bool
  /// The split of rows without a split.
  var fallback: String?

  /// FER-2013's usages, in lower case, and their splits.
  private static let usages = [
    "training": "train", "publictest": "validation", "privatetest": "test",
  ]

  /// The split for a text without surrounding blanks, and whether it is a known one.
  func split(named text: String) -> (split: String?, isKnown: Bool) {
    guard !text.isEmpty else { return (fallback, fallback != nil) }
    if translatesUsage, let split = Self.usages[text.lowercased()] { return (split, true) }
    return (text, SplitName.isKnown(text))
  }
}
