import AssayCore
import Foundation
import Yams

/// The facts that an exporter wrote into a model file beside its graph, or into files beside it. Nothing of it is used without
/// being in a manifest; drafts quote it.
///
/// Source of the ONNX field: onnx/onnx.proto, `ModelProto.metadata_props`. Source of the keys: Ultralytics'
/// exporter (`names`, `task`, `author`, `description`, `license`), version 8.4.
package struct ModelMetadata: Hashable, Sendable {
  /// The names of the classes in output order; empty if the file does not state them.
  package var names: [String] = []
  /// The task in the exporter's words, such as `detect`.
  package var task: String?
  /// The number of keypoints and of values of each, of Ultralytics' pose models.
  package var keypoints: (points: Int, values: Int)? {
    keypointShape.count == 2 ? (keypointShape[0], keypointShape[1]) : nil
  }
  private var keypointShape: [Int] = []
  package var description: String?
  package var license: String?
  /// True if the file says that Ultralytics made it.
  package var isUltralytics = false
  /// True if it is Ultralytics' RT-DETR, which has other boxes and another resize than its YOLO models.
  var isRTDETR = false
  /// The size of the images that the model was exported for.
  var imageSize: (width: Int, height: Int)? {
    imageSides.count == 2 ? (imageSides[1], imageSides[0]) : nil
  }
  private var imageSides: [Int] = []
  /// The facts of Hugging Face's files beside the model: the manifest's task, the activation of the logits, and
  /// the keys below `input`.
  var statedTask: ModelTask?
  var statedActivation: Activation?
  var statedInput: [StatedKey] = []
  /// The place that states ``statedInput``.
  var inputSource = "preprocessor_config.json"
  /// True if the model is a detector of Hugging Face's DETR family.
  var isDETR = false

  /// A key of a manifest and its value.
  struct StatedKey: Hashable, Sendable {
    let key: String
    let value: String
  }

  package init() {}

  /// The number of values that each box has beside its numbers and scores: 32 coefficients of masks in
  /// Ultralytics' segmenters, the values of its keypoints, the angle of its rotated boxes.
  var extraValues: Int {
    if task == "obb" { return 1 }
    if task == "segment" { return 32 }
    return task == "pose" ? keypoints.map { $0.points * $0.values } ?? 0 : 0
  }

  /// True if Ultralytics' exporter states boxes whose values assay knows.
  var statesObjects: Bool { isUltralytics && (task == "detect" || extraValues > 0) }

  /// The maximum size of a value in bytes, and of the number of entries that are read.
  private static let valueLimit = 1 << 22
  private static let entryLimit = 1_000

  /// The metadata of a model file; empty for formats other than ONNX, and for values that are damaged.
  package init(of file: ModelFile) {
    var texts: [String: String] = [:]
    var reader = ProtobufReader(file.bytes, in: file.bytes.indices)
    do throws(ONNXFault) {
      while file.format == .onnx, let field = try reader.next(), texts.count < Self.entryLimit {
        guard field.number == 14, case .bytes(let range) = field.value,
          let (key, value) = try Self.entry(file.bytes, range)
        else { continue }
        texts[key] = value
      }
    } catch {
      // The file was checked before: what was read until here is right.
    }
    if file.format == .openVINO { texts = Self.texts(besideIR: file.path) }
    self.init(texts)
    add(HuggingFaceFiles(besideModel: file.path))
    if file.format == .openVINO, let facts = IRModelFacts(file.bytes) {
      if names.isEmpty { names = facts.names }
      // Ultralytics writes the same resize for all of its tasks.
      if statedInput.isEmpty, !isUltralytics {
        statedInput = facts.input.map { StatedKey(key: $0.key, value: $0.value) }
        inputSource = "the file's model_info"
      }
    }
    if file.format == .tflite, names.isEmpty { names = TFLiteLabels.names(file.bytes) }
  }

  /// The scalar values of the `metadata.yaml` that Ultralytics writes beside an IR, as its ONNX files have them;
  /// empty if there is none.
  private static func texts(besideIR path: String) -> [String: String] {
    let beside = URL(fileURLWithPath: path).deletingLastPathComponent()
      .appendingPathComponent("metadata.yaml").path
    guard let bytes = try? FileBytes.all(of: beside, limit: ModelManifest.sizeLimit),
      let text = String(ofFile: bytes),
      (try? ManifestSection.checkShape(text)) != nil,
      case .mapping(let mapping)? = try? Yams.compose(yaml: text)
    else { return [:] }
    var texts: [String: String] = [:]
    for (key, value) in mapping {
      guard case .scalar(let key) = key else { continue }
      switch value {
      case .scalar(let scalar): texts[key.string] = scalar.string
      case .sequence(let list):
        texts[key.string] = "[\(list.compactMap(\.scalar?.string).joined(separator: ", "))]"
      case .mapping(let names):
        let members = names.compactMap { name, value in
          name.scalar.flatMap { name in
            value.scalar.map { "\(name.string): \(JSONValue.string($0.string).text())" }
          }
        }
        texts[key.string] = "{\(members.joined(separator: ", "))}"
      case .alias: continue
      }
    }
    return texts
  }

  /// Adds what Hugging Face's files beside the model state.
  mutating func add(_ files: HuggingFaceFiles?) {
    guard let files else { return }
    if names.isEmpty { names = files.names }
    statedTask = files.task
    statedActivation = files.activation
    statedInput = files.input.map { StatedKey(key: $0.key, value: $0.value) }
    isDETR = files.isDETR
  }

  /// The metadata from its keys and values.
  init(_ texts: [String: String]) {
    names = texts["names"].flatMap(Self.names) ?? []
    task = texts["task"]
    let shape = texts["kpt_shape"]?.split { !($0.isASCII && $0.isNumber) }.map { Int($0) } ?? []
    if shape.count == 2, let points = shape[0], let values = shape[1],
      (1...1_000).contains(points), (2...3).contains(values)
    {
      keypointShape = [points, values]
    }
    description = texts["description"]
    license = texts["license"]
    isUltralytics = texts["author"]?.lowercased().contains("ultralytics") ?? false
    isRTDETR =
      texts["head"] == "RTDETRDecoder"
      || description?.lowercased().contains("rtdetr") ?? false
    let sides = texts["imgsz"]?.split { !($0.isASCII && $0.isNumber) }.map { Int($0) } ?? []
    if sides.count == 2, let height = sides[0], let width = sides[1],
      ImageSize.checked(width: width, height: height) != nil
    {
      imageSides = [height, width]
    }
    guard isUltralytics, task == "classify", let size = imageSize else { return }
    // Ultralytics' classifiers end in a softmax.
    statedTask = .classification
    statedActivation = Activation.none
    inputSource = "the exporter trains"
    statedInput = [
      StatedKey(key: "preset", value: InputPreset.ultralyticsClassify.rawValue),
      StatedKey(key: "width", value: "\(size.width)"),
      StatedKey(key: "height", value: "\(size.height)"),
      StatedKey(key: "shorter", value: "\(min(size.width, size.height))"),
    ]
  }

  private static func entry(
    _ bytes: [UInt8], _ range: Range<Int>
  ) throws(ONNXFault) -> (key: String, value: String)? {
    var reader = ProtobufReader(bytes, in: range)
    var (key, value): (String?, String?)
    while let field = try reader.next() {
      guard case .bytes(let inner) = field.value, inner.count <= valueLimit else { continue }
      let text = String(validating: bytes[inner], as: UTF8.self)
      if field.number == 1 { key = text }
      if field.number == 2 { value = text }
    }
    guard let key, let value else { return nil }
    return (key, value)
  }

  /// The names of a Python dictionary with the keys 0, 1, …: `{0: 'person', 1: "driver's cab"}`, or of a
  /// list: `['person', 'car']`; `nil` for any other text.
  static func names(_ text: String) -> [String]? {
    var scanner = PythonLiteral(text)
    guard let opening = scanner.next(), opening == "{" || opening == "[" else { return nil }
    let closing: Character = opening == "{" ? "}" : "]"
    var names: [String] = []
    while true {
      scanner.skipBlanks()
      if scanner.take(closing) { break }
      guard names.count < ModelManifest.classLimit else { return nil }
      if !names.isEmpty {
        guard scanner.take(",") else { return nil }
        scanner.skipBlanks()
        if scanner.take(closing) { break }
      }
      if opening == "{" {
        guard scanner.number() == names.count else { return nil }
        scanner.skipBlanks()
        guard scanner.take(":") else { return nil }
        scanner.skipBlanks()
      }
      guard let name = scanner.string(), !name.isEmpty else { return nil }
      names.append(name)
    }
    scanner.skipBlanks()
    return scanner.isAtEnd && !names.isEmpty && Set(names).count == names.count ? names : nil
  }
}

