package import AssayInference
package import AssayStore

extension ModelRecord {
  /// The manifest that the model was added with.
  ///
  /// - Throws: `InferenceError`.
  func readManifest() throws(InferenceError) -> ModelManifest {
    try ModelManifest(yaml: manifest, path: "the manifest of “\(name)”")
  }

  /// The model with its manifest, if its file is still the one that was added.
  ///
  /// - Throws: ``PredictError/modelGone(model:path:reason:)``,
  ///   ``PredictError/modelChanged(model:path:expected:found:)``, `InferenceError`.
  package func load() throws -> ValidatedModel {
    try ValidatedModel(try unchangedFile(), manifest: try readManifest())
  }

  /// The model with one of its outputs read as features, if its file is still the one that was added.
  ///
  /// - Throws: as ``load()``; `InferenceError` if there is no such output.
  func load(features output: String?) throws -> ValidatedModel {
    try ValidatedModel(try unchangedFile(), manifest: try readManifest(), features: output)
  }

  private func unchangedFile() throws -> ModelFile {
    let file: ModelFile
    do {
      file = try ModelFile.read(path)
    } catch InferenceError.unreadable(_, let reason) {
      throw PredictError.modelGone(model: name, path: path, reason: reason)
    }
    guard file.hash == hash else {
      throw PredictError.modelChanged(model: name, path: path, expected: hash, found: file.hash)
    }
    return file
  }
}
