import AssayMetrics

extension DetectedRun {
  /// What a reader has to know beside the numbers, one sentence each.
  var notes: [String] {
    var notes = leftOut.reasons.map { "left out: \($0)" }
    if tally.truthCount == 0 {
      notes.append("no sample has an object that must be found, so that AP and AR are undefined")
    }
    if !classes.onlyTruth.isEmpty {
      notes.append(
        "classes of the dataset that the model does not have, left out with their objects: "
          + Self.list(classes.onlyTruth))
    }
    if !classes.onlyModel.isEmpty {
      let count = strangers > 0 ? " (\(strangers) detections)" : ""
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
    if run.datasetVersion < run.dataset.importVersion, evaluation == nil {
      notes.append(
        "\(run.dataset.name) was imported again since the run; judged by its objects of now")
    }
    return notes + Evaluation.intervalNotes(samples: samples.count, settings)
  }

  private static func list(_ names: [String]) -> String {
    names.prefix(8).joined(separator: ", ")
      + (names.count > 8 ? " and \(names.count - 8) more" : "")
  }
}
