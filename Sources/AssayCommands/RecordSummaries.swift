import AssayCore
import AssayStore
import AssayWorkflows

// The catalog's records as JSON: the same members in the output of every command.

extension DatasetRecord {
  /// Name, source and counts; of a merged dataset also `merged_from`, its sources.
  var summary: JSONValue {
    let sources = mergedSources
    guard !sources.isEmpty, case .object(let members) = facts else { return facts }
    let list = sources.map { source -> JSONValue in
      [
        "name": .string(source.name), "format": .string(source.formatText),
        "root": .string(source.root),
      ]
    }
    return .object(members + [.init("merged_from", .array(list))])
  }

  private var facts: JSONValue {
    [
      "name": .string(name), "format": .string(format.rawValue), "root": .string(root),
      "import_version": JSONValue(importVersion), "imported_at": .string(importedAt),
      "input_hash": JSONValue(inputHash), "samples": JSONValue(samples), "read": JSONValue(read),
      "accepted": JSONValue(accepted), "rejected": JSONValue(rejected),
      "issues": JSONValue(issues), "task": JSONValue(LabelingTask.stated(for: self)?.rawValue),
    ]
  }
}

extension DatasetRecord {
  /// ``summary`` with the number of corrections, if there is a ledger.
  func summary(_ corrections: CorrectionStatus) -> JSONValue {
    guard corrections.hasLedger, case .object(let members) = summary else { return summary }
    return .object(members + [.init("corrections", JSONValue(corrections.of(name).exist))])
  }
}

extension ViewRecord {
  /// Name, dataset and expression.
  var summary: JSONValue {
    [
      "name": .string(name), "dataset": .string(dataset),
      "parts": .array(parts.map { .string($0) }),
      "expression": .string(expression),
    ]
  }
}

extension ViewRecord {
  /// The source of the view, as typed: `faces`, `faces/train`.
  var source: String { ([dataset] + parts).joined(separator: "/") }
}

extension ModelRecord {
  /// Name, task, hash and file; not the manifest.
  var summary: JSONValue {
    [
      "name": .string(name), "task": .string(task.rawValue), "hash": .string(hash),
      "path": .string(path),
    ]
  }
}

extension RunRecord {
  /// Name, model, view and progress.
  var summary: JSONValue {
    [
      "name": .string(name), "model": JSONValue(model?.name),
      "dataset": .string(dataset.name), "view": .string(view),
      "created_at": .string(createdAt), "total": JSONValue(total), "done": JSONValue(done),
      "failed": JSONValue(failed),
    ]
  }
}

extension JSONValue {
  /// A text from the catalog that is itself JSON, such as a run's settings; a string if it is not.
  init(stored text: String) {
    self = (try? JSONValue(parsing: text)) ?? .string(text)
  }
}
