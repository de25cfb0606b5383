import AssayCore
import AssayStore
import AssayWorkflows

/// The operations for samples that several people correct independently, and for finished reviews.
extension CatalogBackend {
  /// The person's own version of a shared sample; `nil` for others.
  func version(of item: ReviewQueue.Item, _ author: String) -> IndependentVersion? {
    queue.version(of: item, by: author)
  }

  /// The parts of the people to whom samples are assigned.
  var parts: JSONValue { .array(queue.parts.map(\.json)) }

  /// The versions of a sample in a review that decides those of another one; `null` in others.
  func versions(of item: ReviewQueue.Item) throws -> JSONValue {
    guard let parent, let shared = parent.item(of: item.sample.id) else { return .null }
    return .array(
      try answered(shared, of: parent).map { version in
        let truth = version.truth
        return [
          "author": .string(version.author), "entry": JSONValue(version.entry),
          "status": .string(truth.status.rawValue), "label": JSONValue(truth.label),
          "labels": truth.labels.map { .array($0.sorted().map { .string($0) }) } ?? .null,
          "left_out": JSONValue(truth.leftOut), "note": JSONValue(truth.note),
          "objects": .array(truth.objects.map { $0.json(in: item.sample.size ?? truth.size) }),
        ]
      })
  }

  private func answered(
    _ item: ReviewQueue.Item, of parent: ReviewQueue
  ) throws -> [PersonVersion] {
    do throws(CorrectionError) {
      return try parent.versions(of: item, service)
    } catch {
      throw RequestRefusal(error)
    }
  }

  /// The decision that a request to take one of the versions asks for.
  func agreed(_ request: SaveRequest, _ item: ReviewQueue.Item) throws -> Agreed {
    guard let parent, let shared = parent.item(of: item.sample.id) else {
      throw RequestRefusal.badRequest(
        code: "noVersions", "this review does not decide versions of another one")
    }
    let versions = try answered(shared, of: parent).compactMap { version in
      version.entry.map { Agreed.Version(author: version.author, entry: $0) }
    }
    guard let taken = versions.firstIndex(where: { $0.entry == request.entry }) else {
      throw RequestRefusal.conflict(
        code: "unknownVersion",
        "this version was changed in the meantime and was not taken; open the sample again")
    }
    return Agreed(
      review: parent.review.name, rule: .adjudicated, versions: versions, taken: taken)
  }

  func summary(for session: ReviewSession) throws -> JSONValue {
    refresh()
    let activity = try service.ledger.activity(in: review.dataset.name)
    let progress = ReviewProgress(queue: queue, activity: activity)
    var people: [String: ReviewProgress.Row] = [:]
    for row in progress.rows {
      var sum = people[row.author] ?? ReviewProgress.Row(day: nil, author: row.author)
      sum.counts.merge(row.counts)
      sum.entries += row.entries
      if let seconds = row.seconds { sum.seconds = (sum.seconds ?? 0) + seconds }
      people[row.author] = sum
    }
    let counts = queue.counts
    // The mirror that other commands read, brought up to the ledger: only what is new is replayed.
    let catalog = try CorrectedCatalog.open(
      service.catalog.path, .readWrite, reportingTo: NoProgress()
    ).catalog
    let ids = queue.items(from: 0, limit: .max).map(\.sample.id)
    let changed = try catalog.correctionCounts(of: ids).samples
    let mine = queue.counts(for: session.author)
    return [
      "counts": counts.json, "mine": mine.json, "corrected": JSONValue(changed),
      "median_seconds": JSONValue(progress.median), "parts": parts,
      "people": .array(
        people.values.sorted { $0.author < $1.author }.map { row in
          let decided = row.counts.total - row.counts.left
          return [
            "author": .string(row.author), "counts": row.counts.json,
            "entries": JSONValue(row.entries), "seconds": JSONValue(row.seconds),
            "seconds_per_sample": JSONValue(
              decided > 0 ? row.seconds.map { $0 / Double(decided) } : nil),
          ]
        }),
      "next": .array(try NextCommand.all(queue, run: runName, corrected: changed, in: catalog)),
    ]
  }
}

/// A command to continue with after a review.
enum NextCommand {
  /// The commands that apply now, in order.
  static func all(
    _ queue: ReviewQueue, run: String?, corrected: Int, in catalog: Catalog
  ) throws -> [JSONValue] {
    let (review, counts) = (queue.review, queue.counts)
    let (name, dataset) = (quoted(review.name), quoted(review.dataset.name))
    var commands: [JSONValue] = []
    func add(_ words: String, _ command: String, queue: String? = nil) {
      commands.append(
        ["words": .string(words), "command": .string(command), "queue": JSONValue(queue)])
    }
    if counts.conflicts > 0 {
      add(
        "\(counts.conflicts == 1 ? "1 sample is" : "\(counts.conflicts) samples are") in conflict",
        "assay query 'conflict = true' --in \(dataset)")
    }
    if queue.hasShared {
      let shared = queue.items(from: 0, limit: .max).filter(\.isShared)
      let answered = shared.count { item in
        item.people.allSatisfy { !queue.state(of: item, for: $0).status.isLeft }
      }
      if answered > 0 {
        add("Agreement on \(answered) of \(shared.count) shared samples", "assay agreement \(name)")
      }
      if shared.contains(where: { $0.state.status.isLeft }), answered > 0 {
        add("Accept what people agree on", "assay review consensus \(name)")
      }
    }
    let adjudication = review.name + "-adjudication"
    if let made = try catalog.findReview(named: adjudication),
      made.adjudicated == review.name
    {
      let open = try ReviewQueue(catalog: catalog, review: made)
      if open.counts.left > 0 {
        add(
          "\(open.counts.left) shared samples to decide", "assay review \(quoted(adjudication))",
          queue: adjudication)
      }
    }
    if counts.unsure > 0 {
      add(
        "\(counts.unsure == 1 ? "1 sample is" : "\(counts.unsure) samples are") marked as unsure",
        "assay review \(dataset) --where 'unsure = true' --order random")
    }
    guard corrected > 0 else { return commands }
    if let run {
      add("What the corrections change in the metrics", "assay evaluate \(quoted(run)) --corrected")
    }
    let format =
      review.dataset.isMultiLabel
      ? "multilabel-csv" : review.dataset.regions > 0 ? "coco" : "folder"
    add(
      "The corrected samples as a training set",
      "assay export \(dataset) --to \(format) --out corrected --corrected "
        + "--only-corrected")
    return commands
  }

  /// A name for a shell.
  private static func quoted(_ name: String) -> String {
    let isPlain = name.unicodeScalars.allSatisfy {
      $0.isASCII
        && ($0.properties.isAlphabetic || ("0"..."9").contains($0)
          || "._-/@".unicodeScalars.contains($0))
    }
    return isPlain && !name.hasPrefix("-") && !name.isEmpty
      ? name : "'" + name.replacing("'", with: "'\\''") + "'"
  }
}
