import AssayCore
import AssayStore

/// The part of `assay stats` about the kinds of annotations.
struct StatsKinds {
  let kinds: AnnotationKinds

  var json: JSONValue {
    [
      "kinds": .array(
        kinds.kinds.map { kind in
          [
            "kind": .string(kind.shape.rawValue), "annotations": JSONValue(kind.annotations),
            "images": JSONValue(kind.samples),
          ]
        }),
      "with_keypoints": JSONValue(kinds.withKeypoints), "captions": JSONValue(kinds.captions),
      "in_tracks": JSONValue(kinds.inTracks), "tracks": JSONValue(kinds.tracks),
    ]
  }

  /// One line; none for datasets of labels alone.
  var notes: [String] {
    var parts = kinds.kinds.compactMap { kind -> String? in
      let count = kind.annotations
      switch kind.shape {
      case .box: return Counted.text(count, "box", "boxes")
      case .polygon: return Counted.text(count, "polygon", "polygons")
      case .mask: return Counted.text(count, "mask", "masks")
      case .polyline: return Counted.text(count, "line", "lines")
      case .points: return Counted.text(count, "annotation of points", "annotations of points")
      case .label, .tag: return nil
      }
    }
    let labels = kinds.count(of: .tag) - kinds.captions
    if labels > 0, !parts.isEmpty || kinds.captions > 0 {
      parts.append(Counted.text(labels, "label of images", "labels of images"))
    }
    if kinds.captions > 0 { parts.append(Counted.text(kinds.captions, "caption", "captions")) }
    if kinds.withKeypoints > 0 { parts.append("\(kinds.withKeypoints) with keypoints") }
    if kinds.tracks > 0 {
      parts.append("\(kinds.inTracks) in " + Counted.text(kinds.tracks, "track", "tracks"))
    }
    return parts.isEmpty ? [] : ["annotations: " + parts.joined(separator: ", ")]
  }
}
