package import ArgumentParser
package import AssayCore
import AssayStore
import AssayWorkflows

/// `assay corrections ls`: lists the corrections.
package struct CorrectionsListCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "ls", abstract: "List corrections by sample, by person and by day.",
    discussion: """
      A correction is the net change of one visit of one person: a change that was undone does not count. \
      Samples are listed latest first. Corrections that do not apply (the image changed, the sample \
      is missing) are listed below.
      """)

  @Option(
    name: .customLong("in"),
    help: ArgumentHelp("Only this dataset.", valueName: "dataset"))
  package var dataset: String?

  @Option(help: "Only samples with entries of this person.")
  package var author: String?

  @Option(
    help: ArgumentHelp(
      "Only samples with this status: "
        + ReviewStatus.allCases.map(\.rawValue).joined(separator: ", ") + ".",
      valueName: "status"))
  package var status: ReviewStatus?

  @Option(help: ArgumentHelp("The maximum number of samples.", valueName: "n"))
  package var limit = 50

  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func validate() throws {
    guard limit >= 0 else { throw ValidationError("--limit must be 0 or more") }
  }

  package func run() throws {
    try options.perform { progress in
      let opened = try CorrectedCatalog.open(
        options.catalogPath, .readOnly, reportingTo: progress)
      let path = Ledger.path(forCatalog: options.catalogPath)
      if let loss = try opened.catalog.loss(
        of: Ledger.exists(at: path) ? Ledger.open(path, .readOnly) : nil)
      {
        throw LedgerError.lost(path: path, loss)
      }
      guard Ledger.exists(at: path) else { return AnyResult(NoCorrectionsResult()) }
      let ledger = try Ledger.open(path, .readOnly)
      let listing = try CorrectionListing(
        of: ledger, in: opened.catalog,
        .init(dataset: dataset, author: author, status: status), progress: progress)
      return AnyResult(CorrectionsListResult(listing: listing, limit: limit))
    }
  }
}

extension ReviewStatus: ExpressibleByArgument {}

/// A catalog without a ledger.
struct NoCorrectionsResult: CommandResult {
  var json: JSONValue {
    [
      "ledger": nil, "corrections": 0, "samples": 0, "entries": 0, "left_out": 0, "conflicts": 0,
      "list": [], "authors": [], "days": [], "issues": [],
    ]
  }

  func text(in terminal: Terminal) -> String {
    "no corrections yet; `assay review` or `assay corrections add` adds the first"
  }
}

/// The result of `assay corrections ls`.
struct CorrectionsListResult: CommandResult {
  let listing: CorrectionListing
  let limit: Int

  private var corrections: Int { listing.samples.reduce(0) { $0 + $1.corrections } }

  var json: JSONValue {
    let issues = issueKinds
    return [
      "ledger": .string(listing.ledger), "corrections": JSONValue(corrections),
      "samples": JSONValue(listing.samples.count),
      "entries": JSONValue(listing.samples.reduce(0) { $0 + $1.entries }),
      "left_out": JSONValue(listing.samples.count { $0.isLeftOut }),
      "independent": JSONValue(listing.independent),
      "conflicts": JSONValue(listing.samples.reduce(0) { $0 + $1.conflicts }),
      "list": .array(
        listing.samples.prefix(limit).map { sample in
          let tags: [JSONValue.Member] =
            sample.tags.isEmpty ? [] : [.init("tags", .array(sample.tags.map { .string($0) }))]
          let members: JSONValue = [
            "dataset": .string(sample.dataset), "key": .string(sample.key),
            "status": .string(sample.status.rawValue), "corrections": JSONValue(sample.corrections),
            "entries": JSONValue(sample.entries), "conflicts": JSONValue(sample.conflicts),
            "authors": .array(sample.authors.map { .string($0) }), "last": .integer(sample.last),
            "issues": .array(
              (issues["\(sample.dataset):\(sample.key)"] ?? []).map { .string($0.rawValue) }),
            "last_time": JSONValue(sample.lastTime), "seconds": JSONValue(sample.seconds),
            "changes": .array(sample.changes.map { .string($0) }),
          ]
          guard case .object(let known) = members else { return members }
          let fields: [JSONValue.Member] =
            sample.fields.isEmpty ? [] : [.init("fields", .object(sample.fields))]
          return .object(known + tags + fields)
        }),
      "authors": .array(listing.authors.map { Self.json($0, "author") }),
      "days": .array(listing.days.map { Self.json($0, "day") }),
      "issues": .array(
        listing.issues.map { issue in
          [
            "kind": .string(issue.kind.rawValue), "dataset": .string(issue.dataset),
            "key": .string(issue.key), "entries": JSONValue(issue.entries),
            "applied": .bool(issue.kind.isApplied), "message": .string(issue.message),
          ]
        }),
    ]
  }

