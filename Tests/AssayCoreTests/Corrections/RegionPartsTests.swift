import AssayCore
import Testing

/// Tests which parts of a new region are dropped, and which become separate instances.
struct RegionPartsTests {
  private let size = ImageSize(width: 60, height: 40)
  private let none = Mask(emptyOf: ImageSize(width: 60, height: 40))

  private func box(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> Mask {
    Mask(
      box: Box(x: Double(x), y: Double(y), width: Double(width), height: Double(height)), size: size
    )
  }

  @Test("Parts below the share of the region's pixels are dropped where they touch no instance")
  func dropped() {
    // 30 × 30 = 900 pixels and specks of 1, 2 and 9; 1 % of 912 is 9.12.
    let body = box(0, 0, 30, 30)
    let specks = [box(40, 0, 1, 1), box(40, 5, 2, 1), box(40, 10, 3, 3)]
    let all = Mask.union(of: [body] + specks, size: size)
    let region = RegionParts.few(smallestShare: 0.01).region(all, beside: box(2, 2, 5, 5))
    #expect(region.mask == body)
    #expect(region.droppedParts == 3 && region.droppedArea == 12)
    #expect(region.instanceArea == 0, "one part is left")
    // 0.9 % is 8.2: the part of 9 is kept, and is not a separate instance below 90 pixels.
    let more = RegionParts.few(smallestShare: 0.009).region(all, beside: none)
    #expect(more.mask == body.union(specks[2]))
    #expect(more.droppedParts == 2 && more.droppedArea == 3)
    #expect(more.instanceArea == 90)
  }

  @Test("A part that shares a pixel with an instance stays, however small it is")
  func kept() {
    let body = box(0, 0, 30, 30)
    let small = box(50, 30, 2, 1)
    let region = RegionParts.few(smallestShare: 0.5).region(
      body.union(small), beside: box(51, 30, 4, 4))
    #expect(region.mask == body.union(small))
    #expect(region.droppedParts == 0)
  }

  @Test("Nothing is dropped at share 0, and the largest part never is")
  func bounds() {
    let parts = box(0, 0, 2, 2).union(box(10, 10, 1, 1))
    #expect(RegionParts.few(smallestShare: 0).region(parts, beside: none).mask == parts)
    #expect(RegionParts.few(smallestShare: 1).region(parts, beside: none).mask == box(0, 0, 2, 2))
    #expect(RegionParts.few(smallestShare: 1).region(none, beside: none).mask.isEmpty)
    #expect(RegionParts.each.region(parts, beside: none) == .init(mask: parts))
    #expect(RegionParts.from(area: -3).region(parts, beside: none).instanceArea == 0)
  }
}
