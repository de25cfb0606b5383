import AssayCore
import AssayMetrics
import AssayTestSupport
import Foundation

/// Ground truth and results in COCO files.
struct COCOExample: Sendable {
  let classCount: Int
  /// The images in the order of their ids.
  let images: [(truth: [TruthObject], found: [FoundObject])]

  private struct Truth: Decodable {
    struct Image: Decodable { var id, width, height: Int }
    struct Category: Decodable { var id: Int }
    struct Annotation: Decodable {
      var id, image_id, category_id, iscrowd: Int
      var area: Double
      var bbox: [Double]
      var segmentation: Segmentation
    }
    var images: [Image]
    var categories: [Category]
    var annotations: [Annotation]
  }

  private enum Segmentation: Decodable {
    case polygons([[Double]])
    case runs([UInt32])
    case compressed(String)

    private enum Key: CodingKey { case counts }

    init(from decoder: any Decoder) throws {
      if let polygons = try? [[Double]](from: decoder) {
        self = .polygons(polygons)
        return
      }
      let runs = try decoder.container(keyedBy: Key.self)
      self =
        try (try? runs.decode([UInt32].self, forKey: .counts)).map { .runs($0) }
        ?? .compressed(runs.decode(String.self, forKey: .counts))
    }

    func mask(_ size: ImageSize) throws -> Mask {
      switch self {
      case .polygons(let polygons): Mask(polygons: polygons, size: size)
      case .runs(let runs): try Mask(size: size, runs: runs)
      case .compressed(let text): try Mask(size: size, compressed: Array(text.utf8))
      }
    }
  }

  private struct Result: Decodable {
    var image_id, category_id: Int
    var score: Double
    var bbox: [Double]?
    var segmentation: Segmentation?
  }

  /// The COCO API's example: the first hundred images of val2014 with synthetic detections.
  static func published(_ overlap: OverlapKind) throws -> COCOExample {
    let folder = OutsideFiles.url("coco/val2014_100")
    return try COCOExample(
      truth: folder.appending(path: "instances_val2014_100.json"),
      results: folder.appending(path: "instances_val2014_fake\(overlap.rawValue)100_results.json"),
      overlap)
  }

  /// A small example with polygons, crowds, ties and duplicates: `Tests/Fixtures/detect/make_example.py`.
  static func small(_ overlap: OverlapKind) throws -> COCOExample {
    try COCOExample(
      truth: PackageFolder.fixture("detect/example/instances.json"),
      results: PackageFolder.fixture("detect/example/\(overlap.rawValue).json"), overlap)
  }

  private init(truth: URL, results: URL, _ overlap: OverlapKind) throws {
    func read<Content: Decodable>(_ file: URL) throws -> Content {
      try JSONDecoder().decode(Content.self, from: Data(contentsOf: file))
    }
    let truth: Truth = try read(truth)
    let results: [Result] = try read(results)
    let classes = truth.categories.map(\.id).sorted()
    classCount = classes.count
    let annotations = Dictionary(
      grouping: truth.annotations.sorted { $0.id < $1.id }, by: \.image_id)
    let found = Dictionary(grouping: results, by: \.image_id)
    func category(_ id: Int) -> Int { classes.firstIndex(of: id) ?? -1 }
    images = try truth.images.sorted { $0.id < $1.id }.map { image in
      let size = ImageSize(width: image.width, height: image.height)
      return (
        try (annotations[image.id] ?? []).map {
          TruthObject(
            class: category($0.category_id), box: Self.box($0.bbox), area: $0.area,
            isCrowd: $0.iscrowd == 1,
            mask: overlap == .mask ? try $0.segmentation.mask(size) : nil)
        },
        try (found[image.id] ?? []).map { result in
          let mask = overlap == .mask ? try result.segmentation?.mask(size) : nil
          let box = result.bbox.map(Self.box) ?? Box(x: 0, y: 0, width: 0, height: 0)
          return FoundObject(
            class: category(result.category_id), score: result.score, box: box,
            area: mask.map { Double($0.area) } ?? box.area, mask: mask)
        }
      )
    }
  }

  private static func box(_ numbers: [Double]) -> Box {
    Box(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
  }
}
