package import ArgumentParser
import AssayCore
import AssayStore
import AssayWorkflows
import Foundation

/// `assay pipeline`: several models, one after another.
package struct PipelineCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "pipeline",
    abstract: "Find objects, and look at each of them with further models.",
    subcommands: [PipelineRunCommand.self, PipelineListCommand.self, PipelineShowCommand.self])

  package init() {}
}

/// `assay pipeline run`: runs a pipeline over a view.
package struct PipelineRunCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Run a pipeline over a view and store its objects.",
    discussion: """
      A pipeline is a list of steps: a detector finds objects; rules decide which of them qualify; classifiers, \
      segmentation models and models of keypoints look at a crop of each. The run is one of detection: evaluate, report, \
      open, query and export work. Each object has attributes with what the steps found, and the reason if it \
      does not qualify: in assay open, in predictions export, and in the column attributes of the table detection.

      Models are those of the catalog. The models of ready-made pipelines are added when they are first used, if \
      their files are there: Scripts/models faces fer fetches them.

      After an interrupt the same command resumes. The models run in a separate process with limits on memory, CPU time \
      and open files.
      """)

  @Argument(
    help: ArgumentHelp(
      "A ready-made pipeline (assay pipeline ls), or a YAML file.", valueName: "pipeline"))
  package var pipeline: String

  @Argument(help: "The view: a dataset, DATASET/PART, or a saved view.")
  package var view: String

  @Option(help: "The run's name. Default: PIPELINE-VIEW.")
  package var name: String?

  @Option(
    help: ArgumentHelp(
      "Take another model of the catalog: --use fer=mine. May be given several times.",
      valueName: "model=model"))
  package var use: [String] = []

  @Option(
    help: ArgumentHelp(
      """
      The folder with the model files of ready-made pipelines. Default: $ASSAY_MODELS, .deps/models here or beside \
      the program.
      """, valueName: "dir"))
  package var models: String?

  @Option(
    help: ArgumentHelp(
      "Store the labels of each image's best object as a classification run as well, to evaluate them.",
      valueName: "run"))
  package var labels: String?

  @Option(
    help: ArgumentHelp(
      """
      Record this decision file (assay decide) with the run: one on the objects of this pipeline, or on the labels that \
      --labels stored, which is then applied to the label of each object.
      """, valueName: "file"), completion: .file())
  package var decision: String?

  @Option(help: ArgumentHelp("Threads. Default: one per core.", valueName: "n"))
  package var workers: Int?

  @Option(help: ArgumentHelp("Only the first samples of the view.", valueName: "n"))
  package var limit: Int?

  @OptionGroup package var limits: ModelLimitOptions
  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func validate() throws {
    _ = try ModelReplacements.parse(use)
    for (option, value) in [("workers", workers), ("limit", limit)] {
      if let value, value < 1 {
        throw ValidationError("--\(option) must be at least 1, not \(value)")
      }
    }
    if let labels, labels == name { throw ValidationError("--labels and --name are the same run") }
  }

  package func run() throws {
    try options.perform { progress in
      try limits.enterChild()
      let catalog = try CorrectedCatalog.open(
        options.catalogPath, .readWrite, reportingTo: progress
      ).catalog
      var request = PipelineRequest(
        pipeline: pipeline, view: view, programVersion: ProgramVersion.number)
      request.name = name
      request.labels = labels
      request.replacements = try ModelReplacements.parse(use)
      request.modelFolder = models
      request.workers = workers
      request.limit = limit
      request.decision = decision
      let summary = try PipelineRun(request, catalog: catalog, progress: progress).run()
      return PipelineResult(summary: summary)
    }
  }
}

/// The result of `assay pipeline run`.
struct PipelineResult: CommandResult {
  let summary: PipelineSummary

  var json: JSONValue {
    let run = summary.run
    return [
      "run": .string(run.name), "status": .string(summary.start.rawValue),
      "view": .string(run.view), "steps": .array(summary.steps.map { .string($0) }),
      "n": JSONValue(run.total), "done": JSONValue(run.done), "failed": JSONValue(run.failed),
      "computed": JSONValue(summary.computed), "seconds": .number(summary.seconds),
      "workers": JSONValue(summary.workers), "classes": .array(run.classes.map { .string($0) }),
      "objects": JSONValue(summary.objects), "qualified": JSONValue(summary.qualified),
      "at_limit": JSONValue(summary.atLimit), "limit": JSONValue(summary.limit),
      "reasons": .object(summary.reasons.map { .init($0.reason, JSONValue($0.count)) }),
      "labels": .object(summary.labels.map { .init($0.label, JSONValue($0.count)) }),
      "label_run": JSONValue(summary.labelRun?.name),
      "decision": summary.promise.map {
        [
          "promise": .string($0), "predictions": JSONValue(summary.decided),
          "accepted": JSONValue(summary.accepted),
        ]
      } ?? .null,
      "settings": JSONValue(stored: run.settings),
      "failures": .array(summary.failures.map { .string($0.message) }),
    ]
  }

