import AssayCore
import Testing

@testable import AssayMetrics

@Suite("The distance between the edges of two masks")
struct SurfaceDistanceTests {
  /// Rows of characters; `#` is set, `-` void.
  private func distance(_ first: [String], _ second: [String]) -> Double? {
    func bytes(_ rows: [String]) -> [UInt8] { rows.joined().utf8.map { $0 == 0x23 ? 1 : 0 } }
    let isVoid: [UInt8] = first.joined().utf8.map { $0 == 0x2D ? 255 : 0 }
    return distance(
      bytes(first), bytes(second), width: first[0].count,
      isVoid: isVoid.contains(255) ? isVoid : [])
  }

  private func distance(
    _ first: [UInt8], _ second: [UInt8], width: Int, isVoid: [UInt8] = []
  ) -> Double? {
    first.withUnsafeBufferPointer { first in
      second.withUnsafeBufferPointer { second in
        SurfaceDistance.hausdorff95(
          first, second, label: 1, width: width, height: first.count / width, isVoid: isVoid)
      }
    }
  }

  @Test("Two pixels are as far apart as their centers; the same masks are not apart")
  func pixels() {
    #expect(
      distance(["#...", "....", "....", "...."], ["....", "....", "....", "...#"])
        == 18.0.squareRoot())
    #expect(distance(["....#........"], ["............#"]) == 8)
    #expect(distance(["###", "###", "###"], ["###", "###", "###"]) == 0)
  }

  @Test("An empty mask has no distance")
  func empty() {
    #expect(distance(["..#"], ["..."]) == nil)
    #expect(distance(["..."], ["..#"]) == nil)
    #expect(distance(["..."], ["..."]) == nil)
  }

  @Test("The percentile leaves out a far pixel among many")
  func outlier() throws {
    let row = String(repeating: "#", count: 60) + String(repeating: ".", count: 40)
    let other = String(repeating: "#", count: 60) + String(repeating: ".", count: 39) + "#"
    // 121 distances, one of which is 40 and the others 0.
    #expect(distance([row], [other]) == 0)
  }

  @Test("It is symmetric, and an edge to void counts for nothing")
  func symmetry() {
    let (a, b) = (["##....", "##....", "......"], ["......", "..####", "..####"])
    #expect(distance(a, b) == distance(b, a))
    // The inner pixel of the first row has only void neighbors: no edge, so no distance.
    #expect(distance(["---", "-#-", "---"], ["...", ".#.", "..."]) == nil)
  }

  /// The squared distances of all edge pixels, over all pairs.
  private func squares(_ first: [UInt8], to second: [UInt8], width: Int) -> [Int] {
    let height = first.count / width
    func edges(_ mask: [UInt8]) -> [(x: Int, y: Int)] {
      mask.indices.filter { mask[$0] == 1 }.map { (x: $0 % width, y: $0 / width) }.filter { pixel in
        [(-1, 0), (1, 0), (0, -1), (0, 1)].contains { step in
          let (x, y) = (pixel.x + step.0, pixel.y + step.1)
          return !(0..<width ~= x && 0..<height ~= y) || mask[y * width + x] == 0
        }
      }
    }
    let others = edges(second)
    return edges(first).map { one in
      others.map { ($0.x - one.x) * ($0.x - one.x) + ($0.y - one.y) * ($0.y - one.y) }.min() ?? -1
    }
  }

  @Test("Each edge pixel has the distance that all pairs give, near and far")
  func allPairs() {
    var random = SplitMix64(seed: 95)
    for round in 0..<120 {
      let (width, height) = (1 + random.nextIndex(below: 90), 1 + random.nextIndex(below: 14))
      let chances = [2, 5, 50, 95].map { _ in 1 + random.nextIndex(below: 95) }
      // In some rounds the masks are at opposite ends of the rows, so that the lower envelope is
      // needed.
      let isFar = round % 3 == 0
      func mask(_ side: Int) -> [UInt8] {
        (0..<width * height).map { place in
          let x = place % width
          if isFar, side == 0 ? x > width / 3 : x < width - 1 - width / 20 { return 0 }
          return random.nextIndex(below: 100) < chances[side] ? 1 : 0
        }
      }
      let (first, second) = (mask(0), mask(1))
      let edges = [first, second].map { mask in
        mask.withUnsafeBufferPointer {
          EdgePixels($0, label: 1, width: width, height: height, isVoid: [])
        }
      }
      let pairs = [(0, 1), (1, 0)]
      for (one, other) in pairs where !edges[other].columns.isEmpty {
        let masks = [first, second]
        #expect(
          edges[one].squares(to: edges[other])
            == squares(masks[one], to: masks[other], width: width),
          "round \(round)")
      }
    }
  }
}
