import AssayCore
import AssayTestSupport
import Testing

@testable import AssayImaging

/// The results of numpy, scipy and OpenCV (Tests/Fixtures/refinement/make_goldens.py).
private struct RefinementGoldens: Decodable {
  struct Blobs: Decodable {
    var width: Int
    var height: Int
    var pixels: [UInt8]
    var squared: [Double]
  }

  struct Cut: Decodable {
    var source: [Double]
    var sink: [Double]
    var edges: [[Int]]
    var flow: Double
  }

  var width: Int
  var height: Int
  var image: [UInt8]
  var inside: [UInt8]
  var rough: [UInt8]
  var guided_color: [Float]
  var guided_gray: [Float]
  var grabcut: [UInt8]
  var blobs: Blobs
  var cuts: [Cut]

  static func load() throws -> RefinementGoldens {
    try GoldenJSON.decode("refinement/goldens.json")
  }

  var photo: Raster<UInt8>? {
    Raster(width: width, height: height, channels: 3, elements: image)
  }

  func mask(_ pixels: [UInt8]) throws -> Mask {
    Mask(try #require(Raster(width: width, height: height, elements: pixels)))
  }
}

@Suite("Refinement of masks by the image")
struct ImageRefinementTests {
  private let goldens: RefinementGoldens

  init() throws { goldens = try RefinementGoldens.load() }

  @Test("The guided filter is that of the paper's equations in numpy, in color and in gray")
  func guidedFilter() throws {
    let photo = try #require(goldens.photo)
    let values = try #require(
      Raster(width: goldens.width, height: goldens.height, elements: goldens.rough.map(Float.init)))
    let color = GuidedFilter.filtered(values, guide: photo, radius: 5, epsilon: 1e-3)
    #expect(zip(color.elements, goldens.guided_color).allSatisfy { abs($0 - $1) < 2e-4 })
    let green = try #require(
      Raster(
        width: goldens.width, height: goldens.height,
        elements: goldens.image.indices.filter { $0 % 3 == 1 }.map { goldens.image[$0] }))
    let gray = GuidedFilter.filtered(values, guide: green, radius: 7, epsilon: 1e-4)
    #expect(zip(gray.elements, goldens.guided_gray).allSatisfy { abs($0 - $1) < 2e-4 })
  }

  @Test("A mask is refined by the whole image, though only a part of it is looked at")
  func guidedPart() throws {
    let photo = try #require(goldens.photo)
    let rough = try goldens.mask(goldens.rough)
    let refined = rough.refined(by: [.guided(radius: 5, epsilon: 1e-3)], in: photo)
    let expected = try goldens.mask(goldens.guided_color.map { $0 >= 0.5 ? 1 : 0 })
    // Values that are 0.5 up to rounding may fall on either side.
    #expect(refined.symmetricDifference(expected).area <= 2)
    #expect(refined.size == rough.size)
  }

  @Test("A radius beyond the image, gray images, and empty and full masks")
  func edges() throws {
    let photo = try #require(goldens.photo)
    let rough = try goldens.mask(goldens.rough)
    #expect(rough.refined(by: [.guided(radius: 200, epsilon: 1)], in: photo).size == rough.size)
    let gray = GrayConversion.gray(photo)
    #expect(!rough.refined(by: [.guided(radius: 3, epsilon: 1e-3)], in: gray).isEmpty)
    #expect(!rough.refined(by: [.grabcut(band: 3)], in: gray).isEmpty)
    for mask in [Mask(emptyOf: rough.size), Mask(fullOf: rough.size)] {
      for step in [MaskRefinement.guided(radius: 4, epsilon: 1e-3), .grabcut(band: 4)] {
        #expect(mask.refined(by: [step], in: photo) == mask)
      }
    }
    // One pixel by one.
    let one = Raster<UInt8>(repeating: 7, width: 1, height: 1, channels: 3)
    let dot = Mask(fullOf: ImageSize(width: 1, height: 1))
    #expect(dot.refined(by: [.guided(radius: 1, epsilon: 0.1), .grabcut(band: 1)], in: one) == dot)
  }

  @Test("Steps apply in the order given")
  func steps() {
    let size = ImageSize(width: 30, height: 20)
    let image = Raster<UInt8>(repeating: 0, width: 30, height: 20)
    let block = Mask(2, 2, 12, 12, in: size)
    let hole = Mask(6, 6, 3, 3, in: size)
    let speck = Mask(25, 15, 1, 1, in: size)
    let ragged = block.subtracting(hole).union(speck)
    #expect(ragged.refined(by: [], in: image) == ragged)
    #expect(ragged.refined(by: [.holes], in: image) == block.union(speck))
    #expect(ragged.refined(by: [.largest], in: image) == block.subtracting(hole))
    #expect(ragged.refined(by: [.holes, .open(1)], in: image) == block)
    #expect(ragged.refined(by: [.close(2)], in: image) == block.union(speck))
    // Opening before the holes are filled removes more of the ring.
    #expect(ragged.refined(by: [.open(3), .holes], in: image).isEmpty)
  }

  @Test("GrabCut finds what OpenCV's finds")
  func grabcut() throws {
    let photo = try #require(goldens.photo)
    let refined = try goldens.mask(goldens.rough).refined(by: [.grabcut(band: 6)], in: photo)
    let other = try goldens.mask(goldens.grabcut)
    // The first clusters of colors are random in OpenCV.
    #expect(try #require(refined.iou(with: other)) >= 0.99)
    #expect(try #require(refined.iou(with: goldens.mask(goldens.inside))) >= 0.98)
  }

  @Test("An object that is thinner than the band is left as it is")
  func thin() throws {
    let photo = try #require(goldens.photo)
    let line = Mask(10, 10, 40, 3, in: ImageSize(width: goldens.width, height: goldens.height))
    #expect(line.refined(by: [.grabcut(band: 2)], in: photo) == line)
  }

  @Test("Minimum cuts have the flow that scipy finds, and cut exactly that much")
  func cuts() {
    for graph in goldens.cuts {
      var cut = GraphCut(nodes: graph.source.count)
      for node in graph.source.indices {
        cut.connect(node, source: graph.source[node], sink: graph.sink[node])
      }
      for edge in graph.edges { cut.connect(edge[0], edge[1], capacity: Double(edge[2])) }
      #expect(cut.solve() == graph.flow)
      var value = 0.0
      for node in graph.source.indices {
        value += cut.isWithSource(node) ? graph.sink[node] : graph.source[node]
      }
      for edge in graph.edges where cut.isWithSource(edge[0]) != cut.isWithSource(edge[1]) {
        value += Double(edge[2])
      }
      #expect(value == graph.flow)
    }
  }
}

