import AssayCore
import AssayImaging
import AssayStore
import AssayWorkflows
import Synchronization

/// A review backed by the catalog and the ledger.
final class CatalogBackend: ReviewBackend {
  let queue: ReviewQueue
  /// The review whose versions this one decides; `nil` for others.
  let parent: ReviewQueue?
  let service: CorrectionService
  private let pictures: PageImages
  private let run: ReviewRunCache?
  private let categories: [String]
  /// Facts about the objects of the dataset, for the page.
  private let objectFacts: ObjectFacts
  /// The films whose frames are in the review.
  let films: FilmFrames
  /// The task of the dataset; `nil` if it has neither a stated one nor annotations.
  private let datasetTask: ModelTask?
  /// A mark of the samples' assignments, by which a page notices others; the same for the same assignments.
  let assignment: String
  private let version: String
  private let since = ReviewClock.now()
  /// True while a thread imports changes made by others.
  private let isRefreshing = Mutex(false)
  /// The known labels of samples with corrections; `nil` for none.
  private let labels: Mutex<[Int64: String?]>
  /// The labels of independent versions.
  private let versionLabels = Mutex<[IndependentVersion: [Int64: String?]]>([:])
  let leases: SampleLeases

  let ledger: String

  /// - Parameters:
  ///   - name: the name of the stored review.
  ///   - catalog: with the imported ground truth, writable, its mirror of the ledger up to date.
  ///   - clock: the time in seconds that determines when leases expire.
  /// - Throws: `StoreError` if there is no such review.
  convenience init(
    catalog: Catalog, ledger: Ledger, review name: String, settings: ReviewServerSettings,
    clock: @escaping @Sendable () -> Int64 = { ReviewClock.steadySeconds() }
  ) throws {
    try self.init(
      catalog: catalog, service: CorrectionService(catalog: catalog, ledger: ledger), review: name,
      settings: settings, leases: SampleLeases(now: clock))
  }

  /// - Parameters:
  ///   - service: shared by all reviews of a server.
  ///   - leases: likewise.
  init(
    catalog: Catalog, service: CorrectionService, review name: String,
    settings: ReviewServerSettings, leases: SampleLeases
  ) throws {
    self.leases = leases
    let review = try catalog.review(named: name)
    let marks = try catalog.reviewMarks(of: review.dataset.id)
    let queue = try ReviewQueue(catalog: catalog, review: review, marks: marks)
    self.queue = queue
    ledger = service.ledger.uuid
    self.service = service
    try queue.loadVersions(service)
    parent = try review.adjudicated.flatMap { try catalog.findReview(named: $0) }
      .map { try ReviewQueue(catalog: catalog, review: $0) }
    pictures = PageImages(catalog: catalog, dataset: review.dataset)
    let taxonomy = try catalog.taxonomy(of: review.dataset.id)
    let categories = taxonomy.names
    self.categories = categories
    datasetTask = try LabelingTask.of(review.dataset, in: catalog)
    objectFacts = try ObjectFacts(taxonomy, of: review.dataset, in: catalog)
    // Replaying the corrections of each listed sample would take milliseconds per sample.
    var labels: [Int64: String?] = [:]
    for item in queue.items(from: 0, limit: .max) {
      switch marks.samples[item.sample.id]?.label {
      case .corrected(let label): labels[item.sample.id] = .some(label)
      case .imported:
        labels[item.sample.id] = .some(Self.importedLabel(of: item.sample, categories))
      case .unknownClass, nil: break
      }
    }
    self.labels = Mutex(labels)
    version = settings.programVersion
    assignment = Self.mark(ofAssignments: queue)
    let listed = queue.items(from: 0, limit: .max).map(\.sample)
    let samples = Set(listed.map(\.id))
    films = try FilmFrames(
      listed, of: review.dataset, hasTracks: objectFacts.hasTracks, in: catalog)
    run = try Self.run(of: review, in: catalog).map {
      try ReviewRunCache($0, of: samples, in: catalog)
    }
  }

  /// The mark of a queue's assignments.
  private static func mark(ofAssignments queue: ReviewQueue) -> String {
    guard queue.isAssigned else { return "" }
    let text = queue.items(from: 0, limit: .max).map { item in
      "\(item.sample.id):\(item.people.joined(separator: ","))"
    }
    return String(ContentHash.of(Array(text.joined(separator: "\n").utf8)).prefix(16))
  }

