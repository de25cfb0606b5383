import Testing

import AssayCore

@Suite("Laws of masks")
struct MaskLawTests {
  /// Seeded masks of small sizes: blocks with cuts and stray pixels.
  private func shapes(_ count: Int, _ body: (Mask, Mask, inout MaskCases) throws -> Void) rethrows {
    for number in 0..<count {
      var draw = MaskCases(seed: 7_000 + number)
      let size = draw.size(24)
      let first = Mask(draw.shape(size))
      let second = Mask(draw.shape(size))
      try body(first, second, &draw)
    }
  }

  @Test("Sets: complement, De Morgan, inclusion and exclusion; the runs stay canonical")
  func sets() throws {
    try shapes(400) { a, b, _ in
      #expect(a.inverted.inverted == a)
      #expect(a.union(b).inverted == a.inverted.intersection(b.inverted))
      #expect(a.subtracting(b) == a.intersection(b.inverted))
      #expect(a.symmetricDifference(b) == a.union(b).subtracting(a.intersection(b)))
      #expect(a.union(b) == b.union(a))
      #expect(a.union(a.inverted) == Mask(fullOf: a.size))
      #expect(a.intersectionArea(with: b) == a.intersection(b).area)
      #expect(a.unionArea(with: b) == a.union(b).area)
      for mask in [a, b, a.union(b), a.intersection(b), a.subtracting(b), a.inverted] {
        let again = try Mask(size: a.size, runs: mask.runs)
        #expect(again == mask)
        #expect(!mask.runs.dropFirst().contains(0))
        let read = try Mask(size: a.size, compressed: mask.compressed)
        #expect(read == mask)
      }
    }
  }

  @Test("A matrix of IoUs has the numbers of the pairs, also of ragged and of tall masks")
  func matrix() {
    for side in [24, 200] {
      var draw = MaskCases(seed: side)
      let size = ImageSize(width: side, height: side)
      let masks = (0..<12).map { index in
        index % 3 == 0 ? Mask(draw.labels(size).raster, where: 1) : Mask(draw.shape(size))
      }
      compare(masks)
    }
    let tall = ImageSize(width: 3, height: 40_000)
    compare([
      Mask(box: Box(x: 0, y: 10, width: 2, height: 39_000), size: tall), Mask(fullOf: tall),
      Mask(emptyOf: tall),
    ])
  }

  private func compare(_ masks: [Mask]) {
    let crowds = masks.indices.map { $0 % 2 == 1 }
    let matrix = Mask.ious(of: masks, with: masks, crowds: crowds)
    for (row, result) in masks.enumerated() {
      for (column, truth) in masks.enumerated() {
        let expected = crowds[column] ? result.iou(ofCrowd: truth) : result.iou(with: truth)
        #expect(matrix[row * masks.count + column] == expected ?? 0)
      }
    }
  }

  @Test("A raster there and back is the mask, and painting touches no other pixel")
  func rasters() {
    shapes(300) { a, b, _ in
      #expect(Mask(a.raster()) == a)
      #expect(Mask(a.raster(inside: 3, outside: 3)) == Mask(fullOf: a.size))
      #expect(Mask(a.raster(inside: 0, outside: 9), where: 0) == a)
      var raster = b.raster(inside: 2, outside: 1)
      a.paint(7, into: &raster)
      #expect(Mask(raster, where: 7) == a)
      #expect(Mask(raster, where: 2) == b.subtracting(a))
    }
  }

  @Test("Morphology is that of pixels: opened ⊆ mask ⊆ closed, eroding and dilating are dual")
  func morphology() {
    shapes(300) { a, b, draw in
      let steps = 1 + draw.draw(5)
      #expect(a.opened(by: steps).subtracting(a).isEmpty)
      #expect(a.subtracting(a.closed(by: steps)).isEmpty)
      #expect(a.opened(by: steps).opened(by: steps) == a.opened(by: steps))
      #expect(a.closed(by: steps).closed(by: steps) == a.closed(by: steps))
      #expect(a.dilated(by: steps) == a.dilated(by: 1).dilated(by: steps - 1))
      #expect(a.union(b).dilated(by: steps) == a.dilated(by: steps).union(b.dilated(by: steps)))
      #expect(a.eroded(by: steps) == naive(a, steps))
      #expect(a.boundaryBand(width: steps).union(a.eroded(by: steps)) == a)
    }
  }

  private func naive(_ mask: Mask, _ steps: Int) -> Mask {
    let raster = mask.raster()
    var eroded = raster
    for y in 0..<raster.height {
      for x in 0..<raster.width {
        for ny in y - steps...y + steps {
          for nx in x - steps...x + steps
          where !(0..<raster.width).contains(nx) || !(0..<raster.height).contains(ny)
            || raster[nx, ny] == 0
          { eroded[x, y] = 0 }
        }
      }
    }
    return Mask(eroded)
  }

  @Test("Outlines filled by the even–odd rule give the mask back")
  func contours() {
    shapes(400) { a, _, _ in
      let rings = a.contours()
      let filled = rings.reduce(Mask(emptyOf: a.size)) {
        $0.symmetricDifference(Mask(polygons: [$1], size: a.size))
      }
      #expect(filled == a)
      // Twice the area computed from the corners, with holes subtracted.
      #expect(rings.allSatisfy { $0.count >= 8 && $0.count % 4 == 0 })
      // Without holes the union of the rings is enough.
      if a.holes().isEmpty { #expect(Mask(polygons: rings, size: a.size) == a) }
    }
  }

  @Test("Components share no pixel and make up the mask; holes lie outside it")
  func components() {
    shapes(300) { a, _, draw in
      for connectivity in [Connectivity.four, .eight] {
        let parts = a.components(connectivity: connectivity)
        #expect(Mask.union(of: parts, size: a.size) == a)
        #expect(parts.reduce(0) { $0 + $1.area } == a.area)
        #expect(parts.allSatisfy { $0.components(connectivity: connectivity).count == 1 })
        let least = 1 + draw.draw(6)
        #expect(
          a.removingComponents(below: least, connectivity: connectivity)
            == Mask.union(of: parts.filter { $0.area >= least }, size: a.size))
      }
      #expect(a.holes().intersection(a).isEmpty)
      #expect(a.fillingHoles().holes().isEmpty)
    }
  }

  @Test("Center of mass, box and crops are those of the pixels")
  func extent() {
    shapes(300) { a, _, draw in
      let raster = a.raster()
      let set = (0..<a.size.area).filter { raster.elements[$0] != 0 }
        .map { (x: $0 % a.size.width, y: $0 / a.size.width) }
      #expect(a.area == set.count)
      if let center = a.centerOfMass {
        let x = Double(set.reduce(0) { $0 + $1.x }) / Double(set.count) + 0.5
        #expect(abs(center.x - x) < 1e-12)
        #expect(a.bounds?.x == set.map(\.x).min() && a.bounds?.y == set.map(\.y).min())
      }
      let (left, top) = (draw.draw(30) - 10, draw.draw(30) - 10)
      let (width, height) = (1 + draw.draw(30), 1 + draw.draw(30))
      let crop = a.cropped(x: left, y: top, width: width, height: height)
      let inside = set.filter {
        (left..<left + width).contains($0.x) && (top..<top + height).contains($0.y)
      }
      #expect(crop.area == inside.count)
      let pixels = crop.raster()
      #expect(inside.allSatisfy { pixels[$0.x - left, $0.y - top] != 0 })
    }
  }
}
