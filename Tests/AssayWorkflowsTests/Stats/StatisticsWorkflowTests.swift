import AssayCore
import AssayImaging
import AssayStore
import AssayWorkflows
import Foundation
import Testing

@Suite("Statistics of a view")
struct StatisticsWorkflowTests {
  private func gray(_ values: [UInt8], width: Int = 2) throws -> Raster<UInt8> {
    try #require(Raster(width: width, height: values.count / width, elements: values))
  }

  @Test("Mean and deviation of embedded pixels, by hand")
  func byHand() throws {
    let set = try StatsCatalog(
      [
        .init(split: "train", category: 0, raster: try gray([0, 10])),
        .init(split: "train", category: 0, raster: try gray([4, 10])),
        .init(split: "test", category: 1, raster: try gray([7, 8])),
        .init(split: "test", category: nil, raster: try gray([9, 0])),
      ], classes: ["a", "b", "c"])
    let statistics = try StatisticsWorkflow(catalog: set.catalog).run("set", withPixels: true)
    #expect(statistics.samples == 4 && statistics.balance.labeled == 3)
    #expect(statistics.sizes == [SizeCount(size: ImageSize(width: 2, height: 1), count: 4)])
    let pixels = try #require(statistics.pixels)
    #expect(pixels.channels == 1 && !pixels.isResized && pixels.leftOut.isEmpty)
    // (0 + 4) / 2 = 2 and 10; standard deviations 2 and 0.
    #expect(pixels.classes[0].moments?.mean.elements == [2, 10])
    #expect(pixels.classes[0].moments?.deviation.elements == [2, 0])
    #expect(pixels.classes[1].moments?.count == 1 && pixels.classes[2].moments == nil)
    // The unlabeled one counts toward the total: (0 + 4 + 7 + 9) / 4 = 5 and (10 + 10 + 8 + 0) / 4
    // = 7.
    #expect(pixels.all.mean.elements == [5, 7] && pixels.unlabeled == 1)
    // Means range from 2 to 10 over a, b and all.
    #expect(pixels.meanScale == Scaling(low: 2, high: 10))
  }

  @Test("A part has its own statistics, and counts need no pixels")
  func part() throws {
    let set = try StatsCatalog(
      [
        .init(split: "train", category: 0, raster: try gray([0, 10])),
        .init(split: "test", category: 1, raster: try gray([7, 8])),
      ], classes: ["a", "b"])
    let statistics = try StatisticsWorkflow(catalog: set.catalog).run("set/test", withPixels: false)
    #expect(statistics.samples == 1 && statistics.balance.splits == ["test"])
    #expect(statistics.pixels == nil)
  }

  @Test("Files and embedded pixels give the same statistics")
  func files() throws {
    var random = SplitMix64(seed: 5)
    var samples: [StatsCatalog.Sample] = []
    for index in 0..<150 {
      let values = (0..<12).map { _ in UInt8.random(in: 0...255, using: &random) }
      samples.append(.init(category: index % 3, raster: try gray(values, width: 4)))
    }
    let embedded = try StatsCatalog(samples, classes: ["a", "b", "c"])
    for index in samples.indices { samples[index].isFile = true }
    let onDisk = try StatsCatalog(samples, classes: ["a", "b", "c"])
    let first = try StatisticsWorkflow(catalog: embedded.catalog).run("set", withPixels: true)
    let second = try StatisticsWorkflow(catalog: onDisk.catalog).run("set", withPixels: true)
    for category in 0..<3 {
      let (a, b) = (
        first.pixels?.classes[category].moments, second.pixels?.classes[category].moments
      )
      #expect(a?.count == 50 && a?.mean == b?.mean && a?.deviation == b?.deviation)
    }
  }

  @Test("Gray among color counts as three equal channels")
  func mixed() throws {
    let color = try #require(
      Raster<UInt8>(width: 1, height: 1, channels: 3, elements: [10, 20, 30]))
    let set = try StatsCatalog(
      [
        .init(category: 0, raster: color, isFile: true),
        .init(category: 0, raster: try gray([20], width: 1), isFile: true),
      ], classes: ["a"])
    let pixels = try StatisticsWorkflow(catalog: set.catalog).run("set", withPixels: true).pixels
    #expect(pixels?.channels == 3 && pixels?.all.mean.elements == [15, 20, 25])
  }

  @Test("Sizes that differ are refused with the list, or resized on demand")
  func sizes() throws {
    let set = try StatsCatalog(
      [
        .init(category: 0, raster: try gray([10, 30]), isFile: true),
        .init(category: 0, raster: try gray([10, 30]), isFile: true),
        .init(category: 0, raster: try gray([8], width: 1), isFile: true),
      ], classes: ["a"])
    let workflow = StatisticsWorkflow(catalog: set.catalog)
    let (small, large) = (ImageSize(width: 1, height: 1), ImageSize(width: 2, height: 1))
    #expect(
      throws: StatisticsError.sizesDiffer(
        view: "set",
        sizes: [SizeCount(size: large, count: 2), SizeCount(size: small, count: 1)])
    ) { try workflow.run("set", withPixels: true) }
    let pixels = try workflow.run("set", withPixels: true, resize: small).pixels
    // 20, 20 and 8.
    #expect(pixels?.isResized == true && pixels?.all.mean.elements == [16])
  }

  @Test("An image that is gone is left out and named; the rest counts")
  func leftOut() throws {
    let set = try StatsCatalog(
      [
        .init(category: 0, raster: try gray([10, 30]), isFile: true),
        .init(category: 0, raster: try gray([20, 40]), isFile: true),
      ], classes: ["a"])
    try FileManager.default.removeItem(at: set.folder.appending(path: "0.png"))
    let pixels = try #require(
      try StatisticsWorkflow(catalog: set.catalog).run("set", withPixels: true).pixels)
    #expect(pixels.all.count == 1 && pixels.leftOut.map(\.key) == ["0"])
    try FileManager.default.removeItem(at: set.folder.appending(path: "1.png"))
    let error = #expect(throws: StatisticsError.self) {
      try StatisticsWorkflow(catalog: set.catalog).run("set", withPixels: true)
    }
    guard case .noImage(view: "set", _) = error else {
      Testing.Issue.record("expected noImage, found \(String(describing: error))")
      return
    }
  }

  @Test("A file of another size than at import is left out")
  func changed() throws {
    let set = try StatsCatalog(
      [
        .init(category: 0, raster: try gray([10, 30]), isFile: true),
        .init(category: 0, raster: try gray([20, 40]), isFile: true),
      ], classes: ["a"])
    let other = try ImageCodec.encodePNG(try gray([1, 2, 3, 4]))
    try Data(other).write(to: set.folder.appending(path: "1.png"))
    let pixels = try StatisticsWorkflow(catalog: set.catalog).run("set", withPixels: true).pixels
    #expect(pixels?.leftOut == [.init(key: "1", reason: "its size is now 2×2, it was 2×1")])
  }

  @Test("Sums over the memory limit are refused before anything is read")
  func memory() throws {
    let set = try StatsCatalog(
      [.init(category: 0, raster: try gray([1, 2]))], classes: ["a"])
    let error = #expect(throws: StatisticsError.self) {
      try StatisticsWorkflow(catalog: set.catalog).run(
        "set", withPixels: true, resize: ImageSize(width: 10_000, height: 9_000))
    }
    guard case .tooLarge = error else {
      Testing.Issue.record("expected tooLarge, found \(String(describing: error))")
      return
    }
  }
}
