/// A mask laid out for many comparisons: layer 0 has the first span of set pixels of every column,
/// layer 1 the second, and so on.
///
/// Two spans overlap from the later top to the earlier bottom, which takes the processor a few
/// instructions for eight columns at once; the number of layers of a shape is small. A mask without
/// such a form, because of its order or height, is compared by its runs.
struct MaskLayers {
  private struct Layer {
    /// The columns from the first to the last with a span in the layer.
    var columns: Range<Int>
    /// The index of the layer's first column in `tops` and `bottoms`.
    var start: Int
  }

  let mask: Mask
  let area: Int
  private let bounds: (x: Int, y: Int, width: Int, height: Int)
  private var layers: [Layer] = []
  private var tops: [Int16] = []
  private var bottoms: [Int16] = []
  private var hasLayers = false

  init(_ mask: Mask) {
    self.mask = mask
    area = mask.area
    bounds = mask.bounds ?? (0, 0, 0, 0)
    guard mask.size.height <= Int(Int16.max) else { return }
    var spans = 0
    var column = -1
    var depth = 0
    mask.forEachSpan { x, _, _ in
      depth = x == column ? depth + 1 : 0
      column = x
      spans += 1
      if depth == layers.count { layers.append(Layer(columns: x..<x, start: 0)) }
      layers[depth].columns = layers[depth].columns.lowerBound..<x + 1
    }
    var length = 0
    for index in layers.indices {
      layers[index].start = length
      length += layers[index].columns.count
    }
    guard length <= 8 * spans else { return }
    tops = [Int16](repeating: 0, count: length)
    bottoms = tops
    column = -1
    mask.forEachSpan { x, top, bottom in
      depth = x == column ? depth + 1 : 0
      column = x
      let place = layers[depth].start + x - layers[depth].columns.lowerBound
      tops[place] = Int16(truncatingIfNeeded: top)
      bottoms[place] = Int16(truncatingIfNeeded: bottom)
    }
    hasLayers = true
  }

  /// Returns whether the bounding boxes share a pixel.
  func touches(_ other: MaskLayers) -> Bool {
    bounds.x < other.bounds.x + other.bounds.width && other.bounds.x < bounds.x + bounds.width
      && bounds.y < other.bounds.y + other.bounds.height
      && other.bounds.y < bounds.y + bounds.height
  }

  /// The number of pixels set in both.
  func intersectionArea(with other: MaskLayers) -> Int {
    guard touches(other) else { return 0 }
    guard hasLayers, other.hasLayers, layers.count * other.layers.count <= 64 else {
      return mask.intersectionArea(with: other.mask)
    }
    return tops.withUnsafeBufferPointer { tops in
      bottoms.withUnsafeBufferPointer { bottoms in
        other.tops.withUnsafeBufferPointer { otherTops in
          other.bottoms.withUnsafeBufferPointer { otherBottoms in
            var shared = 0
            for layer in layers {
              for otherLayer in other.layers {
                let first = max(layer.columns.lowerBound, otherLayer.columns.lowerBound)
                let end = min(layer.columns.upperBound, otherLayer.columns.upperBound)
                if first >= end { continue }
                let own = layer.start + first - layer.columns.lowerBound
                let its = otherLayer.start + first - otherLayer.columns.lowerBound
                var sum: Int32 = 0
                for column in 0..<end - first {
                  let top = max(tops[own &+ column], otherTops[its &+ column])
                  let bottom = min(bottoms[own &+ column], otherBottoms[its &+ column])
                  sum &+= Int32(max(bottom &- top, 0))
                }
                shared += Int(sum)
              }
            }
            return shared
          }
        }
      }
    }
  }
}
