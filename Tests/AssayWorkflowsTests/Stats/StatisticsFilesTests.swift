import AssayCore
import AssayImaging
import AssayStore
import AssayWorkflows
import Testing

@Suite("Files of statistics")
struct StatisticsFilesTests {
  private func pixels(_ names: [String]) throws -> PixelStatistics {
    var samples: [StatsCatalog.Sample] = []
    for category in names.indices {
      for value in [0, 2] {
        let raster = Raster<UInt8>(
          repeating: UInt8(10 * category + value), width: 4, height: 3)
        samples.append(.init(category: category, raster: raster))
      }
    }
    let set = try StatsCatalog(samples, classes: names + ["absent"])
    let statistics = try StatisticsWorkflow(catalog: set.catalog).run("set", withPixels: true)
    return try #require(statistics.pixels)
  }

  @Test("Every class with images has four files, all together have four, and there is one sheet")
  func names() throws {
    let files = try StatisticsFiles(view: "set", pixels: pixels(["a", "b"])).all()
    var expected = ["classes.png"]
    for stem in ["all", "a", "b"] {
      expected += ["mean-\(stem).png", "mean-\(stem).npy"]
      expected += ["deviation-\(stem).png", "deviation-\(stem).npy"]
    }
    #expect(files.map(\.name) == expected)
  }

  @Test("PNGs share one scale, and the values are float32")
  func contents() throws {
    let files = Dictionary(
      uniqueKeysWithValues: try StatisticsFiles(view: "set", pixels: pixels(["a", "b"])).all()
        .map { ($0.name, $0.bytes) })
    // Means: a is 1, b is 11, all is 6: black, white and half of 255, rounded.
    for (name, level) in [("mean-a.png", 0), ("mean-b.png", 255), ("mean-all.png", 128)] {
      let png = try ImageCodec.decode(try #require(files[name]), as: .gray8)
      #expect(png.width == 4 && png.height == 3 && png.elements.allSatisfy { $0 == level })
    }
    let values = try #require(files["mean-b.npy"])
    // 11 as float32 is 0x41300000.
    #expect(Array(values.suffix(4)) == [0, 0, 0x30, 0x41] && values.count % 64 == 48)
    let sheet = try ImageCodec.header(of: try #require(files["classes.png"]))
    #expect(sheet.size.width >= 320)
  }

  @Test("Class names become distinct, safe file names")
  func safeNames() throws {
    let names = ["all", "../x", "a b", "a/b", "A b", "é"]
    let files = try StatisticsFiles(view: "set", pixels: pixels(names)).all()
    let means = files.map(\.name).filter { $0.hasPrefix("mean-") && $0.hasSuffix(".png") }
    #expect(
      means == [
        "mean-all.png", "mean-all-2.png", "mean-.._x.png", "mean-a_b.png", "mean-a_b-2.png",
        "mean-A_b-3.png", "mean-é.png",
      ])
  }

  @Test("The same statistics give the same bytes")
  func deterministic() throws {
    let pixels = try pixels(["a", "b"])
    let first = try StatisticsFiles(view: "set", pixels: pixels).all().map(\.bytes)
    let second = try StatisticsFiles(view: "set", pixels: pixels).all().map(\.bytes)
    #expect(first == second)
  }
}
