import Foundation

/// A model in a format that assay does not run, recognized by its content, with the commands that
/// convert it.
struct ForeignModel: Equatable {
  /// The format in words: "a PyTorch file (.pt, .pth)".
  let name: String
  /// The commands or steps that convert it; `nil` if there are none to name.
  let conversion: String?

  /// Recognizes a file by its first bytes.
  ///
  /// - Parameters:
  ///   - head: the first 64 KiB, or the whole file.
  ///   - tail: the last bytes, where an archive lists its members.
  ///   - path: the file's path, for the commands.
  init?(_ head: [UInt8], tail: [UInt8] = [], path: String) {
    let file = Self.quoted(path)
    let stem = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
    let onnx = Self.quoted(stem + ".onnx")
    if head.starts(with: "PK\u{3}\u{4}".utf8) {
      self.init(zip: head + tail, file, stem, onnx)
    } else if head.starts(with: "version https://git-lfs".utf8) {
      self.init(
        name:
          "a pointer of Git LFS, not the file itself (“git lfs pull” in its repository fetches it)",
        conversion: nil)
    } else if Self.isPage(head) {
      self.init(
        name:
          "a web page (HTML), not the file itself (of GitHub and the Hugging Face Hub, download the"
          + " link with /raw/ or /resolve/)", conversion: nil)
    } else if ModelFormat.detect(head) == nil, ONNXGuard.looksLikeCoreML(head) {
      self.init(name: "a Core ML file (.mlmodel)", conversion: Self.coreML)
    } else if head.starts(with: "ftrt".utf8)
      || [".engine", ".trt", ".plan"].contains(where: { path.lowercased().hasSuffix($0) })
    {
      self.init(
        name: "a TensorRT engine, which runs only on the kind of GPU that it was built for",
        conversion: "Take the ONNX file that it was built from; of Ultralytics: yolo export "
          + "model=\(Self.quoted(stem + ".pt")) format=onnx")
    } else if path.lowercased().hasSuffix(".weights"), head.count > 12, head[0..<4] == [0, 0, 0, 0]
    {
      self.init(
        name: "weights of Darknet (.weights), which belong to a .cfg file",
        conversion: "python3 demo_darknet2onnx.py \(Self.quoted(stem + ".cfg")) \(file) IMAGE 1 "
          + "(github.com/Tianxiaomo/pytorch-YOLOv4)")
    } else if head.starts(with: [0x89] + Array("HDF".utf8)) {
      self.init(name: "a Keras file (HDF5)", conversion: Self.keras(file, stem))
    } else if head.starts(with: [0x80]), head.count > 1, head[1] <= 5 {
      self.init(
        name: "a Python pickle, as old PyTorch files are", conversion: Self.torch(file, onnx))
    } else if head.count > 9, head[8] == UInt8(ascii: "{"), head[9] == UInt8(ascii: "\""),
      head[4..<8].allSatisfy({ $0 == 0 })
    {
      self.init(
        name: "weights alone (.safetensors)",
        conversion:
          "For a model of Hugging Face, in the folder of its config.json: optimum-cli export onnx --model ."
          + " onnx/ (pip install 'optimum[onnxruntime]'); for others in Python, with the model's own code:"
          + " from safetensors.torch import load_file; model.load_state_dict(load_file('\(file)'));"
          + " torch.onnx.export(model.eval(), (torch.zeros(1, 3, 224, 224),), '\(onnx)', external_data=False)"
      )
    } else if path.hasSuffix(".pb"), let first = head.first, first == 0x08 || first == 0x0A {
      let folder = Self.quoted(URL(fileURLWithPath: path).deletingLastPathComponent().path)
      self.init(
        name: first == 0x08 ? "a TensorFlow SavedModel" : "a frozen TensorFlow graph (.pb)",
        conversion: first == 0x08
          ? Self.ovc(folder, stem) : "\(Self.ovc(file, stem))")
    } else {
      return nil
    }
  }

  private init(name: String, conversion: String?) {
    self.name = name
    self.conversion = conversion
  }

