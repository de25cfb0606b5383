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
  ///   ``PredictError/modelChanged(model:path:expected:found:)``, ``RunnerTrustError``, `InferenceError`.
  package func load() throws -> ValidatedModel {
    let manifest = try readManifest()
    let file = try unchangedFile(manifest)
    return try ValidatedModel(file, manifest: manifest, runner: try startRunner(manifest))
  }

  /// The model with one of its outputs read as features, if its file is still the one that was added.
  ///
  /// - Throws: as ``load()``; `InferenceError` if there is no such output.
  func load(features output: String?) throws -> ValidatedModel {
    let manifest = try readManifest()
    let file = try unchangedFile(manifest)
    return try ValidatedModel(
      file, manifest: manifest, features: output, runner: try startRunner(manifest))
  }

  /// The trusted program of a model with a runner, started; `nil` for other models.
  private func startRunner(_ manifest: ModelManifest) throws -> RunnerProcess? {
    guard let command = manifest.runner else { return nil }
    guard let folder = manifest.runnerFolder else {
      throw RunnerTrustError.untrusted(model: name, command: command.text)
    }
    let program = try RunnerTrust().program(
      RunnerProgram(command: command, folder: folder), model: name, modelHash: hash)
    return try RunnerProcess(program, model: path, input: manifest.input)
  }

  private func unchangedFile(_ manifest: ModelManifest) throws -> ModelFile {
    let file: ModelFile
    do {
      file = try manifest.runner == nil ? ModelFile.read(path) : ModelFile.ofRunner(path)
    } catch InferenceError.unreadable(_, let reason) {
      throw PredictError.modelGone(model: name, path: path, reason: reason)
    }
    guard file.hash == hash else {
      throw PredictError.modelChanged(model: name, path: path, expected: hash, found: file.hash)
    }
    return file
  }
}
