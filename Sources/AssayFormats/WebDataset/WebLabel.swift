import AssayCore

/// The class that the members of a sample state.
struct WebLabel: Sendable {
  /// The class: a name or a number; `nil` if none is stated.
  var text: String?
  /// The problem with the members, and the path of the member.
  var problem: (kind: IssueKind, path: String, message: String)?
  /// The names of fields that are not read.
  var unread: [String] = []
  /// The labels and objects that the fields state, and the path of the member; `nil` if there are none.
  var objects: (content: WebObjects, path: String)?
  /// The further fields of the image, as one canonical JSON object; `nil` if there are none.
  private(set) var imageAttributes: String?
  /// The captions, each once, and the paths of the members.
  private(set) var captions: [(text: String, path: String)] = []

  /// The fields that state a class, the first one counts.
  private static let classFields = [
    "cls", "class", "label", "class_name", "label_name", "category", "target", "class_id",
    "label_id",
  ]
  /// Fields about the image file, which have no meaning for an evaluation.
  private static let fileFields: Set<String> = [
    "__key__", "__url__", "key", "url", "width", "height", "original_width", "original_height",
    "exif", "sha256", "md5", "status", "error_message", "filename", "file_name", "fname", "uid",
  ]
  /// The member with further fields of the image, an object.
  static let imageFields = "fields"

  /// True if the members state a class, or labels and objects in WebDataset's form.
  var isStated: Bool { text != nil || objects != nil }

  private static let labelLimit = 4_096
  private static let captionLimit = 1 << 20
  private static let fieldLimit = 1 << 24

  init(_ sample: WebSample, _ files: [SourceFile], in tree: any SourceTree) {
    if let label = sample.label { readLabel(files[label].path, in: tree) }
    if let fields = sample.fields { readFields(files[fields].path, in: tree) }
    if let caption = sample.caption { readCaption(files[caption].path, in: tree) }
  }

  private mutating func readCaption(_ path: String, in tree: any SourceTree) {
    guard let text = text(path, limit: Self.captionLimit, in: tree) else { return }
    add(captions: [text], path)
  }

  /// Adds captions; img2dataset writes each into the text and into the JSON.
  private mutating func add(captions texts: [String], _ path: String) {
    for text in texts.map(Self.trimmed) where !text.isEmpty {
      if !captions.contains(where: { $0.text == text }) { captions.append((text, path)) }
    }
  }

  private mutating func readLabel(_ path: String, in tree: any SourceTree) {
    guard let text = text(path, limit: Self.labelLimit, in: tree) else { return }
    self.text = Self.trimmed(text)
    if self.text == "" { problem = (.missingLabel, path, "it is empty") }
  }

  private mutating func readFields(_ path: String, in tree: any SourceTree) {
    guard let text = text(path, limit: Self.fieldLimit, in: tree) else { return }
    do {
      let value = try JSONValue(parsing: text)
      if let own = Self.name(value) {
        // A JSON that is only a label.
        self.text = self.text ?? own
        return
      }
      guard case .object(let members) = value else {
        problem = (.badField, path, "its JSON is neither an object nor a label")
        return
      }
      let found = Self.classFields.first { field in
        members.contains { $0.name == field && Self.name($0.value) != nil }
      }
      if self.text == nil, let found { self.text = value[found].flatMap(Self.name) }
      let content = WebObjects(value)
      if !content.fields.isEmpty { objects = (content, path) }
      var read = content.fields
      for field in Captions.fields where field != found {
        guard let texts = value[field].flatMap(Captions.texts) else { continue }
        add(captions: texts, path)
        read.insert(field)
      }
      if case .object(let further)? = value[Self.imageFields], found != Self.imageFields {
        imageAttributes = PackedImage.text(of: further)
        read.insert(Self.imageFields)
      }
      unread = members.map(\.name).filter {
        $0 != found && !Self.fileFields.contains($0) && !read.contains($0)
      }
    } catch {
      problem = (.badField, path, "broken JSON: \(error)")
    }
  }

  private mutating func text(_ path: String, limit: Int, in tree: any SourceTree) -> String? {
    do {
      let bytes = try tree.readAll(path, limit: limit)
      if let text = String(validating: bytes, as: UTF8.self) { return text }
      problem = (.badUTF8, path, "it is not UTF-8 text")
    } catch {
      problem = (.badField, path, "\(error)")
    }
    return nil
  }

  /// A text without blanks, NUL and byte order marks at its ends.
  static func trimmed(_ text: String) -> String {
    let blanks: Set<Character> = [" ", "\t", "\n", "\r", "\r\n", "\u{FEFF}", "\u{0}"]
    let start = text.drop { blanks.contains($0) }
    return String(start.reversed().drop { blanks.contains($0) }.reversed())
  }

  private static func name(_ value: JSONValue) -> String? {
    switch value {
    case .string(let text): trimmed(text)
    case .integer(let number): String(number)
    default: nil
    }
  }
}
