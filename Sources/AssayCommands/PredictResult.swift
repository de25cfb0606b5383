import AssayCore
import AssayWorkflows
import Foundation

/// The result of `assay predict`.
struct PredictResult: CommandResult {
  let summary: PredictSummary

  private var rate: Double? {
    summary.computed > 0 && summary.seconds > 0
      ? Double(summary.computed) / summary.seconds : nil
  }

  var json: JSONValue {
    let run = summary.run
    return [
      "run": .string(run.name), "status": .string(summary.start.rawValue),
      "model": JSONValue(run.model?.name), "view": .string(run.view),
      "n": JSONValue(run.total), "done": JSONValue(run.done), "failed": JSONValue(run.failed),
      "computed": JSONValue(summary.computed), "seconds": .number(summary.seconds),
      "per_second": JSONValue(rate), "batch": JSONValue(summary.batch),
      "workers": JSONValue(summary.workers), "verified": JSONValue(summary.verified),
      "bit_identical": .bool(summary.isExact),
      "settings": JSONValue(stored: run.settings), "versions": JSONValue(stored: run.versions),
      "missing": .array(
        summary.missing.map { ["category": .string($0.name), "samples": JSONValue($0.samples)] }),
      "task": .string(run.task.rawValue),
      "shared_classes": .array(summary.shared.map { .string($0) }),
      "unmatched_classes": [
        "model": .array(summary.unmatched.model.map { .string($0) }),
        "dataset": .array(summary.unmatched.dataset.map { .string($0) }),
        "proposal": .object(
          summary.unmatched.proposal.map { .init($0.model, .string($0.dataset)) }),
      ],
      "detections": summary.detection == nil ? .null : JSONValue(summary.found.objects),
      "samples_without": summary.detection == nil ? .null : JSONValue(summary.found.empty),
      "embedding": JSONValue(summary.embedding), "remark": JSONValue(summary.remark),
      "failures": .array(summary.failures.map { .string($0.message) }),
    ]
  }

  func text(in terminal: Terminal) -> String {
    let run = summary.run
    var lines: [String] = []
    if summary.start == .alreadyDone {
      lines.append(
        "already done: the run \(run.name), \(Counted.text(run.done, "sample", "samples")), from "
          + run.createdAt)
    } else {
      let rate = rate.map { " (\(Int($0)) per second)" } ?? ""
      let seconds = String(format: "%.2f", summary.seconds)
      lines.append(
        "\(Counted.text(summary.computed, "sample", "samples")) in \(seconds) s\(rate) into the run \(run.name)"
          + (summary.start == .resumed ? ", which now has \(run.done) of \(run.total)" : ""))
      lines.append(
        "\(Counted.text(summary.workers, "worker", "workers")), batch size \(summary.batch); "
          + "\(Counted.text(summary.verified, "sample", "samples")) computed twice, "
          + (summary.isExact ? "bit-identical" : "equal up to rounding")
      )
    }
    if let recipe = summary.recipe { lines += maskLines(recipe) }
    if let settings = summary.detection { lines += boxLines(settings) }
    if let output = summary.embedding {
      lines.append(
        "the vectors of “\(Terminal.safe(output))” are kept as embeddings: assay predictions export"
          + " \(Terminal.safe(run.name)) --format npz --out \(Terminal.safe(run.name)).npz")
    }
    if run.isLabelsOnly {
      lines.append(
        "predicted classes without scores: accuracy, F1 and the confusion matrix can be evaluated; what needs"
          + " probabilities is undefined")
    }
    if let note = summary.batchNote { lines.append("note: \(note)") }
    if let remark = summary.remark { lines.append("note: \(Terminal.safe(remark))") }
    if !summary.missing.isEmpty {
      lines.append(
        "the model has no class for: "
          + summary.missing.map {
            "\(Terminal.safe($0.name)) (\(Counted.text($0.samples, "sample", "samples")))"
          }
          .joined(separator: ", "))
    }
    lines += unmatchedLines
    if run.failed > 0 {
      let noun = run.failed == 1 ? "sample" : "samples"
      lines.append(terminal.wrong("\(run.failed) \(noun) could not be predicted:"))
      lines += summary.failures.map { "  " + Terminal.safe($0.message) }
      if run.failed > summary.failures.count { lines.append("  …") }
      lines.append("once they are fixed, run the same command to try them again")
    }
    if !summary.hasGroundTruth {
      lines.append(
        "\(run.dataset.name) has no ground truth for \(run.task.rawValue): it cannot be evaluated"
          + " against")
    }
    let isForeign = summary.hasGroundTruth && summary.shared.isEmpty
    if isForeign {
      lines.append(
        "the model and \(run.dataset.name) have no class in common: the run cannot be evaluated")
    }
    lines.append(
      NextStep.line(forRun: run.name, hasGroundTruth: summary.hasGroundTruth && !isForeign))
    return lines.joined(separator: "\n")
  }

