import AssayCore
import AssayImaging
import AssayTestSupport
import Foundation
import Testing

@testable import AssayWorkflows

/// The pairs of `make_promptable.py`.
enum PromptPairs {
  /// The folder with the pairs, made once.
  static let folder: TemporaryFolder? = {
    guard let python = ProcessInfo.processInfo.environment["ASSAY_PYTHON"],
      let folder = try? TemporaryFolder()
    else { return nil }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: python)
    process.arguments = [PackageFolder.fixture("models/make_promptable.py").path, folder.url.path]
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return nil }
    process.waitUntilExit()
    return process.terminationStatus == 0 ? folder : nil
  }()
}

/// Pairs that `make_promptable.py` writes, against ONNX Runtime with the pre- and postprocessing of SAM's authors.
@Suite(
  "Promptable models", .openVINO,
  .enabled(
    if: PromptPairs.folder != nil,
    "needs ASSAY_PYTHON with onnx, onnxruntime, Pillow and OpenCV"))
struct PromptModelTests {
  private func path(_ name: String) throws -> String {
    try #require(PromptPairs.folder).url.appending(path: name).path
  }

  private func store() throws -> (PromptStore, TemporaryFolder) {
    let folder = try TemporaryFolder()
    return (PromptStore(catalogPath: folder.url.appending(path: "assay.db").path), folder)
  }

  @Test(
    "Masks are those of ONNX Runtime, from any prompt",
    arguments: ["sam_encoder", "sam_any_encoder", "sam2_encoder"])
  func masks(encoder: String) throws {
    let (store, folder) = try store()
    defer { withExtendedLifetime(folder) {} }
    let decoder = encoder == "sam2_encoder" ? "sam2_decoder" : "sam_decoder"
    let added = try store.add(
      encoder: try path(encoder + ".onnx"), decoder: try path(decoder + ".onnx"), manifest: nil,
      name: nil)
    #expect(added.isNew && added.side == 64)
    let engine = try store.engine(named: try #require(try store.chosen(nil)))
    let image = try ImageCodec.decode(
      Array(try Data(contentsOf: URL(fileURLWithPath: try path("image.png")))), as: .rgb8)
    let embedding = try engine.embedding(of: image)
    let text = try String(contentsOfFile: try path("answers.json"), encoding: .utf8)
    let answers = try #require(try JSONValue(parsing: text).elements)
    var count = 0
    for answer in answers where answer["encoder"]?.text == encoder {
      count += 1
      let found = try engine.proposal(for: try Self.prompt(answer), in: embedding)
      let runs = (answer["runs"]?.elements ?? []).compactMap { $0.double.map(UInt32.init) }
      let expected = try Mask(size: image.size, runs: runs)
      let others = found.mask.symmetricDifference(expected).area
      // Only pixels on the threshold can differ, by rounding.
      #expect(others <= Int(answer["close"]?.double ?? 0), "\(answer["prompt"] ?? .null)")
      #expect(found.score == answer["score"]?.double && !found.mask.isEmpty)
    }
    #expect(count == 4)
  }

  private static func prompt(_ answer: JSONValue) throws -> ObjectPrompt {
    let stated = try #require(answer["prompt"])
    let points = (stated["points"]?.elements ?? []).map { point in
      let parts = point.elements ?? []
      return ObjectPrompt.Point(
        x: parts[0].double ?? 0, y: parts[1].double ?? 0, isObject: parts[2] == true)
    }
    let box = stated["box"]?.elements?.compactMap(\.double)
    return ObjectPrompt(
      points: points, box: box.map { Box(x: $0[0], y: $0[1], width: $0[2], height: $0[3]) })
  }

  @Test("Unknown pairs are refused with what is missing, and nothing is written")
  func refused() throws {
    let (store, folder) = try store()
    for (encoder, decoder, words) in [
      ("sam_encoder", "efficient_decoder", "EfficientSAM"),
      ("other_encoder", "sam_decoder", "the encoder's input is “x”"),
      ("sam2_encoder", "sam_decoder", "the encoder's output is not image_embeddings alone"),
      ("sam_encoder", "sam2_decoder", "the encoder has not samexporter's input image"),
    ] {
      do {
        _ = try store.add(
          encoder: try path(encoder + ".onnx"), decoder: try path(decoder + ".onnx"),
          manifest: nil, name: nil)
        Issue.record("\(encoder) and \(decoder) were accepted")
      } catch {
        #expect("\(error)".contains(words), "\(error)")
        #expect("\(error)".contains("--manifest"), "\(error)")
      }
    }
    #expect(store.names.isEmpty && !folder.has("assay.segmenters"))
  }

  @Test("A part without the other, and swapped files, are refused with the right command")
  func parts() throws {
    let (store, folder) = try store()
    let (encoder, decoder) = (try path("sam_encoder.onnx"), try path("sam_decoder.onnx"))
    let draft = folder.url.path
    for (file, words) in [
      (encoder, "looks like the encoder of a promptable model"),
      (decoder, "looks like the decoder of a promptable model"),
    ] {
      let command =
        file == encoder
        ? "assay model add \(encoder) --decoder DECODER"
        : "assay model add ENCODER --decoder \(decoder)"
      do {
        _ = try ModelAddition(modelPath: file).run(
          catalogPath: draft + "/assay.db", draftFolder: draft)
        Issue.record("\(file) was accepted")
      } catch {
        #expect("\(error)".contains(words) && "\(error)".hasSuffix(command), "\(error)")
      }
    }
    for (one, other, words) in [
      (decoder, encoder, "swapped"), (encoder, encoder, "--decoder DECODER"),
      (decoder, decoder, "assay model add ENCODER --decoder"),
    ] {
      do {
        _ = try store.add(encoder: one, decoder: other, manifest: nil, name: nil)
        Issue.record("\(one) and \(other) were accepted")
      } catch {
        #expect("\(error)".contains(words), "\(error)")
        if words == "swapped" {
          #expect(
            "\(error)".hasSuffix("assay model add \(encoder) --decoder \(decoder)"), "\(error)")
        }
      }
    }
    #expect(store.names.isEmpty && !folder.has("assay.db"))
  }

