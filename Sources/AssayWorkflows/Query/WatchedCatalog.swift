package import AssayStore

extension Catalog {
  /// Opens the catalog, with a progress bar and Ctrl-C for the work that a question sets off: the first one
  /// about a class's coverage measures its regions.
  ///
  /// - Throws: as ``Catalog/open(_:_:progress:)``. Its questions throw ``Interrupted``.
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
