import AssayCore
import Foundation

/// The tasks on the polygons of a COCO instances JSON.
enum PolygonWorks {
  /// Converts polygons to strings, without crowds; checked by the length of all strings.
  static func fill(_ path: String, workers: Int) throws -> String {
    let work = try read(path)
    let batches = try Batches(of: work.count, size: 500, workers: workers) { range in
      range.map { Mask(polygons: work[$0].polygons, size: work[$0].size).compressed }
    }
    let check = batches.outputs.joined().reduce(0) { $0 + $1.count }
    return line("polygons", batches.seconds, work.count, workers, JSONValue(check))
  }

  private static func read(_ path: String) throws -> [(polygons: [[Double]], size: ImageSize)] {
    let text = try String(contentsOf: URL(filePath: path), encoding: .utf8)
    let root = try JSONValue(parsing: text)
    var sizes: [JSONValue: ImageSize] = [:]
    for image in root["images"]?.elements ?? [] {
      guard let id = image["id"], let width = image["width"]?.double,
        let height = image["height"]?.double
      else { throw CocoaError(.fileReadCorruptFile) }
      sizes[id] = ImageSize.checked(width: Int(width), height: Int(height))
    }
    return try (root["annotations"]?.elements ?? []).compactMap { annotation in
      guard annotation["iscrowd"] != 1 else { return nil }
      guard let id = annotation["image_id"], let size = sizes[id],
        let polygons = annotation["segmentation"]?.elements
      else { throw CocoaError(.fileReadCorruptFile) }
      return (polygons.map { ($0.elements ?? []).compactMap(\.double) }, size)
    }
  }
}
