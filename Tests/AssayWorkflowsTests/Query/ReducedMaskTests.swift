import AssayCore
import Testing

@testable import AssayWorkflows

@Suite("Masks reduced for thumbnails")
struct ReducedMaskTests {
  @Test("Each pixel is that of the original at its center", arguments: 1...40)
  func nearest(_ seed: Int) throws {
    var generator = SplitMix64(seed: UInt64(seed))
    let width = Int(generator.next() % 40) + 1
    let height = Int(generator.next() % 40) + 1
    let size = try #require(ImageSize.checked(width: width, height: height))
    let pixels = (0..<width * height).map { _ in generator.next() % 3 == 0 }
    let mask = Mask(size: size, columns: 0..<width, rows: 0..<height) { x, y in
      pixels[y * width + x]
    }
    for side in [1, 3, 7, 16, 64] {
      let small = mask.reduced(to: side)
      guard max(width, height) > side else {
        #expect(small == mask)
        continue
      }
      let wanted = try #require(
        ImageSize.checked(
          width: max(1, width * side / max(width, height)),
          height: max(1, height * side / max(width, height))))
      let own = Mask(
        size: wanted, columns: 0..<wanted.width, rows: 0..<wanted.height
      ) { x, y in
        let column = (2 * x + 1) * width / (2 * wanted.width)
        let row = (2 * y + 1) * height / (2 * wanted.height)
        return pixels[row * width + column]
      }
      #expect(small == own, "\(size) to \(side)")
    }
  }
}