  /// Returns the first of the review's runs that still exists.
  private static func run(of review: ReviewRecord, in catalog: Catalog) throws -> RunReference? {
    for name in review.runs {
      let plain = name.split(separator: "@").first.map(String.init) ?? name
      if let run = try catalog.findRun(named: plain), run.dataset.id == review.dataset.id {
        // Falls back to the run without its evaluation if that was removed.
        return (try? RunReference(name, in: catalog)) ?? RunReference(run: run)
      }
    }
    return nil
  }

  var review: ReviewRecord { queue.review }

  /// The name of the run that is shown; `nil` for none.
  var runName: String? { run?.run.name }

  /// The task of the page: for regions it draws, otherwise it labels.
  private var task: ModelTask {
    review.task ?? review.page ?? datasetTask ?? .classification
  }

  // MARK: Queries

  func session(of session: ReviewSession) throws -> JSONValue {
    let members: JSONValue = [
      "ledger": .string(ledger), "author": .string(session.author),
      "review": [
        "name": .string(review.name), "subject": .string(review.subject),
        "order": .string(review.order.rawValue),
        "order_description": .string(review.orderDescription),
        "dataset": .string(review.dataset.name), "task": .string(task.rawValue),
        "run": JSONValue(run?.run.name), "total": JSONValue(queue.counts.total),
        "adjudicates": JSONValue(review.adjudicated), "shared": .bool(queue.hasShared),
      ],
      "set": .string(ImportedTruth().set),
      "categories": .array(categories.map { .string($0) }), "version": .string(version),
      "films": .bool(!films.isEmpty),
      "import_classes": JSONValue(
        LabelingTask.command(
          toImport: review.dataset, classes: categories + ["NEW"], task: datasetTask ?? task)),
    ]
    return .object((members.members ?? []) + objectFacts.members)
  }

  func queue(from position: Int, limit: Int, for session: ReviewSession) throws -> JSONValue {
    refresh()
    let items = queue.items(from: position, limit: limit)
    return [
      "total": JSONValue(queue.counts.total), "counts": queue.counts(for: session.author).json,
      "parts": parts, "items": .array(items.map { json($0, for: session) }),
    ]
  }

  func next(after position: Int, for session: ReviewSession) throws -> JSONValue {
    refresh()
    var held = 0
    // Samples of the person's own part come first, then those that belong to nobody.
    for isOwn in queue.isAssigned ? [true, false] : [false] {
      for range in [position + 1..<Int.max, 0..<max(position, 0)] {
        var start = range.lowerBound
        while start < range.upperBound {
          let items = queue.items(from: start, limit: 64, onlyLeft: true)
          for item in items where range.contains(item.position) {
            guard isOwn ? item.people.contains(session.author) : item.people.isEmpty else {
              continue
            }
            if item.isShared {
              guard queue.state(of: item, for: session.author).status.isLeft else { continue }
            } else if leases.take(item.sample.id, by: session.author) != nil {
              held += 1
              continue
            }
            return [
              "position": JSONValue(item.position), "sample": .integer(item.sample.id), "held": 0,
            ]
          }
          guard let last = items.last, items.count == 64 else { break }
          start = last.position + 1
        }
      }
    }
    return ["position": .null, "sample": .null, "held": JSONValue(held)]
  }

  /// Imports changes that the command line made in the meantime. A sample whose image cannot be
  /// read must not stop the queue, and a long refresh must not block all threads: the other threads
  /// answer with the data they have.
  func refresh() {
    let isFirst = isRefreshing.withLock { taken in
      defer { taken = true }
      return !taken
    }
    guard isFirst else { return }
    defer { isRefreshing.withLock { $0 = false } }
    guard let changed = try? queue.refresh(service), !changed.isEmpty else { return }
    labels.withLock { $0.merge(changed) { $1 } }
  }

