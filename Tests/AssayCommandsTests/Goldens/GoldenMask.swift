import AssayCore
import AssayImaging
import Foundation

/// The parts of the output that differ between machines, days and versions, and their placeholders
/// in the golden files.
///
/// Each mask replaces the smallest varying part, found by an exact pattern, with a placeholder: the
/// golden text still shows whether, how often and where it matched.
enum GoldenMask: String, CaseIterable {
  /// An ISO 8601 time of the catalog or the ledger.
  case time = "‹time›"
  /// The duration of an import.
  case seconds = "‹seconds›"
  /// The version of the program that made a run.
  case version = "‹version›"
  /// The folder with the data.
  case folder = "‹folder›"
  /// The style sheet of a page, which is the same in every page and has its own golden file.
  case style = "‹style.css›"
  /// The bytes of an embedded PNG: zlib produces different bytes on other machines, so its size and
  /// a hash of its pixels are compared.
  case picture = "‹PNG"
  /// The bytes of an embedded JPEG, of which only the size is compared.
  case photo = "‹JPEG"

  /// The text with all masks applied.
  ///
  /// - Parameters:
  ///   - folders: the folders to replace by ``folder``.
  ///   - style: receives the style sheet of a page.
  static func masked(
    _ text: String, folders: [String], style: (String) -> Void = { _ in }
  ) -> String {
    var text = text
    for folder in folders { text = text.replacing(folder + "/", with: Self.folder.rawValue + "/") }
    text = text.replacing(#/\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ/#, with: time.rawValue)
    text = text.replacing(#/, in \d+\.\d\d\d s\n/#, with: ", in \(seconds.rawValue) s\n")
    text = text.replacing(#/(\bassay(?:": "|<\/dt><dd>| ))\d+\.\d+\.\d+\b/#) {
      $0.output.1 + version.rawValue
    }
    text = text.replacing(#/(?s)<style>\n?(.*?)<\/style>/#) { match in
      style(String(match.output.1))
      return "<style>\(Self.style.rawValue)</style>"
    }
    text = text.replacing(#/data:image\/jpeg;base64,([A-Za-z0-9+\/=]+)/#) { match in
      guard let bytes = Data(base64Encoded: String(match.output.1)),
        let raster = try? ImageCodec.decode([UInt8](bytes), as: .native)
      else { return String(match.output.0) }
      return "\(photo.rawValue) \(raster.width) × \(raster.height) × \(raster.channels)›"
    }
    return text.replacing(#/data:image\/png;base64,([A-Za-z0-9+\/=]+)/#) { match in
      guard let bytes = Data(base64Encoded: String(match.output.1)),
        let raster = try? ImageCodec.decode([UInt8](bytes), as: .native)
      else { return String(match.output.0) }
      let hash = ContentHash.of(raster.elements).prefix(16)
      return "\(picture.rawValue) \(raster.width) × \(raster.height) × \(raster.channels) \(hash)›"
    }
  }
}
