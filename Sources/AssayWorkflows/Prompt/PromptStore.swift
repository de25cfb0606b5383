import AssayCore
package import AssayImaging
import AssayInference
import AssayStore
import Foundation
import Synchronization

/// The promptable models of a catalog: manifests in the folder `assay.segmenters` beside it.
package struct PromptStore: Sendable {
  package let folder: String

  package init(catalogPath: String) {
    folder =
      URL(fileURLWithPath: catalogPath).deletingPathExtension().path + ".segmenters"
  }

  /// An added model.
  package struct Added: Hashable, Sendable {
    package var name: String
    /// The manifest, which the model's files are read by.
    package var manifest: String
    package var isNew: Bool
    package var side: Int
  }

  /// The names, sorted.
  package var names: [String] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return files.filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }.sorted()
  }

  private func path(_ name: String) -> String { "\(folder)/\(name).yaml" }

  /// Adds a pair of files that is known by its inputs and outputs, or by a manifest.
  ///
  /// - Throws: `InferenceError`, `PromptModelError`, ``PromptStoreError``, `StoreError`.
  package func add(
    encoder: String, decoder: String, manifest: String?, name: String?
  ) throws -> Added {
    var found = try PromptModel.manifest(
      encoder: encoder, decoder: decoder, manifest: manifest, name: name)
    found.name = try Name.checked(name ?? ModelAddition.name(from: found.name))
    // What cannot be compiled is refused here, not at the first click.
    _ = try PromptModel(found)
    let path = path(found.name)
    let text = Data(found.text.utf8)
    var added = Added(name: found.name, manifest: path, isNew: true, side: found.side)
    if let known = FileManager.default.contents(atPath: path) {
      guard known == text else { throw PromptStoreError.taken(found.name, path: path) }
      added.isNew = false
      return added
    }
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true)
      try text.write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      throw PromptStoreError.notWritten(path, reason: error.localizedDescription)
    }
    return added
  }

  /// Returns the model that a server uses: the named one, else the only one.
  ///
  /// - Throws: ``PromptStoreError/unknown(_:known:folder:)``.
  package func chosen(_ name: String?) throws(PromptStoreError) -> String? {
    let known = names
    guard let name else { return known.count == 1 ? known[0] : nil }
    guard known.contains(name) else {
      throw .unknown(name, known: known, folder: folder)
    }
    return name
  }

  /// Returns a model that is read and compiled when it is first used.
  ///
  /// - Throws: `InferenceError` for a damaged manifest.
  package func engine(named name: String) throws -> any PromptEngine {
    var manifest = try PromptManifest.read(path(name))
    manifest.name = name
    return CompiledLater(manifest)
  }
}

/// A promptable model that is read and compiled when it is first used.
private final class CompiledLater: PromptEngine {
  private let manifest: PromptManifest
  private let model = Mutex<PromptModel?>(nil)

  init(_ manifest: PromptManifest) { self.manifest = manifest }

  var name: String { manifest.name }

  private func compiled() throws -> PromptModel {
    try model.withLock { model in
      if let model { return model }
      let made = try PromptModel(manifest)
      model = made
      return made
    }
  }

  func embedding(of image: Raster<UInt8>) throws -> ImageEmbedding {
    try compiled().embedding(of: image)
  }

  func cancelEmbedding() { model.withLockIfAvailable { $0?.cancelEmbedding() } }

  func proposal(for prompt: ObjectPrompt, in embedding: ImageEmbedding) throws -> ObjectProposal {
    try compiled().proposal(for: prompt, in: embedding)
  }
}

/// The reasons why a promptable model is not added or found.
package enum PromptStoreError: Error, Hashable, CustomStringConvertible {
  case taken(String, path: String)
  case notWritten(String, reason: String)
  case unknown(String, known: [String], folder: String)

  package var description: String {
    switch self {
    case .taken(let name, let path):
      "another promptable model has the name “\(name)”; choose one with --name, or remove \(path)"
    case .notWritten(let path, let reason): "\(path) cannot be written: \(reason)"
    case .unknown(let name, let known, let folder):
      known.isEmpty
        ? "there is no promptable model in \(folder); add one: assay model add ENCODER --decoder DECODER --name \(name)"
        : "there is no promptable model “\(name)”; known: \(known.joined(separator: ", "))"
    }
  }
}
