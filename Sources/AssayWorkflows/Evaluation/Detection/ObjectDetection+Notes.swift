import AssayMetrics
package import AssayStore
import Foundation

extension ObjectDetection {
  package static func notes(
    on run: EvaluatedRun<Self>, _ settings: EvaluationSettings, _ details: DetectionDetails,
    in catalog: Catalog
  ) throws -> [String] {
    var notes =
      run.notes + (try importNotes(of: run.run.dataset, in: catalog))
      + details.scores.intervalNotes(classes: run.content.classes.names)
    if let reference = run.content.reference {
      let other = try DetectionScores(reference, ScoringSettings(intervals: nil))
      notes.insert(note(on: other, beside: details.scores), at: 0)
    }
    return notes
  }

  /// Annotations that the import left out for their shape, of which an evaluation of the files keeps some.
  private static func importNotes(
    of dataset: DatasetRecord, in catalog: Catalog
  ) throws -> [String] {
    let isAny = try catalog.issueCounts(of: dataset.id).contains {
      $0.severity == .error && [.maskSize, .badShape].contains($0.kind)
    }
    return isAny && dataset.format == .coco
      ? [
        "annotations of \(dataset.name) whose shape cannot be used were left out at import (assay issues "
          + "\(dataset.name)); evaluate --gt --dt keeps those that have a bbox"
      ] : []
  }

  /// A note on what the reference would print if an annotation has the id 0.
  private static func note(
    on reference: DetectionScores, beside own: DetectionScores
  ) -> String {
    let changed = DetectionScores.stats.compactMap { kind -> String? in
      guard let other = reference[kind].value, let value = own[kind].value, other != value else {
        return nil
      }
      return "\(kind.rawValue) " + String(format: "%.6f (here %.6f)", other, value)
    }
    return "an annotation has the id 0, which pycocotools never counts as found: "
      + (changed.isEmpty
        ? "its numbers are the same all the same"
        : "it would print " + changed.joined(separator: ", "))
  }
}

extension EvaluatedRun<ObjectDetection> {
  /// The remarks for a reader of the numbers that are no matter of the numbers, one sentence each.
  var notes: [String] {
    let (classes, matching, recipe) = (content.classes, content.matching, content.recipe)
    var notes = leftOutNotes
    if content.tally.truthCount == 0 {
      notes.append("no sample has an object that must be found, so that AP and AR are undefined")
    }
    if !classes.onlyTruth.isEmpty {
      notes.append(
        "classes of the dataset that the model does not have, left out with their objects: "
          + Self.list(classes.onlyTruth))
    }
    if !classes.onlyModel.isEmpty {
      let count = content.strangers > 0 ? " (\(content.strangers) detections)" : ""
      notes.append(
        "classes of the model that the dataset does not have, left out with their detections\(count): "
          + Self.list(classes.onlyModel))
    }
    if !classes.void.isEmpty {
      notes.append("void classes of the dataset, left out: \(Self.list(classes.void))")
    }
    if matching.overlap == .mask, !recipe.hasRegions {
      notes.append("the run has boxes alone; each counts as the region that it encloses")
    }
    if matching.overlap == .box, recipe.hasRegions {
      notes.append("boxes are compared; the run has regions, too: --iou-type segm compares them")
    }
    if matching.overlap == .mask, recipe.hasRegions, recipe.takesBoxArea {
      notes.append(
        "the results state boxes, so that sizes (APs, APm, APl) go by the boxes' areas, as in the reference"
      )
    }
    if settings.objects.isCompatible {
      notes.append("as pycocotools judges it: an annotation with the id 0 is never found")
    }
    return notes + importNotes + Evaluation.intervalNotes(samples: samples.count, settings)
  }

  private static func list(_ names: [String]) -> String {
    names.prefix(8).joined(separator: ", ")
      + (names.count > 8 ? " and \(names.count - 8) more" : "")
  }
}
