package import ArgumentParser
import AssayCore
import AssayStore
import AssayWorkflows

/// `assay ls`: lists the names in the catalog.
package struct ListCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "ls",
    abstract: "List the datasets, views, models and runs of the catalog.")

  /// The kinds that can be listed.
  package enum Subject: String, ExpressibleByArgument, CaseIterable {
    case datasets, views, models, runs
  }

  @Argument(help: "The kind to list. Default: all four.")
  package var subject: Subject?

  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func run() throws {
    try options.perform { progress in
      let opened = try CorrectedCatalog.open(
        options.catalogPath, .readOnly, reportingTo: progress)
      let subjects = subject.map { [$0] } ?? Subject.allCases
      return try CorrectedResult(
        ListResult(
          catalog: opened.catalog, subjects: subjects, corrections: opened.corrections),
        opened.corrections.withoutUsage)
    }
  }
}

/// The requested lists.
struct ListResult: CommandResult {
  let subjects: [ListCommand.Subject]
  /// The corrections per dataset; the column is omitted if there are none.
  let corrections: CorrectionStatus
  var datasets: [DatasetRecord] = []
  var views: [ViewRecord] = []
  var models: [ModelRecord] = []
  var runs: [RunRecord] = []

  init(
    catalog: Catalog, subjects: [ListCommand.Subject], corrections: CorrectionStatus = .none
  ) throws {
    self.subjects = subjects
    self.corrections = corrections
    for subject in subjects {
      switch subject {
      case .datasets: datasets = try catalog.datasets()
      case .views: views = try catalog.views()
      case .models: models = try catalog.models()
      case .runs: runs = try catalog.runs()
      }
    }
  }

  var json: JSONValue {
    .object(subjects.map { .init($0.rawValue, .array(rows(of: $0))) })
  }

  private func rows(of subject: ListCommand.Subject) -> [JSONValue] {
    switch subject {
    case .datasets: datasets.map { $0.summary(corrections) }
    case .views: views.map(\.summary)
    case .models: models.map(\.summary)
    case .runs: runs.map(\.summary)
    }
  }

  func text(in terminal: Terminal) -> String {
    subjects.map { subject in
      let table = table(of: subject)
      guard let table else { return "no \(subject.rawValue)" }
      return table.text(in: terminal)
    }.joined(separator: "\n\n")
  }

  /// The table of a subject; `nil` if it would be empty.
  private func table(of subject: ListCommand.Subject) -> TextTable? {
    var table: TextTable
    switch subject {
    case .datasets:
      let hasCorrections = corrections.exist > 0
      table = TextTable(
        [("dataset", .left), ("format", .left), ("samples", .right), ("issues", .right)]
          + (hasCorrections ? [("corrections", .right)] : []) + [("source", .path)])
      for row in datasets {
        let exist = corrections.of(row.name).exist
        table.add(
          [row.name, row.formatText, "\(row.samples)", "\(row.issues)"]
            + (hasCorrections ? ["\(exist)"] : []) + [row.root])
      }
      return datasets.isEmpty ? nil : table
    case .views:
      table = TextTable([("view", .left), ("of", .left), ("expression", .left)])
      for row in views {
        table.add([
          row.name, row.source, row.expression,
        ])
      }
      return views.isEmpty ? nil : table
    case .models:
      table = TextTable([
        ("model", .left), ("task", .left), ("sha-256", .left), ("file", .path),
      ])
      for row in models {
        table.add([row.name, row.task.rawValue, String(row.hash.prefix(12)), row.path])
      }
      return models.isEmpty ? nil : table
    case .runs:
      table = TextTable([
        ("run", .left), ("model", .left), ("view", .left), ("done", .right), ("of", .right),
        ("created", .left),
      ])
      for row in runs {
        table.add([
          row.name, row.model?.name ?? "imported", row.view, "\(row.done)", "\(row.total)",
          row.createdAt,
        ])
      }
      return runs.isEmpty ? nil : table
    }
  }
}
