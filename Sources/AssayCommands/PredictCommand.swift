package import ArgumentParser
import AssayCore
import AssayStore
import AssayWorkflows
import Foundation

/// `assay predict`: runs a model over a view.
package struct PredictCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "predict", abstract: "Run a model over a view and keep all its probabilities.",
    discussion: """
      The result depends neither on --batch nor on --workers, to the bit; every run computes some \
      samples a second time, alone, on a model compiled anew, and stops where a bit differs. After an \
      interrupt the same command goes on where it stopped; what is done already is not done again.
      """)

  @Argument(help: "The view: a dataset, DATASET/PART, or a saved view.")
  package var view: String

  @Option(help: "The model's name.")
  package var model: String

  @Option(help: "The run's name. Default: MODEL-VIEW.")
  package var name: String?

  @Option(
    help: ArgumentHelp(
      "The arithmetic: f32, bf16 or f16, where the processor has it.", valueName: "type"),
    completion: .list(PredictRequest.precisions))
  package var precision = "f32"

  @Option(help: ArgumentHelp("Samples a batch. Default: the fastest.", valueName: "n"))
  package var batch: Int?

  @Option(
    help: ArgumentHelp(
      "Threads, each with a model of its own. Default: one a core.", valueName: "n"))
  package var workers: Int?

  @Option(help: ArgumentHelp("Only the first samples of the view.", valueName: "n"))
  package var limit: Int?

  @Flag(help: "Go on where the model has no class for a category of the view.")
  package var ignoreMissing = false

  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func validate() throws {
    _ = try request()
    for (option, value, most) in [
      ("batch", batch, 4096), ("workers", workers, 1024), ("limit", limit, .max),
    ] {
      if let value, !(1...most).contains(value) {
        throw ValidationError(
          "--\(option) is \(value); it must be at least 1"
            + (most == .max ? "" : " and at most \(most)"))
      }
    }
  }

  private func request() throws -> PredictRequest {
    var request = PredictRequest(
      view: view, model: model, programVersion: Assay.configuration.version)
    guard request.choose(precision: precision) else {
      throw ValidationError(
        "--precision is “\(precision)”; it must be one of "
          + PredictRequest.precisions.joined(separator: ", "))
    }
    request.name = name
    request.batch = batch
    request.workers = workers
    request.limit = limit
    request.ignoreMissing = ignoreMissing
    return request
  }

  package func run() throws {
    try options.perform { progress in
      let catalog = try Catalog.open(options.catalogPath, .readWrite)
      let summary = try Prediction(try request(), catalog: catalog, progress: progress).run()
      return PredictResult(summary: summary)
    }
  }
}

/// What a prediction came to.
struct PredictResult: CommandResult {
  let summary: PredictSummary

  private var rate: Double? {
    summary.computed > 0 && summary.seconds > 0
      ? Double(summary.computed) / summary.seconds : nil
  }

  var json: JSONValue {
    let run = summary.run
    return [
      "run": .string(run.name), "status": .string(summary.start.rawValue),
      "model": JSONValue(run.model?.name), "view": .string(run.view),
      "n": JSONValue(run.total), "done": JSONValue(run.done), "failed": JSONValue(run.failed),
      "computed": JSONValue(summary.computed), "seconds": .number(summary.seconds),
      "per_second": JSONValue(rate), "batch": JSONValue(summary.batch),
      "workers": JSONValue(summary.workers), "verified": JSONValue(summary.verified),
      "settings": JSONValue(stored: run.settings), "versions": JSONValue(stored: run.versions),
      "missing": .array(
        summary.missing.map { ["category": .string($0.name), "samples": JSONValue($0.samples)] }),
      "failures": .array(summary.failures.map { .string($0.message) }),
    ]
  }

  func text(in terminal: Terminal) -> String {
    let run = summary.run
    var lines: [String] = []
    if summary.start == .alreadyDone {
      lines.append("already done: the run \(run.name), \(run.done) samples, from \(run.createdAt)")
    } else {
      let rate = rate.map { " (\(Int($0)) a second)" } ?? ""
      let seconds = String(format: "%.2f", summary.seconds)
      lines.append(
        "\(summary.computed) samples in \(seconds) s\(rate) into the run \(run.name)"
          + (summary.start == .resumed ? ", which now has \(run.done) of \(run.total)" : ""))
      lines.append(
        "\(summary.workers) \(summary.workers == 1 ? "worker" : "workers"), batches of \(summary.batch); \(summary.verified) samples computed"
          + " twice, equal to the bit")
    }
    if let note = summary.batchNote { lines.append("note: \(note)") }
    if !summary.missing.isEmpty {
      lines.append(
        "the model has no class for: "
          + summary.missing.map { "\(Terminal.safe($0.name)) (\($0.samples) samples)" }
          .joined(separator: ", "))
    }
    if run.failed > 0 {
      lines.append(terminal.wrong("\(run.failed) samples could not be predicted:"))
      lines += summary.failures.map { "  " + Terminal.safe($0.message) }
      if run.failed > summary.failures.count { lines.append("  …") }
    }
    lines.append("next: assay evaluate \(run.name)")
    return lines.joined(separator: "\n")
  }
}
