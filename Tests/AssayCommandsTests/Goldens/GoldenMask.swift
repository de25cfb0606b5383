import AssayCore
import AssayImaging
import Foundation

/// All that differs between machines, days and versions, and what stands for it in the golden files.
///
/// Each mask replaces the least that varies, by an exact pattern, with a word in its place: that it matched, how
/// often and where is part of the golden text.
enum GoldenMask: String, CaseIterable {
  /// An ISO 8601 time of the catalog or the ledger.
  case time = "‹time›"
  /// How long an import took.
  case seconds = "‹seconds›"
  /// The version of the program that made a run.
  case version = "‹version›"
  /// The folder that holds the data.
  case folder = "‹folder›"
  /// The style sheet of a page; the same in every page, and a golden file of its own.
  case style = "‹style.css›"
  /// The bytes of an embedded PNG: zlib makes other bytes on other machines, so its size and a hash of its
  /// pixels are compared.
  case picture = "‹PNG"

  /// The text with all masks in their places.
  ///
  /// - Parameters:
  ///   - folders: the folders that stand for ``folder``.
  ///   - style: gets the style sheet of a page.
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
    return text.replacing(#/data:image\/png;base64,([A-Za-z0-9+\/=]+)/#) { match in
      guard let bytes = Data(base64Encoded: String(match.output.1)),
        let raster = try? ImageCodec.decode([UInt8](bytes), as: .native)
      else { return String(match.output.0) }
      let hash = ContentHash.of(raster.elements).prefix(16)
      return "\(picture.rawValue) \(raster.width) × \(raster.height) × \(raster.channels) \(hash)›"
    }
  }
}