  private static func json(_ tally: CorrectionListing.Tally, _ name: String) -> JSONValue {
    .object([
      .init(name, JSONValue(tally.name)), .init("corrections", JSONValue(tally.corrections)),
      .init("entries", JSONValue(tally.entries)), .init("samples", JSONValue(tally.samples)),
      .init("seconds", JSONValue(tally.seconds)),
    ])
  }

  func text(in terminal: Terminal) -> String {
    var parts = [headline(in: terminal)]
    if !listing.samples.isEmpty, limit > 0 { parts.append(samples(in: terminal)) }
    if !listing.authors.isEmpty {
      parts.append(tallies(listing.authors, "author", in: terminal))
      parts.append(tallies(listing.days, "day", in: terminal))
    }
    if !listing.issues.isEmpty { parts.append(issues(in: terminal)) }
    return parts.joined(separator: "\n\n")
  }

  private func headline(in terminal: Terminal) -> String {
    let samples = Counted.text(listing.samples.count, "sample", "samples")
    let entries = listing.samples.reduce(0) { $0 + $1.entries }
    var text =
      "\(Counted.text(corrections, "correction", "corrections")) in "
      + "\(Counted.text(entries, "entry", "entries")) about \(samples)"
    let left = listing.samples.count { $0.isLeftOut }
    if left > 0 { text += ", \(left) of them left out" }
    let conflicts = listing.samples.reduce(0) { $0 + $1.conflicts }
    if conflicts > 0 {
      text += "; " + terminal.wrong(Counted.text(conflicts, "conflict", "conflicts"))
    }
    if listing.independent > 0 {
      text +=
        "\n\(Counted.text(listing.independent, "sample has", "samples have")) independent versions, which do "
        + "not count by themselves (assay agreement REVIEW)"
    }
    return text
  }

  private func samples(in terminal: Terminal) -> String {
    var table = TextTable([
      ("sample", .path), ("status", .left), ("entries", .right), ("last", .right), ("by", .left),
      ("what", .left),
    ])
    let issues = issueKinds
    for sample in listing.samples.prefix(limit) {
      let unused = (issues["\(sample.dataset):\(sample.key)"] ?? []).filter { !$0.isApplied }
      var what =
        unused.map { "not used (\($0.rawValue))" } + sample.changes
        + sample.tags.map { "tag “\($0)”" }
        + sample.fields.map { FieldEdit(name: $0.name, value: $0.value).words }
      if sample.conflicts > 0 {
        what.insert(Counted.text(sample.conflicts, "conflict", "conflicts"), at: 0)
      }
      table.add([
        "\(sample.dataset):\(sample.key)", sample.status.words, "\(sample.entries)",
        "\(sample.last)", sample.authors.joined(separator: ", "), what.joined(separator: ", "),
      ])
    }
    var text = table.text(in: terminal)
    if listing.samples.count > limit {
      text += "\n… \(listing.samples.count - limit) more (--limit)"
    }
    return text
  }

  /// The kinds of each sample's issues, by its name (`DATASET:KEY`).
  private var issueKinds: [String: [CorrectionIssue.Kind]] {
    Dictionary(grouping: listing.issues, by: { "\($0.dataset):\($0.key)" })
      .mapValues { $0.map(\.kind) }
  }

  private func tallies(
    _ tallies: [CorrectionListing.Tally], _ name: String, in terminal: Terminal
  ) -> String {
    let isTimed = tallies.contains { $0.seconds != nil }
    var table = TextTable(
      [
        (name, .left), ("corrections", .right), ("entries", .right), ("samples", .right),
      ] + (isTimed ? [("minutes", .right)] : []))
    for tally in tallies {
      table.add(
        [
          tally.name.flatMap { $0.isEmpty ? nil : $0 } ?? "–", "\(tally.corrections)",
          "\(tally.entries)", "\(tally.samples)",
        ] + (isTimed ? [Fixed.text(tally.seconds.map { $0 / 60 }, places: 1)] : []))
    }
    return table.text(in: terminal)
  }

  private func issues(in terminal: Terminal) -> String {
    var table = TextTable([("issue", .left), ("sample", .path), ("entries", .right)])
    // Most samples with an issue have the same one.
    var messages: [String] = []
    for issue in listing.issues.prefix(max(limit, 1)) {
      table.add([issue.kind.rawValue, "\(issue.dataset):\(issue.key)", "\(issue.entries)"])
      let message = "\(issue.kind.rawValue): \(issue.message)"
      if !messages.contains(message) { messages.append(message) }
    }
    let more = listing.issues.count - max(limit, 1)
    return table.text(in: terminal) + (more > 0 ? "\n… \(more) more (--limit)" : "") + "\n"
      + messages.map { Paragraph.text(Terminal.safe($0), in: terminal) }.joined(separator: "\n")
  }
}

extension ReviewStatus {
  /// The text for a person.
  var words: String { self == .leftOut ? "left out" : rawValue }
}
