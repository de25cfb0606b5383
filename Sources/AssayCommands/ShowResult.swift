import AssayCore
import AssayStore
import AssayWorkflows

/// An item of the catalog: a list of facts, then tables.
struct ShowResult: CommandResult {
  let json: JSONValue
  private let facts: [(String, String)]
  private let table: SplitTable?

  private init(
    json: JSONValue, facts: [(String, String)], table: SplitTable? = nil
  ) {
    self.json = json
    self.facts = facts
    self.table = table
  }

  func text(in terminal: Terminal) -> String {
    let width = facts.map(\.0.count).max() ?? 0
    let lines = facts.map { name, value in
      name + String(repeating: " ", count: width - name.count + 2)
        + value.split(separator: "\n").map { Terminal.safe(String($0)) }
        .joined(separator: "\n" + String(repeating: " ", count: width + 2))
    }
    return lines.joined(separator: "\n") + (table.map { "\n\n" + $0.text(in: terminal) } ?? "")
  }
}

extension ShowResult {
  /// A dataset: its source, the result of the import, and its samples by class and split.
  static func dataset(_ record: DatasetRecord, in catalog: Catalog) throws -> ShowResult {
    let names = try catalog.taxonomy(of: record.id).names
    let cells = try catalog.splitCounts(of: record.id)
    // If no sample has a label, the classes are those of regions, and a row of zeros for each is
    // useless.
    let areRegions =
      !record.isMultiLabel && !names.isEmpty && !cells.contains { $0.category != nil }
    var counts = SplitTable(cells, classes: names)
    // Labels beside regions, too, can be several.
    counts.isMultiLabel =
      record.isMultiLabel || cells.reduce(0) { $0 + $1.count } > record.samples
    let partitions = try catalog.partitions(of: record.id)
    let images = try ImageFileCount(of: record, in: catalog)
    var json: [JSONValue.Member] = [
      .init("kind", "dataset"), .init("dataset", record.summary),
      .init("classes", .array(names.map { .string($0) })),
      .init("counts", counts.json),
      .init("partitions", .array(partitions.map(\.summary))),
    ]
    if images.files > 0 {
      json.append(
        .init("images", ["files": JSONValue(images.files), "found": JSONValue(images.found)]))
    }
    let annotators = try catalog.annotators(of: record.id)
    if !annotators.isEmpty {
      json.append(
        .init(
          "annotators",
          .array(
            annotators.map {
              ["name": .string($0.name), "annotations": JSONValue($0.annotations)]
            })))
    }
    let votes = try catalog.votes(of: record.id)
    if !votes.isEmpty {
      json.append(
        .init(
          "votes",
          .array(
            votes.map {
              [
                "option": .string($0.option), "votes": JSONValue($0.votes),
                "samples": JSONValue($0.samples),
              ]
            })))
    }
    var facts = [
      ("dataset", record.name), ("format", record.formatText),
      (
        "source",
        record.mergedSources.isEmpty
          ? record.root
          : record.mergedSources.map { "\($0.name): \($0.root)" }.joined(separator: "\n")
      ),
      (
        "import",
        "\(record.importVersion), \(record.importedAt): read \(record.read) = accepted \(record.accepted) + rejected \(record.rejected)"
      ),
      ("samples", "\(record.samples)"),
    ]
    if let task = LabelingTask.stated(for: record) { facts.append(("task", task.rawValue)) }
    facts += [
      (
        "classes",
        "\(names.count)"
          + (LabelingTask.stated(for: record) == nil ? "" : " (" + Self.list(names) + ")")
          + (areRegions ? ", of regions (assay stats \(record.name) counts them)" : "")
      ),
      (
        "issues",
        record.issues == 0 ? "0" : "\(record.issues) (assay issues \(record.name))"
      ),
    ]
    if areRegions {
      let list = zip(counts.splits, counts.samples).map {
        "\($0 ?? "none") \($1.reduce(0, +))"
      }
      facts.append(("splits", list.joined(separator: ", ")))
    }
    if images.files > 0 {
      let hint =
        images.found < images.files
        ? " (moved? assay relink \(record.name) DIR\(record.mergedSources.isEmpty ? "" : " --source NAME"))"
        : ""
      facts.append(("images", "\(images.found) of \(images.files) found\(hint)"))
    }
    if !annotators.isEmpty {
      let list = annotators.prefix(20).map { "\($0.name) \($0.annotations)" }
      facts.append(
        (
          "annotators",
          list.joined(separator: ", ") + (annotators.count > 20 ? ", …" : "")
            + ", beside the labels (assay check \(record.name) --only annotatorDisagreement)"
        ))
    }
    if !votes.isEmpty {
      facts.append(
        ("votes", votes.map { "\($0.option) \($0.votes)" }.joined(separator: ", ")))
    }
    for partition in partitions {
      let parts = partition.parts.map { "\($0.part) \($0.count)" }.joined(separator: ", ")
      facts.append(("partition", "\(partition.name), seed \(partition.seed): \(parts)"))
    }
    return ShowResult(json: .object(json), facts: facts, table: areRegions ? nil : counts)
  }