  /// The dataset's classes that the model does not have, with the model's that the dataset does not have.
  private var unmatchedLines: [String] {
    let unmatched = summary.unmatched
    guard !unmatched.dataset.isEmpty else { return [] }
    func names(_ all: [String]) -> String {
      Terminal.safe(all.prefix(8).joined(separator: ", ")) + (all.count > 8 ? ", …" : "")
    }
    var lines = [
      "\(Counted.text(unmatched.dataset.count, "class", "classes")) of the dataset the model does not have:"
        + " \(names(unmatched.dataset))"
        + (unmatched.model.isEmpty
          ? ""
          : "; \(Counted.text(unmatched.model.count, "class", "classes")) of the model the dataset does not have:"
            + " \(names(unmatched.model))")
    ]
    let proposal = unmatched.proposal
    if !proposal.isEmpty {
      let pairs = proposal.prefix(20).map { "\($0.model): \($0.dataset)" }.joined(separator: ", ")
      lines.append(
        "if these are the same, map them in the manifest and add the model again: outputs: [its classes], classes:"
          + " {\(Terminal.safe(pairs))\(proposal.count > 20 ? ", …" : "")}")
    }
    return lines
  }

  private func boxLines(_ settings: DetectorSettings) -> [String] {
    let found = summary.found
    var lines: [String] = []
    if found.samples > 0 {
      let mean = String(format: "%.1f", Double(found.objects) / Double(found.samples))
      let none =
        found.empty == 0
        ? "" : "; \(Counted.text(found.empty, "image", "images")) without detections"
      lines.append(
        "\(Counted.text(found.objects, "detection", "detections")): \(mean) per image, max"
          + " \(found.most)" + none)
      if found.objects == 0 {
        lines.append(
          "note: the model detects nothing in any image; its manifest may describe other outputs, or its input is prepared"
            + " otherwise: assay model check MODEL, assay model audit MODEL VIEW")
      }
    }
    if settings.isOriented {
      lines.append(
        "the regions are the rotated boxes: evaluate --iou-type segm compares them, without it the upright boxes"
          + " around them are compared")
    }
    let most =
      settings.limit.map { "max \($0) per image" } ?? "max 100 per class and image"
    lines.append(
      "kept: score ≥ \(settings.leastScore), "
        + (settings.overlap == 1
          ? "any overlap"
          : settings.isWeighted
            ? "boxes with an IoU > \(settings.overlap) with a better one averaged by their scores"
            : "IoU ≤ \(settings.overlap) with a better one of the same class")
        + (settings.bestClassOnly ? ", the best class of a box" : "") + ", \(most)")
    return lines
  }

  private func maskLines(_ recipe: SegmentationRecipe) -> [String] {
    let names = summary.shared.isEmpty ? summary.run.classes : summary.shared
    let classes = Terminal.safe(names.joined(separator: ", "))
    let rule = recipe.threshold.map { "at the threshold \($0)" } ?? "by the most probable class"
    guard !recipe.keepsMaps else {
      return ["masks of \(classes) \(rule); the probability maps are stored"]
    }
    if recipe.isLabelMap {
      return ["masks of \(classes) by the model's label maps; it gives no probabilities"]
    }
    var line =
      "masks of \(classes) \(rule) are stored, without probability maps (--no-maps): evaluate,"
      + " report and compare work"
    if recipe.isBinary { line += "; --threshold, --sweep and the editor's slider will not" }
    return [line]
  }
}
