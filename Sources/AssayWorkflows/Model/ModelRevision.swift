import AssayInference
package import AssayStore

/// Replaces a model's manifest by a revised one that fits its file.
package struct ModelRevision {
  /// True if the user has looked at the manifest's runner and lets it start.
  package var trustsRunner = false
  private let catalog: Catalog

  package init(catalog: Catalog) { self.catalog = catalog }

  /// - Throws: ``ModelRevisionError``, ``PredictError``, ``RunnerTrustError`` for another runner,
  ///   `InferenceError`, `StoreError`.
  package func run(model name: String, manifestPath: String) throws -> Catalog.RevisedModel {
    var record = try catalog.model(named: name)
    let read = try ModelManifest.read(manifestPath)
    let (manifest, text) = try ModelAddition.withFolder(
      read.manifest, read.text, manifestPath)
    guard manifest.task == record.task else {
      throw ModelRevisionError.otherTask(
        model: name, own: record.task.rawValue, manifest: manifest.task.rawValue)
    }
    record.manifest = text
    if let command = manifest.runner, let folder = manifest.runnerFolder, trustsRunner {
      try RunnerTrust().add(
        RunnerProgram(command: command, folder: folder), modelHash: record.hash)
    }
    _ = try record.load()
    return try catalog.reviseModel(named: name, manifest: text)
  }
}

/// The reasons why a model's manifest was not revised.
package enum ModelRevisionError: Error, Hashable, CustomStringConvertible {
  case otherTask(model: String, own: String, manifest: String)

  package var description: String {
    switch self {
    case .otherTask(let model, let own, let manifest):
      "“\(model)” is a model for \(own), and the manifest's task is \(manifest); add it under another name"
    }
  }
}
