/// The positions of each class's matches in a tally, image by image.
struct ClassParts: Sendable {
  /// A class of an image.
  struct Row: Sendable {
    var image: UInt32
    var part: UInt32
    /// The first of its detections, and of its detections that match an object.
    var result: UInt32
    var hit: UInt32
  }

  private let rows: [Row]
  private let starts: [Int]

  init(_ tally: DetectionTally) {
    let columns = tally.columns
    var starts = Array(repeating: 0, count: tally.classCount + 1)
    for part in columns.parts { starts[Int(part.class) + 1] += 1 }
    for index in starts.indices.dropFirst() { starts[index] += starts[index - 1] }
    self.starts = starts
    var rows = Array(
      repeating: Row(image: 0, part: 0, result: 0, hit: 0), count: columns.parts.count)
    var (part, result, hit) = (0, UInt32(0), UInt32(0))
    for (image, end) in columns.images.enumerated() {
      while part < end.parts {
        let category = Int(columns.parts[part].class)
        rows[starts[category]] = Row(
          image: UInt32(image), part: UInt32(part), result: result, hit: hit)
        starts[category] += 1
        result += columns.parts[part].results
        hit += columns.parts[part].hits
        part += 1
      }
    }
    self.rows = rows
  }

  /// The classes of all images, image by image.
  var all: [Row] { rows.sorted { $0.part < $1.part } }

  /// The images that contain a class, in order.
  subscript(category: Int) -> ArraySlice<Row> { rows[starts[category]..<starts[category + 1]] }
}
