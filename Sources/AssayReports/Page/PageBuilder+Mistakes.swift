import AssayCore
import AssayImaging

extension PageBuilder {
  /// Mistakes as values of the `object` template; `nil` from the first on that the limit leaves out.
  ///
  /// - Throws: ``ReportError/channels(_:)``, ``ReportError/drawing(_:)``.
  func mistakes(_ mistakes: [DetectionMistake]) throws(ReportError) -> [[String: Any]?] {
    let made = try embedded(mistakes, step: 1, bytes: { $0.utf8.count }) { mistake in
      try CutoutPicture.svg(of: mistake.picture, spoken: mistake.spoken)
    }
    return zip(mistakes, made).map { mistake, svg in
      svg.map { svg in
        [
          "svg": svg, "truth": (mistake.truth ?? "").templateValue,
          "prediction": (mistake.prediction ?? "").templateValue,
          "isPair": mistake.truth != nil && mistake.prediction != nil,
          "score": mistake.score.map { NumberText.fixed($0, 2) }.templateValue,
          "iou": mistake.iou.map { "IoU " + NumberText.fixed($0, 2) }.templateValue,
          "key": mistake.key, "file": mistake.key.split(separator: "/").last.map(String.init) ?? "",
        ]
      }
    }
  }
}

extension String? {
  fileprivate var templateValue: Any { (self ?? "").templateValue }
}

extension DetectionMistake {
  /// What a screen reader says.
  fileprivate var spoken: String {
    var text = "sample \(key): "
    if let truth { text += truth }
    if let prediction {
      text += truth == nil ? "nothing, detected as \(prediction)" : ", detected as \(prediction)"
    } else {
      text += ", not found"
    }
    if let score { text += " with \(NumberText.fixed(score, 2))" }
    return text
  }
}

/// A piece of a photo with its objects as one SVG element.
enum CutoutPicture {
  /// - Throws: ``ReportError``.
  static func svg(of cutout: ObjectCutout, spoken: String) throws(ReportError) -> String {
    let raster = cutout.raster
    guard raster.channels == 1 || raster.channels == 3 else { throw .channels(raster.channels) }
    let size = shown(raster.width, raster.height)
    let isEnlarged = size.width > raster.width
    let (width, height) = (size.width, size.height)
    return "<svg class=\"photo\(isEnlarged ? " pixels" : "")\" viewBox=\"0 0 \(width) \(height)\""
      + " width=\"\(width)\" height=\"\(height)\" role=\"img\""
      + " aria-label=\"\(spoken.markupEscaped)\"><image href=\"\(try source(raster))\""
      + " width=\"\(width)\" height=\"\(height)\"/>"
      + cutout.overlay.svg(width: Double(width), height: Double(height)) + "</svg>"
  }

  /// Small pieces enlarged by a whole number, large ones fitted into the room: so words on them keep
  /// their size.
  private static func shown(_ width: Int, _ height: Int) -> ImageSize {
    let size = ImageSize(width: max(width, 1), height: max(height, 1))
    let room = ObjectCutout.room
    let factor = min(room.width / size.width, room.height / size.height)
    guard factor > 0 else {
      return Resize.fitting(size, into: ImageSize(width: room.width, height: room.height))
    }
    return ImageSize(width: size.width * factor, height: size.height * factor)
  }

  private static func source(_ raster: Raster<UInt8>) throws(ReportError) -> String {
    do {
      // Small pieces are shown pixel by pixel: artefacts of JPEG would be, too.
      guard max(raster.width, raster.height) > 96 else {
        return "data:image/png;base64," + Base64.text(of: try ImageCodec.encodePNG(raster))
      }
      let jpeg = try ImageCodec.encodeJPEG(raster, quality: 84)
      return "data:image/jpeg;base64," + Base64.text(of: jpeg)
    } catch {
      throw .drawing("\(error)")
    }
  }
}
