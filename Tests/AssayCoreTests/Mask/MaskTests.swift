import Testing

import AssayCore

/// A mask drawn as rows of `#` and `.`.
func drawn(_ rows: String...) -> Mask {
  let width = rows.first?.count ?? 1
  var raster = Raster<UInt8>(repeating: 0, width: width, height: rows.count)
  for (y, row) in rows.enumerated() {
    for (x, character) in row.enumerated() where character == "#" { raster[x, y] = 1 }
  }
  return Mask(raster)
}

@Suite("Masks, by hand")
struct MaskTests {
  @Test("Runs go down the columns and start with background")
  func order() {
    // Column by column: .# .. #. → 1 unset, 1 set, 2 unset, 1 set, 1 unset.
    #expect(drawn("..#", "#..").runs == [1, 1, 2, 1, 1])
    #expect(drawn("#.", "..").runs == [0, 1, 3])
    #expect(drawn("..", "..").runs == [4])
    #expect(drawn("##", "##").runs == [0, 4])
  }

  @Test("Zeros among the runs join their neighbors")
  func canonical() throws {
    let size = ImageSize(width: 2, height: 3)
    // 1 unset, 2 + 1 set around an empty run, 2 unset in two pieces.
    let mask = try Mask(size: size, runs: [1, 2, 0, 1, 1, 0, 1, 0])
    #expect(mask.runs == [1, 3, 2])
    #expect(try Mask(size: size, runs: [0, 0, 6]) == Mask(emptyOf: size))
    #expect(try Mask(size: size, runs: [0, 0, 0, 6]) == Mask(fullOf: size))
  }

  @Test("Runs that do not sum to the image are refused with both numbers")
  func sums() {
    let size = ImageSize(width: 2, height: 3)
    #expect(throws: MaskError.runSum(5, expected: 6)) { try Mask(size: size, runs: [2, 3]) }
    #expect(throws: MaskError.runSum(7, expected: 6)) { try Mask(size: size, runs: [2, 5]) }
    #expect(throws: MaskError.runSum(0, expected: 6)) { try Mask(size: size, runs: []) }
  }

  @Test("The string is COCO's: five bits a character, differences from the fourth run on")
  func codec() throws {
    // 1, 3, 2 → "1", "3", "2"; then 40 − 3 = 37 = 00101 + 32·1 → 5 + 32 + 48 = "U", 1 + 48 = "1".
    let size = ImageSize(width: 1, height: 46)
    let mask = try Mask(size: size, runs: [1, 3, 2, 40])
    #expect(String(decoding: mask.compressed, as: UTF8.self) == "132U1")
    #expect(try Mask(size: size, compressed: "132U1".utf8) == mask)
    // 2 − 3 = −1: only ones → 31 + 48 = "O".
    let short = try Mask(size: ImageSize(width: 1, height: 8), runs: [1, 3, 2, 2])
    #expect(String(decoding: short.compressed, as: UTF8.self) == "132O")
  }

  @Test("A broken string is refused with the place")
  func brokenCodec() {
    let size = ImageSize(width: 1, height: 46)
    let broken: [(String, MaskError)] = [
      ("13 2U1", .badCharacter(at: 2)),  // a blank is below the first character
      ("13p", .badCharacter(at: 2)),  // and p behind the last
      ("132U", .badCharacter(at: 4)),  // ends within a number
      ("O", .badRun(at: 0)),  // −1
      ("ooooooo1", .badRun(at: 0)),  // 36 bits and more
      // 37 − 32 = 5 more than 3 is 8, and 1 + 3 + 2 + 8 = 14.
      ("132U0", .runSum(14, expected: 46)),
    ]
    for (string, error) in broken {
      #expect(throws: error, "\(string)") { try Mask(size: size, compressed: string.utf8) }
    }
  }

  @Test("Sets of pixels")
  func algebra() {
    let a = drawn("##.", "#..")
    let b = drawn(".##", "#..")
    #expect(a.union(b) == drawn("###", "#.."))
    #expect(a.intersection(b) == drawn(".#.", "#.."))
    #expect(a.subtracting(b) == drawn("#..", "..."))
    #expect(a.symmetricDifference(b) == drawn("#.#", "..."))
    #expect(a.inverted == drawn("..#", ".##"))
    #expect(Mask.union(of: [], size: a.size) == Mask(emptyOf: a.size))
    #expect(Mask.union(of: [a, b, a.inverted], size: a.size) == Mask(fullOf: a.size))
  }

  @Test("IoU 2/4, Dice 4/6, against a crowd 2/3; undefined where both are empty")
  func overlap() {
    let a = drawn("##.", "#..")
    let b = drawn(".##", "#..")
    let none = Mask(emptyOf: a.size)
    #expect(a.intersectionArea(with: b) == 2)
    #expect(a.unionArea(with: b) == 4)
    #expect(a.iou(with: b) == 0.5)
    #expect(a.dice(with: b) == 4.0 / 6)
    #expect(a.iou(ofCrowd: b) == 2.0 / 3)
    #expect(none.iou(with: none) == nil)
    #expect(none.dice(with: none) == nil)
    #expect(none.iou(ofCrowd: none) == nil)
    #expect(none.iou(with: a) == 0)
    #expect(none.iou(ofCrowd: a) == 0)
    #expect(a.iou(ofCrowd: none) == 0)
  }

