/// The names of class folders that are the same text in different Unicode normalizations, as “é” in one
/// character and as “e” with an accent. They are one class.
struct ClassSpellings {
  /// A folder whose class another one spells differently.
  struct Repeated {
    /// The folder with the later spelling.
    var folder: String
    /// One sentence without a period.
    var message: String
  }

  private(set) var repeated: [Repeated] = []

  /// - Parameter paths: the paths of the images.
  init(_ paths: [String], _ layout: FolderLayout) {
    guard layout.hasClasses else { return }
    var known: [String: [[UInt8]]] = [:]
    var last: Substring?
    for path in paths {
      let folder = path.folderPath
      // The bytes are compared: equal texts can have different bytes.
      if let last, last.utf8.elementsEqual(folder.utf8) { continue }
      last = folder
      guard folder.utf8.contains(where: { $0 >= 0x80 }),
        let name = layout.place(ofFolder: folder).category
      else { continue }
      let bytes = Array(name.utf8)
      guard let spellings = known[name] else {
        known[name] = [bytes]
        continue
      }
      guard !spellings.contains(bytes) else { continue }
      known[name] = spellings + [bytes]
      let first = String(decoding: spellings[0], as: UTF8.self)
      repeated.append(
        Repeated(
          folder: String(folder),
          message:
            "the folders “\(Self.escaped(first))” and “\(Self.escaped(name))” have one name in two "
            + "Unicode normalizations; their images have one class"))
    }
  }

  /// A name with its characters beyond ASCII as `\\u{e9}`.
  private static func escaped(_ name: String) -> String {
    name.unicodeScalars.map { $0.isASCII ? String($0) : "\\u{\(String($0.value, radix: 16))}" }
      .joined()
  }
}