  @Test("A manifest says what the names do not; one that does not fit is refused")
  func manifest() throws {
    let (store, folder) = try store()
    let lines = """
      kind: promptable
      input: {name: x, side: 64, layout: NCHW, resize: pad, filter: pillow-bilinear, mean: [123.675, 116.28, 103.53], std: [58.395, 57.12, 57.375]}
      embeddings: {image_embeddings: image_embeddings}
      prompt: {points: point_coords, labels: point_labels, padding-point: yes, mask: mask_input, has-mask: has_mask_input, size: orig_im_size}
      output: {masks: low_res_masks, scores: iou_predictions, threshold: 0}
      """
    func add(_ text: String) throws -> PromptStore.Added {
      try folder.write("m.yaml", text)
      return try store.add(
        encoder: try path("other_encoder.onnx"), decoder: try path("sam_decoder.onnx"),
        manifest: folder.url.appending(path: "m.yaml").path, name: "own")
    }
    for (old, new, words) in [
      ("name: x", "name: y", "not “y” alone"), ("side: 64", "side: 128", "not [1, 3, 128, 128]"),
      ("size: orig_im_size", "size: other", "the manifest names"),
      ("masks: low_res_masks", "masks: none", "no output none"),
      ("{image_embeddings:", "{features:", "no output features"),
      ("std: [58.395,", "std: [0,", "std"), ("layout: NCHW, ", "", "layout"),
      ("kind: promptable", "kind: other", "promptable"),
      ("threshold: 0", "threshold: x", "threshold"),
    ] {
      do {
        _ = try add(lines.replacing(old, with: new))
        Issue.record("\(new) was accepted")
      } catch {
        #expect("\(error)".contains(words), "\(error)")
      }
    }
    #expect(try add(lines).isNew)
    // The same again is no error; another one under its name is.
    #expect(try !add(lines).isNew)
    #expect(throws: PromptStoreError.self) {
      try add(lines.replacing("threshold: 0", with: "threshold: 1"))
    }
    #expect(throws: PromptStoreError.self) { try store.chosen("other") }
    #expect(try store.chosen("own") == "own")
  }

  @Test("A file that changed since is not used")
  func changed() throws {
    let (store, folder) = try store()
    let encoder = folder.url.appending(path: "e.onnx")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: try path("sam_encoder.onnx")))
    try bytes.write(to: encoder)
    _ = try store.add(
      encoder: encoder.path, decoder: try path("sam_decoder.onnx"), manifest: nil, name: "s")
    try Data(contentsOf: URL(fileURLWithPath: try path("other_encoder.onnx"))).write(to: encoder)
    let engine = try store.engine(named: "s")
    do {
      _ = try engine.embedding(of: Raster(repeating: 0, width: 8, height: 8, channels: 3))
      Issue.record("the file is another one")
    } catch { #expect("\(error)".contains("another SHA-256"), "\(error)") }
  }
}
