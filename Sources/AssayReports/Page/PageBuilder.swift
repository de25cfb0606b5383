import AssayCore
import AssayImaging

/// The context in which sections draw while a page is made: it embeds images within the limit and keeps the
/// charts. A class because all sections share one budget.
final class PageBuilder {
  private(set) var charts: [any Chart] = []
  /// Bytes of pictures that may still come.
  private(set) var bytesLeft: Int
  private let workers: Int

  init(workers: Int, byteLimit: Int = PictureLimits.bytes) {
    self.workers = workers
    bytesLeft = byteLimit
  }

  /// The chart as HTML for wide and narrow pages; its PNG is made at the end.
  func html(of chart: some Chart) -> String {
    charts.append(chart)
    let wide = chart.figure(width: 720)
    let narrow = chart.figure(width: 328)
    return wide.svg(summary: chart.summary, style: wide.keepsSize ? "wide keeps" : "wide")
      + narrow.svg(summary: chart.summary, style: narrow.keepsSize ? "narrow keeps" : "narrow")
  }

  /// The chart as HTML in one size for every page, which its box scrolls; its PNG is made at the end.
  func html(of chart: some Chart, fitting: Bool) -> String {
    guard !fitting else { return html(of: chart) }
    charts.append(chart)
    return chart.figure(width: 720).svg(summary: chart.summary, style: "keeps")
  }

  /// The pictures as values of the `picture` template; `nil` from the first on that the limit leaves out.
  ///
  /// - Throws: ``ReportError/channels(_:)``, ``ReportError/drawing(_:)``.
  func pictures(_ requests: [PictureRequest]) throws(ReportError) -> [[String: Any]?] {
    // A small picture takes less time than handing it to a thread.
    let sources = try embedded(requests, step: 32, bytes: { $0.utf8.count }) {
      try Self.dataURI($0.raster)
    }
    return zip(requests, sources).map { request, source in
      source.map { request.values(source: $0) }
    }
  }

  /// Makes the items in parallel and returns those that fit into the limit of bytes; `nil` from the first one
  /// on that does not fit.
  ///
  /// - Parameters:
  ///   - step: items that one thread takes at a time, at least 1.
  ///   - bytes: the number of bytes of the page that a made item takes.
  ///   - make: makes one; a ``ReportError`` is rethrown as it is.
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

  private static func dataURI(_ raster: Raster<UInt8>) throws(ReportError) -> String {
    guard raster.channels == 1 || raster.channels == 3 else { throw .channels(raster.channels) }
    do {
      return "data:image/png;base64," + Base64.text(of: try ImageCodec.encodePNG(raster))
    } catch {
      throw .drawing("\(error)")
    }
  }
}
