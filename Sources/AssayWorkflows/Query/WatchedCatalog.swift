package import AssayStore

extension Catalog {
  /// Opens the catalog with a progress bar and Ctrl-C handling for work that a query triggers: the
  /// first query for a class's coverage measures its regions.
  ///
  /// - Throws: the errors of ``Catalog/open(_:_:progress:)``. Queries throw ``Interrupted``.
  package static func open(
    _ path: String, _ access: Access, reportingTo sink: any ProgressSink
  ) throws -> Catalog {
    try open(path, access) { fraction, what in
      sink.report(fraction, what)
      try Interruption.check(
        "the results so far are kept; run the same command to continue")
    }
  }
}
