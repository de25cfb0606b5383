import AssayInference
import AssayStore
import AssayTestSupport
import Foundation
import Testing

@testable import AssayWorkflows

@Suite("Adding models", .openVINO)
struct ModelAdditionTests {
  @Test("A model is added once, under an absolute path, with its manifest's text")
  func add() throws {
    let squares = try PredictCatalog()
    guard case .added(let record, let classes, let tensors, true) = try squares.add() else {
      Issue.record("not added")
      return
    }
    #expect(classes == ["bright", "dark"])
    #expect(tensors.map(\.shapeText) == ["[N, 1, 2, 2]", "[N, 2]"])
    #expect(record.path.hasPrefix("/") && record.manifest == PredictCatalog.manifest())
    guard case .added(let again, _, _, false) = try squares.add() else {
      Issue.record("added twice")
      return
    }
    #expect(again == record)
  }

  @Test("Without a manifest a draft is written, and nothing else touched")
  func draft() throws {
    let squares = try PredictCatalog()
    let addition = ModelAddition(
      modelPath: PredictCatalog.models.appending(path: "tiny.onnx").path)
    let catalogPath = squares.path("other.db")
    guard
      case .drafted(let path, "tiny", let tensors, .open) = try addition.run(
        catalogPath: catalogPath, draftFolder: squares.folder.path)
    else {
      Issue.record("no draft")
      return
    }
    #expect(tensors.count == 2 && path == squares.path("tiny.yaml"))
    #expect(!FileManager.default.fileExists(atPath: catalogPath))
    let draft = try String(contentsOfFile: path, encoding: .utf8)
    #expect(draft.contains("# TODO"))
    #expect(throws: ModelAdditionError.draftExists(draft: path, model: addition.modelPath)) {
      try addition.run(catalogPath: catalogPath, draftFolder: squares.folder.path)
    }
    var open = addition
    open.manifestPath = path
    let unsettled = open
    #expect(throws: InferenceError.self) { try unsettled.run(catalogPath: catalogPath) }
    #expect(!FileManager.default.fileExists(atPath: catalogPath))
  }

  @Test("Masks of queries are not taken for maps of classes: no draft")
  func queries() throws {
    let squares = try PredictCatalog()
    let addition = ModelAddition(
      modelPath: PredictCatalog.models.appending(path: "query_masks.onnx").path)
    let expected = InferenceError.queryMasks(
      classes: "class_queries_logits", masks: "masks_queries_logits")
    #expect(throws: expected) {
      try addition.run(catalogPath: squares.path("other.db"), draftFolder: squares.folder.path)
    }
    #expect(!FileManager.default.fileExists(atPath: squares.path("query_masks.yaml")))
  }

  @Test(
    "A draft with every open point settled is accepted, for each task",
    arguments: [
      ("tiny.onnx", "classification"), ("mask_nchw.onnx", "segmentation"),
      ("detect_pair.onnx", "detection"),
    ])
  func settledDraft(_ model: String, _ task: String) throws {
    let squares = try PredictCatalog()
    var addition = ModelAddition(modelPath: PredictCatalog.models.appending(path: model).path)
    guard
      case .drafted(let path, _, _, _) = try addition.run(
        catalogPath: squares.path("new.db"), draftFolder: squares.folder.path)
    else {
      Issue.record("no draft")
      return
    }
    // Like a person would: line by line, with the header of the file unchanged.
    let draft = try String(contentsOfFile: path, encoding: .utf8)
    #expect(draft.contains("task: \(task)") && draft.contains("  # TODO"))
    let settled = draft.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.hasPrefix("#")
        ? line : line.prefix(upTo: line.firstRange(of: "  # TODO")?.lowerBound ?? line.endIndex)
    }.map { $0.replacing("- class ", with: "- thing ") }
    addition.manifestPath = try squares.write("settled.yaml", settled.joined(separator: "\n"))
    guard
      case .added(let record, _, _, true) = try addition.run(catalogPath: squares.path("new.db"))
    else {
      Issue.record("not added")
      return
    }
    #expect(record.task.rawValue == task)
  }

  @Test("A manifest that does not fit leaves no catalog behind")
  func unfit() throws {
    let squares = try PredictCatalog()
    let manifest = try squares.write("m.yaml", PredictCatalog.manifest(classes: "[a, b, c]"))
    let addition = ModelAddition(
      modelPath: PredictCatalog.models.appending(path: "tiny.onnx").path, manifestPath: manifest)
    let error = #expect(throws: InferenceError.self) {
      try addition.run(catalogPath: squares.path("new.db"))
    }
    #expect(error.map { "\($0)" }?.contains("names 3 classes") == true)
    #expect(!FileManager.default.fileExists(atPath: squares.path("new.db")))
  }

  @Test(
    "A name is made of a file's name",
    arguments: [("my model (v2)", "my-model--v2-"), ("_x", "x"), ("é", "model"), ("", "model")])
  func names(_ file: String, _ name: String) {
    #expect(ModelAddition.name(from: file) == name)
    #expect(Name.isValid(ModelAddition.name(from: file)))
  }
}