/// Reads Python's spelling of numbers and strings.
private struct PythonLiteral {
  private var rest: Substring

  init(_ text: String) { rest = text[...] }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func next() -> Character? {
    skipBlanks()
    return rest.popFirst()
  }

  mutating func skipBlanks() { rest = rest.drop(while: \.isWhitespace) }

  /// Takes a character if it is the next one.
  mutating func take(_ character: Character) -> Bool {
    guard rest.first == character else { return false }
    rest.removeFirst()
    return true
  }

  /// A number of at most nine digits, also between quotation marks, as JSON writes keys.
  mutating func number() -> Int? {
    let mark = rest.first.flatMap { $0 == "\"" || $0 == "'" ? $0 : nil }
    if mark != nil { rest.removeFirst() }
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    guard !digits.isEmpty, digits.count <= 9 else { return nil }
    rest.removeFirst(digits.count)
    if let mark, !take(mark) { return nil }
    return Int(digits)
  }

  /// A string between single or double quotation marks; `nil` for other text and for escapes of other
  /// characters than quotation marks and the backslash.
  mutating func string() -> String? {
    guard let mark = rest.first, mark == "'" || mark == "\"" else { return nil }
    rest.removeFirst()
    var text = ""
    while let character = rest.popFirst() {
      if character == mark { return text }
      guard character == "\\" else {
        text.append(character)
        continue
      }
      guard let escaped = rest.popFirst(), "'\"\\".contains(escaped) else { return nil }
      text.append(escaped)
    }
    return nil
  }
}
