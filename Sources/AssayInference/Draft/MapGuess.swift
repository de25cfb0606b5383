/// The layout of maps, guessed from an output's shape: two sides with the aspect ratio of the
/// input's image, or two that are open.
struct MapGuess {
  /// The number of classes; `nil` if it is open.
  var classes: Int?
  /// True if the shape can be read in two ways.
  var isUnclear = false

  /// - Parameter isStated: true if the file says that it gives masks.
  init?(_ output: TensorSignature, of input: InputGuess, isStated: Bool) {
    guard let shape = output.shape else { return nil }
    let isMap = { (rows: Int?, columns: Int?) in
      guard let rows, let columns else { return rows == nil && columns == nil }
      guard rows > 1, columns > 1 else { return false }
      guard let width = input.width, let height = input.height else { return isStated }
      let (left, right) = (
        rows.multipliedReportingOverflow(by: width), columns.multipliedReportingOverflow(by: height)
      )
      return !left.overflow && !right.overflow && left.partialValue == right.partialValue
    }
    switch shape.count {
    case 3 where isMap(shape[1], shape[2]):
      // Of floats with open lengths anything can be: boxes, features.
      guard shape[1] != nil || output.isInteger || isStated else { return nil }
      classes = 1
    case 4:
      let (first, last) = (isMap(shape[2], shape[3]), isMap(shape[1], shape[2]))
      guard first || last else { return nil }
      classes = first ? shape[1] : shape[3]
      isUnclear = first && last
    default: return nil
    }
  }
}
