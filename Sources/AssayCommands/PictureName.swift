import ArgumentParser
import Foundation

/// The file name of an image that a command writes: all are PNG.
enum PictureName {
  /// - Throws: `ValidationError` if the name has the extension of another format.
  static func check(_ path: String, option: String) throws {
    let ending = (path as NSString).pathExtension.lowercased()
    guard
      [
        "jpg", "jpeg", "gif", "bmp", "tif", "tiff", "webp", "svg", "pdf", "html", "txt", "csv",
        "json", "md", "db",
      ].contains(ending)
    else { return }
    let stem = (path as NSString).deletingPathExtension
    throw ValidationError("--\(option) writes a PNG; use the name \(stem).png")
  }
}
