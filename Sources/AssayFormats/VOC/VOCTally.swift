import AssayCore
import Synchronization

/// The counts over all annotations, for the findings about the dataset as a whole.
///
/// The result does not depend on the order in which files are added.
struct VOCCounts: Sendable {
  /// A number of occurrences and the first of them by path and line.
  struct Count: Sendable {
    var count: Int
    var first: YOLOCounts.Place

    /// The place of the first one; a mask has no lines.
    var location: IssueLocation {
      IssueLocation(file: first.file, line: first.line > 0 ? first.line : nil)
    }

    mutating func add(_ other: Count) {
      count += other.count
      first = min(first, other.first)
    }
  }

  enum Kind: Hashable, Sendable, Comparable {
    /// A box that starts before the first pixel.
    case beforeFirst
    /// An image whose coordinates are those of Roboflow, of Datumaro, or of Label Studio.
    case roboflow
    case datumaro
    case labelStudio
    /// A class region of several objects.
    case crowd
    /// An image whose `filename` is that of another image.
    case otherName
    /// A field of an image that is not kept.
    case field(String)
    /// An object's `difficult` mark.
    case difficult
  }

  private(set) var counts: [Kind: Count] = [:]

  mutating func add(_ kind: Kind, file: String, line: Int) {
    add(kind, Count(count: 1, first: YOLOCounts.Place(file: file, line: line)))
  }

  mutating func add(_ other: VOCCounts) {
    for (kind, count) in other.counts { add(kind, count) }
  }

  private mutating func add(_ kind: Kind, _ count: Count) {
    if counts[kind] == nil { counts[kind] = count } else { counts[kind]?.add(count) }
  }

  /// The findings about the dataset as a whole, as issues.
  var issues: [Issue] {
    counts.sorted { $0.key < $1.key }.compactMap { kind, count in
      func issue(_ issue: IssueKind, _ text: String) -> Issue {
        Issue(issue, .warning, at: count.location, text)
      }
      switch kind {
      case .beforeFirst:
        return issue(
          .badShape,
          "\(count.count) \(count.count == 1 ? "box starts" : "boxes start") before the first pixel "
            + "(xmin or ymin below 1), so the file may count from 0; read as Pascal VOC counts, from "
            + "1, which would move every box by a pixel")
      case .crowd:
        return issue(
          .unpairedMask,
          "\(count.count) \(count.count == 1 ? "region" : "regions") of a class in SegmentationClass "
            + "without SegmentationObject cannot be divided among the objects of the class: kept as a "
            + "crowd beside their boxes")
      case .field(let name):
        return issue(
          .unsupportedField,
          "\(count.count) \(count.count == 1 ? "image has" : "images have") the field '\(name)', "
            + "which is not kept: samples have no further fields")
      case .roboflow, .datumaro, .labelStudio, .otherName, .difficult: return nil
      }
    }
  }

  /// The findings that concern no single record, one sentence each without a period.
  ///
  /// - Parameter labelMap: the label map that was read.
  func notes(_ labelMap: VOCLabelMap?) -> [String] {
    counts.sorted { $0.key < $1.key }.compactMap { kind, count in
      let images = count.count == 1 ? "1 image" : "\(count.count) images"
      switch kind {
      case .roboflow:
        return
          "the coordinates of \(images) are read as Roboflow writes them (\(count.first.file)): "
          + "x = xmin - 1, width = xmax - xmin"
      case .datumaro:
        return "the coordinates of \(images) are read as Datumaro and CVAT write them, because of "
          + "\(labelMap?.file ?? "labelmap.txt"): x = xmin, width = xmax - xmin"
      case .labelStudio:
        return
          "the coordinates of \(images) are read as Label Studio writes them (\(count.first.file)): "
          + "x = xmin, width = xmax - xmin, cut to whole pixels"
      case .otherName:
        return "the file name in the annotation of \(images) is not that of the image "
          + "(\(count.first.file)); annotations belong to the images with their own names"
      case .difficult:
        return "\(count.count) \(count.count == 1 ? "object is" : "objects are") marked difficult "
          + "(first \(count.location)); the mark is kept and evaluation counts them like others"
      case .beforeFirst, .crowd, .field: return nil
      }
    }
  }
}

/// The counts of all workers.
final class VOCTally: Sendable {
  private let total = Mutex(VOCCounts())

  func add(_ counts: VOCCounts) { total.withLock { $0.add(counts) } }

  var counts: VOCCounts { total.withLock { $0 } }
}
