package import AssayCore
package import AssayStore
import Foundation

/// Sets a field of the objects of a view that fulfill a condition, or removes it: a correction of each, as an entry of
/// the ledger.
///
/// The same request again continues, because objects that have the value are skipped.
package struct ObjectFieldEditing {
  package struct Request: Sendable {
    package var view: String
    /// The field and its value; `null` removes it.
    package var field: JSONValue.Member
    /// The condition on an object, as in `objects(…)`.
    package var objects: String
    /// An expression of the view language; `nil` for all samples of the view.
    package var expression: String?
    /// The ids of the only samples that count; `nil` for all.
    package var samples: Set<Int64>?
    package var author: String
    /// The entries' tool.
    package var tool: String
    /// The maximum number of objects; `nil` for any number.
    package var limit: Int?

    package init(
      view: String, field: JSONValue.Member, objects: String, expression: String? = nil,
      samples: Set<Int64>? = nil, author: String, tool: String = "command line", limit: Int? = nil
    ) {
      self.view = view
      self.field = field
      self.objects = objects
      self.expression = expression
      self.samples = samples
      self.author = author
      self.tool = tool
      self.limit = limit
    }
  }

  /// More objects fulfill the condition than a request may change.
  package struct TooMany: Error, Hashable {
    package var objects: Int
    package var limit: Int
  }

  package struct Summary: Sendable {
    package var dataset: String
    package var view: String
    package var field: JSONValue.Member
    /// The numbers of samples with such objects, of these objects, and of those that were changed.
    package var samples = 0
    package var objects = 0
    package var changed = 0
    /// The first and last entry; `nil` if none was written.
    package var entries: ClosedRange<Int64>?
  }

  private let catalog: Catalog
  private let progress: any ProgressSink

  /// - Parameter catalog: reads the corrected ground truth.
  package init(catalog: Catalog, progress: any ProgressSink = NoProgress()) {
    self.catalog = catalog
    self.progress = progress
  }

  /// - Throws: `CorrectionError`; `StoreError` for an invalid view, expression or condition; `LedgerError`;
  ///   ``TooMany``; ``Interrupted``, after whole samples.
  package func run(_ request: Request) throws -> Summary {
    let selection = try catalog.resolve(request.view)
    let dataset = selection.dataset
    let found = try catalog.samples(
      in: selection,
      where: (request.expression.map { "(\($0)) and " } ?? "") + "objects(\(request.objects)) > 0"
    ).filter { request.samples?.contains($0.id) ?? true }
    var summary = Summary(
      dataset: dataset.name, view: request.view, field: request.field, samples: found.count)
    let targets = try catalog.objects(
      where: request.objects, of: found.map(\.id), in: dataset)
    summary.objects = targets.reduce(0) { $0 + $1.count }
    guard summary.objects > 0 else { return summary }
    if let limit = request.limit, summary.objects > limit {
      throw TooMany(objects: summary.objects, limit: limit)
    }
    let service = CorrectionService(catalog: catalog, ledger: try catalog.openLedger(.create))
    for (index, sample) in found.enumerated() {
      try Interruption.check(
        "\(index) of \(found.count) samples are saved; run the same command to continue")
      let visit = UUID().uuidString.lowercased()
      for target in targets[index] {
        let save = CorrectionSave(
          uuid: UUID().uuidString.lowercased(), visit: visit, sample: sample,
          author: request.author, tool: request.tool, note: nil, done: false,
          change: .attributes(target: target, [request.field]))
        guard try !service.changesNothing(save, service.truth(of: sample)) else { continue }
        let sequence = try service.save(save).entry.sequence
        summary.changed += 1
        summary.entries = (summary.entries?.lowerBound ?? sequence)...sequence
      }
      progress.report(Double(index + 1) / Double(found.count), "saving")
    }
    return summary
  }
}

extension SampleEdit {
  /// The edit as one of an object's fields: a tag is a field that is true.
  ///
  /// - Throws: `CustomFieldError` for a tag that is no name of a field.
  package func fieldOfObjects() throws(CustomFieldError) -> JSONValue.Member {
    switch self {
    case .tag(let edit):
      .init(try CustomField.checked(name: edit.tag), edit.isAddition ? true : .null)
    case .field(let edit): .init(edit.name, edit.value)
    }
  }
}
