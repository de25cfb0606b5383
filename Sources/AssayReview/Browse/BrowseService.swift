import AssayCore
import AssayImaging
import AssayStore
import AssayWorkflows
import Synchronization

/// The answers to the requests of the browse page. All operations can block, and are called from several threads.
/// Except for saved views, tags and fields, they only read.
final class BrowseService: Sendable {
  /// The maximum number of samples whose marks are read at a time.
  static let marksLimit = 200
  /// The maximum number of samples of one page.
  static let pageLimit = 1_000
  private static let scoreLimit = 20

  let browser: SampleBrowser
  let inspector: RunInspector
  private let start: BrowseStart
  private let review: String?
  private let version: String
  /// True if the server recognizes live, too.
  private let isLive: Bool
  /// Reads what people did; `nil` without a ledger.
  private let corrections: CorrectionService?
  /// Changes tags and fields; the reason why it cannot, else.
  let tags: Result<TagService, TagRefusal>
  private let images = Mutex<[Int64: PageImages]>([:])
  private let thumbnails: ThumbnailStore?

  /// - Parameters:
  ///   - ledger: the ledger with the corrections; `nil` for none.
  ///   - review: the review that the same server serves; `nil` for none.
  ///   - tagLimits: the maximum numbers of samples of a request that changes a tag or a field.
  ///   - thumbnails: the thumbnails on disk; `nil` to make them each time.
  init(
    catalog: Catalog, ledger: Ledger?, start: BrowseStart, review: String?, version: String,
    tagLimits: TagService.Limits = .init(), isLive: Bool = false,
    thumbnails: ThumbnailStore? = nil
  ) {
    self.thumbnails = thumbnails
    self.isLive = isLive
    tags = Self.tags(catalog, ledger, tagLimits)
    browser = (try? tags.get().browser) ?? SampleBrowser(catalog: catalog)
    inspector = RunInspector(browser)
    corrections = ledger.map { CorrectionService(catalog: catalog, ledger: $0) }
    self.start = start
    self.review = review
    self.version = version
  }

  private var catalog: Catalog { browser.catalog }

  /// The datasets, views and runs of the catalog.
  func overview(of session: ReviewSession) throws -> JSONValue {
    let datasets = try catalog.datasets()
    let runs = try catalog.runs()
    return [
      "ledger": .string(session.ledger), "author": .string(session.author),
      "version": .string(version),
      "start": [
        // A server with a review shows that first.
        "view": JSONValue(
          start.view ?? (review == nil && datasets.count == 1 ? datasets.first?.name : nil)),
        "runs": .array(start.runs.map { .string($0) }), "where": .string(start.expression),
        "corrected": .bool(start.isCorrected),
      ],
      "review": JSONValue(review), "tags": tagging, "live": .bool(isLive),
      "datasets": .array(
        try datasets.map { dataset in
          let taxonomy = try catalog.taxonomy(of: dataset.id)
          return [
            "name": .string(dataset.name), "samples": JSONValue(dataset.samples),
            "regions": JSONValue(dataset.regions), "multilabel": .bool(dataset.isMultiLabel),
            "classes": .array(taxonomy.names.map { .string($0) }),
            "skeletons": ObjectFacts.skeletons(of: taxonomy),
            "parts": .array(try parts(of: dataset).map { .string($0) }),
          ]
        }),
      "views": .array(
        try catalog.views().map { view in
          [
            "name": .string(view.name), "dataset": .string(view.dataset),
            "expression": .string(view.expression),
          ]
        }),
      "runs": .array(
        try runs.map { run in
          [
            "name": .string(run.name), "dataset": .string(run.dataset.name),
            "task": .string(run.task.rawValue), "samples": JSONValue(run.done),
            "classes": .array(run.classes.map { .string($0) }),
            "sorts": .array(
              try QueryWords.sortFields(of: run, in: catalog).map { sort in
                ["field": .string(sort.field), "title": .string(sort.title)]
              }),
            "evaluated": .bool(
              try catalog.evaluations(of: run).contains {
                $0.name == EvaluationRecord.defaultName
              }),
          ]
        }),
    ]
  }

  private func parts(of dataset: DatasetRecord) throws -> [String] {
    var seen: Set<String> = []
    let splits = try catalog.splitCounts(of: dataset.id).compactMap(\.split)
    let parts = try catalog.partitions(of: dataset.id).flatMap { $0.parts.map(\.part) }
    return (splits + parts).filter { seen.insert($0).inserted }
  }

