import AssayCore
import AssayImaging

/// What sections draw with while a page is made: it hands out pictures within the limit and keeps the
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

  /// The pictures as values of the `picture` template; `nil` from the first on that the limit leaves out.
  ///
  /// - Throws: ``ReportError/channels(_:)``, ``ReportError/drawing(_:)``.
  func pictures(_ requests: [PictureRequest]) throws(ReportError) -> [[String: Any]?] {
    var sources = try encoded(requests.map(\.raster))[...]
    var values: [[String: Any]?] = []
    var isFull = false
    for request in requests {
      guard let source = sources.popFirst() else { break }
      isFull = isFull || source.utf8.count > bytesLeft
      guard !isFull else {
        values.append(nil)
        continue
      }
      bytesLeft -= source.utf8.count
      values.append(request.values(source: source))
    }
    return values
  }

  /// The PNG of each raster as a data URI, encoded side by side.
  private func encoded(_ rasters: [Raster<UInt8>]) throws(ReportError) -> [String] {
    var sources: [String] = []
    sources.reserveCapacity(rasters.count)
    // A small picture takes less time than handing it to a thread.
    let step = 32
    var start = 0
    do {
      try OrderedWorkers(workers: rasters.count > step ? workers : 1).run(
        next: { () -> ArraySlice<Raster<UInt8>>? in
          guard start < rasters.count else { return nil }
          defer { start += step }
          return rasters[start..<min(start + step, rasters.count)]
        },
        transform: { _, part in try part.map(Self.dataURI) },
        deliver: { sources += $0 })
    } catch let error as ReportError {
      throw error
    } catch {
      throw .drawing("\(error)")
    }
    return sources
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
