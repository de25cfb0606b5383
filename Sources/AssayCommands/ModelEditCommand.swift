package import ArgumentParser
import AssayCore
import AssayStore
import AssayWorkflows

/// `assay model edit`: revises a model's manifest.
package struct ModelEditCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Revise a model's manifest, or print it.",
    discussion: """
      The new manifest is checked against the model's file. Runs keep the manifest they were made with: a model \
      that has runs is kept under another name, MODEL.v1, and its runs belong to that.

          assay model edit cnn --print > cnn.yaml
          assay model edit cnn --manifest cnn.yaml
      """)

  @Argument(help: "The model's name.")
  package var model: String

  @Option(
    help: ArgumentHelp("The new manifest (YAML).", valueName: "file"),
    completion: .file(extensions: ["yaml", "yml"]))
  package var manifest: String?

  @Flag(help: "Start the new manifest's runner: you have looked at the program.")
  package var trustRunner = false

  @Flag(help: "Print the present manifest.")
  package var print = false

  @OptionGroup package var limits: ModelLimitOptions
  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func validate() throws {
    guard (manifest == nil) == print else {
      throw ValidationError("give either --manifest FILE or --print")
    }
  }

  package func run() throws {
    try options.perform { progress in
      guard let manifest else {
        let catalog = try Catalog.open(options.catalogPath, .readOnly, reportingTo: progress)
        return AnyResult(ManifestResult(text: try catalog.model(named: model).manifest))
      }
      try limits.enterChild()
      let catalog = try Catalog.open(options.catalogPath, .readWrite, reportingTo: progress)
      var editing = ModelRevision(catalog: catalog)
      editing.trustsRunner = trustRunner
      let revision = try editing.run(model: model, manifestPath: manifest)
      return AnyResult(ModelEditResult(revision: revision))
    }
  }
}

/// A model's manifest.
struct ManifestResult: CommandResult {
  let text: String

  var json: JSONValue { ["manifest": .string(text)] }

  func text(in terminal: Terminal) -> String {
    text.hasSuffix("\n") ? String(text.dropLast()) : text
  }
}

/// A revised model.
struct ModelEditResult: CommandResult {
  let revision: Catalog.RevisedModel

  var json: JSONValue {
    [
      "model": revision.model.summary, "changed": .bool(revision.isChanged),
      "kept_as": JSONValue(revision.kept?.name),
    ]
  }

  func text(in terminal: Terminal) -> String {
    let name = Terminal.safe(revision.model.name)
    guard revision.isChanged else { return "\(name) has this manifest already" }
    return "revised the manifest of \(name)"
      + (revision.kept.map {
        "; its runs belong to the earlier one, which is kept as \(Terminal.safe($0.name))"
      } ?? "") + "\nnext: assay predict VIEW --model \(name) --name NAME"
  }
}
