package import AssayStore

extension Catalog {
  /// Opens the catalog with a progress bar and Ctrl-C handling for work that a query triggers: the first query for a
  /// class's coverage measures its regions. Tells if a catalog of an earlier version was updated.
  ///
  /// - Throws: the errors of ``Catalog/open(_:_:progress:)``. Queries throw ``Interrupted``.
  package static func open(
    _ path: String, _ access: Access, reportingTo sink: any ProgressSink
  ) throws -> Catalog {
    let catalog = try open(path, access) { fraction, what in
      sink.report(fraction, what)
      try Interruption.check(
        "the results so far are kept; run the same command to continue")
    }
    if catalog.isUpdated {
      sink.note(
        "\(path) was written by an earlier version of assay and is updated now; earlier versions no longer open it"
      )
    }
    return catalog
  }
}
