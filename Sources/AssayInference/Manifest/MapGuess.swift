/// The layout of maps, guessed from an output's shape: two sides with the aspect ratio of the
/// input's image.
struct MapGuess {
  /// The number of classes; `nil` if it is open.
  var classes: Int?
  /// True if the shape can be read in two ways.
  var isUnclear = false

  init?(_ shape: [Int?]?, of input: InputGuess) {
    guard let shape, let width = input.width, let height = input.height else { return nil }
    let isMap = { (rows: Int?, columns: Int?) in
      guard let rows, let columns, rows > 1, columns > 1 else { return false }
      let (left, right) = (
        rows.multipliedReportingOverflow(by: width), columns.multipliedReportingOverflow(by: height)
      )
      return !left.overflow && !right.overflow && left.partialValue == right.partialValue
    }
    switch shape.count {
    case 3 where isMap(shape[1], shape[2]): classes = 1
    case 4:
      let (first, last) = (isMap(shape[2], shape[3]), isMap(shape[1], shape[2]))
      guard first || last else { return nil }
      classes = first ? shape[1] : shape[3]
      isUnclear = first && last
    default: return nil
    }
  }
}