  private func json(_ item: ReviewQueue.Item, for session: ReviewSession) -> JSONValue {
    let holder = item.isShared ? nil : leases.holder(of: item.sample.id, besides: session.author)
    let state = queue.state(of: item, for: session.author)
    return [
      "position": JSONValue(item.position), "sample": .integer(item.sample.id),
      "key": .string(item.sample.key), "status": .string(state.status.rawValue),
      "score": JSONValue(item.score), "reason": .string(item.reason),
      "width": JSONValue(item.sample.size?.width), "height": JSONValue(item.sample.size?.height),
      "label": JSONValue(label(of: item, for: session.author)),
      "predicted": JSONValue(run?.label(of: item.sample.id)),
      "conflicts": JSONValue(state.conflicts), "shared": .bool(item.isShared),
      "people": .array(item.people.map { .string($0) }),
      "held_by": JSONValue(holder?.author), "held_since": JSONValue(holder?.since),
    ]
  }

  private func label(of item: ReviewQueue.Item, for author: String) -> String? {
    let sample = item.sample
    if let version = version(of: item, author) {
      guard queue.state(of: item, for: author).status != .open else {
        return Self.importedLabel(of: sample, categories)
      }
      if let known = versionLabels.withLock({ $0[version]?[sample.id] }) { return known }
      guard let truth = try? service.truth(of: sample, as: version) else { return nil }
      versionLabels.withLock { $0[version, default: [:]][sample.id] = .some(truth.labelText) }
      return truth.labelText
    }
    if item.state.status != .open {
      if let known = labels.withLock({ $0[sample.id] }) { return known }
      if let truth = try? service.truth(of: sample) {
        labels.withLock { $0[sample.id] = .some(truth.labelText) }
        return truth.labelText
      }
    }
    return Self.importedLabel(of: sample, categories)
  }

  /// - Returns: `nil` for a sample imported without a label.
  private static func importedLabel(
    of sample: SampleRecord, _ categories: [String]
  ) -> String? {
    func name(_ ordinal: Int) -> String? {
      categories.indices.contains(ordinal) ? categories[ordinal] : nil
    }
    return sample.category.flatMap(name)
      ?? (sample.categories.isEmpty
        ? nil : sample.categories.compactMap(name).joined(separator: ", "))
  }

  func sample(_ id: Int64, for session: ReviewSession) throws -> JSONValue {
    let item = try item(id)
    let sample = item.sample
    let truth = try truth(of: sample, as: version(of: item, session.author))
    // Several people work on a shared sample at the same time.
    let holder = item.isShared ? nil : leases.take(id, by: session.author)
    let size = sample.size ?? truth.size
    return .object(
      [
        .init(
          "sample",
          [
            "id": .integer(sample.id), "key": .string(sample.key),
            "dataset": .string(review.dataset.name), "split": JSONValue(sample.split),
            "width": JSONValue(size?.width), "height": JSONValue(size?.height),
          ])
      ] + truth.members + [
        .init("run", try run?.json(of: sample) ?? .null),
        .init("image_changed", .bool(truth.skipped.imageChanged > 0)),
        .init("film", filmJSON(of: sample)),
        .init("held_by", JSONValue(holder?.author)),
        .init("held_since", JSONValue(holder?.since)),
        .init("shared", .bool(item.isShared)),
        .init("people", .array(item.people.map { .string($0) })),
        .init("versions", try versions(of: item)),
      ])
  }

  func item(_ id: Int64) throws(RequestRefusal) -> ReviewQueue.Item {
    guard let item = queue.item(of: id) else {
      throw .notFound("unknown sample: not in this review")
    }
    return item
  }

  func truth(
    of sample: SampleRecord, as version: IndependentVersion? = nil
  ) throws -> EffectiveTruth {
    do throws(CorrectionError) {
      return try service.truth(of: sample, as: version)
    } catch {
      throw RequestRefusal(error)
    }
  }

  func picture(of id: Int64, as size: PictureUse, unless held: [String]) throws -> PictureReply {
    let sample = try item(id).sample
    return try pictures.picture(of: sample, hash: hash(of: sample), as: size, unless: held)
  }

  private func hash(of sample: SampleRecord) throws -> String {
    do throws(CorrectionError) {
      return try service.identity(of: sample).contentHash
    } catch {
      throw RequestRefusal(error)
    }
  }

