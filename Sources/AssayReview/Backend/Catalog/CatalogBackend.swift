import AssayCore
import AssayImaging
import AssayStore
import AssayWorkflows
import Synchronization

/// A review backed by the catalog and the ledger.
final class CatalogBackend: ReviewBackend {
  private let queue: ReviewQueue
  let service: CorrectionService
  private let pictures: PageImages
  private let run: ReviewRunCache?
  private let categories: [String]
  /// Facts about the objects of the dataset, for the page.
  private let objectFacts: ObjectFacts
  /// The films whose frames are in the review.
  let films: FilmFrames
  private let version: String
  private let since = ReviewClock.now()
  /// True while a thread imports changes made by others.
  private let isRefreshing = Mutex(false)
  /// The known labels of samples with corrections; `nil` for none.
  private let labels: Mutex<[Int64: String?]>
  let leases: SampleLeases

  let ledger: String

  /// - Parameters:
  ///   - name: the name of the stored review.
  ///   - catalog: with the imported ground truth, writable, its mirror of the ledger up to date.
  ///   - clock: the time in seconds that determines when leases expire.
  /// - Throws: `StoreError` if there is no such review.
  init(
    catalog: Catalog, ledger: Ledger, review name: String, settings: ReviewServerSettings,
    clock: @escaping @Sendable () -> Int64 = { ReviewClock.steadySeconds() }
  ) throws {
    leases = SampleLeases(now: clock)
    let review = try catalog.review(named: name)
    let marks = try catalog.reviewMarks(of: review.dataset.id)
    let queue = try ReviewQueue(catalog: catalog, review: review, marks: marks)
    self.queue = queue
    self.ledger = ledger.uuid
    service = CorrectionService(catalog: catalog, ledger: ledger)
    pictures = PageImages(catalog: catalog, dataset: review.dataset)
    let taxonomy = try catalog.taxonomy(of: review.dataset.id)
    let categories = taxonomy.names
    self.categories = categories
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
    let listed = queue.items(from: 0, limit: .max).map(\.sample)
    let samples = Set(listed.map(\.id))
    films = try FilmFrames(
      listed, of: review.dataset, hasTracks: objectFacts.hasTracks, in: catalog)
    run = try Self.run(of: review, in: catalog).map {
      try ReviewRunCache($0, of: samples, in: catalog)
    }
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

  private var review: ReviewRecord { queue.review }

  /// The task of the review: for regions the page draws, otherwise it labels.
  private var task: ModelTask {
    if let task = review.task { return task }
    if review.dataset.isMultiLabel { return .multiLabel }
    return review.dataset.regions > 0 ? .segmentation : .classification
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
      ],
      "set": .string(ImportedTruth().set),
      "categories": .array(categories.map { .string($0) }), "version": .string(version),
      "films": .bool(!films.isEmpty),
    ]
    return .object((members.members ?? []) + objectFacts.members)
  }

  func queue(from position: Int, limit: Int, for session: ReviewSession) throws -> JSONValue {
    refresh()
    let items = queue.items(from: position, limit: limit)
    return [
      "total": JSONValue(queue.counts.total), "counts": queue.counts.json,
      "items": .array(items.map { json($0, for: session) }),
    ]
  }

  func next(after position: Int, for session: ReviewSession) throws -> JSONValue {
    refresh()
    var held = 0
    for range in [position + 1..<Int.max, 0..<max(position, 0)] {
      var start = range.lowerBound
      while start < range.upperBound {
        let items = queue.items(from: start, limit: 64, onlyLeft: true)
        for item in items where range.contains(item.position) {
          guard leases.take(item.sample.id, by: session.author) == nil else {
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
    let holder = leases.holder(of: item.sample.id, besides: session.author)
    return [
      "position": JSONValue(item.position), "sample": .integer(item.sample.id),
      "key": .string(item.sample.key), "status": .string(item.state.status.rawValue),
      "score": JSONValue(item.score), "reason": .string(item.reason),
      "width": JSONValue(item.sample.size?.width), "height": JSONValue(item.sample.size?.height),
      "label": JSONValue(label(of: item)),
      "predicted": JSONValue(run?.label(of: item.sample.id)),
      "conflicts": JSONValue(item.state.conflicts),
      "held_by": JSONValue(holder?.author), "held_since": JSONValue(holder?.since),
    ]
  }

  private func label(of item: ReviewQueue.Item) -> String? {
    let sample = item.sample
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
    let sample = try item(id).sample
    let truth = try truth(of: sample)
    let holder = leases.take(id, by: session.author)
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
      ])
  }

  func item(_ id: Int64) throws(RequestRefusal) -> ReviewQueue.Item {
    guard let item = queue.item(of: id) else {
      throw .notFound("unknown sample: not in this review")
    }
    return item
  }

  func truth(of sample: SampleRecord) throws -> EffectiveTruth {
    do throws(CorrectionError) {
      return try service.truth(of: sample)
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
    let sample = try item(id).sample
    let save = CorrectionSave(
      uuid: request.uuid, visit: request.visit, ledger: request.ledger, sample: sample,
      parent: request.parent, author: request.author, tool: "editor", seconds: request.seconds,
      note: request.note, done: request.isDone, change: try request.change())
    let outcome: SaveOutcome
    do throws(CorrectionError) {
      outcome = try service.save(save)
    } catch {
      throw RequestRefusal(error)
    }
    let truth = outcome.truth
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
