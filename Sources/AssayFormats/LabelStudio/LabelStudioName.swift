import AssayCore
import Glibc

/// The image of a Label Studio task.
enum LabelStudioName {
  private static let keys = [
    "image", "img", "image_url", "imageUrl", "image_path", "picture", "photo", "url", "ocr",
    "captioning", "file_name", "filename",
  ]

  /// The member of a task's data that names the image: one of the usual keys, else the only text
  /// that ends like an image file. `nil` if there is none.
  static func text(in data: JSONValue) -> String? {
    key(in: data).flatMap { data.member($0)?.text }
  }

  /// The name of that member.
  static func key(in data: JSONValue) -> String? {
    for key in keys {
      if case .string(let text)? = data.member(key), !text.isEmpty { return key }
    }
    let members = (data.members ?? []).filter { member in
      member.value.text.map { PairPath.isImageName(path(of: $0).first ?? "") } ?? false
    }
    return members.count == 1 ? members[0].name : nil
  }

  /// The names under which the image can be found, most exact first.
  ///
  /// `/data/upload/1/0a1b2c3d-name.jpg` is that name, then `name.jpg`;
  /// `/data/local-files/?d=dir/name.jpg` is `dir/name.jpg`; of `s3://bucket/dir/name.jpg` and other
  /// addresses, the path is taken.
  static func path(of text: String) -> [String] {
    var path = text
    if let query = range(of: "local-files/?d=", in: path) {
      path = decoded(String(path[query...]))
    } else if let scheme = range(of: "://", in: path) {
      // The first part is the host or the bucket.
      let rest = path[scheme...].prefix { $0 != "?" && $0 != "#" }
      let parts = rest.split(separator: "/").dropFirst()
      path = parts.map { decoded(String($0)) }.joined(separator: "/")
    } else if path.hasPrefix("/data/") {
      path = decoded(String(path.dropFirst("/data/".count)))
    }
    while path.hasPrefix("/") { path.removeFirst() }
    guard !path.isEmpty else { return [] }
    let last = JSONImageFinder.last(path)
    var names = [path]
    if path.hasPrefix("upload/") || text.contains("/upload/") {
      names = [last, path]
      if let plain = withoutPrefix(last) { names.append(plain) }
    }
    return names
  }

  /// The name that a file had before its upload: without 8 hexadecimal digits and a hyphen.
  static func withoutPrefix(_ name: String) -> String? {
    let bytes = Array(name.utf8)
    guard bytes.count > 9, bytes[8] == UInt8(ascii: "-"),
      bytes[..<8].allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit })
    else { return nil }
    return String(decoding: bytes[9...], as: UTF8.self)
  }

  private static func range(of part: String, in text: String) -> String.Index? {
    let (bytes, wanted) = (Array(text.utf8.prefix(4096)), Array(part.utf8))
    guard bytes.count >= wanted.count else { return nil }
    for start in 0...(bytes.count - wanted.count)
    where bytes[start..<start + wanted.count].elementsEqual(wanted) {
      return text.utf8.index(text.startIndex, offsetBy: start + wanted.count)
    }
    return nil
  }

  /// A text with `%20` and the like replaced.
  static func decoded(_ text: String) -> String {
    var out: [UInt8] = []
    let bytes = Array(text.utf8)
    var place = 0
    while place < bytes.count {
      if bytes[place] == UInt8(ascii: "%"), place + 2 < bytes.count,
        let value = UInt8(String(decoding: bytes[place + 1...place + 2], as: UTF8.self), radix: 16)
      {
        out.append(value)
        place += 3
      } else {
        out.append(bytes[place])
        place += 1
      }
    }
    return String(validating: out, as: UTF8.self) ?? text
  }
}
