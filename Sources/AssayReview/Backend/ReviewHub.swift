import AssayCore
import AssayStore
import AssayWorkflows
import Synchronization

/// The reviews of a catalog that one server serves: each is opened when a page first asks for it.
///
/// All share the leases, so that a sample is with one person in all of them, and the states of samples.
final class ReviewHub: Sendable {
  /// The maximum number of open reviews; the one that was opened first is closed before another one.
  static let most = 16

  private struct Opened {
    var backend: CatalogBackend
    /// The stored review and its assignments when it was opened.
    var state: String
  }

  private let catalog: Catalog
  private let settings: ReviewServerSettings
  private let service: CorrectionService
  private let leases: SampleLeases
  private let opened = Mutex<[(name: String, review: Opened)]>([])
  /// One review is opened at a time: two requests must not read a large one twice.
  private let opening = Mutex(())

  init(
    catalog: Catalog, ledger: Ledger, settings: ReviewServerSettings,
    clock: @escaping @Sendable () -> Int64 = { ReviewClock.steadySeconds() }
  ) {
    self.catalog = catalog
    self.settings = settings
    service = CorrectionService(catalog: catalog, ledger: ledger)
    leases = SampleLeases(now: clock)
  }

  /// The review that is open under a name; `nil` if none is.
  func openBackend(named name: String) -> CatalogBackend? {
    opened.withLock { $0.first { $0.name == name }?.review.backend }
  }

  /// Returns a review, opened if necessary, and opened again if it was made anew or its samples were
  /// assigned to others since.
  ///
  /// - Throws: ``RequestRefusal/notFound(_:)`` if there is no such review; `StoreError`.
  func backend(named name: String) throws -> CatalogBackend {
    try opening.withLock { _ in
      guard let stored = try catalog.findReview(named: name) else {
        throw RequestRefusal.notFound("there is no review “\(name)”")
      }
      let state = try catalog.state(of: stored)
      let known = opened.withLock { $0.first { $0.name == name }?.review }
      if let known, known.state == state { return known.backend }
      let backend = try CatalogBackend(
        catalog: catalog, service: service, review: name, settings: settings, leases: leases)
      opened.withLock { opened in
        opened.removeAll { $0.name == name }
        if opened.count >= Self.most { opened.removeFirst() }
        opened.append((name, Opened(backend: backend, state: state)))
      }
      return backend
    }
  }

  /// The reviews of the catalog by name, for the page's choice.
  func list() throws -> JSONValue {
    .array(
      try catalog.reviews().map { review in
        [
          "name": .string(review.name), "subject": .string(review.subject),
          "total": JSONValue(review.total), "adjudicates": JSONValue(review.adjudicated),
        ]
      })
  }

  func lastSequence() throws -> Int64 { try service.ledger.head().sequence }
}
