import AssayCore
import AssayImaging

/// The context in which sections draw while a page is made: it embeds images within the limit and keeps the
/// charts. A class because all sections share one budget.
final class PageBuilder {
  private(set) var charts: [any Chart] = []
  /// The remaining budget for images, in bytes.
  private(set) var bytesLeft: Int
  private let workers: Int

  init(workers: Int, byteLimit: Int = PictureLimits.bytes) {
    self.workers = workers
    bytesLeft = byteLimit
  }

  /// Returns the chart as HTML for wide and narrow pages; its PNG is made at the end.
  func html(of chart: some Chart) -> String {
    charts.append(chart)
    let wide = chart.figure(width: 720)
    let narrow = chart.figure(width: 328)
    return wide.svg(summary: chart.summary, style: wide.keepsSize ? "wide keeps" : "wide")
      + narrow.svg(summary: chart.summary, style: narrow.keepsSize ? "narrow keeps" : "narrow")
  }

  /// Returns the chart as HTML; unless `fitting`, in one size for every page, in a box that
  /// scrolls. Its PNG is made at the end.
  func html(of chart: some Chart, fitting: Bool) -> String {
    guard !fitting else { return html(of: chart) }
    charts.append(chart)
    return chart.figure(width: 720).svg(summary: chart.summary, style: "keeps")
  }

  /// Returns the images as values of the `picture` template; `nil` for the first one beyond the
  /// limit and all after it.
  ///
  /// - Throws: ``ReportError/channels(_:)``, ``ReportError/drawing(_:)``.
  func pictures(_ requests: [PictureRequest]) throws(ReportError) -> [[String: Any]?] {
    // Encoding a small image takes less time than handing it to a thread.
    let sources = try embedded(requests, step: 32, bytes: { $0.utf8.count }) {
      try Self.dataURI($0.raster, isPhoto: $0.isPhoto)
    }
    return zip(requests, sources).map { request, source in
      source.map { request.values(source: $0) }
    }
  }

  /// Makes the items in parallel and returns those that fit into the byte limit; `nil` for the
  /// first one that does not fit and all after it.
  ///
  /// - Parameters:
  ///   - step: the number of items that one thread takes at a time, at least 1.
  ///   - bytes: returns the number of bytes that a finished item takes on the page.
  ///   - make: makes one item; a ``ReportError`` is rethrown unchanged.
  /// - Throws: ``ReportError``.
  func embedded<Item: Sendable, Made: Sendable>(
    _ items: [Item], step: Int, bytes: (Made) -> Int,
    make: @escaping @Sendable (Item) throws -> Made
  ) throws(ReportError) -> [Made?] {
    var made: [Made?] = []
    made.reserveCapacity(items.count)
    var isFull = false
    var start = 0
    do {
      try OrderedWorkers(workers: items.count > step ? workers : 1).run(
        next: { () -> ArraySlice<Item>? in
          guard start < items.count, !isFull else { return nil }
          defer { start += step }
          return items[start..<min(start + step, items.count)]
        },
        transform: { _, part in try part.map(make) },
        deliver: { part in
          for item in part {
            let size = bytes(item)
            isFull = isFull || size > bytesLeft
            if !isFull { bytesLeft -= size }
            made.append(isFull ? nil : item)
          }
        })
    } catch let error as ReportError {
      throw error
    } catch {
      throw .drawing("\(error)")
    }
    return made + Array(repeating: nil, count: items.count - made.count)
  }

  private static func dataURI(
    _ raster: Raster<UInt8>, isPhoto: Bool
  ) throws(ReportError) -> String {
    guard raster.channels == 1 || raster.channels == 3 else { throw .channels(raster.channels) }
    do {
      if isPhoto {
        let jpeg = try ImageCodec.encodeJPEG(raster, quality: 90)
        return "data:image/jpeg;base64," + Base64.text(of: jpeg)
      }
      return "data:image/png;base64," + Base64.text(of: try ImageCodec.encodePNG(raster))
    } catch {
      throw .drawing("\(error)")
    }
  }
}

extension PageBuilder {
  /// Returns mistakes as values of the `object` template; `nil` for the first one beyond the limit
  /// and all after it.
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
  /// The text for screen readers.
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

/// A crop of a photo with its objects as one SVG element.
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

  /// Returns the displayed size: small crops are enlarged by an integer factor, large ones fitted
  /// into the available room, so that the text on them keeps its size.
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
      // The pixels of small crops are visible, and so would be JPEG artifacts.
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

extension PageBuilder {
  /// Returns the images as values of the `sample` template; `nil` for the first one beyond the
  /// limit and all after it.
  ///
  /// - Throws: ``ReportError/channels(_:)``, ``ReportError/drawing(_:)``.
  func samples(
    _ pictures: [EvaluatedImage], of report: SegmentationReport
  ) throws(ReportError) -> [[String: Any]?] {
    let hasBackground = report.scores.labels.hasBackground
    let made = try embedded(pictures, step: 1, bytes: \SamplePanels.bytes) { picture in
      try SamplePanels(picture, hasBackground: hasBackground)
    }
    return zip(pictures, made).map { picture, panels in
      panels.map { values(of: picture, $0.panels, report) }
    }
  }

  private func values(
    of picture: EvaluatedImage, _ panels: [SamplePanels.Panel], _ report: SegmentationReport
  ) -> [String: Any] {
    let row = picture.row
    var spoken = "sample \(row.key): \(report.sampleIoU) \(NumberText.fixed(row.scores.iou))"
    spoken += ", \(report.sampleDice) \(NumberText.fixed(row.scores.dice))"
    return [
      "key": row.key, "iouName": report.sampleIoU, "diceName": report.sampleDice,
      "iou": NumberText.fixed(row.scores.iou), "dice": NumberText.fixed(row.scores.dice),
      "triple": panels.count > 1,
      "panels": panels.map { panel -> [String: Any] in
        [
          "svg": panel.svg(spoken: panel.name.isEmpty ? spoken : "\(panel.name) of \(spoken)"),
          "name": panel.name.templateValue,
        ]
      },
    ]
  }
}
