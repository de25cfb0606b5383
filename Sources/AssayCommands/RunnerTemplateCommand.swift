package import ArgumentParser
import AssayCore
import AssayWorkflows

/// `assay model runner-template`: prints a runner to start from.
package struct RunnerTemplateCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "runner-template",
    abstract: "Print a runner in Python: a program that computes a model for assay.",
    discussion: """
      A runner lets any framework compute a model: PyTorch on a GPU, TensorFlow, JAX, or a service. Save it, fill \
      in the part “your model”, and name it in the manifest: runner: python3 my_model.py {model}. See Runners in \
      Docs/Models.md.
      """)

  @Flag(
    help: "Print a complete runner for ONNX models instead, which needs the package onnxruntime.")
  package var onnxruntime = false

  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func run() throws {
    try options.perform { _ in
      RunnerTemplateResult(text: RunnerTemplate.text(onnxRuntime: onnxruntime))
    }
  }
}

/// A script.
struct RunnerTemplateResult: CommandResult {
  let text: String

  var json: JSONValue { ["script": .string(text)] }

  func text(in terminal: Terminal) -> String {
    text.hasSuffix("\n") ? String(text.dropLast()) : text
  }
}