  /// Tells zip archives apart by the names of their members.
  private init(zip bytes: [UInt8], _ file: String, _ stem: String, _ onnx: String) {
    let text = String(decoding: bytes, as: UTF8.self)
    if text.contains("model.weights.h5") || text.contains("metadata.json") {
      self.init(name: "a Keras file (.keras)", conversion: Self.keras(file, stem))
    } else if text.contains("archive_format")
      || text.contains("/models/") && !Self.isTorchScript(text)
    {
      self.init(
        name: "a PyTorch program (.pt2)",
        conversion: "python3 -c \"import torch; torch.onnx.export(torch.export.load('\(file)'), (),"
          + " '\(onnx)', external_data=False)\"")
    } else if Self.isTorchScript(text) {
      self.init(
        name: "a TorchScript file",
        conversion: "python3 -c \"import torch; torch.onnx.export(torch.jit.load('\(file)').eval(),"
          + " (torch.zeros(1, 3, 224, 224),), '\(onnx)', dynamo=False)\", with the model's input size"
      )
    } else if text.contains("data.pkl") {
      self.init(name: "a PyTorch file (.pt, .pth)", conversion: Self.torch(file, onnx))
    } else if text.contains(".npy") {
      self.init(name: "a NumPy archive (.npz), which holds arrays and no model", conversion: nil)
    } else {
      self.init(
        name: "a zip archive, as PyTorch (.pt), Keras (.keras) and NumPy (.npz) write them",
        conversion: nil)
    }
  }

  /// Returns whether the names of an archive's members are those of a TorchScript file, whose code can lie in folders
  /// with any name (`code/__torch__/torchvision/models/…`).
  private static func isTorchScript(_ names: String) -> Bool {
    names.contains("/code/") || names.contains("constants.pkl")
  }

  /// The only model file of an accepted format among a folder's files, as in Ultralytics' `*_openvino_model`;
  /// `nil` if there are none or several.
  static func onlyModel(among names: [String]) -> String? {
    let irs = names.filter { $0.hasSuffix(".xml") && names.contains($0.dropLast(4) + ".bin") }
    let found = irs + names.filter { $0.hasSuffix(".onnx") || $0.hasSuffix(".tflite") }
    return found.count == 1 ? found[0] : nil
  }

  /// Recognizes a folder with a model in it by its files.
  ///
  /// - Parameter names: the names of the folder's files.
  init?(folder path: String, names: [String]) {
    let stem = URL(fileURLWithPath: path).lastPathComponent
    if names.contains("saved_model.pb") {
      self.init(
        name: "a TensorFlow SavedModel", conversion: Self.ovc(Self.quoted(path), stem))
    } else if names.contains("config.json"),
      names.contains(where: { $0.hasSuffix(".safetensors") || $0 == "pytorch_model.bin" })
    {
      self.init(
        name: "a model of Hugging Face",
        conversion:
          "optimum-cli export onnx --model \(Self.quoted(path)) \(Self.quoted(stem + "-onnx"))"
          + " (pip install 'optimum[onnxruntime]')")
    } else if names.contains("Manifest.json"), names.contains("Data"), path.hasSuffix(".mlpackage")
    {
      self.init(name: "a Core ML package (.mlpackage)", conversion: Self.coreML)
    } else {
      return nil
    }
  }

  /// The next step for a model of Core ML.
  static let coreML =
    "export the model that it was made from, such as PyTorch's, to ONNX; no converter from Core ML keeps all layers"

  /// Returns whether a file begins as HTML.
  private static func isPage(_ head: [UInt8]) -> Bool {
    let start = String(decoding: head.prefix(512), as: UTF8.self).lowercased()
      .drop { $0.isWhitespace || $0 == "\u{FEFF}" }
    return start.hasPrefix("<!doctype html") || start.hasPrefix("<html")
  }

  private static func torch(_ file: String, _ onnx: String) -> String {
    "If Ultralytics made it: yolo export model=\(file) format=onnx. A whole model, which runs its code when it is loaded:"
      + " python3 -c \"import torch; model = torch.load('\(file)', weights_only=False); torch.onnx.export(model.eval(),"
      + " (torch.zeros(1, 3, 224, 224),), '\(onnx)', external_data=False)\", with the model's input size. Weights alone"
      + " (a state_dict): make the model with its own code first, then model.load_state_dict(torch.load('\(file)'))"
  }

  private static func keras(_ file: String, _ stem: String) -> String {
    let folder = quoted(stem + "-saved")
    return
      "python3 -c \"import keras; keras.models.load_model('\(file)').export('\(folder)')\" && "
      + ovc(folder, stem)
  }

  private static func ovc(_ source: String, _ stem: String) -> String {
    "ovc \(source) --output_model \(quoted(stem + ".xml")) --compress_to_fp16=False (pip install openvino tensorflow)"
  }

  /// A path in a command: control characters and quotation marks, which would end it, are replaced.
  private static func quoted(_ path: String) -> String {
    String(path.map { "\"'`$\\\n\r".contains($0) ? "?" : $0 })
  }
}
