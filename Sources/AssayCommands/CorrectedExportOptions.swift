package import ArgumentParser
import AssayStore
import AssayWorkflows

/// The options of an export that go with `--corrected`.
package struct CorrectedExportOptions: ParsableArguments {
  @Flag(help: "Only samples whose ground truth was corrected.")
  package var onlyCorrected = false

  @Option(
    help: ArgumentHelp(
      "Only samples whose ground truth was changed after this entry of the ledger.",
      valueName: "entry"))
  package var since: Int64?

  @Option(
    help: ArgumentHelp(
      "The weight of corrected samples in the manifest; others have 1.", valueName: "w"))
  package var weightCorrected: Double?

  package init() {}

  /// - Throws: `ValidationError`.
  func check(_ truth: TruthOptions) throws {
    for (name, isGiven) in [
      ("only-corrected", onlyCorrected), ("since", since != nil),
      ("weight-corrected", weightCorrected != nil),
    ] where isGiven && !truth.corrected {
      throw ValidationError("--\(name) needs --corrected.")
    }
    if let since, since < 0 {
      throw ValidationError("--since must be the number of an entry, or 0.")
    }
    if let since, let at = truth.at, since >= at {
      throw ValidationError("--since \(since) leaves nothing before --at \(at).")
    }
    if let weightCorrected, !(weightCorrected >= 0 && weightCorrected <= 1e6) {
      throw ValidationError("--weight-corrected must be from 0 to 1000000.")
    }
  }

  /// The samples that are to be written.
  ///
  /// - Throws: `ExportError`, `TruthError`, `StoreError`, `LedgerError`.
  func scope(
    of view: String, _ opened: OpenedCatalog, catalogPath: String,
    reportingTo progress: any ProgressSink
  ) throws -> ExportScope {
    guard opened.corrections.used else { return try ExportScope(view, in: opened.catalog) }
    var request = CorrectedExportRequest()
    request.onlyCorrected = onlyCorrected
    request.since = since
    request.weight = weightCorrected ?? 1
    let earlier = try since.map {
      try CorrectedCatalog.open(
        catalogPath, .readOnly, truth: TruthChoice(corrected: true, at: $0),
        reportingTo: progress
      ).catalog
    }
    return try ExportScope.corrected(
      view, request, in: opened.catalog, since: earlier,
      ledger: try ExportCorrections.LedgerState(opened.corrections, catalogPath: catalogPath))
  }
}
