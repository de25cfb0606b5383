import AssayCore

/// The layout of the rows of a CSV file of pixels, determined once from its head.
struct PixelTable: Hashable, Sendable {
  /// The columns of a row's pixels.
  enum Pixels: Hashable, Sendable {
    /// All of them in one column, with blanks between.
    case text(column: Int)
    /// One column a pixel, in this order.
    case columns([Int])
  }

  /// The file's path in its tree.
  var file: String
  /// True if the first line names the columns.
  var hasHeader: Bool
  /// The number of fields in a row, at least 1.
  var columnCount: Int
  /// The column of the label, counted from 0; `nil` where there is none.
  var labelColumn: Int?
  /// The column of the split, counted from 0; `nil` where there is none.
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
  /// A name is itself; else a number is the place of a name, counted from 0, and else case is
  /// ignored.
  case named([String])
  /// Whatever occurs is a class; whole numbers are written without leading zeros.
  case discovered
}

/// The rule that turns a split's text into a split.
struct SplitRule: Hashable, Sendable {
  /// True if FER-2013's usages become `train`, `validation` and `test`.
  var translatesUsage: Bool
  /// True if a spelling that nobody knows is an issue.
  var reportsUnknown: Bool
  /// The split of rows that name none.
  var fallback: String?

  /// FER-2013's usages, in lower case, and the splits that they are.
  private static let usages = [
    "training": "train", "publictest": "validation", "privatetest": "test",
  ]

  /// The split that a text without blanks around it means, and whether it is a known one.
  func split(named text: String) -> (split: String?, isKnown: Bool) {
    guard !text.isEmpty else { return (fallback, fallback != nil) }
    if translatesUsage, let split = Self.usages[text.lowercased()] { return (split, true) }
    return (text, SplitName.isKnown(text))
  }
}