  func cutout(
    _ request: CutoutRequest, of id: Int64, isCanceled: () -> Bool
  ) throws -> ImageCutout.Outcome {
    let sample = try item(id).sample
    let image = try pictures.raster(of: sample, hash: hash(of: sample))
    if let start = request.start, start.size != image.size {
      throw RequestRefusal.badRequest(
        code: "wrongSize", "the mask is \(start.size), and the image \(image.size)")
    }
    return try ImageCutout(box: request.box, strokes: request.strokes, start: request.start)
      .run(in: image, isCanceled: isCanceled)
  }

  func pixels(of id: Int64) throws -> (name: String, image: Raster<UInt8>) {
    let sample = try item(id).sample
    let hash = try hash(of: sample)
    return ("\(id)-\(hash)", try pictures.raster(of: sample, hash: hash))
  }

  func map(of id: Int64, category: String, unless held: [String]) throws -> PictureReply {
    let sample = try item(id).sample
    let missing = RequestRefusal.notFound(
      "the run has no probability map of this class for this sample")
    guard let run else { throw missing }
    // A run never changes: sample and class name identify the map.
    var name = ContentHash()
    name.update("\(run.run.name)\n\(run.run.createdAt)\n\(id)\n\(category)")
    let tag = "\"\(name.hexadecimal().prefix(32))\""
    if held.contains(tag) { return .unchanged(tag: tag) }
    guard let bytes = try run.map(of: sample, category: category) else { throw missing }
    return .picture(.init(bytes: bytes, type: "application/octet-stream", tag: tag))
  }

  // MARK: Saving

  func save(_ request: SaveRequest, to id: Int64, wantsState: Bool) throws -> SaveReply {
    let item = try item(id)
    let sample = item.sample
    let version = version(of: item, request.author)
    let save = CorrectionSave(
      uuid: request.uuid, visit: request.visit, ledger: request.ledger, sample: sample,
      parent: request.parent, author: request.author, tool: "editor", seconds: request.seconds,
      note: request.note, done: request.isDone || request.kind == .agree, version: version,
      change: request.kind == .agree ? .agree(try agreed(request, item)) : try request.change())
    let outcome: SaveOutcome
    do throws(CorrectionError) {
      outcome = try service.save(save)
    } catch {
      throw RequestRefusal(error)
    }
    let truth = outcome.truth
    if let version {
      queue.update(id, to: ReviewState(truth), by: version.author)
      versionLabels.withLock { $0[version, default: [:]][id] = .some(truth.labelText) }
      return SaveReply(
        isRepeat: outcome.isRepeat, isConflict: outcome.isConflict,
        json: Self.json(outcome, wantsState: wantsState))
    }
    queue.update(id, to: ReviewState(truth))
    if truth.status.isLeft {
      leases.take(id, by: request.author)
    } else {
      leases.giveBack(id, by: request.author)
    }
    labels.withLock { $0[id] = .some(truth.labelText) }
    return SaveReply(
      isRepeat: outcome.isRepeat, isConflict: outcome.isConflict,
      json: Self.json(outcome, wantsState: wantsState))
  }

  private static func json(_ outcome: SaveOutcome, wantsState: Bool) -> JSONValue {
    let entry = outcome.entry
    let truth = outcome.truth
    let time = truth.history.last { $0.entry.sequence == entry.sequence }?.remarks.time
    var members: [JSONValue.Member] = [
      .init("sequence", .integer(entry.sequence)), .init("uuid", .string(entry.uuid)),
      .init("hash", .string(Hexadecimal.text(entry.hash))), .init("time", JSONValue(time)),
      .init("status", .string(truth.status.rawValue)),
      .init("head", truth.head.map { .integer($0) } ?? .null),
    ]
    if outcome.isConflict {
      members.insert(.init("error", "conflict"), at: 0)
      members.insert(
        .init(
          "message", "someone else changed this sample in the meantime; both versions are kept"
        ), at: 1
      )
      members.append(.init("kept", true))
    }
    if wantsState || outcome.isConflict {
      members.append(.init("state", .object(truth.members)))
    }
    return .object(members)
  }

  // MARK: Status

  func status() throws -> JSONValue {
    refresh()
    return [
      "review": .string(review.name), "dataset": .string(review.dataset.name),
      "ledger": .string(ledger), "sequence": .integer(try lastSequence()),
      "since": .string(since), "version": .string(version), "counts": queue.counts.json,
    ]
  }

  func lastSequence() throws -> Int64 { try service.ledger.head().sequence }
}
