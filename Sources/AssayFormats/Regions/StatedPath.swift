/// A path of an image that an annotation file states, made safe to look for below a folder.
struct StatedPath: Hashable {
  /// Relative, with `/`, without `.` and `..`.
  var path: String
  /// True if the text is absolute, has a drive, or has a part `..`: only its last part is used.
  var isOutside: Bool

  /// `nil` if the text names no file.
  init?(_ text: String) {
    let path = text.replacing("\\", with: "/")
    let parts = path.split(separator: "/").filter { $0 != "." }.map(String.init)
    guard let last = parts.last, last != ".." else { return nil }
    let hasDrive = path.utf8.dropFirst().first == UInt8(ascii: ":")
    isOutside = path.hasPrefix("/") || hasDrive || parts.contains("..")
    self.path = isOutside ? last : parts.joined(separator: "/")
  }
}
