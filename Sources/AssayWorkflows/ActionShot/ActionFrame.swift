package import AssayCore

/// One frame of a film with the mask of the subject in it.
package struct ActionFrame: Sendable {
  /// The file's name, or the sample's key.
  package let name: String
  /// The mask, or the reason why the frame has none.
  package let content: Result<Mask, FrameFault>

  package init(name: String, content: Result<Mask, FrameFault>) {
    self.name = name
    self.content = content
  }

  /// The mask; `nil` if the frame has none.
  var mask: Mask? { try? content.get() }
}

/// The reason why a frame has no mask, as one sentence.
package struct FrameFault: Error, Hashable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

/// The axis of the subject's movement through the picture.
package enum TravelAxis: String, Sendable {
  case horizontal, vertical
}

/// An edge of a picture.
package enum FrameEdge: String, Sendable {
  case left, right, top, bottom
}

/// The reason why a frame is not part of an action shot.
package enum FrameRejection: Hashable, Sendable {
  /// It has no mask: its image cannot be read.
  case fault(FrameFault)
  /// Its size differs from that of most frames.
  case otherSize(ImageSize, expected: ImageSize)
  /// The mask covers less than the minimum; its share of the picture.
  case tooSmall(Double)
  /// The mask touches an edge: the subject is cut off.
  case cutOff(FrameEdge)
  /// The mask shares this fraction of its pixels with that of a frame that is chosen.
  case overlaps(Double, with: String)
  /// The box is too near to that of the frame chosen before (rule `book`).
  case tooNear(Double, least: Double, to: String)
  /// The mask has no box, or one that fills the picture's width or height (rule `book`).
  case noBox
  /// Others were chosen by hand.
  case notNamed
}

/// The decision about a frame.
package enum FrameVerdict: Hashable, Sendable {
  /// Part of the picture, with this opacity in 0...1.
  case chosen(opacity: Double)
  case rejected(FrameRejection)

  /// The opacity of a chosen frame; `nil` for others.
  package var opacity: Double? {
    if case .chosen(let opacity) = self { opacity } else { nil }
  }
}

extension FrameRejection: CustomStringConvertible {
  package var description: String {
    switch self {
    case .fault(let fault): fault.description
    case .otherSize(let size, let expected):
      "its size is \(size.width) × \(size.height), that of most frames \(expected.width) × \(expected.height)"
    case .tooSmall(let share):
      share == 0 ? "nobody found" : "the mask covers only \(Self.percent(share)) of the picture"
    case .cutOff(let edge): "the mask touches the \(edge.rawValue) edge"
    case .overlaps(let share, let name): "overlaps \(name) by \(Self.percent(share)) of the mask"
    case .tooNear(let distance, let least, let name):
      "its box is \(Int(distance.rounded())) pixels from that of \(name), at least \(Int(least.rounded()))"
    case .noBox: "no box, or one as wide or as high as the picture"
    case .notNamed: "not one of --frames"
    }
  }

  private static func percent(_ share: Double) -> String {
    let tenths = (share * 1000).rounded()
    return tenths < 1 ? "< 0.1 %" : "\(Int(tenths) / 10).\(Int(tenths) % 10) %"
  }
}
