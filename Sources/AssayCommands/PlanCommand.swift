package import ArgumentParser
import AssayCore
import AssayStore
import AssayWorkflows
import Foundation

/// `assay plan`: files from which machines without the catalog do a part of the work.
package struct PlanCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "plan", abstract: "Plan a run for machines without the catalog.",
    subcommands: [PlanPredictCommand.self])

  package init() {}
}

/// `assay plan predict`: a plan of a run.
package struct PlanPredictCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "predict",
    abstract: "Write a plan of a run: what its shards need, without the catalog.",
    discussion: """
      The plan has the ids, keys and files of the view's samples (images that the catalog has are copied into it), the \
      model's manifest and the hash of its file, and the settings. On any machine with the images and the model, \
      assay predict --plan FILE --shard I/N --out DIR computes the part that assay predict VIEW --model M --shard I/N would; \
      assay merge joins the parts in the catalog. The view is resolved and the model is checked now; a plan is for the \
      version of assay that made it.
      """)

  @Argument(help: "The view: a dataset, DATASET/PART, or a saved view.")
  package var view: String

  @Option(help: "The model's name.")
  package var model: String

  @Option(
    help: ArgumentHelp("The file to write, for example run.assayplan.", valueName: "file"),
    completion: .file())
  package var out: String

  @Flag(help: "Overwrite the file.")
  package var force = false

  @OptionGroup package var settings: PredictSettingsOptions
  @OptionGroup package var limits: ModelLimitOptions
  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func run() throws {
    var request = PredictRequest(
      view: view, model: model, programVersion: ProgramVersion.number)
    try settings.apply(to: &request)
    let db = options.catalogPath == "assay.db" ? nil : options.catalogPath
    let command = settings.shardCommand(view: view, model: model, db: db)
    try options.perform { progress in
      try limits.enterChild()
      let catalog = try CorrectedCatalog.open(
        options.catalogPath, .readOnly, reportingTo: progress
      ).catalog
      return PlanResult(
        plan: try PlanWriter(request, catalog: catalog, progress: progress)
          .write(to: out, command: command, overwrite: force))
    }
  }
}

/// The result of `assay plan predict`.
struct PlanResult: CommandResult {
  let plan: WrittenPlan

  var json: JSONValue {
    [
      "plan": .string(plan.path), "bytes": JSONValue(plan.size), "view": .string(plan.view),
      "dataset": .string(plan.dataset), "model": .string(plan.model.name),
      "model_file": .string(plan.model.path), "model_sha256": .string(plan.model.hash),
      "samples": JSONValue(plan.samples), "embedded": JSONValue(plan.embedded),
      "roots": .array(plan.roots.map { .string($0) }),
      "missing": .array(
        plan.missing.map { ["category": .string($0.name), "samples": JSONValue($0.samples)] }),
    ]
  }

  func text(in terminal: Terminal) -> String {
    let path = Terminal.safe(plan.path)
    var lines = [
      "planned \(Terminal.safe(plan.model.name)) on \(Terminal.safe(plan.view)):"
        + " \(Counted.text(plan.samples, "sample", "samples")), written to \(path)"
        + " (\(String(format: "%.1f", Double(plan.size) / 1e6)) MB)"
    ]
    if plan.embedded > 0 {
      lines.append("\(Counted.text(plan.embedded, "image is", "images are")) in the plan")
    }
    lines += plan.roots.map {
      "images in \(Terminal.safe($0)); elsewhere on a machine: --images"
    }
    lines.append("model in \(Terminal.safe(plan.model.path)); elsewhere on a machine: --model-file")
    if !plan.missing.isEmpty {
      lines.append(
        "the model has no class for: "
          + plan.missing.map { "\(Terminal.safe($0.name)) (\($0.samples))" }
          .joined(separator: ", "))
    }
    let word = Terminal.safe(ShellWord.quoted(plan.path))
    lines.append("next, for each of 1/N … N/N: assay predict --plan \(word) --shard 1/N --out DIR")
    return lines.joined(separator: "\n")
  }
}
