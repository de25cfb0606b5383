import AssayStore
import AssayWorkflows
import Dispatch
import NIOCore
import Synchronization

/// The server of one review: the editor's page, its data, and the saving of corrections.
package struct ReviewServer: Sendable {
  private let settings: ReviewServerSettings

  package init(settings: ReviewServerSettings) { self.settings = settings }

  /// Serves until an interrupt (`Interruption`), then finishes running saves.
  /// Blocks the calling thread.
  ///
  /// - Parameter onStart: called with the first link once the port listens.
  /// - Returns: a summary of the saves.
  /// - Throws: ``ReviewServerError``, `StoreError`, `LedgerError`.
  package func run(
    onStart: @escaping @Sendable (ReviewLink) -> Void
  ) throws -> ReviewServerSummary {
    // Without enough threads it would wait forever without a message.
    try ThreadAvailability.check(ThreadAvailability.ofServer)
    let done = DispatchSemaphore(value: 0)
    let outcome = Mutex<Result<ReviewServerSummary, any Error>?>(nil)
    Task {
      let result: Result<ReviewServerSummary, any Error>
      do {
        result = .success(try await serve(onStart))
      } catch {
        result = .failure(error)
      }
      outcome.withLock { $0 = result }
      done.signal()
    }
    done.wait()
    guard let result = outcome.withLock({ $0 }) else { throw CancellationError() }
    return try result.get()
  }

  private func serve(
    _ onStart: @escaping @Sendable (ReviewLink) -> Void
  ) async throws -> ReviewServerSummary {
    let author = try ReviewAuthor.checked(settings.author)
    let catalog = try CorrectedCatalog.open(
      settings.catalogPath, .readWrite, reportingTo: NoProgress()
    ).catalog
    let ledger = try catalog.openLedger(.create)
    guard let own = ReviewPort.own(of: ledger.uuid) else {
      throw ReviewServerError.badLedger(uuid: ledger.uuid)
    }
    let port = settings.port ?? own
    guard (1...65_535).contains(port) else { throw ReviewServerError.badPort(port) }
    let addresses = ListenAddresses(host: settings.host, port: port, allowed: settings.allowedHosts)
    let hosts = try HostList(
      port: port, addresses: addresses.addresses, allowed: settings.allowedHosts)

    let lock = try ServerLock(
      ledger: ledger.path,
      server: RunningServer(
        process: ProcessID.own, host: settings.host, port: port, base: addresses.base,
        author: author, review: settings.review, since: ReviewClock.now(), ledger: ledger.uuid))
    let sessionIssuer = try SessionIssuer(
      ledger: ledger.uuid, path: LedgerSecret.path(ofLedger: ledger.path))
    let reviews = ReviewHub(catalog: catalog, ledger: ledger, settings: settings)
    let backend = try settings.review.map { try reviews.backend(named: $0) }
    let live = try settings.live.map { try LiveService($0, catalog: catalog) }
    let browse = BrowseService(
      catalog: catalog, ledger: ledger, start: settings.start, review: settings.review,
      version: settings.programVersion, isLive: live != nil,
      thumbnails: try ThumbnailStore.ofEnvironment())

    let segments = try settings.segmenter.map {
      SegmentService(try PromptStore(catalogPath: settings.catalogPath).engine(named: $0))
    }
    let tally = SaveCounter()
    let requestPool = BlockingPool(threads: ThreadAvailability.forRequests, limit: 256)
    let pictures = BlockingPool(threads: ThreadAvailability.ofPictures, limit: 256)
    let computations = BlockingPool(threads: ThreadAvailability.ofComputations, limit: 64)
    var responder = ReviewResponder(
      hosts: hosts, sessionIssuer: sessionIssuer, review: backend, reviews: reviews,
      startReview: settings.review, browse: browse, live: live,
      segments: segments, requestPool: requestPool,
      pictures: pictures,
      tally: tally, log: RequestLog(logger: settings.logsRequests ? .toStandardError : nil))
    responder.computations = computations
    let application = ReviewApplication.make(
      responder, host: settings.host, port: port, logger: .silent
    ) { _ in
      onStart(
        ReviewLink(
          sessionIssuer: sessionIssuer, author: author, base: addresses.base,
          warning: addresses.warning))
    }
    do {
      try await ReviewApplication.run(application, logger: .silent) { Interruption.isRequested }
    } catch let error as IOError {
      throw Self.cannotListen(error, host: settings.host, port: port, own: own)
    } catch let error as SocketAddressError.UnknownHost {
      throw ReviewServerError.cannotListen(
        host: settings.host, port: port, reason: error.errorDescription)
    }
    await requestPool.stop()
    await pictures.stop()
    await computations.stop()
    await segments?.stop()
    let captureProblem = live.flatMap { live in
      Interruption.ignoring { live.bringUpToDate(waiting: true) }
    }
    withExtendedLifetime(lock) {}
    return ReviewServerSummary(
      saved: tally.now.saved, conflicts: tally.now.conflicts,
      sequence: try reviews.lastSequence(), captured: live?.capture.count ?? 0,
      capturedNow: live?.capture.added ?? 0, track: live?.capture.track,
      captureProblem: captureProblem)
  }

  private static func cannotListen(
    _ error: IOError, host: String, port: Int, own: Int
  ) -> ReviewServerError {
    guard error.errnoCode == SystemText.addressInUse else {
      return .cannotListen(host: host, port: port, reason: SystemText.error(error.errnoCode))
    }
    return .portTaken(port: port, by: ReviewPort.owner(of: port), isOwn: port == own)
  }
}

/// A summary of a server's work between start and stop.
package struct ReviewServerSummary: Sendable, Hashable {
  /// The number of acknowledged entries, without repeats.
  package var saved: Int
  /// The number of saves that were kept as conflicts.
  package var conflicts: Int
  /// The sequence number of the ledger's last entry; 0 for an empty ledger.
  package var sequence: Int64
  /// The number of frames in the dataset of captured ones; 0 without live recognition.
  package var captured = 0
  /// The number of frames that were captured between start and stop.
  package var capturedNow = 0
  /// The `track` of these frames; `nil` without live recognition.
  package var track: String?
  /// The reason why the dataset lacks captured frames that are in their folder; `nil` if it has all.
  package var captureProblem: String?

  /// A sentence that reports the saved changes and how to continue.
  package var kept: String {
    let saves = saved == 1 ? "1 change was saved" : "\(saved) changes were saved"
    let clash = conflicts == 0 ? "" : ", \(conflicts) of them in conflict with those of others"
    return (saved == 0 ? "no changes were saved" : saves + clash)
      + (sequence == 0 ? "" : "; the ledger ends at entry \(sequence)")
      + ". Run the same command to continue; browsers then send the changes that are not saved yet"
  }
}
