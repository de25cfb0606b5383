package import ArgumentParser
import AssayCore
import AssayStore
import AssayWorkflows

/// `assay model`: manages the models of the catalog.
package struct ModelCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "model",
    abstract: "Add and revise models, look at their inputs, and check their outputs.",
    subcommands: [
      ModelAddCommand.self, ModelEditCommand.self, ModelInputsCommand.self,
      ModelCheckCommand.self, ModelAuditCommand.self, RunnerTemplateCommand.self,
    ])

  package init() {}
}

/// `assay model add`: registers a model file with its manifest, or drafts the manifest.
package struct ModelAddCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add a model file with its manifest, or draft a manifest.",
    discussion: """
      Accepts ONNX, TensorFlow Lite and OpenVINO IR (the .xml). Nothing is copied: the \
      catalog stores the path and the file's hash. Without a manifest nothing is added: inputs, outputs \
      and types are printed, and a draft is written to NAME.yaml in this folder; fill in its TODO \
      lines. A promptable model is a pair of ONNX files, its encoder and --decoder: a known pair needs no manifest, and \
      assay open and assay review use it in the editor. The file is read in a separate process with limits on memory, \
      CPU time and open files.
      """)

  @Argument(help: "The model file.", completion: .file())
  package var path: String

  @Option(
    help: ArgumentHelp("The manifest (YAML), see Datasets/models.", valueName: "file"),
    completion: .file(extensions: ["yaml", "yml"]))
  package var manifest: String?

  @Option(
    help: ArgumentHelp(
      "The decoder of a promptable model (SAM), whose encoder is the model file.",
      valueName: "file"),
    completion: .file())
  package var decoder: String?

  @Option(help: "The model's name. Default: the manifest's, else the file's.")
  package var name: String?

  @Flag(
    help:
      "Without --manifest: add the model with its draft if the file states all that it needs (models of Ultralytics and Hugging Face)."
  )
  package var acceptDraft = false

  @Option(
    help: ArgumentHelp(
      "A program that computes the model, as “runner” in a manifest: \"python3 my_model.py {model}\".",
      valueName: "command"))
  package var runner: String?

  @Flag(
    help:
      "Start the manifest's runner: you have looked at the program. Remembered for this model, command and scripts."
  )
  package var trustRunner = false

  @OptionGroup package var limits: ModelLimitOptions
  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func validate() throws {
    if runner != nil, manifest == nil {
      throw ValidationError(
        "--runner needs --manifest, which says what the program gets and gives; see Runners in Docs/Models.md"
      )
    }
    if decoder != nil, acceptDraft || runner != nil || trustRunner {
      throw ValidationError("--decoder goes with --manifest and --name only")
    }
    if acceptDraft, manifest != nil {
      throw ValidationError("--accept-draft is for models without --manifest")
    }
  }

  package func run() throws {
    try options.perform { _ in
      try limits.enterChild()
      if let decoder {
        return AnyResult(
          SegmenterAddResult(
            added: try PromptStore(catalogPath: options.catalogPath)
              .add(encoder: path, decoder: decoder, manifest: manifest, name: name)))
      }
      var addition = ModelAddition(modelPath: path, manifestPath: manifest, name: name)
      addition.acceptsDraft = acceptDraft
      addition.runner = runner
      addition.trustsRunner = trustRunner
      return AnyResult(
        ModelAddResult(
          modelPath: path, outcome: try addition.run(catalogPath: options.catalogPath)))
    }
  }
}

/// An added model, or a drafted manifest.
struct ModelAddResult: CommandResult {
  let modelPath: String
  let outcome: ModelAddition.Outcome

  var json: JSONValue {
    switch outcome {
    case .added(let record, let classes, let tensors, let isNew):
      [
        "added": .bool(isNew), "model": record.summary,
        "classes": .array(classes.map { .string($0) }),
        "inputs": Self.json(tensors.filter(\.isInput)),
        "outputs": Self.json(tensors.filter { !$0.isInput }),
      ]
    case .drafted(let path, let name, let tensors, let state):
      [
        "added": false, "draft": .string(path), "name": .string(name),
        "recognized": .bool(state != .unrecognized),
        "inputs": Self.json(tensors.filter(\.isInput)),
        "outputs": Self.json(tensors.filter { !$0.isInput }),
      ]
    }
  }

  private static func json(_ tensors: [ModelTensor]) -> JSONValue {
    .array(
      tensors.map { tensor in
        [
          "name": .string(tensor.name), "type": .string(tensor.type),
          "shape": tensor.shape.map { .array($0.map { JSONValue($0) }) } ?? .null,
        ]
      })
  }

  func text(in terminal: Terminal) -> String {
    switch outcome {
    case .added(let record, let classes, let tensors, let isNew):
      let names = Terminal.safe(classes.prefix(20).joined(separator: ", "))
      return """
        \(isNew ? "added the model \(record.name)" : "the model \(record.name) already exists")

        \(Self.table(tensors).text(in: terminal))

        \(Counted.text(classes.count, "class", "classes")): \(names)\(classes.count > 20 ? ", …" : "")
        next: assay predict VIEW --model \(record.name)
        """
    case .drafted(let path, _, let tensors, let state):
      let steps =
        switch state {
        case .complete:
          "check the draft in \(Terminal.safe(path)), of which the file states everything, then"
        case .open:
          "a draft is in \(Terminal.safe(path)); fill in the lines marked TODO, delete the markers, then"
        case .unrecognized:
          """
          no output is recognized by its form. Docs/Models.md has what a manifest reads; for other outputs let a program \
          of yours run the file and give the results: assay model runner-template --onnxruntime

          a draft as for a classifier is in \(Terminal.safe(path)); fill in the lines marked TODO, delete the markers, then
          """
        }
      return """
        the model was not added: it has no manifest yet

        \(Self.table(tensors).text(in: terminal))

        \(steps)
        next: assay model add \(Terminal.safe(modelPath)) --manifest \(Terminal.safe(path))
        """
    }
  }

  private static func table(_ tensors: [ModelTensor]) -> TextTable {
    var table = TextTable([("", .left), ("name", .left), ("type", .left), ("shape", .left)])
    for tensor in tensors {
      table.add([tensor.isInput ? "input" : "output", tensor.name, tensor.type, tensor.shapeText])
    }
    return table
  }
}
