import CEmbeddedFiles

/// The ready-made pipelines that are part of the program, and the manifests of their models.
package enum PipelineFiles {
  private static let suffix = ".pipeline.yaml"

  private static let files: [String: String] = {
    let table = pipelineFiles()
    return Dictionary(
      UnsafeBufferPointer(start: table.files, count: table.count).map { file in
        let bytes = UnsafeBufferPointer(start: file.bytes, count: file.count)
        return (String(cString: file.name), String(decoding: bytes, as: UTF8.self))
      }, uniquingKeysWith: { first, _ in first })
  }()

  /// The names of the pipelines, sorted.
  package static var names: [String] {
    files.keys.filter { $0.hasSuffix(suffix) }.map { String($0.dropLast(suffix.count)) }.sorted()
  }

  /// The text of a pipeline; `nil` if there is none of this name.
  package static func pipeline(_ name: String) -> String? { files[name + suffix] }

  /// The manifest of a model; `nil` if no pipeline has one of this name.
  package static func manifest(_ model: String) -> String? { files[model + ".yaml"] }
}
