import AssayCore

@testable import AssayFormats

/// Result files as text, and the data read from them.
enum ResultsText {
  static func read(
    _ text: String, pieceBytes: Int = JSONListPieces.pieceBytes, regions: Bool = true,
    workers: Int = 2
  ) throws -> COCOResults {
    try read(Array(text.utf8), pieceBytes: pieceBytes, regions: regions, workers: workers)
  }

  static func read(
    _ bytes: [UInt8], pieceBytes: Int = JSONListPieces.pieceBytes, regions: Bool = true,
    workers: Int = 2
  ) throws -> COCOResults {
    try COCOResultsReader(
      MemoryTree(bytes, name: "dt.json"), workers: workers, pieceBytes: pieceBytes
    ).read(regions: regions)
  }

  /// Results with members that look like the gap between two results.
  static let tricky = """
     [ {"image_id": 7, "category_id": 1, "bbox": [1, 2, 3.5, 4], "score": 0.5, "note": "}, {"},
    {"image_id":8,"category_id":2,"bbox":[1e1,2,3,4],"score":0.25, "x": [{"a": 1}, {"b": 2}, {}]}
    ,{"image_id":7,"category_id":2,"segmentation":{"size":[4,4],"counts":"52>"},"score":1},
     {"x":{"y":{"z":[{},{},{}]}},"image_id":9,"category_id":1,"bbox":[0,0,1,1],"score":0.125},
    {"image_id":7,"category_id":3,"bbox":[5,5,5,5],"score":0.0625, "n": "\\\\\\"}, {\\"image_id\\": 5"}] \n
    """
}

extension COCOResults {
  /// The complete data read, for comparison.
  var summary: [String] {
    (0..<count).map { place in
      let image = imageNumbers[place] < 0 ? "none" : "\(images[Int(imageNumbers[place])])"
      let category =
        categoryNumbers[place] < 0 ? "none" : "\(categories[Int(categoryNumbers[place])])"
      return "\(image) \(category) \(scores[place]) \(boxes[place]) \(flags[place].rawValue) "
        + "\(region(at: place).map { "\($0)" } ?? "no region")"
    } + findings.findings(isWrapped: isWrapped).map(\.text)
  }
}