@Suite("Separation of objects that touch")
struct MaskSeparationTests {
  private let size = ImageSize(width: 120, height: 70)

  private func disc(_ x: Int, _ y: Int, _ radius: Int) -> Mask {
    Mask(size: size, columns: 0..<size.width, rows: 0..<size.height) {
      ($0 - x) * ($0 - x) + ($1 - y) * ($1 - y) <= radius * radius
    }
  }

  @Test("Squared distances are those of scipy")
  func distances() throws {
    let blobs = try RefinementGoldens.load().blobs
    #expect(
      SquaredDistances.toZero(of: blobs.pixels, width: blobs.width, height: blobs.height)
        == blobs.squared)
  }

  @Test("Two discs that touch are two objects, whose union is the mask")
  func discs() throws {
    let (left, right) = (disc(35, 35, 20), disc(70, 35, 18))
    let mask = left.union(right)
    #expect(mask.components().count == 1)
    let objects = MaskSeparation().objects(of: mask)
    try #require(objects.count == 2)
    #expect(Mask.union(of: objects, size: size) == mask)
    #expect(objects[0].intersectionArea(with: objects[1]) == 0)
    #expect(try #require(objects[0].iou(with: left)) > 0.95)
    #expect(try #require(objects[1].iou(with: right)) > 0.95)
  }

  @Test("A wide neck and a limb are parts of one object")
  func parts() {
    // Far into each other.
    #expect(MaskSeparation().objects(of: disc(40, 35, 20).union(disc(52, 35, 20))).count == 1)
    let arm = disc(50, 35, 22).union(Mask(70, 33, 40, 5, in: size)).union(disc(108, 35, 6))
    #expect(MaskSeparation().objects(of: arm).count == 1)
    var rule = MaskSeparation()
    rule.limb = 0
    #expect(rule.objects(of: arm).count == 2)
    rule.neck = 0
    #expect(rule.objects(of: arm).count == 1)
  }

  @Test("Connected parts are objects of their own; nothing and everything")
  func components() {
    let mask = disc(20, 20, 8).union(disc(80, 40, 8)).union(Mask(2, 60, 1, 1, in: size))
    #expect(MaskSeparation().objects(of: mask) == mask.components())
    #expect(MaskSeparation().objects(of: Mask(emptyOf: size)).isEmpty)
    #expect(MaskSeparation().objects(of: Mask(fullOf: size)) == [Mask(fullOf: size)])
  }

  @Test("A seeded heap of discs is divided into disjoint objects that cover it")
  func heap() {
    var random = SplitMix64(seed: 5)
    for _ in 0..<20 {
      var mask = Mask(emptyOf: size)
      for _ in 0..<6 {
        mask = mask.union(
          disc(Int(random.next() % 120), Int(random.next() % 70), 4 + Int(random.next() % 16)))
      }
      let objects = MaskSeparation().objects(of: mask)
      #expect(Mask.union(of: objects, size: size) == mask)
      #expect(objects.reduce(0) { $0 + $1.area } == mask.area)
    }
  }
}
