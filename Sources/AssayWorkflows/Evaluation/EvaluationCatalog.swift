package import AssayStore

/// Opens a catalog for evaluation with the appropriate ground truth.
package enum EvaluationCatalog {
  /// Opens a catalog with the chosen ground truth. If none was chosen and all names are evaluations
  /// stored with the same corrected ground truth, that one is used, so that images and slices match
  /// the metrics.
  ///
  /// - Parameter names: RUN or RUN@EVALUATION.
  /// - Throws: the errors of ``CorrectedCatalog/open(_:_:truth:reportingTo:)``; `StoreError` for
  ///   unknown names.
  package static func open(
    _ path: String, _ access: Catalog.Access, names: [String], truth: TruthChoice,
    reportingTo sink: any ProgressSink
  ) throws -> OpenedCatalog {
    let opened = try CorrectedCatalog.open(path, access, truth: truth, reportingTo: sink)
    guard !truth.corrected else { return opened }
    let kept = try names.map {
      try RunReference($0, in: opened.catalog).evaluation?.ledgerSequence
    }
    guard let first = kept.first, let sequence = first, sequence > 0,
      kept.allSatisfy({ $0 == sequence })
    else { return opened }
    do {
      return try CorrectedCatalog.open(
        path, access, truth: TruthChoice(corrected: true, at: sequence), reportingTo: sink)
    } catch {
      // The stored metrics are available without the ledger.
      guard error is TruthError || error is LedgerError else { throw error }
      var opened = opened
      opened.corrections.problem =
        "the corrected ground truth of \(names.joined(separator: ", ")) cannot be read: \(error)"
      return opened
    }
  }
}

extension OpenedCatalog {
  /// Checks that the ground truth has not changed since the catalog was opened: another command may
  /// have added corrections in the meantime.
  ///
  /// - Throws: `TruthError/restless(path:)`.
  package func checkUnmoved() throws {
    guard corrections.used, let sequence = corrections.sequence, catalog.truth.truth != nil else {
      return
    }
    guard try catalog.truthSequence() == sequence else {
      throw TruthError.restless(path: catalog.path)
    }
  }
}
