import AssayTestSupport
import Foundation
import Testing

@testable import AssayInference

@Suite("Model files")
struct ModelFileTests {
  private func temporary(_ name: String, _ bytes: [UInt8]) throws -> String {
    let folder = FileManager.default.temporaryDirectory.appending(path: "assay-test-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appending(path: name)
    try Data(bytes).write(to: file)
    return file.path
  }

  @Test("The hash is that of sha256sum")
  func hash() throws {
    // sha256sum Tests/Fixtures/models/tiny.onnx; cat tiny.xml tiny.bin | sha256sum (coreutils 9.1)
    let onnx = try ModelFile.read(Fixture.path("tiny.onnx"))
    #expect(onnx.hash == "0ae64043a15841147a26c90598e067140a743e3cec1a769723033024ff36155a")
    #expect(onnx.format == .onnx && onnx.name == "tiny" && onnx.weights == nil)
    let ir = try ModelFile.read(Fixture.path("tiny.xml"))
    #expect(ir.hash == "90f2c2b08c165989fe536482d50c5254d15d76f7d0e29104d63ee5ea115fcae3")
    #expect(ir.format == .openVINO && ir.weights?.count == 48)
  }

  @Test("The format comes from the content, whatever the name")
  func content() throws {
    let bytes = try FileBytes.all(of: Fixture.path("tiny.onnx"), limit: 1 << 20)
    #expect(try ModelFile.read(try temporary("model.txt", bytes)).format == .onnx)
  }

  @Test("IR without its weights says what is missing")
  func weights() throws {
    let xml = try FileBytes.all(of: Fixture.path("tiny.xml"), limit: 1 << 20)
    let path = try temporary("alone.xml", xml)
    // The levels of w8a16, as NNCF writes them.
    let wide = String(decoding: xml, as: UTF8.self).replacing(
      "special_zero=\"true\"", with: "levels=\"65536\" special_zero=\"true\"")
    let quantized = try temporary("wide.xml", Array(wide.utf8))
    try Data([0]).write(
      to: URL(filePath: quantized.replacing("wide.xml", with: "wide.bin")))
    let refusal = #expect(throws: InferenceError.self) { try ModelFile.read(quantized) }
    #expect(refusal.map { "\($0)" }?.contains("FakeQuantize with the levels of 16 bits") == true)
    let expected = path.replacing("alone.xml", with: "alone.bin")
    #expect(throws: InferenceError.weightsMissing(xml: path, expected: expected)) {
      try ModelFile.read(path)
    }
  }

  @Test(
    "Other formats are reported by name, with the supported ones",
    arguments: [
      ([0x89, 0x48, 0x44, 0x46, 0x0D], "Keras"), (Array("PK\u{3}\u{4}rest".utf8), "PyTorch"),
      ([], "an empty file"), (Array("hello".utf8), "a text file"),
      // Core ML: version (1), description (2), neural network (500).
      ([0x08, 1, 0x12, 0, 0xA2, 0x1F, 0], "Core ML"),
    ])
  func foreign(_ bytes: [UInt8], _ name: String) throws {
    let path = try temporary("model", bytes)
    do {
      _ = try ModelFile.read(path)
      Issue.record("accepted")
    } catch {
      #expect("\(error)".contains(name))
      #expect("\(error)".contains("ONNX (.onnx), TensorFlow Lite (.tflite) and OpenVINO IR"))
    }
  }

  @Test("The weights in place of the XML point to the XML")
  func weightsAlone() {
    let xml = Fixture.path("tiny.xml")
    #expect(
      throws: InferenceError.unknownModelFormat(
        path: Fixture.path("tiny.bin"), looksLike: "the weights of \(xml); name that file instead")
    ) { try ModelFile.read(Fixture.path("tiny.bin")) }
  }

  @Test("A folder, a missing file and one over the limit are clear errors")
  func unreadable() throws {
    // A folder of its own: in the shared one, other tests put models.
    let folder = try TemporaryFolder()
    #expect(throws: InferenceError.unreadable(path: folder.path, reason: "it is a folder")) {
      try ModelFile.read(folder.path)
    }
    #expect(
      throws: InferenceError.unreadable(path: "/none", reason: "No such file or directory")
    ) { try ModelFile.read("/none") }
    let path = Fixture.path("tiny.onnx")
    #expect(throws: InferenceError.tooLarge(path: path, limit: 100)) {
      try ModelFile.read(path, limit: 100)
    }
  }

  @Test("A file that is TFLite and ONNX at once is looked at as both")
  func polyglot() throws {
    // ir_version 8, producer_name "TFL3" (bytes 4..<8), then a graph with external data.
    let bytes: [UInt8] =
      [0x08, 8, 0x12, 4] + Array("TFL3".utf8) + [0x3A, 4, 0x2A, 2, 0x70, 1]
    let path = try temporary("model.tflite", bytes)
    #expect(
      throws: InferenceError.onnxRefused(
        path: path,
        .externalData(
          tensor: "", location: "", reason: "it is not read from there"))
    ) { try ModelFile.read(path) }
  }

  @Test("A named pipe is refused at once")
  func pipe() throws {
    let path = try temporary("m", []) + ".fifo"
    #expect(mkfifo(path, 0o600) == 0)
    #expect(throws: InferenceError.unreadable(path: path, reason: "it is not a regular file")) {
      try ModelFile.read(path)
    }
    #expect(throws: InferenceError.unreadable(path: path, reason: "it is not a regular file")) {
      try ModelManifest.read(path)
    }
  }

  @Test("Gigabytes of anything else are refused by their beginning")
  func largeOther() throws {
    let path = try temporary("zeros.onnx", [])
    defer { try? FileManager.default.removeItem(atPath: path) }
    // A sparse file of 2 GiB minus one byte: reading it would take 2 GB of memory and 7 s.
    #expect(truncate(path, (1 << 31) - 1) == 0)
    #expect(try FileBytes.all(of: path, limit: 1 << 31, start: 1 << 16).count == 1 << 16)
    #expect(throws: InferenceError.unknownModelFormat(path: path, looksLike: nil)) {
      try ModelFile.read(path)
    }
    #expect(throws: InferenceError.tooLarge(path: path, limit: 1 << 30)) {
      try ModelFile.read(path, limit: 1 << 30)
    }
  }
}
