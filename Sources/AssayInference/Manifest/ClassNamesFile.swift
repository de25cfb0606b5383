import AssayCore
import Foundation
import Yams

/// A file with the names of a model's classes, which `classes` or `outputs` of a manifest names.
///
/// It has one name per line, or is JSON (a list, a map from numbers to names, or Hugging Face's `config.json` with
/// `id2label`), or YAML with `names` as Ultralytics writes it.
enum ClassNamesFile {
  /// A manifest's text with the names in place of the file, so that it says everything itself.
  ///
  /// - Parameter path: the manifest's. The file must be in its folder or below, so that a manifest from elsewhere
  ///   cannot read other files.
  /// - Throws: ``InferenceError/manifest(path:line:_:)``.
  static func expanded(_ text: String, path: String) throws(InferenceError) -> String {
    // Other faults of the text are reported when it is read.
    guard (try? ManifestSection.checkShape(text)) != nil,
      case .mapping(let mapping)? = try? Yams.compose(yaml: text)
    else { return text }
    var text = text
    for key in ["outputs", "classes"] {
      guard case .scalar(let scalar)? = mapping[key], !scalar.string.isEmpty else { continue }
      let names: [String]
      do throws(ManifestFault) {
        names = try self.names(scalar.string, besideManifest: path)
      } catch {
        throw .manifest(path: path, line: scalar.mark?.line, error)
      }
      let block =
        ["\(key):  # from \(JSONValue.string(scalar.string).text())"]
        + names.map { "  - \(JSONValue.string($0).text())" }
      guard let replaced = ManifestText.replacing(key, in: text, with: block) else {
        throw .manifest(
          path: path, line: scalar.mark?.line,
          .classesFile(scalar.string, reason: "needs a line of its own in the manifest"))
      }
      text = replaced
    }
    return text
  }

  private static func names(
    _ name: String, besideManifest path: String
  ) throws(ManifestFault) -> [String] {
    let fault = { (reason: String) in ManifestFault.classesFile(name, reason: reason) }
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard !name.hasPrefix("/"), !parts.contains("..") else {
      throw fault("is not below the manifest's folder; copy it there and name it without “..”")
    }
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    let bytes: [UInt8]
    do throws(InferenceError) {
      bytes = try FileBytes.all(
        of: folder.appendingPathComponent(name).path, limit: ModelManifest.sizeLimit)
    } catch {
      throw fault("cannot be read (a list of names is written as [cat, dog]): \(error)")
    }
    guard let text = String(ofFile: bytes) else { throw fault("is not UTF-8") }
    let names: [String]?
    switch (name as NSString).pathExtension.lowercased() {
    case "json": names = (try? JSONValue(parsing: bytes, JSONReading())).flatMap(Self.names)
    case "yaml", "yml": names = Self.names(yaml: text)
    default: names = Self.lines(text)
    }
    guard let names, !names.isEmpty else {
      throw fault(
        "has no list of names: one per line; in JSON a list or a map {\"0\": \"cat\"}; in YAML “names”"
      )
    }
    if let place = names.firstIndex(where: \.isEmpty) {
      throw fault("has an empty name at place \(place + 1)")
    }
    var seen: Set<String> = []
    if let twice = names.first(where: { !seen.insert($0).inserted }) {
      throw fault("has the name “\(twice)” twice")
    }
    return names
  }

  private static func lines(_ text: String) -> [String] {
    var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .map { String($0.drop(while: \.isWhitespace)) }
      .map { line in String(line.reversed().drop(while: \.isWhitespace).reversed()) }
    while lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }

  private static func names(_ json: JSONValue) -> [String]? {
    if let elements = json.elements {
      let texts = elements.compactMap(\.text)
      return texts.count == elements.count ? texts : nil
    }
    guard let members = (json.member("id2label") ?? json.member("names") ?? json).members else {
      return nil
    }
    return ordered(
      members.map { member in
        // Keras writes [its id, its name].
        (member.name, member.value.text ?? member.value.elements?.last?.text)
      })
  }

  private static func names(yaml text: String) -> [String]? {
    guard (try? ManifestSection.checkShape(text)) != nil,
      case .mapping(let mapping)? = try? Yams.compose(yaml: text)
    else { return nil }
    switch mapping["names"] {
    case .sequence(let list):
      let texts = list.compactMap(\.scalar?.string)
      return texts.count == list.count ? texts : nil
    case .mapping(let names):
      return ordered(names.map { ($0.scalar?.string ?? "", $1.scalar?.string) })
    default: return nil
    }
  }

  /// The names of the numbers 0, 1, …; `nil` if one is missing.
  private static func ordered(_ pairs: [(key: String, name: String?)]) -> [String]? {
    var names = [String?](repeating: nil, count: pairs.count)
    for (key, name) in pairs {
      guard let index = Int(key), names.indices.contains(index) else { return nil }
      names[index] = name
    }
    let whole = names.compactMap(\.self)
    return whole.count == names.count ? whole : nil
  }
}
