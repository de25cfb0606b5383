import AssayCore
import AssayTestSupport
import Foundation
import Testing

@testable import AssayInference

@Suite("ONNX with values in other files")
struct ExternalDataTests {
  private static let names = ["external_data.onnx", "external_data.bin", "external/branch.bin"]

  /// A folder with the model and its files.
  private static func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.path + "/external", withIntermediateDirectories: true)
    for name in names {
      try FileManager.default.copyItem(
        atPath: Fixture.path(name), toPath: folder.path + "/" + name)
    }
    return folder
  }

  @Test("The model runs, with values of a part of a file, of a whole one and inside a branch")
  func runs() throws {
    var manifest = Fixture.tinyManifest(activation: .none)
    manifest.outputs = ["bright", "rest"]
    let model = try ValidatedModel(
      try ModelFile.read(Fixture.path("external_data.onnx")), manifest: manifest)
    let compiled = try model.compile(batch: 2, precision: .f32)
    let inputs: [[Float]] = [[0.25, 0.5, 0.75, 1], [0, 0, 0, 1]]
    let rows = try compiled.infer(names: ["a", "b"], size: nil) { index, target in
      _ = target.update(fromContentsOf: inputs[index])
    }
    #expect(rows == [[2.5, 0], [1, 0]])
  }

  @Test("The hash depends on the values that are used, and on nothing else of their files")
  func hash() throws {
    let folder = try Self.folder()
    let path = folder.path + "/external_data.onnx"
    let first = try ModelFile.read(path).hash
    var data = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/external_data.bin"))
    data[0] = 1
    try data.write(to: URL(fileURLWithPath: folder.path + "/external_data.bin"))
    #expect(try ModelFile.read(path).hash == first)
    data[4096 + 3] ^= 1
    try data.write(to: URL(fileURLWithPath: folder.path + "/external_data.bin"))
    #expect(try ModelFile.read(path).hash != first)
  }

  @Test("Values beyond the largest size of a file are read from memory, with the same hash")
  func memory() throws {
    var manifest = Fixture.tinyManifest(activation: .none)
    manifest.outputs = ["bright", "rest"]
    let path = Fixture.path("external_data.onnx")
    let inPlace = try ModelFile.read(path)
    let file = try ModelFile.read(path, inPlaceLimit: inPlace.bytes.count - 1)
    #expect(inPlace.memory == nil && file.memory != nil && file.bytes != inPlace.bytes)
    #expect(file.hash == inPlace.hash)
    let model = try ValidatedModel(file, manifest: manifest)
    let compiled = try model.compile(batch: 2, precision: .f32)
    let inputs: [[Float]] = [[0.25, 0.5, 0.75, 1], [0, 0, 0, 1]]
    let rows = try compiled.infer(names: ["a", "b"], size: nil) { index, target in
      _ = target.update(fromContentsOf: inputs[index])
    }
    #expect(rows == [[2.5, 0], [1, 0]])
  }

  @Test("A file without references is not copied")
  func whole() throws {
    let bytes = try FileBytes.all(of: Fixture.path("tiny.onnx"), limit: 1 << 20)
    let external = try ONNXExternalTensors(bytes) { _, _ in 0 }
    #expect(external.references.isEmpty && external.count == bytes.count)
  }

  @Test(
    "Locations outside of the model's folder are refused before a file is opened",
    arguments: ["../w.bin", "/etc/passwd", "a/../../w", "./w", "a//w", "*/_ORT_MEM_ADDR_/*", ""])
  func outside(_ location: String) throws {
    let bytes = Self.model(location: location, length: "32")
    let error = #expect(throws: ONNXFault.self) {
      try ONNXExternalTensors(bytes) { _, _ in
        Issue.record("\(location) was asked for")
        return 32
      }
    }
    guard case .externalData("w", location, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test(
    "Links that leave the folder, missing files, pipes and folders are refused; links inside are read"
  )
  func links() throws {
    let folder = try Self.folder()
    let outside = try TemporaryFolder()
    try outside.write("w.bin", String(repeating: "x", count: 32))
    let files = ExternalFiles(besideModel: folder.path + "/external_data.onnx")
    for (name, target) in [
      ("out.bin", outside.path + "/w.bin"), ("in.bin", "external/branch.bin"),
      ("away", outside.path),
    ] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.path + "/" + name, withDestinationPath: target)
    }
    #expect(mkfifo(folder.path + "/pipe", 0o600) == 0)
    #expect(try files.size("w", "in.bin") == 32)
    for (location, text) in [
      ("out.bin", "leads out"), ("away/w.bin", "leads out"), ("none.bin", "is missing"),
      ("pipe", "not a regular file"), ("external", "not a regular file"),
    ] {
      let error = #expect(throws: ONNXFault.self) { try files.size("w", location) }
      #expect(
        error.map { "\($0)".contains(text) } == true, "\(location): \(String(describing: error))")
    }
  }

  @Test(
    "Places and lengths that the file or the shape does not have are refused",
    arguments: [
      ("0", "33"), ("1", "32"), ("-1", "32"), ("0", "-1"), ("99999999999999999999", "32"),
      ("0", "16"),
      ("32", "0"), ("x", "32"), ("0", ""),
    ])
  func places(_ offset: String, _ length: String) {
    let bytes = Self.model(location: "w.bin", offset: offset, length: length)
    #expect(throws: ONNXFault.self) { try ONNXExternalTensors(bytes) { _, _ in 32 } }
  }

  @Test("The right place is rewritten; a type of unknown width is refused")
  func rewritten() throws {
    let external = try ONNXExternalTensors(
      Self.model(location: "w.bin", offset: "4", length: "32")
    ) { _, _ in 36 }
    #expect(external.references == [.init(location: "w.bin", offset: 4, length: 32)])
    let bytes = try external.inlined { _, target throws(InferenceError) in
      target.copyBytes(from: [UInt8](repeating: 7, count: target.count))
    }
    try ONNXGuard.check(bytes)
    #expect(bytes.suffix(34) == [0x4A, 32] + [UInt8](repeating: 7, count: 32))
    #expect(throws: ONNXFault.self) {
      try ONNXExternalTensors(Self.model(location: "w.bin", length: "32", type: 8)) { _, _ in 32 }
    }
  }

  @Test("Twenty thousand damaged files never crash")
  func mutations() throws {
    let whole = try FileBytes.all(of: Fixture.path("external_data.onnx"), limit: 1 << 20)
    var random = SplitMix64(seed: 11)
    var refused = 0
    for _ in 0..<20_000 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        bytes[place] = UInt8.random(in: 0...255, using: &random)
      }
      do {
        let external = try ONNXExternalTensors(bytes) { _, _ in 4136 }
        for reference in external.references {
          #expect(reference.offset >= 0 && reference.offset + reference.length <= 4136)
        }
      } catch { refused += 1 }
    }
    #expect(refused > 1000 && refused < 20_000)
  }

  /// graph (7) { initializer (5) { dims 4, 2; type; name w; external_data …; data_location 1 } }.
  private static func model(
    location: String, offset: String = "0", length: String, type: UInt8 = 1
  ) -> [UInt8] {
    func field(_ tag: UInt8, _ bytes: [UInt8]) -> [UInt8] { [tag, UInt8(bytes.count)] + bytes }
    func entry(_ key: String, _ value: String) -> [UInt8] {
      field(0x6A, field(0x0A, Array(key.utf8)) + field(0x12, Array(value.utf8)))
    }
    let tensor: [UInt8] =
      [0x08, 4, 0x08, 2, 0x10, type] + field(0x42, Array("w".utf8)) + entry("location", location)
      + entry("offset", offset) + entry("length", length) + [0x70, 1]
    let initializer = field(0x2A, tensor)
    return [0x08, 8, 0x3A, UInt8(initializer.count)] + initializer
  }
}
