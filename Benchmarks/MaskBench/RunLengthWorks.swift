import AssayCore
import Foundation

/// The tasks on a JSON list of compressed run lengths, `[{"size": [height, width], "counts": "…"},
/// …]`, in batches of 100.
enum RunLengthWorks {
  private static let batch = 100

  struct Source: Sendable {
    let size: ImageSize
    let counts: [UInt8]

    func mask() throws -> Mask { try Mask(size: size, compressed: counts) }
  }

  /// Decodes strings to pixels; checked by the number of pixels set in the first three of each
  /// batch.
  static func decode(_ path: String, workers: Int) throws -> String {
    let sources = try read(path)
    let batches = try Batches(of: sources.count, size: batch, workers: workers) { range in
      // Three are kept for the check, which is not part of the time.
      try range.reduce(into: [Raster<UInt8>]()) { kept, index in
        let raster = try sources[index].mask().raster(inside: 1)
        if kept.count < 3 { kept.append(raster) }
      }
    }
    let check = batches.outputs.joined().reduce(0) { sum, raster in
      raster.elements.reduce(sum) { $0 + Int($1) }
    }
    return line("rle-decode", batches.seconds, sources.count, workers, JSONValue(check))
  }

  /// Encodes pixels to strings; checked by the number that equal those of the file. Decoding is not
  /// part of the time.
  static func encode(_ path: String, workers: Int) throws -> String {
    let sources = try read(path)
    var seconds = 0.0
    var same = 0
    for start in stride(from: 0, to: sources.count, by: batch) {
      let rasters = try sources[start..<min(start + batch, sources.count)].map {
        try $0.mask().raster(inside: 1)
      }
      let batches = try Batches(of: rasters.count, size: batch / 4, workers: workers) { range in
        range.map { Mask(rasters[$0]).compressed }
      }
      seconds += batches.seconds
      for (index, counts) in batches.outputs.joined().enumerated()
      where counts == sources[start + index].counts { same += 1 }
    }
    return line("rle-encode", seconds, sources.count, workers, JSONValue(same))
  }

  /// Computes the IoU of each mask of a batch with each of the next batch, from strings; checked by
  /// the sum.
  static func overlaps(_ path: String, workers: Int) throws -> String {
    let sources = try read(path)
    let count = sources.count
    let batches = try Batches(of: count, size: batch, workers: workers) { range in
      let results = try range.map { try sources[$0].mask() }
      let truth = try range.map { try sources[($0 + batch) % count].mask() }
      return Mask.ious(of: results, with: truth)
    }
    let sum = batches.outputs.joined().reduce(0, +)
    return line(
      "iou", batches.seconds, count * batch, workers, .number((sum * 1e6).rounded() / 1e6))
  }

  /// Computes the boundary band of each mask; checked by the total area.
  static func bands(_ path: String, workers: Int) throws -> String {
    let masks = try read(path).map { try $0.mask() }
    let batches = try Batches(of: masks.count, size: batch, workers: workers) { range in
      range.reduce(0) { $0 + masks[$1].boundaryBand().area }
    }
    let check = batches.outputs.reduce(0, +)
    return line("bands", batches.seconds, masks.count, workers, JSONValue(check))
  }

  /// Finds the connected parts of each mask; checked by their number.
  static func components(_ path: String, workers: Int) throws -> String {
    let masks = try read(path).map { try $0.mask() }
    let batches = try Batches(of: masks.count, size: batch, workers: workers) { range in
      range.reduce(0) { $0 + masks[$1].components().count }
    }
    let check = batches.outputs.reduce(0, +)
    return line("components", batches.seconds, masks.count, workers, JSONValue(check))
  }

  private static func read(_ path: String) throws -> [Source] {
    let text = try String(contentsOf: URL(filePath: path), encoding: .utf8)
    return try (JSONValue(parsing: text).elements ?? []).map { entry in
      guard let sides = entry["size"]?.elements?.compactMap(\.double), sides.count == 2,
        let size = ImageSize.checked(width: Int(sides[1]), height: Int(sides[0])),
        let counts = entry["counts"]?.text
      else { throw CocoaError(.fileReadCorruptFile) }
      return Source(size: size, counts: Array(counts.utf8))
    }
  }
}
