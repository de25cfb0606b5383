/// One step that changes a predicted mask, by its own shape or by the image.
package enum MaskRefinement: Hashable, Sendable {
  /// Removes structures thinner than a square of 2*n* + 1 pixels.
  case open(Int)
  /// Fills gaps narrower than a square of 2*n* + 1 pixels.
  case close(Int)
  /// Fills the holes: unset pixels that are not connected to the image's edge.
  case holes
  /// Keeps the largest connected component (8-neighborhood).
  case largest
  /// Moves the border to edges of the image: the pixels where a guided filter of the mask is at least 0.5.
  case guided(radius: Int, epsilon: Double)
  /// Decides the pixels at most this far from the border anew, by the colors and edges of the image.
  case grabcut(band: Int)

  /// The largest number of pixels of ``open(_:)`` and ``close(_:)``.
  package static let stepLimit = 1_000

  /// The largest radius of ``guided(radius:epsilon:)`` and band of ``grabcut(band:)``, in pixels.
  package static let imageLimit = 200

  /// The epsilon of ``guided(radius:epsilon:)`` if none is given: the variance of a window, of values in 0...1, below
  /// which it counts as flat.
  package static let usualEpsilon = 0.0001

  /// The spellings, for messages.
  package static let spellings = "open:N, close:N, holes, largest, guided:R[:E], grabcut:N"

  /// Reads one step: `open:2`, `close:3`, `holes`, `largest`, `guided:8`, `guided:8:0.001`, `grabcut:5`; `nil` for other
  /// text, and for numbers outside of `1...stepLimit`, `1...imageLimit`, and for epsilon of 0.000001...1.
  package init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    switch (parts.first, parts.count) {
    case ("holes", 1): self = .holes
    case ("largest", 1): self = .largest
    case ("open", 2), ("close", 2):
      guard let steps = Int(parts[1]), (1...Self.stepLimit).contains(steps) else { return nil }
      self = parts[0] == "open" ? .open(steps) : .close(steps)
    case ("guided", 2), ("guided", 3):
      guard let radius = Int(parts[1]), (1...Self.imageLimit).contains(radius) else { return nil }
      let epsilon = parts.count == 3 ? Double(parts[2]) : Self.usualEpsilon
      guard let epsilon, (0.000001...1).contains(epsilon) else { return nil }
      self = .guided(radius: radius, epsilon: epsilon)
    case ("grabcut", 2):
      guard let band = Int(parts[1]), (1...Self.imageLimit).contains(band) else { return nil }
      self = .grabcut(band: band)
    default: return nil
    }
  }

  /// Reads a list of steps with commas between them.
  ///
  /// - Throws: ``UnknownStep`` for the first one that ``init(_:)`` does not read.
  package static func list(_ text: String) throws(UnknownStep) -> [MaskRefinement] {
    var steps: [MaskRefinement] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let step = MaskRefinement(part.trimming(while: \.isWhitespace)) else {
        throw UnknownStep(text: String(part))
      }
      steps.append(step)
    }
    return steps
  }

  /// The spelling that ``init(_:)`` reads.
  package var text: String {
    switch self {
    case .open(let steps): "open:\(steps)"
    case .close(let steps): "close:\(steps)"
    case .holes: "holes"
    case .largest: "largest"
    case .guided(let radius, Self.usualEpsilon): "guided:\(radius)"
    case .guided(let radius, let epsilon): "guided:\(radius):\(epsilon)"
    case .grabcut(let band): "grabcut:\(band)"
    }
  }
}

/// A text that is no step of a refinement.
package struct UnknownStep: Error, Hashable, CustomStringConvertible {
  package var text: String

  package init(text: String) { self.text = text }

  package var description: String {
    "unknown step “\(text)”; the steps are \(MaskRefinement.spellings), with N from 1 to "
      + "\(MaskRefinement.stepLimit), of guided and grabcut to \(MaskRefinement.imageLimit), and E from 0.000001 to 1"
  }
}

extension Substring {
  /// The text without characters at both ends for which a condition holds.
  fileprivate func trimming(while condition: (Character) -> Bool) -> Substring {
    var part = drop(while: condition)
    while let last = part.last, condition(last) { part.removeLast() }
    return part
  }
}