  /// A page of a search's samples, with the number of those of the dataset that were corrected. With the corrected
  /// ground truth, samples that were corrected or excluded say so.
  ///
  /// - Parameter address: the signed address of a sample's thumbnail.
  func samples(
    _ search: SampleBrowser.Search, from start: Int, limit: Int, address: (Int64) -> String
  ) throws -> JSONValue {
    let found = try find(search)
    let catalog = try catalog(corrected: search.isCorrected)
    let range = min(start, found.ids.count)..<min(start + limit, found.ids.count)
    let records = try catalog.samples(ids: Array(found.ids[range]))
    let places = Dictionary(
      zip(found.ids[range], range), uniquingKeysWith: { first, _ in first })
    let facts = try correctionFacts(of: records.map(\.id), isCorrected: search.isCorrected)
    func value(of sample: SampleRecord) -> JSONValue {
      guard let place = places[sample.id] else { return .null }
      if found.numbers.indices.contains(place) { return JSONValue(found.numbers[place]) }
      return found.texts.indices.contains(place) ? JSONValue(found.texts[place]) : .null
    }
    return [
      "total": JSONValue(found.ids.count), "of": JSONValue(found.total),
      "from": JSONValue(range.lowerBound), "withoutValue": JSONValue(found.withoutValue),
      "corrections": try corrections(in: found.selection.dataset),
      "items": .array(
        records.map { sample in
          return .object(
            [
              .init("id", .integer(sample.id)), .init("key", .string(sample.key)),
              .init("width", JSONValue(sample.size?.width)),
              .init("height", JSONValue(sample.size?.height)),
              .init("value", value(of: sample)), .init("thumbnail", .string(address(sample.id))),
            ] + (facts[sample.id] ?? []))
        }),
    ]
  }

  private func find(_ search: SampleBrowser.Search) throws -> SampleBrowser.Found {
    try readNewEntries(isCorrected: search.isCorrected)
    return try asking { try browser.find(search) }
  }

  /// Runs a search; a wrong view or expression is the client's.
  func asking<Answer>(_ body: () throws -> Answer) throws -> Answer {
    do {
      return try body()
    } catch StoreError.expression(let error) {
      throw RequestRefusal.expression(error)
    } catch let error as StoreError {
      throw RequestRefusal.badRequest(code: "badView", "\(error)")
    } catch let error as BrowseError {
      throw RequestRefusal.badRequest(code: "noCorrections", "\(error)")
    }
  }

  /// The annotations of samples and the predictions of runs for them; and the runs of detectors without results, each
  /// with the reason.
  func marks(
    of ids: [Int64], runs names: [String], side: Int, isCorrected: Bool = false
  ) throws -> JSONValue {
    if isCorrected { try readNewEntries(isCorrected: true) }
    let catalog = try catalog(corrected: isCorrected)
    let samples = try catalog.samples(ids: ids)
    var members: [Int64: JSONValue] = [:]
    var problems: [JSONValue] = []
    for (dataset, group) in try grouped(samples) {
      let reader = try MarksReader(catalog: catalog, dataset: dataset)
      var truths = try reader.truth(of: group, side: side)
      var found: [(name: String, marks: [SampleMarks?])] = []
      // The results of the ground truth are those of the first run: it is read last.
      for run in try runs(named: names, of: dataset).reversed() {
        found.append(
          (run.name, try reader.predictions(of: run, for: group, truths: &truths, side: side)))
        if let problem = try self.problem(withResultsOf: run, reader) { problems.append(problem) }
      }
      for (index, sample) in group.enumerated() {
        members[sample.id] = [
          "id": .integer(sample.id), "truth": truths[index].json,
          "runs": .object(
            found.reversed().compactMap { run in
              run.marks[index].map { .init(run.name, $0.json) }
            }),
        ]
      }
    }
    return ["items": .array(ids.compactMap { members[$0] }), "problems": .array(problems)]
  }

  private func grouped(
    _ samples: [SampleRecord]
  ) throws -> [(dataset: DatasetRecord, samples: [SampleRecord])] {
    var groups: [(dataset: DatasetRecord, samples: [SampleRecord])] = []
    for sample in samples {
      guard let dataset = try catalog.dataset(ofSample: sample.id) else { continue }
      if let place = groups.firstIndex(where: { $0.dataset.id == dataset.id }) {
        groups[place].samples.append(sample)
      } else {
        groups.append((dataset, [sample]))
      }
    }
    return groups
  }

