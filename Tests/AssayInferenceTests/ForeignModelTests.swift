import AssayTestSupport
import Foundation
import Testing

@testable import AssayInference

@Suite("Models of other formats")
struct ForeignModelTests {
  /// The start of a zip archive with members of these names.
  private func zip(_ names: String...) -> [UInt8] {
    names.flatMap { Array("PK\u{3}\u{4}".utf8) + [20, 0, 0, 0] + Array($0.utf8) + [0, 1, 2] }
  }

  private func foreign(_ head: [UInt8], _ path: String = "/m/net.pt") -> ForeignModel? {
    ForeignModel(head, path: path)
  }

  @Test("Each format gets its name and the command that converts it")
  func formats() throws {
    let hdf = [0x89] + Array("HDF\r\n".utf8)
    let safetensors: [UInt8] = [60, 0, 0, 0, 0, 0, 0, 0] + Array("{\"weight\":".utf8)
    for (head, path, name, command) in [
      (
        zip("archive/data.pkl", "archive/data/0"), "/m/net.pt", "a PyTorch file",
        "yolo export model=/m/net.pt"
      ),
      (
        zip("net/code/x.py", "net/data.pkl"), "/m/net.pt", "a TorchScript file",
        "torch.jit.load('/m/net.pt')"
      ),
      (
        // torchvision's code lies in a folder called models.
        zip("mb/data.pkl", "mb/code/__torch__/torchvision/models/mobilenetv3.py"), "/m/mb.pt",
        "a TorchScript file", "torch.jit.load('/m/mb.pt')"
      ),
      (
        zip("net/models/model.json"), "/m/net.pt2", "a PyTorch program",
        "torch.export.load('/m/net.pt2')"
      ),
      (
        zip("net/archive_format"), "/m/net.pt2", "a PyTorch program",
        "torch.export.load('/m/net.pt2')"
      ),
      (
        zip("metadata.json", "config.json"), "/m/net.keras", "a Keras file (.keras)",
        "ovc net-saved --output_model net.xml"
      ),
      (hdf, "/m/net.h5", "a Keras file (HDF5)", "keras.models.load_model('/m/net.h5')"),
      ([0x80, 2, 0x63], "/m/net.pth", "a Python pickle", "torch.onnx.export"),
      (safetensors, "/m/model.safetensors", "weights alone", "optimum-cli export onnx"),
      ([0x08, 1, 0x12, 9], "/m/saved/saved_model.pb", "a TensorFlow SavedModel", "ovc /m/saved"),
      (Array("ftrt".utf8) + [0, 1], "/m/net.bin", "a TensorRT engine", "the ONNX file"),
      (
        [0x40, 1, 0, 0] + Array("{\"a\":1}".utf8), "/m/best.engine", "a TensorRT engine",
        "best.pt format=onnx"
      ),
      (
        [0, 0, 0, 0, 2, 0, 0, 0, 5, 0, 0, 0, 9], "/m/yolov4.weights", "weights of Darknet",
        "yolov4.cfg /m/yolov4.weights IMAGE 1"
      ),
      ([0x0A, 9, 0x0A], "/m/frozen.pb", "a frozen TensorFlow graph", "ovc /m/frozen.pb"),
    ] {
      let found = try #require(foreign(head, path), "\(name)")
      #expect(found.name.hasPrefix(name), "\(found)")
      #expect(found.conversion?.contains(command) == true, "\(found)")
    }
    #expect(foreign(zip("a.npy"))?.conversion == nil)
    for (text, name) in [
      ("version https://git-lfs.github.com/spec/v1\noid sha256:00", "git lfs pull"),
      ("\n<!DOCTYPE html>\n<html>", "/raw/"), ("<html lang=\"en\">", "a web page"),
    ] {
      #expect(foreign(Array(text.utf8))?.name.contains(name) == true)
    }
    let coreML: [UInt8] = [0x08, 1, 0x12, 0, 0xA2, 0x1F, 0]
    #expect(foreign(coreML, "/m/net.mlmodel")?.conversion?.contains("to ONNX") == true)
    let package = ForeignModel(folder: "/m/net.mlpackage", names: ["Data", "Manifest.json"])
    #expect(package?.name == "a Core ML package (.mlpackage)" && package?.conversion != nil)
    #expect(ForeignModel(folder: "/m/net", names: ["Data", "Manifest.json"]) == nil)
    #expect(foreign(Array("hello".utf8)) == nil)
    #expect(foreign([0x08, 7, 0x3A, 0], "/m/net.onnx") == nil)
  }

