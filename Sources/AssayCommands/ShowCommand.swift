package import ArgumentParser
import AssayCore
import AssayStore
import AssayWorkflows

/// `assay show`: one dataset, view, model or run.
package struct ShowCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show a dataset, view, model or run.",
    discussion: """
      An ambiguous name needs its kind: run:fer, model:fer, dataset:fer or view:fer.
      """)

  @Argument(help: "The name, or KIND:NAME.")
  package var name: String

  @OptionGroup(title: "Ground truth") package var truth: TruthOptions

  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func run() throws {
    try options.perform { progress in
      let opened = try CorrectedCatalog.open(
        options.catalogPath, .readOnly, truth: truth.choice, reportingTo: progress)
      let thing = try NamedRecord.find(name, in: opened.catalog)
      let result = try thing.result(in: opened.catalog)
      return CorrectedResult(result, thing.dataset.map { opened.corrections.of($0) } ?? .none)
    }
  }
}

/// A named item of the catalog, of any kind.
enum NamedRecord {
  case dataset(DatasetRecord)
  case view(ViewRecord)
  case model(ModelRecord)
  case run(RunRecord)

  /// - Parameter name: `NAME`, or `KIND:NAME` if the name alone is ambiguous.
  /// - Throws: ``NameError`` if the name is unknown or ambiguous.
  static func find(_ name: String, in catalog: Catalog) throws -> NamedRecord {
    let parts = name.split(separator: ":", maxSplits: 1).map(String.init)
    let kind = parts.count == 2 ? parts[0] : nil
    let plain = parts.count == 2 ? parts[1] : name
    let all =
      try catalog.datasets().map { NamedRecord.dataset($0) }
      + catalog.views().map { .view($0) } + catalog.models().map { .model($0) }
      + catalog.runs().map { .run($0) }
    let found = all.filter { $0.name == plain && (kind == nil || $0.kind == kind) }
    guard let first = found.first else {
      throw NameError.unknown(
        name, suggestion: NearMiss.suggestion(for: plain, among: all.map(\.name)))
    }
    guard found.count == 1 else { throw NameError.ambiguous(plain, kinds: found.map(\.kind)) }
    return first
  }

  var name: String {
    switch self {
    case .dataset(let record): record.name
    case .view(let record): record.name
    case .model(let record): record.name
    case .run(let record): record.name
    }
  }

  var kind: String {
    switch self {
    case .dataset: "dataset"
    case .view: "view"
    case .model: "model"
    case .run: "run"
    }
  }

  /// The name of the item's dataset; `nil` for a model.
  var dataset: String? {
    switch self {
    case .dataset(let record): record.name
    case .view(let record): record.dataset
    case .model: nil
    case .run(let record): record.dataset.name
    }
  }

  /// The facts and tables to show.
  func result(in catalog: Catalog) throws -> ShowResult {
    switch self {
    case .dataset(let record): try .dataset(record, in: catalog)
    case .view(let record): try .view(record, in: catalog)
    case .model(let record): .model(record)
    case .run(let record): try .run(record, in: catalog)
    }
  }
}

/// A name that is unknown or ambiguous.
enum NameError: Error, CustomStringConvertible {
  case unknown(String, suggestion: String?)
  case ambiguous(String, kinds: [String])

  var description: String {
    switch self {
    case .unknown(let name, let suggestion):
      "unknown name \(name)"
        + (suggestion.map { "; did you mean \($0)?" } ?? "; assay ls lists all names")
    case .ambiguous(let name, let kinds):
      "\(name) is ambiguous: \(kinds.joined(separator: " and ")); write "
        + kinds.map { "\($0):\(name)" }.joined(separator: " or ")
    }
  }
}
