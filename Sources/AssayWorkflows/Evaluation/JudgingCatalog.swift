package import AssayStore

/// Opens a catalog to judge runs in it, by the truth that is meant.
package enum JudgingCatalog {
  /// Opens a catalog by the truth that was chosen; where none was and all that is named are evaluations that
  /// were kept by one corrected truth, by that one, so that pictures and parts fit their numbers.
  ///
  /// - Parameter names: RUN or RUN@EVALUATION.
  /// - Throws: as ``CorrectedCatalog/open(_:_:truth:reportingTo:)``; `StoreError` for names that are not there.
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
      // The kept numbers are there without the ledger.
      guard error is TruthError || error is LedgerError else { throw error }
      var opened = opened
      opened.corrections.problem =
        "the corrected ground truth of \(names.joined(separator: ", ")) cannot be read: \(error)"
      return opened
    }
  }
}

extension OpenedCatalog {
  /// Makes sure that the truth is still the one that was opened: another command may have brought in further
  /// corrections while this one read.
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
