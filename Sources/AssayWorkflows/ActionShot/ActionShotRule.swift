import AssayCore

/// The rule that chooses the frames of an action shot whose masks hardly overlap.
///
/// Frames without a subject, and those in which it is cut off at an edge of its path, are left out. The last
/// remaining frame is the main one; going back in time, a frame is taken if its mask shares at most
/// ``maxOverlap`` of its pixels with each frame taken before.
package struct ActionShotRule: Hashable, Sendable {
  /// The minimum share of the picture that a mask covers, in 0...1.
  package var minArea = 0.005
  /// The maximum share of a frame's mask that lies in the mask of another chosen frame, in 0...1.
  package var maxOverlap = 0.02
  /// The opacity of the oldest frame, in 0...1; the newest has 1, the others lie evenly between them.
  package var minOpacity = 0.35
  /// The names of the frames to use instead, whatever the area of their masks; `nil` to choose them.
  package var names: Set<String>?

  package init() {}

  /// The result of a choice.
  package struct Choice: Sendable {
    /// The axis of travel; `nil` if fewer than two frames show the subject.
    package let axis: TravelAxis?
    /// The decision about each frame, in their order.
    package let verdicts: [FrameVerdict]
  }

  /// Chooses among frames in the order of time.
  package func choose(_ frames: [ActionFrame]) -> Choice {
    let expected = Self.commonSize(of: frames)
    var verdicts: [FrameVerdict?] = frames.map { frame in
      switch frame.content {
      case .failure(let fault): return .rejected(.fault(fault))
      case .success(let mask):
        guard let expected, mask.size != expected else { return nil }
        return .rejected(.otherSize(mask.size, expected: expected))
      }
    }
    for (index, frame) in frames.enumerated() where verdicts[index] == nil {
      guard let mask = frame.mask else { continue }
      let share = Double(mask.area) / Double(max(mask.size.area, 1))
      if mask.isEmpty || names == nil && share < minArea {
        verdicts[index] = .rejected(.tooSmall(share))
      }
    }
    let visible = frames.indices.filter { verdicts[$0] == nil }
    let axis = Self.axis(of: visible.compactMap { frames[$0].mask })
    if let names {
      // Frames named by hand are used wherever the subject is.
      for index in frames.indices {
        let isNamed = names.contains(frames[index].name)
        if !isNamed { verdicts[index] = .rejected(.notNamed) }
      }
      return Choice(axis: axis, verdicts: graded(verdicts))
    }
    for index in visible {
      if let axis, let edge = frames[index].mask?.touchedEdge(along: axis) {
        verdicts[index] = .rejected(.cutOff(edge))
      }
    }
    var taken: [Int] = []
    for index in visible.reversed() where verdicts[index] == nil {
      guard let mask = frames[index].mask else { continue }
      let overlaps = taken.map { other -> (share: Double, index: Int) in
        let shared = frames[other].mask.map { mask.intersectionArea(with: $0) } ?? 0
        return (Double(shared) / Double(max(mask.area, 1)), other)
      }
      if let worst = overlaps.max(by: { $0.share < $1.share }), worst.share > maxOverlap {
        verdicts[index] = .rejected(.overlaps(worst.share, with: frames[worst.index].name))
      } else {
        taken.append(index)
      }
    }
    return Choice(axis: axis, verdicts: graded(verdicts))
  }

  /// The verdicts, with opacities for the frames that are left.
  private func graded(_ verdicts: [FrameVerdict?]) -> [FrameVerdict] {
    let count = verdicts.count { $0 == nil }
    var rank = 0
    return verdicts.map { verdict in
      if let verdict { return verdict }
      defer { rank += 1 }
      let part = count > 1 ? Double(rank) / Double(count - 1) : 1
      return .chosen(opacity: minOpacity + (1 - minOpacity) * part)
    }
  }

  /// The size of most frames; of sizes with equal numbers that of the first one.
  private static func commonSize(of frames: [ActionFrame]) -> ImageSize? {
    let sizes = frames.compactMap { $0.mask?.size }
    var counts: [ImageSize: Int] = [:]
    for size in sizes { counts[size, default: 0] += 1 }
    guard let most = counts.values.max() else { return nil }
    return sizes.first { counts[$0] == most }
  }

  /// The axis along which the center of the box moves farther from the first mask to the last.
  private static func axis(of masks: [Mask]) -> TravelAxis? {
    guard masks.count >= 2, let first = masks.first?.boundingBox?.center,
      let last = masks.last?.boundingBox?.center
    else { return nil }
    return abs(last.x - first.x) >= abs(last.y - first.y) ? .horizontal : .vertical
  }
}

extension Mask {
  /// The edge at either end of an axis that the mask touches; of both, the left or the top one. `nil` for none.
  fileprivate func touchedEdge(along axis: TravelAxis) -> FrameEdge? {
    guard let bounds else { return nil }
    switch axis {
    case .horizontal:
      if bounds.x == 0 { return .left }
      return bounds.x + bounds.width == size.width ? .right : nil
    case .vertical:
      if bounds.y == 0 { return .top }
      return bounds.y + bounds.height == size.height ? .bottom : nil
    }
  }
}
