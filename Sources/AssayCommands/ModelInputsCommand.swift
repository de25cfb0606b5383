package import ArgumentParser
import AssayCore
import AssayStore
import AssayWorkflows

/// `assay model inputs`: writes the tensors that a model gets.
package struct ModelInputsCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "inputs",
    abstract: "Write the exact input tensors of a model for a view's samples.",
    discussion: """
      Writes for each sample the tensor as NumPy's .npy (float32, the model's shape with a batch of 1), and \
      the image after the resize, before scale and offset, as PNG; inputs.json names the samples. \
      Compare them with the inputs of the program that the model was trained with: preprocessing that \
      differs is the most common reason for a model that scores worse than expected.
      """)

  @Argument(help: "The model's name.")
  package var model: String

  @Argument(help: "A dataset, a view, or a part of either: faces/val.")
  package var view: String

  @Option(help: ArgumentHelp("The folder to write to.", valueName: "dir"))
  package var out: String

  @Option(help: ArgumentHelp("The maximum number of samples.", valueName: "n"))
  package var limit = 100

  @Flag(help: "Overwrite files that assay did not write.")
  package var force = false

  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func validate() throws {
    guard limit >= 1 else { throw ValidationError("--limit must be at least 1, not \(limit).") }
  }

  package func run() throws {
    try options.perform { progress in
      let catalog = try Catalog.open(options.catalogPath, .readOnly, reportingTo: progress)
      var folder = try OutputFolder(out, force: force)
      try folder.check([ModelInputs.listName])
      let summary = try ModelInputs(catalog: catalog, progress: progress).run(
        model: model, view: view, limit: limit
      ) { files in try folder.write(files) }
      return LinkedResult(ModelInputsResult(summary: summary, folder: out), [out])
    }
  }
}

/// The tensors that were written.
struct ModelInputsResult: CommandResult {
  let summary: ModelInputs.Summary
  let folder: String

  var json: JSONValue {
    [
      "model": .string(summary.model), "view": .string(summary.view), "out": .string(folder),
      "written": JSONValue(summary.written), "shape": .array(summary.shape.map { JSONValue($0) }),
      "failures": .array(
        summary.failures.map { ["sample": .string($0.key), "reason": .string($0.reason)] }),
    ]
  }

  func text(in terminal: Terminal) -> String {
    let shape = summary.shape.map { $0.map(String.init) ?? "N" }.joined(separator: ", ")
    var lines = [
      "\(Counted.text(summary.written, "input", "inputs")) of \(Terminal.safe(summary.model)), float32 [\(shape)]"
    ]
    lines += summary.failures.prefix(10).map {
      "not read: \(Terminal.safe($0.key)): \(Terminal.safe($0.reason))"
    }
    if summary.failures.count > 10 { lines.append("and \(summary.failures.count - 10) more") }
    lines.append("see \(Terminal.safe(folder))/\(ModelInputs.listName)")
    return lines.joined(separator: "\n")
  }
}
