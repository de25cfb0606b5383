import AssayCore

/// The reason why a row was rejected.
enum RowProblem: Error, Hashable {
  case fields(Int)
  case openQuote
  /// Text between a closing quote and the next comma.
  case textAfterQuote(String)
  case pixels(LenientPixels.Problem)
  case unknownLabel(String)
  case badUTF8
  /// The file ends within the row, after this many fields or pixels.
  case truncatedFields(Int)
  case truncatedPixels(Int)

  /// The kind of issue.
  var kind: IssueKind {
    switch self {
    case .fields, .openQuote: .fieldCount
    case .textAfterQuote: .badField
    case .pixels(.count): .pixelCount
    case .pixels(.value): .pixelValue
    case .pixels(.badUTF8), .badUTF8: .badUTF8
    case .unknownLabel: .unknownLabel
    case .truncatedFields, .truncatedPixels: .truncated
    }
  }

  /// The issue's sentence.
  func message(_ table: PixelTable) -> String {
    let wanted = "\(table.valueCount) (\(table.size)\(table.format == .rgb8 ? ", RGB" : ""))"
    switch self {
    case .fields(let count):
      return "expected \(table.columnCount) fields, found \(count); row left out"
    case .openQuote: return "missing closing quote; row left out"
    case .textAfterQuote(let text):
      return "'\(text)' after a closing quote; row left out"
    case .pixels(.count(let count)):
      return "expected \(wanted) pixels, found \(count); row left out"
    case .pixels(.value(let place, let text)):
      return """
        pixel \(place) is '\(text)', not a whole number in 0...255; row left out \
        (values are never scaled or rounded)
        """
    case .pixels(.badUTF8), .badUTF8: return "invalid UTF-8; row left out"
    case .unknownLabel(let label):
      if label.utf8.count > LabelReader.nameLimit {
        return
          "the label has \(label.utf8.count) bytes, over \(LabelReader.nameLimit); row left out"
      }
      return "unknown label '\(label)'\(Self.known(table.labels)); row left out"
    case .truncatedFields(let fields):
      return "the file ends within this row, after \(fields) of \(table.columnCount) fields; "
        + "row left out; copy the file again"
    case .truncatedPixels(let count):
      return "the file ends within this row, after \(count) of \(wanted) pixels; "
        + "row left out; copy the file again"
    }
  }

  private static func known(_ rule: LabelRule) -> String {
    guard case .named(let names) = rule else { return "" }
    let list = names.prefix(12).joined(separator: ", ") + (names.count > 12 ? ", …" : "")
    return " (0 to \(names.count - 1): \(list))"
  }
}

/// The messages for findings that do not reject a row by themselves, and for lines that are not
/// rows.
enum RowMessage {
  static let missingLabel = "no label; kept without one"

  static func unknownSplit(_ text: String) -> String {
    text.isEmpty
      ? "no usage; kept without a split" : "unknown usage '\(text)'; kept as it is"
  }

  static func lineTooLong(limit: Int) -> String {
    "a line of more than \(limit >> 20) MiB; row left out"
  }
}
