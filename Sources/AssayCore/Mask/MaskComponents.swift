/// The neighbors of a pixel that are connected to it.
package enum Connectivity: Sendable {
  /// The neighbors on the four sides.
  case four
  /// The neighbors on the sides and at the corners.
  case eight
}

/// The connected components of a mask.
extension Mask {
  /// The connected components, largest first; on ties, the one whose first pixel in column-major
  /// order comes first.
  ///
  /// - Complexity: O(*s* log *s*), where *s* is the number of vertical spans of set pixels.
  package func components(connectivity: Connectivity = .eight) -> [Mask] {
    let parts = ColumnParts(self, connectivity: connectivity)
    var runs = [RunLengthBuilder](repeating: RunLengthBuilder(size: size), count: parts.count)
    for index in parts.spans.indices {
      let span = parts.spans[index]
      runs[parts.part[index]].append(x: span.x, top: span.top, bottom: span.bottom)
    }
    let order = runs.indices.sorted { (parts.areas[$0], $1) > (parts.areas[$1], $0) }
    return order.map { runs[$0].mask() }
  }

  /// The first of ``components(connectivity:)``; an empty mask if this one is empty.
  package func largestComponent(connectivity: Connectivity = .eight) -> Mask {
    let parts = ColumnParts(self, connectivity: connectivity)
    guard let largest = parts.areas.max(), let first = parts.areas.firstIndex(of: largest) else {
      return self
    }
    return parts.mask(size: size) { $0 == first }
  }

  /// The mask without connected components below an area in pixels.
  package func removingComponents(
    below area: Int, connectivity: Connectivity = .eight
  ) -> Mask {
    let parts = ColumnParts(self, connectivity: connectivity)
    return parts.mask(size: size) { parts.areas[$0] >= area }
  }

  /// The unset pixels that are not connected (4-neighborhood) to the image's edge.
  ///
  /// Source: equals scipy's `binary_fill_holes`.
  package func holes() -> Mask {
    let parts = ColumnParts(inverted, connectivity: .four)
    var isOpen = [Bool](repeating: false, count: parts.count)
    for index in parts.spans.indices {
      let span = parts.spans[index]
      if span.x == 0 || span.x == size.width - 1 || span.top == 0 || span.bottom == size.height {
        isOpen[parts.part[index]] = true
      }
    }
    return parts.mask(size: size) { !isOpen[$0] }
  }

  /// The mask with its ``holes()``.
  package func fillingHoles() -> Mask { union(holes()) }
}

/// The vertical spans of set pixels in each column, and the component of each.
private struct ColumnParts {
  struct Span {
    var x: Int
    var top: Int
    var bottom: Int
  }

  private(set) var spans: [Span] = []
  /// The component number of each span; components are numbered by their first pixel.
  private(set) var part: [Int] = []
  /// The number of pixels of each component.
  private(set) var areas: [Int] = []

  var count: Int { areas.count }

  init(_ mask: Mask, connectivity: Connectivity) {
    spans.reserveCapacity(mask.runs.count)
    mask.forEachSpan { x, top, bottom in spans.append(Span(x: x, top: top, bottom: bottom)) }
    var parent = Array(spans.indices)
    func root(_ index: Int) -> Int {
      var index = index
      while parent[index] != index {
        parent[index] = parent[parent[index]]
        index = parent[index]
      }
      return index
    }
    let reach = connectivity == .eight ? 1 : 0
    // The spans of the left column that can still touch later ones.
    var left = 0
    for index in spans.indices {
      let span = spans[index]
      while left < index,
        spans[left].x < span.x - 1
          || (spans[left].x == span.x - 1 && spans[left].bottom + reach <= span.top)
      {
        left += 1
      }
      var other = left
      while other < index, spans[other].x == span.x - 1, spans[other].top < span.bottom + reach {
        let first = root(other)
        let second = root(index)
        // The smaller root is kept, so that a component's root is its first span.
        if first < second { parent[second] = first } else { parent[first] = second }
        other += 1
      }
    }
    part = [Int](repeating: 0, count: spans.count)
    for index in spans.indices {
      let first = root(index)
      if first == index {
        part[index] = areas.count
        areas.append(0)
      } else {
        part[index] = part[first]
      }
      areas[part[index]] += spans[index].bottom - spans[index].top
    }
  }

  /// The mask of the components that `isKept` accepts.
  func mask(size: ImageSize, _ isKept: (Int) -> Bool) -> Mask {
    var runs = RunLengthBuilder(size: size, capacity: 2 * spans.count)
    for index in spans.indices where isKept(part[index]) {
      runs.append(x: spans[index].x, top: spans[index].top, bottom: spans[index].bottom)
    }
    return runs.mask()
  }
}