  /// The runs over a dataset with these names, in their order; others are left out.
  private func runs(named names: [String], of dataset: DatasetRecord) throws -> [RunRecord] {
    try names.compactMap { try browser.run(named: $0) }.filter { $0.dataset.id == dataset.id }
  }

  /// The counts of fields over the samples of a search; of `only` one of them, or of all (`nil`).
  func facets(
    _ search: SampleBrowser.Search, runs names: [String], only field: String? = nil
  ) throws -> JSONValue {
    let selection = try find(search).selection
    let (found, facets) = try browser.facets(
      search, runs: runs(named: names, of: selection.dataset), only: field)
    return [
      "total": JSONValue(found.ids.count), "of": JSONValue(found.total),
      "facets": .array(facets.map { $0.json(of: found.ids.count) }),
    ]
  }

  /// The ways to continue an expression, and its error.
  ///
  /// - Parameter bytes: the number of UTF-8 bytes before the cursor.
  func completion(
    of text: String, at bytes: Int, in view: String, isCorrected: Bool = false
  ) throws -> JSONValue {
    let all = SampleBrowser.Search(view: view, expression: "", isCorrected: isCorrected)
    let selection = try find(all).selection
    let catalog = try catalog(corrected: isCorrected)
    let utf8 = text.utf8
    let place = utf8.index(utf8.startIndex, offsetBy: min(max(bytes, 0), utf8.count))
    let characters = text[..<(place.samePosition(in: text) ?? text.endIndex)].count
    let completion = try QueryCompletion(of: text, at: characters, in: selection, catalog)
    let from = Self.bytes(before: completion.range.lowerBound, in: text)
    let to = Self.bytes(before: completion.range.upperBound, in: text)
    let fault =
      text.allSatisfy(\.isWhitespace)
      ? nil : try QueryWords.fault(in: text, of: selection, catalog: catalog)
    return [
      "items": .array(
        completion.items.map { item in
          [
            "text": .string(item.text), "title": .string(item.text),
            "detail": .string(item.detail), "from": JSONValue(from), "to": JSONValue(to),
          ]
        }),
      "error": fault.map { fault in
        [
          "message": .string(fault.sentence),
          "offset": JSONValue(Self.bytes(before: fault.offset, in: text)),
        ]
      } ?? .null,
    ]
  }

  static func bytes(before characters: Int, in text: String) -> Int {
    text.prefix(max(0, characters)).utf8.count
  }

  /// All about one sample.
  ///
  /// - Parameter address: the signed address of a path.
  func sample(
    _ id: Int64, runs names: [String], isCorrected: Bool = false, address: (String) -> String
  ) throws -> JSONValue {
    try readNewEntries(isCorrected: isCorrected)
    let catalog = try catalog(corrected: isCorrected)
    let (sample, dataset) = try found(id, in: catalog)
    let reader = try MarksReader(catalog: catalog, dataset: dataset)
    var truths = try reader.truth(of: [sample], side: nil)
    var shown: [JSONValue] = []
    for run in try runs(named: names, of: dataset).reversed() {
      let marks = try reader.predictions(of: run, for: [sample], truths: &truths, side: nil)[0]
      let scores = try reader.scores(of: run, for: sample, limit: Self.scoreLimit)
      shown.append([
        "name": .string(run.name), "marks": marks?.json ?? .null,
        "problem": try problem(withResultsOf: run, reader) ?? .null,
        "masks": try reader.maskScores(of: run, for: sample)?.json ?? .null,
        "probabilities": .array(
          scores.map { ["class": .string($0.class), "score": .number($0.score)] }),
      ])
    }
    let details = try catalog.details(of: id)
    let facts = try correctionFacts(of: [id], isCorrected: isCorrected)
    let members: JSONValue = [
      "id": .integer(id), "key": .string(sample.key), "dataset": .string(dataset.name),
      "width": JSONValue(sample.size?.width), "height": JSONValue(sample.size?.height),
      "split": JSONValue(sample.split),
      "parts": .object(details.parts.map { .init($0.partition, .string($0.part)) }),
      "attributes": details.attributes.flatMap { try? JSONValue(parsing: $0) } ?? [:],
      "image": .string(address("/api/browse/samples/\(id)/image")),
      "thumbnail": .string(address("/api/browse/samples/\(id)/thumbnail")),
      "issues": .array(
        details.issues.map { ["kind": .string($0.kind), "detail": .string($0.detail)] }),
      "findings": .array(try details.findings.map { try json($0, in: dataset, address: address) }),
      "checked": .bool(details.isChecked),
      "similar": .array(
        details.embeddings.map { run in
          [
            "run": .string(run),
            "field": .string(QueryWords.similarity(by: run, to: sample.key)),
          ]
        }),
      "tags": .array((try catalog.tags(of: [id]).first ?? []).map { .string($0) }),
      "fields": .object(try catalog.editedFields(of: [id]).first ?? []),
      "truth": truths[0].json, "runs": .array(shown.reversed()),
      "corrections": .array(try history(of: sample)),
    ]
    return .object((members.members ?? []) + (facts[id] ?? []))
  }

