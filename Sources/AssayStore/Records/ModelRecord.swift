package import AssayCore

/// A registered model: a file with its manifest.
package struct ModelRecord: Hashable, Sendable {
  package var id: Int64
  package var name: String
  /// The SHA-256 of the file (with its side files), hexadecimal.
  package var hash: String
  package var task: ModelTask
  /// The absolute path of the model file.
  package var path: String
  /// The manifest as YAML text.
  package var manifest: String
}

/// A model to be registered.
package struct ModelDraft: Hashable, Sendable {
  package var name: String
  package var hash: String
  package var task: ModelTask
  package var path: String
  package var manifest: String

  package init(name: String, hash: String, task: ModelTask, path: String, manifest: String) {
    self.name = name
    self.hash = hash
    self.task = task
    self.path = path
    self.manifest = manifest
  }
}
