import AssayCore

/// Captions: texts about a whole image. Each is a label of the image of the class `caption` with the text
/// as the attribute `caption`, as COCO's and Datumaro's captions are.
enum Captions {
  /// The names of fields with a caption, or with a list of them.
  static let fields = ["text", "caption", "captions", "description", "sentences"]

  /// The texts of a value: a text that is not blank, or a list of them; `nil` for another value.
  static func texts(_ value: JSONValue) -> [String]? {
    switch value {
    case .null: return []
    case .string(let text): return text.allSatisfy(\.isWhitespace) ? [] : [text]
    case .array(let elements):
      var texts: [String] = []
      for element in elements {
        guard case .string(let text) = element else { return nil }
        if !text.allSatisfy(\.isWhitespace) { texts.append(text) }
      }
      return texts
    default: return nil
    }
  }

  /// A caption as a region.
  static func region(_ text: String, at location: IssueLocation) -> LabeledRegion {
    var region = LabeledRegion(
      category: DatumaroClasses.caption, shape: .tag, at: location, title: "the caption")
    region.attributes = [.init("caption", .string(text))]
    return region
  }
}
