import AssayCore
import AssayStore
import AssayWorkflows

extension CatalogBackend {
  /// The maximum number of frames between two key frames.
  static let spanLimit = 500

  /// Returns the place of a sample in its film, with its neighbors; `null` if it is no frame.
  func filmJSON(of sample: SampleRecord) -> JSONValue {
    guard let (film, index) = films.place(of: sample.id) else { return .null }
    func neighbor(_ index: Int) -> JSONValue {
      guard film.frames.indices.contains(index) else { return .null }
      return json(film.frames[index])
    }
    let frame = film.frames[index]
    return [
      "name": .string(film.name), "frame": JSONValue(frame.number),
      "time": JSONValue(frame.seconds), "index": JSONValue(index),
      "count": JSONValue(film.frames.count), "previous": neighbor(index - 1),
      "next": neighbor(index + 1),
    ]
  }

  private func json(_ frame: FilmFrames.Frame) -> JSONValue {
    [
      "sample": .integer(frame.sample), "frame": JSONValue(frame.number),
      "position": JSONValue((try? item(frame.sample))?.position),
    ]
  }

  /// Returns the last frame before a sample that has a box or an oriented box of a track, and the frames in between, which have none.
  ///
  /// - Throws: ``RequestRefusal`` if there is none within ``spanLimit`` frames, or it has no box.
  func keyframe(
    before id: Int64, track: JSONValue, category: String, for session: ReviewSession
  ) throws -> JSONValue {
    let sample = try item(id).sample
    guard let (film, index) = films.place(of: sample.id) else {
      throw RequestRefusal.badRequest(code: "noFilm", "this sample is no frame of a video")
    }
    var between: [JSONValue] = []
    for earlier in film.frames[..<index].reversed() {
      let item = try item(earlier.sample)
      let truth = try truth(of: item.sample)
      if truth.leftOut == nil {
        if let object = truth.objects.first(where: { $0.isOf(track) }) {
          guard object.category == category,
            let shape = object.keyShape(in: item.sample.size ?? truth.size)
          else {
            let what =
              object.category == category ? "no box and no polygon" : "a \(object.category)"
            throw RequestRefusal.badRequest(
              code: "noKeyframe", "frame \(earlier.number) has \(what) of track \(track.text())")
          }
          return [
            "key": .object(
              (json(earlier).members ?? []) + [shape]),
            "between": .array(between.reversed()),
          ]
        }
        let holder = leases.holder(of: earlier.sample, besides: session.author)
        between.append(
          .object(
            (json(earlier).members ?? []) + [
              .init("head", truth.head.map { .integer($0) } ?? .null),
              .init("held_by", JSONValue(holder?.author)),
            ]))
      }
      guard between.count <= Self.spanLimit else {
        throw RequestRefusal.badRequest(
          code: "tooFar",
          "track \(track.text()) has no box in the last \(Self.spanLimit) frames; draw one in between"
        )
      }
    }
    throw RequestRefusal.badRequest(
      code: "noKeyframe", "no earlier frame of this review has a box of track \(track.text())")
  }
}

extension AnnotatedObject {
  /// The box, or the polygon of an oriented box, for the page; `nil` for other shapes.
  fileprivate func keyShape(in size: ImageSize?) -> JSONValue.Member? {
    switch shape {
    case .box:
      guard let box else { return nil }
      return .init(
        "box", [.number(box.x), .number(box.y), .number(box.width), .number(box.height)])
    case .polygon:
      return size.flatMap(editablePolygons).map { .init("polygons", $0.json) }
    default: return nil
    }
  }

  /// Returns whether it belongs to a track.
  fileprivate func isOf(_ track: JSONValue) -> Bool {
    guard let fields = attributes.flatMap({ try? JSONValue(parsing: $0) }) else { return false }
    return fields["track"] == track
  }
}
