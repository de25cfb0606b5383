import AssayCore
import AssayInference
import AssayStore
import Foundation

/// Finds pipelines by name, and the models of those that are part of the program.
package enum ReadyPipeline {
  /// A model of a ready-made pipeline.
  private struct Source {
    let model: String
    let file: String
    /// The argument of `Scripts/models` that fetches it.
    let script: String
  }

  private static let sources = [
    Source(
      model: "face-full", file: "face_detection_full_range_sparse.tflite", script: "faces"),
    Source(model: "face-short", file: "face_detection_short_range.tflite", script: "faces"),
    Source(model: "face-mesh", file: "face_landmark.tflite", script: "faces"),
    Source(model: "fer", file: "emotion_model_quantized.tflite", script: "fer"),
    Source(model: "selfie", file: "selfie_segmentation.tflite", script: "selfie"),
    Source(model: "pose", file: "pose_landmark_full.tflite", script: "people"),
    Source(model: "pose-segmentation", file: "pose_landmark_full.tflite", script: "people"),
    Source(model: "yolox", file: "yolox_nano.onnx", script: "yolox"),
  ]

  /// A ready-made pipeline for people.
  package struct Summary: Sendable {
    package let name: String
    package let description: String
    package let steps: [String]
  }

  /// All ready-made pipelines, by name.
  ///
  /// - Throws: `InferenceError`.
  package static func all() throws -> [Summary] {
    try PipelineFiles.names.map { name in
      let pipeline = try read(name).pipeline
      return Summary(
        name: name, description: pipeline.description ?? "", steps: pipeline.steps.map(\.title))
    }
  }

  /// The text of a pipeline, which is valid.
  ///
  /// - Throws: ``PipelineError/unknown(_:known:)``, `InferenceError`.
  package static func text(_ name: String) throws -> String { try read(name).text }

  /// Reads a pipeline by the name of a ready-made one, or from a file.
  ///
  /// - Throws: ``PipelineError/unknown(_:known:)``, `InferenceError`.
  static func read(_ name: String) throws -> (pipeline: PipelineFile, text: String) {
    if let text = PipelineFiles.pipeline(name) {
      return (try PipelineFile(yaml: text, path: "the pipeline \(name)"), text)
    }
    guard FileManager.default.fileExists(atPath: name) else {
      throw PipelineError.unknown(name, known: PipelineFiles.names)
    }
    return try PipelineFile.read(name)
  }

  /// A model of the catalog, or a checked file that can be added to it.
  enum Found {
    case record(ModelRecord)
    case file(ModelDraft)

    /// The record, after a file has been added.
    ///
    /// - Throws: `StoreError`.
    func record(in catalog: Catalog) throws -> ModelRecord {
      switch self {
      case .record(let record): record
      // Two steps can have the same new model.
      case .file(let draft):
        try catalog.findModel(named: draft.name) ?? catalog.addModel(draft)
      }
    }

    /// The task of the model.
    var task: ModelTask {
      switch self {
      case .record(let record): record.task
      case .file(let draft): draft.task
      }
    }
  }

  /// The model of this name in the catalog; of a ready-made pipeline's models also a file that is found.
  ///
  /// - Parameter folder: the folder of model files; `nil` for `$ASSAY_MODELS`, and `.deps/models` in the current
  ///   folder and beside or above the program.
  /// - Throws: ``PipelineError/badModel(_:file:reason:)``, ``PipelineError/noModel(_:file:folders:script:)``, ``PipelineError/notReady(model:)``,
  ///   `StoreError`.
  static func model(_ name: String, in catalog: Catalog, folder: String?) throws -> Found {
    if let model = try catalog.findModel(named: name) { return .record(model) }
    guard let source = sources.first(where: { $0.model == name }),
      let text = PipelineFiles.manifest(name)
    else { throw PipelineError.notReady(model: name) }
    let folders = folder.map { [$0] } ?? Self.folders
    guard
      let path = folders.map({ $0 + "/" + source.file }).first(where: {
        FileManager.default.fileExists(atPath: $0)
      })
    else {
      throw PipelineError.noModel(
        name, file: source.file, folders: folders, script: source.script)
    }
    do {
      return .file(try draft(of: path, name: name, manifest: text))
    } catch {
      throw PipelineError.badModel(name, file: path, reason: "\(error)")
    }
  }

  /// A model's file with a manifest that fits it, to be added.
  private static func draft(
    of path: String, name: String, manifest text: String
  ) throws(InferenceError) -> ModelDraft {
    let file = try ModelFile.read(path)
    let manifest = try ModelManifest(yaml: text, path: name + ".yaml")
    _ = try ValidatedModel(file, manifest: manifest)
    return ModelDraft(
      name: name, hash: file.hash, task: manifest.task, path: file.path, manifest: text)
  }

  /// The folders in which model files are looked for.
  private static var folders: [String] {
    var folders: [String] = []
    if let path = ProcessInfo.processInfo.environment["ASSAY_MODELS"], !path.isEmpty {
      folders.append(path)
    }
    folders.append(FileManager.default.currentDirectoryPath + "/.deps/models")
    if let program = DirectoryTree.resolve("/proc/self/exe") {
      var place = program.parentFolder
      for _ in 0..<4 where place.count > 1 {
        folders.append(place + "/.deps/models")
        place = place.parentFolder
      }
    }
    var seen: Set<String> = []
    return folders.filter { seen.insert($0).inserted }
  }
}