  @Test("The box is tight and the center of mass a mean of pixel centers")
  func extent() {
    let mask = drawn("....", ".##.", ".#..", "....")
    #expect(mask.boundingBox == Box(x: 1, y: 1, width: 2, height: 2))
    // Centers (1.5, 1.5), (2.5, 1.5), (1.5, 2.5): mean 5.5 / 3 both ways; the box's center is (2, 2).
    #expect(mask.centerOfMass?.x == 5.5 / 3)
    #expect(mask.centerOfMass?.y == 5.5 / 3)
    let offset = (2.0 * (2 - 5.5 / 3) * (2 - 5.5 / 3)).squareRoot()
    #expect(abs((mask.centerOffset ?? 0) - offset) < 1e-15)
    #expect(abs((mask.relativeCenterOffset ?? 0) - offset / 8.0.squareRoot()) < 1e-15)
    let none = Mask(emptyOf: mask.size)
    #expect(none.boundingBox == nil && none.centerOfMass == nil && none.centerOffset == nil)
  }

  @Test("A raster's labels, painting and cropping")
  func rasters() throws {
    let raster = try #require(
      Raster<UInt8>(width: 3, height: 2, elements: [7, 7, 0, 9, 7, 0]))
    let labels = Mask.labels(of: raster)
    #expect(labels.map(\.value) == [0, 7, 9])
    #expect(labels.map(\.mask) == [drawn("..#", "..#"), drawn("##.", ".#."), drawn("...", "#..")])
    #expect(Mask(raster, where: 0) == drawn("..#", "..#"))
    var painted = raster
    drawn("#..", "..#").paint(5, into: &painted)
    #expect(painted.elements == [5, 7, 0, 9, 7, 5])
    #expect(drawn("##.", ".#.").raster(inside: 1, outside: 3).elements == [1, 1, 3, 3, 1, 3])
    #expect(
      drawn("##.", ".#.").cropped(x: 1, y: -1, width: 3, height: 3)
        == drawn("...", "#..", "#.."))
  }

  @Test("The largest part comes first, of equals the leftmost; corners join unless told")
  func components() {
    let mask = drawn("#..#", ".#..", "....", "##.#")
    #expect(
      mask.components() == [
        drawn("#...", ".#..", "....", "...."), drawn("....", "....", "....", "##.."),
        drawn("...#", "....", "....", "...."), drawn("....", "....", "....", "...#"),
      ])
    #expect(mask.components(connectivity: .four).map(\.area) == [2, 1, 1, 1, 1])
    #expect(mask.removingComponents(below: 2).area == 4)
    #expect(Mask(emptyOf: mask.size).components().isEmpty)
    #expect(Mask(emptyOf: mask.size).largestComponent().isEmpty)
  }

  @Test("A hole is closed on its four sides; what reaches the edge is none")
  func holes() {
    let mask = drawn("####", "#.#.", "####", "..#.")
    #expect(mask.holes() == drawn("....", ".#..", "....", "...."))
    #expect(mask.fillingHoles().area == mask.area + 1)
  }

  @Test("Erosion eats at the image's edges, closing does not")
  func morphology() {
    let mask = drawn("####.", "####.", "####.", "#.##.")
    #expect(mask.eroded(by: 1) == drawn(".....", ".##..", ".....", "....."))
    #expect(mask.eroded(by: 2).isEmpty)
    #expect(drawn("....", "#...", "....").dilated(by: 1) == drawn("##..", "##..", "##.."))
    #expect(drawn("##", "##").closed(by: 1) == drawn("##", "##"))
    // A gap of two is too narrow for a square of three; a gap of three is not.
    #expect(drawn("#..#", "....").closed(by: 1) == drawn("####", "...."))
    #expect(drawn("#...#", ".....").closed(by: 1) == drawn("#...#", "....."))
    #expect(drawn("##.", "##.", "..#").opened(by: 1).isEmpty)
    #expect(mask.eroded(by: .max).isEmpty)
    #expect(mask.dilated(by: .max) == Mask(fullOf: mask.size))
    #expect(mask.opened(by: .max).isEmpty)
    #expect(mask.closed(by: .max).intersection(mask) == mask)
  }

  @Test("The band is 2 % of the diagonal, half to even, one pixel at least")
  func bandWidth() {
    #expect(Mask.bandWidth(of: ImageSize(width: 640, height: 480)) == 16)  // 0.02 · 800
    #expect(Mask.bandWidth(of: ImageSize(width: 1, height: 1)) == 1)
    #expect(Mask.bandWidth(of: ImageSize(width: 75, height: 100)) == 2)  // 0.02 · 125 = 2.5
    #expect(Mask.bandWidth(of: ImageSize(width: 105, height: 140)) == 4)  // 0.02 · 175 = 3.5
    let full = Mask(fullOf: ImageSize(width: 4, height: 4))
    #expect(full.boundaryBand() == drawn("####", "#..#", "#..#", "####"))
  }

  @Test("Outlines follow the pixels' edges; pixels that touch at a corner have a ring each")
  func contours() {
    #expect(drawn("...", ".#.").contours() == [[2, 1, 2, 2, 1, 2, 1, 1]])
    #expect(drawn("#.", ".#").contours().count == 2)
    let ring = drawn("###", "#.#", "###").contours()
    #expect(ring.map(\.count) == [8, 8])  // four corners outside, four around the hole
    #expect(Mask(emptyOf: ImageSize(width: 2, height: 2)).contours().isEmpty)
  }
}
