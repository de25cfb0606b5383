package import AssayCore

/// An object over the frames of a film.
package struct ExportTrack: Hashable, Sendable {
  /// Its number, which is the attribute ``attribute`` of its objects.
  package var number: Int64
  /// The class's ordinal.
  package var category: Int
  /// The positions of the images that have it among all images of the export, ascending.
  package var frames: [Int]

  /// The attribute of an object with the number of its track.
  package static let attribute = "track"

  package init(number: Int64, category: Int, frames: [Int]) {
    self.number = number
    self.category = category
    self.frames = frames
  }

  /// Returns whether the film goes on after a frame without the object.
  ///
  /// - Parameter count: the number of images.
  func ends(at frame: Int, of count: Int) -> Bool {
    guard frame + 1 < count else { return false }
    var (low, high) = (0, frames.count)
    while low < high {
      let middle = (low + high) / 2
      if frames[middle] <= frame { low = middle + 1 } else { high = middle }
    }
    return low == frames.count || frames[low] != frame + 1
  }
}

extension ExportObject {
  /// The number of its track; `nil` if it has none that is one of some numbers.
  func track(in numbers: Set<Int64>) -> Int64? {
    guard !numbers.isEmpty, shape != .tag,
      case .integer(let number)? = attributes.first(where: { $0.name == ExportTrack.attribute })?
        .value,
      numbers.contains(number)
    else { return nil }
    return number
  }
}

extension JSONValue.Member {
  /// Returns whether an attribute of an object in a track is what the track says of each of its
  /// objects: the frame, a key frame, not outside.
  ///
  /// - Returns: `nil` for other attributes.
  func isSaid(byTrackAt frame: Int) -> Bool? {
    switch name {
    case ExportTrack.attribute: true
    case "frame": value == .integer(Int64(frame))
    case "keyframe": value == .integer(1) || value == true
    case "outside": value == .integer(0) || value == false
    default: nil
    }
  }
}
