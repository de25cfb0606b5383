import AssayCore
import AssayFormats
import AssayImaging
import AssayTestSupport
import Foundation
import Testing

import AssayWorkflows

@Suite("Converting to shards")
struct ShardConversionTests {
  private func convert(
    _ source: String, _ folder: String, samples: Int = DatasetExportRequest.usualShardSamples
  ) throws -> ConversionSummary {
    var export = DatasetExportRequest(.webDataset)
    export.shardSamples = samples
    var request = ConversionRequest(
      sources: [ImportRequest(source)], export: export, folder: folder)
    request.verifies = true
    return try DatasetConversion(request, version: "test").run(progress: NoProgress())
  }

  private func bytes(_ folder: TemporaryFolder, _ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: folder.path(name))))
  }

  /// Class folders with five images of two splits.
  private func folders(_ folder: TemporaryFolder, classes: [String]) throws {
    for (place, path) in [
      "train/0/a.b.png", "train/0/c.png", "train/1/a_b.PNG", "train/1/d.png", "val/1/e.png",
    ]
    .enumerated() {
      let raster = Raster<UInt8>(repeating: UInt8(place), width: 3, height: 2, channels: 1)
      var path = path
      for (number, name) in classes.enumerated() {
        path = path.replacing("/\(number)/", with: "/class \(name)/")
      }
      try folder.write(
        "source/" + path.replacing("class ", with: ""), try ImageCodec.encodePNG(raster))
    }
  }

  @Test("Shards have at most the number of samples, and the same source gives the same bytes")
  func shards() throws {
    let folder = try TemporaryFolder()
    try folders(folder, classes: ["cat", "dog"])
    for out in ["one", "two"] {
      let summary = try convert(folder.path("source"), folder.path(out), samples: 3)
      #expect(summary.lost == 0, "\(summary.export.verification?.differences ?? [])")
      #expect(summary.export.survey.expected.labels == 5)
      #expect(summary.export.files == 5)
    }
    let names = ["train-000000.tar", "train-000001.tar", "val-000000.tar"]
    for name in names + ["classes.txt"] {
      #expect(try bytes(folder, "one/\(name)") == bytes(folder, "two/\(name)"))
    }
    let first = String(decoding: try bytes(folder, "one/train-000000.tar"), as: UTF8.self)
    // The key ends at the first dot, so dots of the name are not kept; nor are two equal keys.
    for member in ["a_b.cls", "a_b.png", "c.cls"] { #expect(first.contains(member)) }
    #expect(try folder.read("one/classes.txt") == "cat\ndog\n")
    // The image files are copied as they are.
    let picture = try bytes(folder, "source/train/cat/c.png")
    let shard = try bytes(folder, "one/train-000000.tar")
    let start = shard.indices.first { shard[$0...].starts(with: picture) }
    #expect(start.map { $0 % 512 } == 0)
    // A smaller export leaves no shard of the larger one.
    _ = try convert(folder.path("source"), folder.path("one"))
    #expect(!folder.has("one/train-000001.tar") && folder.has("one/train-000000.tar"))
  }

  @Test("Classes whose names are numbers are stated by name, where a number means another one")
  func numbers() throws {
    let folder = try TemporaryFolder()
    try folders(folder, classes: ["7", "1"])
    let summary = try convert(folder.path("source"), folder.path("out"))
    #expect(summary.lost == 0, "\(summary.export.verification?.differences ?? [])")
    #expect(summary.export.survey.losses.list.map(\.kind) == [.imageNames])
  }

  @Test("All content of random datasets is kept but ids of images and classes, areas and fields")
  func everything() throws {
    let folder = try TemporaryFolder()
    var dataset = RandomDataset(seed: 21, folder: folder.url.appending(path: "source"))
    try dataset.write(keypoints: true)
    let summary = try convert(folder.path("source:coco"), folder.path("out"), samples: 4)
    #expect(summary.lost == 0, "\(summary.export.verification?.differences.prefix(5) ?? [])")
    let survey = summary.export.survey
    #expect(survey.source == survey.expected)
    let kinds = Set(survey.losses.list.map(\.kind))
    let known: Set<ExportLoss> = [
      .areas, .imageIDs, .classIDs, .imageNames, .imageFields, .classNames,
    ]
    #expect(kinds.isSubset(of: known), "\(kinds)")
    let shards = try FileManager.default.contentsOfDirectory(atPath: folder.path("out"))
      .filter { $0.hasSuffix(".tar") }.sorted()
    #expect(
      shards == [
        "train-000000.tar", "train-000001.tar", "train-000002.tar", "val-000000.tar",
      ])
  }
}
