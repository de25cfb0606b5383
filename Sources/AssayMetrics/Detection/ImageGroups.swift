/// The rows of columns grouped by image, in the given order within each.
struct ImageGroups: Sendable {
  /// The rows in order; `nil` if they are already in that order.
  private var rows: [UInt32]?
  private var starts: [Int]

  init(_ images: [Int32], _ classes: [Int32], images count: Int, classes range: Range<Int32>) {
    var starts = Array(repeating: 0, count: count + 1)
    let imageRange = 0..<Int32(clamping: count)
    var isGrouped = true
    var last: Int32 = 0
    for (image, category) in zip(images, classes) {
      guard imageRange.contains(image), range.contains(category) else {
        isGrouped = false
        continue
      }
      starts[Int(image) + 1] += 1
      if image < last { isGrouped = false }
      last = image
    }
    for index in starts.indices.dropFirst() { starts[index] += starts[index - 1] }
    self.starts = starts
    guard !isGrouped else { return }
    var rows = Array(repeating: UInt32(0), count: starts[count])
    for row in images.indices {
      let image = images[row]
      guard imageRange.contains(image), range.contains(classes[row]) else { continue }
      rows[starts[Int(image)]] = UInt32(row)
      starts[Int(image)] += 1
    }
    self.rows = rows
  }

  /// The positions of an image's rows.
  func range(of image: Int) -> Range<Int> { starts[image]..<starts[image + 1] }

  /// The row at a position.
  subscript(place: Int) -> Int { rows.map { Int($0[place]) } ?? place }
}
