/// One step that changes a predicted mask: opening, closing, filling of holes, or the choice of the largest part.
package enum MaskRefinement: Hashable, Sendable {
  /// Removes structures thinner than a square of 2*n* + 1 pixels.
  case open(Int)
  /// Fills gaps narrower than a square of 2*n* + 1 pixels.
  case close(Int)
  /// Fills the holes: unset pixels that are not connected to the image's edge.
  case holes
  /// Keeps the largest connected component (8-neighborhood).
  case largest

  /// The largest number of pixels of ``open(_:)`` and ``close(_:)``.
  package static let stepLimit = 1_000

  /// The spellings, for messages.
  package static let spellings = "open:N, close:N, holes, largest"

  /// Reads one step: `open:2`, `close:3`, `holes`, `largest`; `nil` for other text, and for numbers outside of
  /// `1...stepLimit`.
  package init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    switch (parts.first, parts.count) {
    case ("holes", 1): self = .holes
    case ("largest", 1): self = .largest
    case ("open", 2), ("close", 2):
      guard let steps = Int(parts[1]), (1...Self.stepLimit).contains(steps) else { return nil }
      self = parts[0] == "open" ? .open(steps) : .close(steps)
    default: return nil
    }
  }

  /// The spelling that ``init(_:)`` reads.
  package var text: String {
    switch self {
    case .open(let steps): "open:\(steps)"
    case .close(let steps): "close:\(steps)"
    case .holes: "holes"
    case .largest: "largest"
    }
  }
}

extension Mask {
  /// The mask after some steps, one after another.
  package func refined(by steps: [MaskRefinement]) -> Mask {
    steps.reduce(self) { mask, step in
      switch step {
      case .open(let count): mask.opened(by: count)
      case .close(let count): mask.closed(by: count)
      case .holes: mask.fillingHoles()
      case .largest: mask.largestComponent()
      }
    }
  }
}