  /// A finding with the other images that it names.
  private func json(
    _ finding: SampleFinding, in dataset: DatasetRecord, address: (String) -> String
  ) throws -> JSONValue {
    [
      "kind": .string(finding.kind),
      "title": JSONValue(FindingKind(rawValue: finding.kind)?.row.title),
      "detail": .string(finding.message), "count": JSONValue(finding.count),
      "others": .array(
        try catalog.samples(ids: finding.others).map { sample in
          [
            "id": .integer(sample.id), "key": .string(sample.key),
            "split": JSONValue(sample.split),
            "thumbnail": .string(address("/api/browse/samples/\(sample.id)/thumbnail")),
          ]
        }),
    ]
  }

  /// The corrections of a sample, in order.
  private func history(of sample: SampleRecord) throws -> [JSONValue] {
    guard let corrections else { return [] }
    return try corrections.truth(of: sample).history.map { item in
      let remarks = item.remarks
      return [
        "sequence": .integer(item.entry.sequence), "time": JSONValue(remarks.time),
        "author": .string(remarks.author), "kind": .string(item.entry.kind),
        "detail": JSONValue(
          remarks.category ?? remarks.tag ?? remarks.field?.words ?? remarks.note),
        "active": .bool(item.isActive),
      ]
    }
  }

  private func found(
    _ id: Int64, in catalog: Catalog
  ) throws -> (SampleRecord, DatasetRecord) {
    guard let sample = try catalog.samples(ids: [id]).first,
      let dataset = try catalog.dataset(ofSample: id)
    else { throw RequestRefusal.notFound("unknown sample") }
    return (sample, dataset)
  }

  /// A sample's image.
  func picture(of id: Int64, as use: PictureUse, unless held: [String]) throws -> PictureReply {
    let (sample, dataset) = try found(id, in: catalog)
    let images = images.withLock { known in
      if let images = known[dataset.id], images.dataset.importVersion == dataset.importVersion {
        return images
      }
      let made = PageImages(catalog: catalog, dataset: dataset, thumbnails: thumbnails)
      known[dataset.id] = made
      return made
    }
    return try images.picture(of: sample, as: use, unless: held)
  }

  /// Saves a search as a view.
  func saveView(_ body: JSONValue) throws -> JSONValue {
    guard let name = body["name"]?.text, let view = body["view"]?.text,
      let expression = body["where"]?.text, !expression.allSatisfy(\.isWhitespace)
    else {
      throw RequestRefusal.badRequest(
        code: "badView", "a view needs a name, the view it is made of, and an expression")
    }
    let search = SampleBrowser.Search(
      view: view, expression: expression, isCorrected: body["corrected"] == .bool(true))
    let selection = try find(search).selection
    do {
      let saved = try catalog.addView(named: name, in: selection, where: expression)
      return ["name": .string(saved.name)]
    } catch StoreError.nameTaken(let kind, let name) {
      // A repeated request has the same result.
      let whole = selection.expression.map { "(\($0)) and (\(expression))" } ?? expression
      if try catalog.views().contains(where: {
        $0.name == name && $0.expression == whole && $0.parts == selection.parts
          && $0.dataset == selection.dataset.name
      }) {
        return ["name": .string(name)]
      }
      throw RequestRefusal.conflict(
        code: "nameTaken", "\(StoreError.nameTaken(kind, name))")
    } catch let error as StoreError {
      throw RequestRefusal.badRequest(code: "badView", "\(error)")
    }
  }

  /// The samples of a search as a CSV file.
  func table(_ search: SampleBrowser.Search) throws -> [UInt8] {
    try readNewEntries(isCorrected: search.isCorrected)
    return try asking { try browser.table(search) }
  }

  /// The command and the SQL statement for a search.
  func command(_ search: SampleBrowser.Search) throws -> JSONValue {
    try readNewEntries(isCorrected: search.isCorrected)
    let found = try asking { try browser.command(search) }
    return ["command": .string(found.command), "sql": JSONValue(found.statement)]
  }
}