  func text(in terminal: Terminal) -> String {
    let run = summary.run
    var lines: [String] = []
    if summary.start == .alreadyDone {
      lines.append(
        "already done: the run \(run.name), \(Counted.text(run.done, "sample", "samples")), from \(run.createdAt)"
      )
    } else {
      lines.append(
        "\(Counted.text(summary.computed, "sample", "samples")) in \(String(format: "%.2f", summary.seconds)) s into the run \(run.name)"
      )
    }
    lines.append("steps: " + Terminal.safe(summary.steps.joined(separator: ", ")))
    var objects = "\(Counted.text(summary.objects, "object", "objects"))"
    if summary.qualified < summary.objects { objects += ", \(summary.qualified) qualify" }
    lines.append(objects)
    if summary.atLimit > 0 {
      lines.append(
        "note: \(Counted.text(summary.atLimit, "image has", "images have")) as many objects as \(Terminal.safe(summary.detector))"
          + " keeps, \(summary.limit)\(summary.isLimitOfClass ? " of a class" : ""), so there may be more: `max: N` in its manifest keeps N (assay model edit"
          + " \(Terminal.safe(summary.detector)))")
    }
    if !summary.reasons.isEmpty {
      lines.append(
        "not qualified by: "
          + summary.reasons.map { "\(Terminal.safe($0.reason)) \($0.count)" }.joined(
            separator: ", "))
    }
    if !summary.labels.isEmpty {
      lines.append(
        "labels: "
          + summary.labels.prefix(20).map { "\(Terminal.safe($0.label)) \($0.count)" }.joined(
            separator: ", ") + (summary.labels.count > 20 ? ", …" : ""))
    }
    if let promise = summary.promise {
      lines.append(
        "decision: accepts \(summary.accepted) of \(summary.decided); \(Terminal.safe(promise))")
    }
    if run.failed > 0 {
      lines.append(
        terminal.wrong(
          "\(Counted.text(run.failed, "sample", "samples")) could not be read:"))
      lines += summary.failures.map { "  " + Terminal.safe($0.message) }
      if run.failed > summary.failures.count { lines.append("  …") }
      lines.append("once they are fixed, run the same command to try them again")
    }
    if let labels = summary.labelRun {
      lines.append(
        "the labels of \(Counted.text(labels.done, "sample", "samples")) are the run \(labels.name): assay evaluate \(labels.name)"
      )
    }
    lines.append("next: assay open \(run.name)")
    return lines.joined(separator: "\n")
  }
}

/// `assay pipeline ls`: lists the ready-made pipelines.
package struct PipelineListCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "ls", abstract: "List the ready-made pipelines.")

  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func run() throws {
    try options.perform { _ in PipelineListResult(pipelines: try ReadyPipeline.all()) }
  }
}

/// The ready-made pipelines.
struct PipelineListResult: CommandResult {
  let pipelines: [ReadyPipeline.Summary]

  var json: JSONValue {
    .array(
      pipelines.map {
        [
          "name": .string($0.name), "description": .string($0.description),
          "steps": .array($0.steps.map { .string($0) }),
        ]
      })
  }

  func text(in terminal: Terminal) -> String {
    pipelines.map { "\($0.name): \($0.description)\n  \($0.steps.joined(separator: ", "))" }
      .joined(separator: "\n")
  }
}

/// `assay pipeline show`: prints a pipeline.
package struct PipelineShowCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Print the file of a ready-made pipeline, to be adapted.",
    discussion: "assay pipeline show faces > mine.yaml; assay pipeline run mine.yaml VIEW")

  @Argument(help: "The pipeline's name.")
  package var pipeline: String

  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func run() throws {
    try options.perform { _ in
      PipelineTextResult(name: pipeline, yaml: try ReadyPipeline.text(pipeline))
    }
  }
}

/// The text of a pipeline.
struct PipelineTextResult: CommandResult {
  let name: String
  let yaml: String

  var json: JSONValue { ["name": .string(name), "yaml": .string(yaml)] }

  func text(in terminal: Terminal) -> String { yaml }
}
