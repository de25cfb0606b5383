/// Recognizes XML files of annotations.
enum XMLCompanion {
  static func kind(_ text: String) -> CompanionKind? {
    func has(_ part: String) -> Bool { text.contains(part) }
    if has("<annotations"), has("<image ") || has("<track ") || has("<meta>") {
      return CompanionKind(name: "CVAT annotations (XML)")
    }
    if has("<annotation") {
      if has("<polygon"), has("<pt>") { return CompanionKind(name: "LabelMe annotations (XML)") }
      if has("<bndbox") || has("<object") || has("<filename") { return .voc }
    }
    if has("<dataset"), has("<images") { return CompanionKind(name: "dlib annotations (XML)") }
    return has("<html") || has("<!DOCTYPE html") || has("<svg")
      ? nil : CompanionKind(name: "XML files", isAnnotation: false)
  }
}
