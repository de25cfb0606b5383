import AssayCore
import Synchronization

/// The counts over all label files, for the findings about the dataset as a whole.
///
/// The result does not depend on the order in which files are added.
struct YOLOCounts: Sendable {
  /// A line of a file; ordered by path and line.
  struct Place: Hashable, Comparable, Sendable {
    var file: String
    var line: Int

    static func < (a: Place, b: Place) -> Bool {
      a.file == b.file ? a.line < b.line : SortedFiles.precedes(a.file, b.file)
    }

    var location: IssueLocation { IssueLocation(file: file, line: line) }
  }

  /// The number of lines of each form, and the first one.
  private(set) var forms: [YOLOLine.Form: (count: Int, first: Place)] = [:]
  /// The number of polygons with four points.
  private(set) var quadrilaterals = 0
  /// The polygons that can be a box and keypoints in it: their number, that of those that are hardly anything else,
  /// the number of values of the first one, and that line.
  private(set) var poses: (count: Int, clear: Int, values: Int, first: Place)?
  /// The numbers of values that polygons have, at most two of them.
  private(set) var lengths: Set<Int> = []
  /// The largest class, and the first line that has it.
  private(set) var largest: (category: Int, place: Place)?

  /// Counts a line.
  mutating func add(_ line: YOLOLine, at place: Place) {
    note(line.form, 1, place)
    if line.form == .polygon {
      if line.values.count == 8 { quadrilaterals += 1 }
      if lengths.count < 2 { lengths.insert(line.values.count) }
    }
    if line.form == .polygon, let isClear = line.pose {
      note(poses: (1, isClear ? 1 : 0, line.values.count, place))
    }
    note(largest: line.category, place)
  }

  /// Adds the counts of another set of files.
  mutating func add(_ other: YOLOCounts) {
    for (form, entry) in other.forms { note(form, entry.count, entry.first) }
    quadrilaterals += other.quadrilaterals
    if lengths.count < 2 { lengths = Set(lengths.union(other.lengths).sorted().prefix(2)) }
    if let poses = other.poses { note(poses: poses) }
    if let (category, place) = other.largest { note(largest: category, place) }
  }

  private mutating func note(_ form: YOLOLine.Form, _ count: Int, _ place: Place) {
    if let known = forms[form] {
      forms[form] = (known.count + count, min(known.first, place))
    } else {
      forms[form] = (count, place)
    }
  }

  private mutating func note(poses found: (count: Int, clear: Int, values: Int, first: Place)) {
    guard let known = poses else {
      poses = found
      return
    }
    let isFirst = found.first < known.first
    poses = (
      known.count + found.count, known.clear + found.clear,
      isFirst ? found.values : known.values, isFirst ? found.first : known.first
    )
  }

  private mutating func note(largest category: Int, _ place: Place) {
    guard let known = largest, known.category >= category else {
      largest = (category, place)
      return
    }
    if known.category == category { largest = (category, min(known.place, place)) }
  }
}

extension YOLOCounts {
  /// The number of polygons, and of the values of each, from which on equal numbers of values are no chance.
  private static let alike = (lines: 3, values: 12)

  /// The reason why polygons are probably boxes with keypoints, and the first such line; `nil` if they are not: all
  /// can be read so, and half of them hardly otherwise.
  ///
  /// - Parameter hasDataFile: whether a data file could have stated `kpt_shape`. Without one, several outlines of as
  ///   many points each are boxes with keypoints, too, if all can be read so.
  func poseProblem(hasDataFile: Bool) -> (place: Place, text: String)? {
    guard let polygons = forms[.polygon], let poses, poses.count == polygons.count else {
      return nil
    }
    let areAlike =
      lengths.count == 1 && poses.count >= Self.alike.lines && poses.values >= Self.alike.values
    guard 2 * poses.clear >= poses.count || (areAlike && !hasDataFile) else { return nil }
    let points = (poses.values - 4) / 2
    return (
      poses.first,
      "\(poses.count == 1 ? "the line is" : "all \(poses.count) lines like this one are") probably the center and "
        + "the size of a box and points in it, not "
        + "polygons; state kpt_shape: [\(points), 2] (or [points, 3] with a visibility) in "
        + (hasDataFile
          ? "data.yaml"
          : "a data.yaml beside images and labels; if they are polygons, one without it")
    )
  }

  /// The findings about the dataset as a whole, as issues.
  var issues: [Issue] {
    var issues: [Issue] = []
    let found = YOLOLine.Form.allCases.compactMap { form in
      forms[form].map { (form: form, count: $0.count, first: $0.first) }
    }
    if found.count > 1 {
      let list = found.map { "\($0.count) \($0.form.name($0.count)), first \($0.first.location)" }
      issues.append(
        Issue(
          .fieldCount, .warning, at: found[1].first.location,
          "the labels have lines of different forms: \(list.joined(separator: "; ")); each line is "
            + "read by its own number of fields"))
    }
    return issues
  }

  /// The findings about the dataset as a whole that concern no single line, one sentence each
  /// without a period.
  var notes: [String] {
    var notes: [String] = []
    if let pose = forms[.pose] {
      notes.append(
        "\(pose.count) \(pose.count == 1 ? "object has" : "objects have") keypoints, which evaluate "
          + "--iou-type keypoints compares; YOLO's files state no --sigmas")
    }
    if let scored = forms[.scored] {
      notes.append(
        "\(scored.count) \(scored.count == 1 ? "line has" : "lines have") a confidence "
          + "(\(scored.first.location)), so the labels look like the predictions of a model; the "
          + "confidence is kept as an attribute")
    }
    if let polygons = forms[.polygon], polygons.count == quadrilaterals {
      notes.append(
        "every polygon has 4 points, so they may be oriented boxes (YOLO OBB); kept as polygons")
    }
    return notes
  }
}

/// The counts of all workers.
final class YOLOTally: Sendable {
  private let total = Mutex(YOLOCounts())

  func add(_ counts: YOLOCounts) { total.withLock { $0.add(counts) } }

  var counts: YOLOCounts { total.withLock { $0 } }
}
