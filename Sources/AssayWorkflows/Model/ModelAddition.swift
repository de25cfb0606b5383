import AssayCore
import AssayInference
package import AssayStore
import Foundation

/// Registers a model file with its manifest, or drafts a manifest if there is none.
package struct ModelAddition: Sendable {
  package var modelPath: String
  package var manifestPath: String?
  /// The model's name; by default, the manifest's or else the file's.
  package var name: String?
  /// The command of a runner for a manifest that has none.
  package var runner: String?
  /// True if the user has looked at the runner and lets it start.
  package var trustsRunner = false
  /// True to add the model with its draft if that leaves nothing open.
  package var acceptsDraft = false

  package init(modelPath: String, manifestPath: String? = nil, name: String? = nil) {
    self.modelPath = modelPath
    self.manifestPath = manifestPath
    self.name = name
  }

  /// The result of adding a model.
  package enum Outcome: Sendable {
    /// The model is in the catalog; `isNew` is false if the identical model was already there.
    case added(ModelRecord, classes: [String], tensors: [ModelTensor], isNew: Bool)
    /// The model is not in the catalog: its manifest was drafted at `path`.
    case drafted(path: String, name: String, tensors: [ModelTensor], DraftState)
  }

  /// The work that a draft leaves to a person.
  package enum DraftState: Sendable {
    /// The file stated everything: no line is open.
    case complete
    /// Lines are to be filled in.
    case open
    /// No output is recognized by its form: the draft is that of a classifier.
    case unrecognized
  }

  /// Checks everything before the catalog is opened, so that a failure leaves nothing behind.
  ///
  /// - Parameters:
  ///   - catalogPath: the catalog, which is created if it does not exist; not used for a draft.
  ///   - folder: the folder for a draft.
  /// - Throws: ``ModelAdditionError``, ``RunnerTrustError``, `InferenceError`, `StoreError`.
  package func run(catalogPath: String, draftFolder folder: String = ".") throws -> Outcome {
    guard let manifestPath else {
      return try draft(try ModelFile.read(modelPath), into: folder, catalogPath)
    }
    var (manifest, text) = try ModelManifest.read(manifestPath)
    if let runner {
      guard manifest.runner == nil else { throw ModelAdditionError.twoRunners(manifestPath) }
      text += (text.hasSuffix("\n") ? "" : "\n") + "runner: \(JSONValue.string(runner).text())\n"
      manifest = try ModelManifest(yaml: text, path: manifestPath)
    }
    guard let command = manifest.runner else {
      return try add(try ModelFile.read(modelPath), manifest, text, catalogPath)
    }
    (manifest, text) = try Self.withFolder(manifest, text, manifestPath)
    return try add(command, of: manifest, text, catalogPath)
  }

  /// A manifest and its text, with the folder that a runner starts in: the manifest's own unless it names
  /// another one.
  ///
  /// - Throws: `InferenceError`.
  static func withFolder(
    _ manifest: ModelManifest, _ text: String, _ path: String
  ) throws -> (ModelManifest, String) {
    guard manifest.runner != nil, manifest.runnerFolder == nil else { return (manifest, text) }
    let folder = URL(fileURLWithPath: path).standardizedFileURL.deletingLastPathComponent().path
    let whole =
      text + (text.hasSuffix("\n") ? "" : "\n")
      + "runner-folder: \(JSONValue.string(folder).text())\n"
    return (try ModelManifest(yaml: whole, path: path), whole)
  }

  /// Adds a model that a runner computes, if the user trusts it.
  private func add(
    _ command: RunnerCommand, of manifest: ModelManifest, _ text: String, _ catalogPath: String
  ) throws -> Outcome {
    let file = try ModelFile.ofRunner(modelPath)
    let folder = manifest.runnerFolder ?? "/"
    let program = RunnerProgram(command: command, folder: folder)
    guard trustsRunner else {
      throw RunnerTrustError.unseen(
        command: command.text, folder: folder, scripts: try RunnerTrust.scripts(of: program))
    }
    let runner = try RunnerProcess(program, model: file.path, input: manifest.input)
    let outcome = try add(file, manifest, text, catalogPath, runner: runner)
    try RunnerTrust().add(program, modelHash: file.hash)
    return outcome
  }

  private func add(
    _ file: ModelFile, _ manifest: ModelManifest, _ text: String, _ catalogPath: String,
    runner: RunnerProcess? = nil
  ) throws -> Outcome {
    let signature = try ValidatedModel(file, manifest: manifest, runner: runner).signature
    if runner == nil { try manifest.checkClasses(of: ModelMetadata(of: file)) }
    let name = try Name.checked(name ?? manifest.name ?? Self.name(from: file.name))
    let catalog = try Catalog.open(catalogPath, .create)
    let isNew = try catalog.findModel(named: name) == nil
    let record = try catalog.addModel(
      ModelDraft(
        name: name, hash: file.hash, task: manifest.task, path: file.path, manifest: text))
    return .added(
      record, classes: manifest.classes, tensors: ModelTensor.all(of: signature), isNew: isNew)
  }

  private func draft(
    _ file: ModelFile, into folder: String, _ catalogPath: String
  ) throws -> Outcome {
    let signature = try ModelSignature.read(file)
    if let role = signature.promptRole {
      throw PromptModelError.alone(path: modelPath, role, reason: signature.promptReason)
    }
    guard signature.takesImages else {
      throw InferenceError.noImageInput(model: signature.inputs)
    }
    if let (classes, masks) = signature.queryMasks {
      throw InferenceError.queryMasks(classes: classes, masks: masks)
    }
    let name = try Name.checked(name ?? Self.name(from: file.name))
    let path = (folder as NSString).appendingPathComponent(name + ".yaml")
    let metadata = ModelMetadata(of: file)
    let text = ModelManifest.draft(for: signature, name: name, metadata: metadata)
    let open = ModelManifest.openKeys(ofDraft: text)
    if acceptsDraft, open.isEmpty {
      return try add(file, try ModelManifest(yaml: text, path: path), text, catalogPath)
    }
    do {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .withoutOverwriting)
    } catch let error as CocoaError where error.code == .fileWriteFileExists {
      throw ModelAdditionError.draftExists(draft: path, model: modelPath)
    } catch {
      throw ModelAdditionError.draftNotWritten(draft: path, reason: error.localizedDescription)
    }
    if acceptsDraft {
      throw ModelAdditionError.draftOpen(draft: path, model: modelPath, keys: open)
    }
    return .drafted(
      path: path, name: name, tensors: ModelTensor.all(of: signature),
      !ModelManifest.recognizes(signature, metadata)
        ? .unrecognized : open.isEmpty ? .complete : .open)
  }

  /// A valid catalog name derived from a file name.
  static func name(from file: String) -> String {
    let allowed = file.unicodeScalars.map { scalar in
      scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
        || "._-".unicodeScalars.contains(scalar) ? Character(scalar) : "-"
    }
    let name = String(allowed.drop { "._-".contains($0) }.prefix(Name.lengthLimit))
    return name.isEmpty ? "model" : name
  }
}

/// The reasons why a manifest was not drafted.
package enum ModelAdditionError: Error, Hashable, CustomStringConvertible {
  case draftExists(draft: String, model: String)
  case draftNotWritten(draft: String, reason: String)
  /// A runner beside the manifest's own.
  case twoRunners(String)
  /// A draft that was to be accepted, with the keys that it leaves open.
  case draftOpen(draft: String, model: String, keys: [String])

  package var description: String {
    switch self {
    case .draftExists(let draft, let model):
      "no manifest was given, and a draft would overwrite \(draft). Use that file:"
        + " assay model add \(model) --manifest \(draft)"
    case .twoRunners(let manifest):
      "\(manifest) has a “runner” already; leave --runner out, or remove it from the manifest"
    case .draftOpen(let draft, let model, let keys):
      "the model's file does not settle the whole manifest. Open in \(draft): \(keys.joined(separator: ", "))."
        + " Fill in its TODO lines, then assay model add \(model) --manifest \(draft)"
    case .draftNotWritten(let draft, let reason):
      "no manifest was given, and a draft cannot be written to \(draft): \(reason)"
    }
  }
}
