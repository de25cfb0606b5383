import CEmbeddedFiles

/// The runners in Python that are part of the program: the files of the folder `Python`.
package enum RunnerScript: String, CaseIterable, Sendable {
  /// A template for a runner of one's own, with PyTorch.
  case template = "template.py"
  /// Computes ONNX models with ONNX Runtime.
  case onnxRuntime = "onnxruntime.py"

  /// The script.
  package var text: String {
    let scripts = runnerScripts()
    let files = UnsafeBufferPointer(start: scripts.files, count: scripts.count)
    let file = files.first { String(cString: $0.name) == rawValue }
    return file.map {
      String(decoding: UnsafeBufferPointer(start: $0.bytes, count: $0.count), as: UTF8.self)
    } ?? ""
  }
}
