import AssayInference

/// The runners that the program contains.
package enum RunnerTemplate {
  /// The text of a runner in Python.
  ///
  /// - Parameter onnxRuntime: true for the complete one with ONNX Runtime, false for the template.
  package static func text(onnxRuntime: Bool) -> String {
    (onnxRuntime ? RunnerScript.onnxRuntime : .template).text
  }
}

extension ModelCheck {
  /// A reference from the text of a command; `nil` if it is empty or has an open quotation mark.
  package static func command(_ text: String) -> Reference? {
    RunnerCommand(text).map { .runner($0) }
  }
}