  @Test("What OpenVINO cannot read is refused with the next step, where one is known")
  func remedies() {
    for (reason, step) in [
      ("CUSTOM operator TFLite_Detection_PostProcess", "tf2onnx.convert"),
      ("OpConversionFailure: Conversion is failed for: Loop-17", "model.transform.postprocess"),
      ("No translator found for node my.Op", "runner-template --onnxruntime"),
    ] {
      let text = "\(InferenceError.modelRefused(path: "m.onnx", reason: reason))"
      #expect(text.contains(reason) && text.contains(step), "\(text)")
    }
    let other = InferenceError.modelRefused(path: "m.onnx", reason: "shapes differ")
    #expect("\(other)" == "OpenVINO cannot read m.onnx: shapes differ")
  }

  @Test("A path cannot end the quotation of a command")
  func quotation() throws {
    let found = try #require(foreign(zip("metadata.json"), "/m/a'\"`$(x)\n.keras"))
    let command = try #require(found.conversion)
    #expect(command.contains("load_model('/m/a????(x)?.keras')"))
  }

  @Test("Archives are told apart by the names at their end, too")
  func tails() {
    let head = zip("net/data/0")
    for (name, title) in [
      ("net/constants.pkl", "a TorchScript file"),
      ("net/archive_format", "a PyTorch program (.pt2)"),
      ("net/data.pkl", "a PyTorch file (.pt, .pth)"),
    ] {
      #expect(ForeignModel(head, tail: Array(name.utf8), path: "/m/net")?.name == title)
    }
  }

  @Test("A folder with one model stands for its file, and others say how to convert them")
  func folders() throws {
    #expect(ForeignModel.onlyModel(among: ["metadata.yaml", "net.bin", "net.xml"]) == "net.xml")
    #expect(ForeignModel.onlyModel(among: ["net.xml", "net.tflite"]) == "net.tflite")
    #expect(ForeignModel.onlyModel(among: ["a.onnx", "b.onnx"]) == nil)
    #expect(ForeignModel(folder: "/m", names: ["net.bin", "net.xml"]) == nil)
    let saved = try #require(
      ForeignModel(folder: "/m/saved", names: ["assets", "saved_model.pb", "variables"]))
    #expect(saved.conversion?.hasPrefix("ovc /m/saved --output_model saved.xml") == true)
    let hub = try #require(
      ForeignModel(folder: "/m/vit", names: ["config.json", "model.safetensors"]))
    #expect(hub.conversion?.hasPrefix("optimum-cli export onnx --model /m/vit vit-onnx") == true)
    #expect(ForeignModel(folder: "/m", names: ["a.onnx", "b.onnx"]) == nil)
    #expect(ForeignModel(folder: "/m", names: []) == nil)
  }

  @Test("Files and folders are refused with it")
  func refused() throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "net.pt")
    try Data(zip("archive/data.pkl")).write(to: file)
    let error = #expect(throws: InferenceError.self) { try ModelFile.read(file.path) }
    let text = error.map { "\($0)" } ?? ""
    #expect(text.contains("net.pt is a PyTorch file (.pt, .pth); supported are ONNX (.onnx)"))
    #expect(text.contains("To convert it: If Ultralytics made it"))
    try FileManager.default.copyItem(
      atPath: Fixture.path("tiny.onnx"), toPath: folder.url.appending(path: "tiny.onnx").path)
    let alone = try ModelFile.read(folder.url.path)
    #expect(alone.path.hasSuffix("/tiny.onnx") && alone.format == .onnx)
  }
}
