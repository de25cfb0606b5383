package import AssayStore

/// A catalog that was opened, and what there is to say about corrections.
package struct OpenedCatalog: Sendable {
  package var catalog: Catalog
  package var corrections: CorrectionStatus

  package init(catalog: Catalog, corrections: CorrectionStatus) {
    self.catalog = catalog
    self.corrections = corrections
  }
}

/// Opens catalogs with what people corrected.
package enum CorrectedCatalog {
  /// Opens a catalog and brings its mirror of the ledger to the ledger's head, which may read images, to
  /// tell whether they are those that were corrected.
  ///
  /// A ledger that cannot be read stops only those who want its truth; for the others it is a problem that
  /// is told.
  ///
  /// - Parameter truth: whose labels and regions the catalog is to read.
  /// - Throws: as ``Catalog/open(_:_:progress:)``; `TruthError`; with a corrected truth `LedgerError`;
  ///   ``Interrupted``.
  package static func open(
    _ path: String, _ access: Catalog.Access, truth: TruthChoice = .imported,
    reportingTo sink: any ProgressSink
  ) throws -> OpenedCatalog {
    let catalog = try Catalog.open(path, access, reportingTo: sink)
    var use = CorrectionStatus()
    use.used = truth.corrected
    let place = Ledger.path(forCatalog: path)
    guard Ledger.exists(at: place) else {
      if let at = truth.at, at > 0 { throw TruthError.noSuchEntry(at, last: 0) }
      if let count = try catalog.forgottenCorrections(), count > 0 {
        use.problem =
          "\(place) is missing, and with it \(count) "
          + "\(count == 1 ? "correction" : "corrections"); restore a copy (assay backup makes one)"
      }
      return OpenedCatalog(catalog: catalog, corrections: use)
    }
    use.hasLedger = true
    let state: MirroredState
    do {
      let ledger = try Ledger.open(place, .readOnly)
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
      use.problem = "the corrections cannot be read: \(error)"
      return OpenedCatalog(catalog: catalog, corrections: use)
    }
    use.datasets = state.datasets
    use.sequence = truth.corrected ? state.sequence : nil
    return OpenedCatalog(
      catalog: try catalog.reading(state.reading(corrected: truth.corrected)), corrections: use)
  }
}
