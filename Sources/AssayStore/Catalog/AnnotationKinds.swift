package import AssayCore
import GRDB

/// The annotations of samples by kind, of one annotation set.
package struct AnnotationKinds: Hashable, Sendable {
  package struct Kind: Hashable, Sendable {
    package var shape: ShapeKind
    package var annotations: Int
    /// The number of samples that have any.
    package var samples: Int
  }

  /// The kinds that there are, in the order of `ShapeKind`; whole-image labels that are a sample's only label are not
  /// annotations here.
  package var kinds: [Kind] = []
  /// The number of annotations with keypoints.
  package var withKeypoints = 0
  /// The number of labels of images that are captions.
  package var captions = 0
  /// The number of annotations that belong to a track, and of different tracks, each within its film.
  package var inTracks = 0
  package var tracks = 0

  package init() {}

  /// The number of annotations of a shape.
  package func count(of shape: ShapeKind) -> Int {
    kinds.first { $0.shape == shape }?.annotations ?? 0
  }
}

extension Catalog {
  /// Counts the annotations of a selection by kind.
  ///
  /// - Throws: ``StoreError/expression(_:)``.
  package func annotationKinds(in selection: Selection) throws -> AnnotationKinds {
    try asking("counting annotations") { database in
      let query = try SampleQuery(selection, where: nil, truth: truth, in: database)
      let labels = try AnnotationSet(of: selection.dataset.id, in: database)
      func has(_ field: String) -> String {
        "instr(a.attributes, '\"\(field)\":') > 0 AND json_type(a.attributes, '$.\(field)')"
      }
      let track = "json_extract(a.attributes, '$.track')"
      let scan = try TruthScan(
        database, truth,
        columns: """
          a.shape, a.attributes IS NOT NULL AND \(has("keypoints")) = 'array',
          a.attributes IS NOT NULL AND \(has("caption")) = 'text',
          CASE WHEN a.attributes IS NOT NULL AND \(has("track")) IN ('integer', 'text') THEN
            coalesce((SELECT json_extract(x.attributes, '$.track') FROM sample x
              WHERE x.id = a.sample AND x.attributes IS NOT NULL), '') || char(10) || \(track) END
          """,
        where: "a.annotationSet = ?3")
      scan.bind(labels.annotationSet, at: 3)
      var counter = AnnotationKindCount(scan)
      return try counter.count(query.ids(in: database))
    }
  }
}

/// One walk over the annotations of a set, in the order of the samples.
private struct AnnotationKindCount {
  private let scan: TruthScan
  private var counts: [ShapeKind: AnnotationKinds.Kind] = [:]
  private var last: [ShapeKind: Int64] = [:]

  init(_ scan: TruthScan) { self.scan = scan }

  /// - Parameter ids: the samples, ascending.
  mutating func count(_ ids: [Int64]) throws -> AnnotationKinds {
    var found = AnnotationKinds()
    var tracks: Set<String> = []
    for stretch in RowIDRanges.all(of: ids) {
      try scan.begin(ids[stretch.lowerBound], ids[stretch.upperBound - 1])
      var index = stretch.lowerBound
      while let row = try scan.next() {
        let sample = row.integer(0)
        while index < stretch.upperBound - 1, ids[index] < sample { index += 1 }
        guard ids[index] == sample, let shape = ShapeKind(rawValue: row.text(1)) else { continue }
        add(shape, sample)
        if row.integer(2) != 0 { found.withKeypoints += 1 }
        if row.integer(3) != 0, shape == .tag { found.captions += 1 }
        if let track = row.optionalText(4) {
          found.inTracks += 1
          tracks.insert(track)
        }
      }
    }
    found.tracks = tracks.count
    found.kinds = ShapeKind.allCases.compactMap { counts[$0] }
    return found
  }

  private mutating func add(_ shape: ShapeKind, _ sample: Int64) {
    counts[shape, default: .init(shape: shape, annotations: 0, samples: 0)].annotations += 1
    guard last.updateValue(sample, forKey: shape) != sample else { return }
    counts[shape]?.samples += 1
  }
}
