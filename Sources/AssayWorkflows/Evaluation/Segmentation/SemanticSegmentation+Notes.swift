import AssayMetrics
package import AssayStore
import Foundation

extension SemanticSegmentation {
  package static func notes(
    on run: EvaluatedRun<Self>, _ settings: EvaluationSettings, _ details: SegmentationDetails,
    in catalog: Catalog
  ) -> [String] { run.notes }
}

extension EvaluatedRun<SemanticSegmentation> {
  /// The remarks for a reader of the numbers, one sentence each.
  fileprivate var notes: [String] {
    let classes = content.classes
    var notes = leftOutNotes + voidNotes
    if !classes.onlyModel.isEmpty {
      notes.append(
        "classes of the model alone, counted as background: \(Self.list(classes.onlyModel))")
    }
    if !classes.labels.isBinary {
      notes.append("background is counted, but not judged as a class")
      if !classes.onlyTruth.isEmpty {
        notes.append(
          "classes of the dataset alone, counted as background: \(Self.list(classes.onlyTruth))")
      }
    }
    let undefined = settings.masks.empty == .undefined ? emptySamples : 0
    if undefined > 0 {
      notes.append(
        "\(undefined) of \(samples.count) samples have no judged class, neither in truth nor in "
          + "prediction; they are left out of means over samples (--empty decides)")
    }
    return notes + importNotes + Evaluation.intervalNotes(samples: samples.count, settings)
  }

  private var voidNotes: [String] {
    let (tally, classes, recipe) = (content.tally, content.classes, content.recipe)
    guard tally.void > 0 else { return [] }
    let all = tally.void + tally.confusion.totals.truth.reduce(0, +)
    let share = String(format: "%.1f", 100 * Double(tally.void) / Double(all))
    let why = [
      classes.left.isEmpty ? nil : "regions of \(Self.list(classes.left))",
      recipe.resize == .centerCrop ? "outside the centre crop that the model sees" : nil,
    ].compactMap(\.self).joined(separator: ", ")
    return ["\(share) % of the pixels are not judged: \(why)"]
  }

  /// The number of samples where neither truth nor prediction has a judged class.
  private var emptySamples: Int {
    let tally = content.tally
    let width = content.classes.labels.count
    return samples.indices.count { index in
      let confusion = tally[index].confusion
      return !confusion.indices.contains { cell in
        (cell / width > 0 || cell % width > 0) && confusion[cell] > 0
      }
    }
  }

  private static func list(_ names: [String]) -> String {
    names.prefix(8).joined(separator: ", ")
      + (names.count > 8 ? " and \(names.count - 8) more" : "")
  }
}
