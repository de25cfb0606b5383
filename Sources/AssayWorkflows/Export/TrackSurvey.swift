import AssayCore
import AssayFormats
import AssayStore

/// The tracks of an export: which objects are one object over the frames of a film, and the reasons why
/// others cannot be written as such.
struct TrackSurvey: Sendable {
  /// The reason why objects with the same track are no track of a format.
  private enum Obstacle: Hashable {
    /// Objects of several classes, or of several shapes.
    case mixed
    /// A shape that is no box, single polygon, single line or points.
    case shape
    /// Two objects on one frame.
    case repeated
  }

  private struct Found: Sendable {
    var category: Int
    var shape: ShapeKind
    var frames: [Int] = []
    var obstacle: Obstacle?
  }

  private var found: [Int64: Found] = [:]
  /// The number of objects whose track is no whole number from 0.
  private var unnumbered = 0
  /// The reason why the images are not the frames of one film; `nil` if they are.
  private var filmObstacle: String?

  private static let limit = 1_000_000

  // MARK: Gathering

  /// Takes an object.
  ///
  /// - Parameters:
  ///   - members: its attributes.
  ///   - frame: the position of its image among all.
  mutating func add(
    _ annotation: AnnotationRecord, _ members: [JSONValue.Member], frame: Int
  ) {
    guard annotation.shape != .label, annotation.shape != .tag,
      let value = members.first(where: { $0.name == ExportTrack.attribute })?.value
    else { return }
    guard case .integer(let number) = value, (0...Int64(Int32.max)).contains(number),
      found[number] != nil || found.count < Self.limit
    else {
      unnumbered += 1
      return
    }
    var track = found[number] ?? Found(category: annotation.category, shape: annotation.shape)
    if track.category != annotation.category || track.shape != annotation.shape {
      track.obstacle = track.obstacle ?? .mixed
    }
    if track.frames.last == frame { track.obstacle = track.obstacle ?? .repeated }
    if !Self.isWritable(annotation, members) { track.obstacle = track.obstacle ?? .shape }
    track.frames.append(frame)
    found[number] = track
  }

  private static func isWritable(
    _ annotation: AnnotationRecord, _ members: [JSONValue.Member]
  ) -> Bool {
    guard !annotation.isCrowd, !members.contains(where: { $0.name == ExportObject.keypointsName })
    else { return false }
    switch annotation.shape {
    case .box: return true
    case .polygon, .polyline, .points:
      guard let packed = annotation.geometry,
        // The size is only used by run lengths.
        let geometry = try? Geometry(
          shape: annotation.shape, packed: packed, size: ImageSize(width: 1, height: 1))
      else { return false }
      switch geometry {
      case .polygons(let parts), .polylines(let parts): return parts.count == 1
      case .points: return true
      case .mask: return false
      }
    case .mask, .label, .tag: return false
    }
  }

  /// Finds out whether the images are the frames of one film, in their order.
  mutating func finish(_ samples: [SampleRecord], of dataset: DatasetRecord, _ catalog: Catalog)
    throws
  {
    guard !found.isEmpty || unnumbered > 0 else { return }
    var fields: [Int: [JSONValue.Member]] = [:]
    if try catalog.hasSampleFields(in: dataset.id) {
      try catalog.forEachFields(of: samples.map(\.id)) { fields[$0] = $1 }
    }
    filmObstacle = Self.obstacle(samples, fields)
  }

  private static func obstacle(
    _ samples: [SampleRecord], _ fields: [Int: [JSONValue.Member]]
  ) -> String? {
    guard Set(samples.map(\.split)).count == 1 else { return "the images have several splits" }
    guard samples[0].size != nil, Set(samples.map(\.size)).count == 1 else {
      return "the images do not have one known size"
    }
    var last: (film: String, number: Int, name: String)?
    for (index, sample) in samples.enumerated() {
      guard let (film, number) = frame(sample, fields[index] ?? []) else {
        return "\(sample.key) is no frame of a film with a number"
      }
      let name = sample.location ?? sample.key
      if let last {
        guard last.film == film else {
          return "the images are of several films (\(last.film), \(film))"
        }
        // CVAT counts the images of a task from 0 in the order of their names.
        guard last.number < number, last.name.utf8.lexicographicallyPrecedes(name.utf8) else {
          return
            "the names of the images are not in the order of the frames (\(last.name), \(name))"
        }
      }
      last = (film, number, name)
    }
    return nil
  }

  /// The film of a sample and its number there: what its source states, else the number at the end of its
  /// name.
  private static func frame(
    _ sample: SampleRecord, _ fields: [JSONValue.Member]
  ) -> (film: String, number: Int)? {
    let own = JSONValue.object(fields)
    if case .integer(let frame)? = own["frame"], let number = Int(exactly: frame),
      let film = own["track"]?.text
    {
      return (film, number)
    }
    let name = sample.key.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    let stem = name.lastIndex(of: ".").map { name[..<$0] } ?? name
    let digits = stem.reversed().prefix { ("0"..."9").contains($0) }.count
    guard digits > 0, let number = Int(stem.suffix(digits)) else { return nil }
    return (String(sample.key[..<stem.endIndex].dropLast(digits)) + "*", number)
  }

  // MARK: Results

  /// Sets the tracks of a dataset that is written, and the notes about others.
  func fill(_ dataset: inout ExportDataset, _ scope: ExportScope, _ mapping: ClassMapping) {
    guard !found.isEmpty || unnumbered > 0 else { return }
    let kept = "stays an attribute of its objects"
    if let filmObstacle {
      dataset.trackNotes = ["the field 'track' \(kept): \(filmObstacle)"]
      return
    }
    var left: [Int64] = []
    for (number, track) in found.sorted(by: { $0.key < $1.key }) {
      guard track.obstacle == nil else {
        left.append(number)
        continue
      }
      // Objects of a dropped class are not written.
      guard mapping.ordinals.indices.contains(track.category),
        let category = mapping.ordinals[track.category]
      else { continue }
      dataset.tracks.append(
        ExportTrack(number: number, category: category, frames: track.frames))
    }
    dataset.frameSize = scope.samples[0].size
    if let first = left.first {
      dataset.trackNotes.append(
        "the field 'track' of \(Counted.text(left.count, "track", "tracks")) (\(first)"
          + "\(left.count > 1 ? ", …" : "")) \(kept): a track of CVAT has one class, one shape of one "
          + "part without keypoints, and one object per frame")
    }
    if unnumbered > 0 {
      dataset.trackNotes.append(
        "the field 'track' of \(Counted.text(unnumbered, "object", "objects")) \(kept): a track of "
          + "CVAT has a number")
    }
  }
}
