import AssayCore
import AssayImaging
import AssayStore
import AssayTestSupport
import AssayWorkflows
import Foundation

@testable import AssayReview

/// A catalog with image files, a review of them, and a ledger: what the real server serves.
final class ReviewWorld {
  static let size = ImageSize(width: 6, height: 4)

  let folder: TemporaryFolder
  let catalog: Catalog
  let ledger: Ledger
  let backend: CatalogBackend
  /// The clock that leases use.
  let clock = TestClock()
  /// The ids of the samples, in the order of their keys.
  let ids: [Int64]

  /// Four images: one with a person of two objects, one with none, one whose file is damaged, and
  /// one that is not part of the review.
  static func masks() throws -> ReviewWorld {
    try ReviewWorld(task: .segmentation) { catalog, folder in
      for index in 0..<4 {
        let elements = (0..<size.area * 3).map { UInt8(($0 * 7 + index * 31) % 256) }
        guard
          let raster = Raster(
            width: size.width, height: size.height, channels: 3, elements: elements)
        else { continue }
        try Data(try ImageCodec.encodePNG(raster)).write(
          to: URL(fileURLWithPath: "\(folder)/\(index).png"))
      }
      try Data("no picture".utf8).write(to: URL(fileURLWithPath: "\(folder)/2.png"))
      var batch = ImportedBatch()
      batch.newCategories = [Category(name: "person"), Category(name: "traffic light")]
      for index in 0..<4 {
        batch.samples.append(
          ImportedSample(key: "\(index).png", location: "\(index).png", split: "val", size: size))
      }
      for (ordinal, rows) in [
        ["##....", "##....", "......", "......"],
        ["......", "......", "....##", "......"],
      ].enumerated() {
        let mask = mask(rows)
        let start = batch.geometry.count
        batch.geometry += mask.compressed
        batch.annotations.append(
          ImportedAnnotation(
            sample: 0, category: 0, ordinal: ordinal, shape: .mask, area: Double(mask.area),
            box: mask.boundingBox, geometry: start..<batch.geometry.count))
      }
      try importing(batch, format: .coco, root: folder, single: false, into: catalog)
      try addRun(to: catalog)
    }
  }

