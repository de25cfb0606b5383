/// Evidence for the meaning of the numbers after the images of a list: the classes of each image, or a row of other
/// numbers, such as a 0 or 1 for each class, or a box.
struct NumberRowEvidence {
  private var lines = 0
  /// The number of words after the first image.
  private var count = 0
  /// True if all lines have as many.
  private var isEven = true
  private var areFlags = true
  /// The first line in which a number occurs twice.
  private var repeated: Int?
  private var first = 1

  /// A set of classes that is as large in every line is hardly one from here on.
  private static let rowLength = 4

  mutating func add(_ labels: [String], line: Int) {
    if lines == 0 { (count, first) = (labels.count, line) }
    lines += 1
    if labels.count != count { isEven = false }
    areFlags = areFlags && labels.allSatisfy { $0 == "0" || $0 == "1" }
    if repeated == nil, Set(labels).count < labels.count { repeated = line }
  }

  /// The reason why the numbers are not the classes of each image, and the line that shows it; `nil` if they can be.
  var problem: (line: Int, text: String)? {
    guard count > 1 || repeated != nil else { return nil }
    if isEven, areFlags, count > 2 || repeated != nil {
      return (
        repeated ?? first,
        "every line has \(count) numbers of 0 and 1, so they are probably one for each class, not the numbers of "
          + "classes; make a CSV with the header image,NAME,… of them, which multilabel-csv reads"
      )
    }
    if let repeated {
      return (
        repeated,
        "a number occurs twice after the image, so the numbers are not its classes; \(Self.advice)"
      )
    }
    if isEven, lines > 1, count >= Self.rowLength {
      return (
        first,
        "every line has \(count) numbers, as boxes have, and not as many classes as its image has; \(Self.advice)"
      )
    }
    return nil
  }

  private static let advice =
    "make a CSV of them: csv reads boxes with --columns, multilabel-csv lists of classes in one column"
}
