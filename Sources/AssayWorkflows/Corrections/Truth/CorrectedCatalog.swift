package import AssayStore

/// An opened catalog, and the status of its corrections.
package struct OpenedCatalog: Sendable {
  package var catalog: Catalog
  package var corrections: CorrectionStatus

  package init(catalog: Catalog, corrections: CorrectionStatus) {
    self.catalog = catalog
    self.corrections = corrections
  }
}

/// Opens catalogs with their corrections.
package enum CorrectedCatalog {
  /// Opens a catalog and updates its mirror of the ledger to the ledger's head. This may read
  /// images to check that they are the ones that were corrected.
  ///
  /// An unreadable ledger is an error only if the corrected ground truth is requested; otherwise it
  /// is reported as a problem.
  ///
  /// - Parameter truth: the ground truth that the catalog reads.
  /// - Throws: the errors of ``Catalog/open(_:_:progress:)``; `TruthError`; with a corrected ground
  ///   truth, `LedgerError`; ``Interrupted``.
  package static func open(
    _ path: String, _ access: Catalog.Access, truth: TruthChoice = .imported,
    reportingTo sink: any ProgressSink
  ) throws -> OpenedCatalog {
    let catalog = try Catalog.open(path, access, reportingTo: sink)
    var use = CorrectionStatus()
    use.used = truth.corrected
    let place = Ledger.path(forCatalog: path)
    guard Ledger.exists(at: place) else {
      if let loss = try catalog.loss(of: nil) {
        let error = LedgerError.lost(path: place, loss)
        if truth.corrected { throw error }
        use.problem = "\(error)"
      }
      if let at = truth.at, at > 0 { throw TruthError.noSuchEntry(at, last: 0) }
      return OpenedCatalog(catalog: catalog, corrections: use)
    }
    use.hasLedger = true
    let state: MirroredState
    do {
      let ledger = try Ledger.open(place, .readOnly)
      // Before the mirror is brought up to the ledger, which is then all that the catalog knows.
      if let loss = try catalog.loss(of: ledger) {
        throw LedgerError.lost(path: place, loss)
      }
      let refresh = MirrorRefresh(catalog: catalog, ledger: ledger) { dataset, samples in
        try SampleContentHash(catalog: catalog, dataset: dataset)
          .hashes(of: samples, reportingTo: sink)
      }
      let head = try refresh.state()
      if truth.corrected, let at = truth.at, at != head.sequence {
        head.discard()
        state = try refresh.state(upTo: at)
      } else {
        state = head
      }
    } catch let error as LedgerError where !truth.corrected {
      if case .lost = error {
        use.problem = "\(error)"
      } else {
        use.problem = "the corrections cannot be read: \(error)"
      }
      return OpenedCatalog(catalog: catalog, corrections: use)
    }
    use.datasets = state.datasets
    use.sequence = truth.corrected ? state.sequence : nil
    return OpenedCatalog(
      catalog: try catalog.reading(state.reading(corrected: truth.corrected)), corrections: use)
  }
}