  /// The first names, separated by commas.
  private static func list(_ names: [String]) -> String {
    names.prefix(20).joined(separator: ", ") + (names.count > 20 ? ", …" : "")
  }

  /// A view, with the number of samples that it currently selects.
  static func view(_ record: ViewRecord, in catalog: Catalog) throws -> ShowResult {
    let count = try catalog.count(in: catalog.resolve(record.name))
    return ShowResult(
      json: ["kind": "view", "view": record.summary, "count": JSONValue(count)],
      facts: [
        ("view", record.name),
        ("of", record.source),
        ("expression", record.expression), ("samples", "\(count)"),
      ])
  }

  /// A model with its manifest.
  static func model(_ record: ModelRecord) -> ShowResult {
    ShowResult(
      json: ["kind": "model", "model": record.summary, "manifest": .string(record.manifest)],
      facts: [
        ("model", record.name), ("task", record.task.rawValue), ("file", record.path),
        ("sha-256", record.hash), ("manifest", record.manifest),
      ])
  }

  /// The members of a stored object in words, `precision f32, limit 10`, without null members;
  /// other text unchanged.
  private static func words(_ stored: String) -> String {
    guard case .object(let members) = JSONValue(stored: stored) else { return stored }
    return members.filter { $0.value != .null }.map {
      "\($0.name) \($0.value.text ?? $0.value.text(indented: false))"
    }.joined(separator: ", ")
  }

  /// A run with its settings, versions, failures and evaluations.
  static func run(_ record: RunRecord, in catalog: Catalog) throws -> ShowResult {
    let evaluations = try catalog.evaluations(of: record)
    let failures = try catalog.failures(of: record.id)
    let json: JSONValue = [
      "kind": "run", "run": record.summary,
      "classes": .array(record.classes.map { .string($0) }),
      "settings": JSONValue(stored: record.settings),
      "versions": JSONValue(stored: record.versions),
      "evaluations": .array(
        evaluations.map {
          [
            "name": .string($0.name), "created_at": .string($0.createdAt),
            "settings": JSONValue(stored: $0.settings),
          ]
        }),
      "failures": .array(
        failures.map { ["position": JSONValue($0.position), "message": .string($0.message)] }),
    ]
    let pending = record.total - record.done - record.failed
    return ShowResult(
      json: json,
      facts: [
        ("run", record.name), ("model", record.model?.name ?? "imported predictions"),
        ("view", record.view), ("created", record.createdAt),
        (
          "samples",
          "\(record.total): \(record.done) done, \(record.failed) failed, \(pending) pending"
        ),
        ("classes", record.classes.joined(separator: ", ")),
        ("settings", Self.words(record.plainSettings)), ("versions", Self.words(record.versions)),
        (
          "evaluations",
          evaluations.isEmpty
            ? "none yet; assay evaluate \(record.name)"
            : evaluations.map(\.name).joined(separator: ", ")
        ),
      ] + (record.decisionWords.map { [("decision", $0)] } ?? [])
        + failures.prefix(5).map { ("failed", $0.message) })
  }
}

extension PartitionRecord {
  /// Name, seed, rule and the size of each part.
  var summary: JSONValue {
    [
      "name": .string(name), "seed": .string(String(seed)), "rule": JSONValue(stored: rule),
      "parts": .array(
        parts.map { ["part": .string($0.part), "count": JSONValue($0.count)] }),
    ]
  }
}