  /// One image in a dataset of polygons: an object with numbers that are no hundredths, one of two polygons, and one
  /// with a polygon of two points.
  static func polygons() throws -> ReviewWorld {
    try ReviewWorld(task: .segmentation) { catalog, folder in
      let elements = (0..<size.area * 3).map { UInt8($0 * 7 % 256) }
      guard
        let raster = Raster(width: size.width, height: size.height, channels: 3, elements: elements)
      else { return }
      try Data(try ImageCodec.encodePNG(raster)).write(
        to: URL(fileURLWithPath: "\(folder)/0.png"))
      var batch = ImportedBatch()
      batch.newCategories = [
        Category(
          name: "person",
          attributes: #"{"keypoints":["nose","ear","ear"],"skeleton":[[1,2],[2,3],[3,9],["x",1]]}"#),
        Category(name: "traffic light"),
      ]
      batch.samples.append(
        ImportedSample(key: "0.png", location: "0.png", split: "val", size: size))
      let objects: [(rings: [[Double]], attributes: String?)] = [
        (
          [[0.125, 0, 3, 0, 3, 2.3333333333333335, 0, 2]],
          #"{"occluded":false,"pose":"left","track":7,"keypoints":[1,1,2,2,1.5,1,0,0,0],"num_keypoints":2}"#
        ),
        ([[4, 0, 6, 0, 6, 2], [4, 3, 6, 3, 6, 4, 4, 4]], #"{"pose":"front","parts":["a"]}"#),
        ([[0, 3, 2, 4]], nil),
      ]
      for (ordinal, object) in objects.enumerated() {
        let start = batch.geometry.count
        batch.geometry += Geometry.polygons(object.rings).packed
        let mask = Mask(polygons: object.rings, size: size)
        var annotation = ImportedAnnotation(
          sample: 0, category: 0, ordinal: ordinal, shape: .polygon, area: Double(mask.area),
          box: Box(around: object.rings), geometry: start..<batch.geometry.count)
        annotation.attributes = object.attributes
        batch.annotations.append(annotation)
      }
      try importing(batch, format: .coco, root: folder, single: false, into: catalog)
    }
  }

  /// Three frames of a film, the first with a box of track 7.
  static func film() throws -> ReviewWorld {
    try ReviewWorld(task: .detection) { catalog, folder in
      var batch = ImportedBatch()
      batch.newCategories = [Category(name: "person"), Category(name: "car")]
      for index in 0..<3 {
        let elements = (0..<size.area * 3).map { UInt8(($0 * 7 + index * 31) % 256) }
        guard
          let raster = Raster(
            width: size.width, height: size.height, channels: 3, elements: elements)
        else { continue }
        try Data(try ImageCodec.encodePNG(raster)).write(
          to: URL(fileURLWithPath: "\(folder)/\(index).png"))
        var sample = ImportedSample(
          key: "\(index).png", location: "\(index).png", split: "val", size: size)
        sample.attributes =
          #"{"frame":\#(index * 10),"time":\#(Double(index) / 2),"track":"film"}"#
        batch.samples.append(sample)
      }
      let box = Box(x: 1, y: 1, width: 2, height: 2)
      var annotation = ImportedAnnotation(
        sample: 0, category: 0, ordinal: 0, shape: .box, area: 4, box: box, geometry: nil)
      annotation.attributes = #"{"track":7}"#
      batch.annotations.append(annotation)
      try importing(batch, format: .coco, root: folder, single: false, into: catalog)
    }
  }

  /// Three faces with labels.
  ///
  /// - Parameter inFiles: whether the images are `0.png`, `1.png` … in the folder, and not in the
  ///   catalog.
  static func labels(inFiles: Bool = false) throws -> ReviewWorld {
    try ReviewWorld(task: .classification) { catalog, folder in
      var batch = ImportedBatch()
      batch.newCategories = [Category(name: "happy"), Category(name: "sad")]
      for index in 0..<4 {
        let elements = (0..<size.area).map { UInt8($0 + index) }
        var sample = ImportedSample(
          key: "\(index)", split: "train", size: size, category: index % 2)
        if inFiles, let image = Raster(width: size.width, height: size.height, elements: elements) {
          sample.location = "\(index).png"
          try Data(try ImageCodec.encodePNG(image)).write(
            to: URL(fileURLWithPath: "\(folder)/\(index).png"))
        } else {
          sample.pixels = size.area * index..<size.area * (index + 1)
          batch.pixels += elements
        }
        batch.samples.append(sample)
      }
      try importing(
        batch, format: inFiles ? .imageFolder : .fer,
        root: inFiles ? folder : folder + "/faces.csv", single: !inFiles, into: catalog)
      let samples = try catalog.samples(in: catalog.resolve("set"))
      let run = try catalog.createRun(
        RunDraft(
          name: "r1", dataset: catalog.resolve("set").dataset.id, view: "set",
          classes: ["happy", "sad"], samples: samples.map(\.id)))
      try catalog.record(
        samples.map { SampleScores(sample: $0.id, scores: [0.25, 0.75]) }, in: run.id)
    }
  }

  /// Three images with sets of labels, and a run over them.
  static func sets() throws -> ReviewWorld {
    try ReviewWorld(task: .multiLabel) { catalog, folder in
      var batch = ImportedBatch()
      batch.newCategories = [Category(name: "cat"), Category(name: "dog")]
      for (index, labels) in [[0], [0, 1], []].enumerated() {
        var sample = ImportedSample(key: "\(index).png", location: "\(index).png", size: size)
        sample.categories = labels
        batch.samples.append(sample)
      }
      try writeImages(3, into: folder)
      try importing(
        batch, format: .multiLabelCSV, root: folder, single: false, isMultiLabel: true,
        into: catalog)
      let selection = try catalog.resolve("set")
      let samples = try catalog.samples(in: selection).map(\.id)
      let run = try catalog.createRun(
        RunDraft(
          name: "r1", task: .multiLabel, dataset: selection.dataset.id, view: "set",
          classes: ["cat", "dog"], samples: samples))
      try catalog.record(
        samples.map { SampleScores(sample: $0, scores: [0.75, 0.25]) }, in: run.id)
    }
  }

  /// Three images without annotations and with the names of two classes; no task is stated.
  static func unlabeled() throws -> ReviewWorld {
    try ReviewWorld(task: .detection) { catalog, folder in
      var batch = ImportedBatch()
      batch.newCategories = [Category(name: "person"), Category(name: "car")]
      batch.samples = (0..<3).map {
        ImportedSample(key: "\($0).png", location: "\($0).png", size: size)
      }
      try writeImages(3, into: folder)
      try importing(batch, format: .imageFolder, root: folder, single: false, into: catalog)
    }
  }

  /// Writes `0.png`, `1.png` …
  private static func writeImages(_ count: Int, into folder: String) throws {
    for index in 0..<count {
      let elements = (0..<size.area * 3).map { UInt8(($0 * 7 + index * 31) % 256) }
      guard
        let raster = Raster(width: size.width, height: size.height, channels: 3, elements: elements)
      else { continue }
      try Data(try ImageCodec.encodePNG(raster)).write(
        to: URL(fileURLWithPath: "\(folder)/\(index).png"))
    }
  }

  private init(task: ModelTask, _ fill: (Catalog, String) throws -> Void) throws {
    folder = try TemporaryFolder()
    let path = folder.path + "/x.db"
    catalog = try Catalog.open(path, .create)
    try fill(catalog, folder.path)
    ids = try catalog.samples(in: catalog.resolve("set")).map(\.id)
    let settings: JSONValue = [
      "meant": ["runs": [["name": "r1"]], "task": .string(task.rawValue)]
    ]
    _ = try catalog.saveReview(
      ReviewDraft(
        name: "rev", dataset: catalog.resolve("set").dataset.id, subject: "r1",
        order: .uncertainty, settings: settings.text(),
        entries: ids.prefix(3).map { .init(sample: $0, score: 0.5, reason: "margin 0.50") }))
    ledger = try Ledger.open(Ledger.path(forCatalog: path), .create, synchronous: .off)
    var asked = ReviewServerSettings(catalogPath: path, review: "rev", author: "anna")
    asked.programVersion = "0.1.0"
    let clock = clock
    backend = try CatalogBackend(
      catalog: catalog, ledger: ledger, review: "rev", settings: asked, clock: { clock.now })
  }

  static func importing(
    _ batch: ImportedBatch, format: DatasetFormat, root: String, single: Bool,
    isMultiLabel: Bool = false, into catalog: Catalog
  ) throws {
    let draft = ImportDraft(
      name: "set", format: format, root: root, isSingleFile: single, isMultiLabel: isMultiLabel)
    _ = try catalog.importDataset(draft) { writer in
      try writer.write(batch)
      var outcome = ImportOutcome()
      (outcome.read, outcome.accepted) = (batch.samples.count, batch.samples.count)
      outcome.ordinals = Array(batch.newCategories.indices)
      return (outcome, nil)
    }
  }

  /// Adds a run whose map of `person` has 3 × 2 cells: each is 2 × 2 pixels of the image.
  private static func addRun(to catalog: Catalog) throws {
    let input = ImageSize(width: 3, height: 2)
    let selection = try catalog.resolve("set")
    let samples = try catalog.samples(in: selection)
    let recipe = SegmentationRecipe(
      precision: "f32", keepsMaps: true, threshold: 0.5, background: nil, input: input,
      resize: .stretch)
    let run = try catalog.createRun(
      RunDraft(
        name: "r1", task: .segmentation, dataset: selection.dataset.id, view: "set",
        settings: recipe.settings, classes: ["person"], samples: samples.map(\.id)))
    try catalog.record(
      [
        SampleMasks(
          sample: samples[0].id,
          masks: [MaskPrediction(class: 0, area: 8, meanInside: 1, meanDistance: 0.5)],
          maps: [
            ProbabilityMapRecord(class: 0, width: 3, height: 2, bytes: [255, 0, 0, 255, 0, 0])
          ])
      ], in: run.id)
  }

  /// A detection run on the masks, with two boxes of `person` in the first image, and a review of
  /// it.
  func detector() throws -> CatalogBackend {
    let selection = try catalog.resolve("set")
    let run = try catalog.createRun(
      RunDraft(
        name: "det", task: .detection, dataset: selection.dataset.id, view: "set", settings: "{}",
        classes: ["person", "traffic light"], samples: ids))
    let box = Box(x: 0, y: 0, width: 2, height: 2)
    try catalog.record(
      [
        SampleDetections(
          sample: ids[0],
          detections: [
            Detection(class: 0, confidence: 0.25, box: box),
            Detection(class: 0, confidence: 0.75, box: box),
          ])
      ], in: run.id)
    let settings: JSONValue = ["meant": ["runs": [["name": "det"]], "task": "detection"]]
    _ = try catalog.saveReview(
      ReviewDraft(
        name: "boxes", dataset: selection.dataset.id, subject: "det", order: .uncertainty,
        settings: settings.text(),
        entries: ids.prefix(1).map { .init(sample: $0, score: 0.5, reason: "near 0.5") }))
    return try CatalogBackend(
      catalog: catalog, ledger: ledger, review: "boxes",
      settings: ReviewServerSettings(
        catalogPath: folder.path + "/x.db", review: "boxes", author: "anna"))
  }

  static func mask(_ rows: [String]) -> Mask {
    let elements = rows.flatMap { $0.map { $0 == "#" ? UInt8(1) : 0 } }
    return Raster(width: rows[0].count, height: rows.count, elements: elements).map { Mask($0) }
      ?? Mask(emptyOf: size)
  }

  /// A session of an author.
  func session(_ author: String) -> ReviewSession {
    ReviewSession(author: author, ledger: ledger.uuid, expires: .max)
  }

  /// A save as sent by the page, with its own uuid.
  func save(
    _ changes: [String: JSONValue], match: String, uuid: String = UUID().uuidString,
    author: String = "anna"
  ) throws -> SaveRequest {
    let body = Bench.save(
      changes.merging(
        ["ledger": .string(ledger.uuid), "author": .string(author), "uuid": .string(uuid)]
      ) { first, _ in first })
    return try SaveRequest(body: JSONBody.object(body), size: body.count, match: match)
  }

  /// The members of a mask in a save's body.
  static func members(of mask: Mask, category: String = "person") -> [String: JSONValue] {
    [
      "kind": "mask", "category": .string(category),
      "counts": .string(String(decoding: mask.compressed, as: UTF8.self)),
      "size": [JSONValue(mask.size.height), JSONValue(mask.size.width)],
    ]
  }
}

extension ReviewWorld {
  /// The browse page's data, of a server that was started without a queue.
  var browseService: BrowseService {
    BrowseService(
      catalog: catalog, ledger: ledger, start: BrowseStart(), review: nil, version: "1")
  }
}
