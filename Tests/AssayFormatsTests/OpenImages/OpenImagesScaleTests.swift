import AssayCore
import AssayFormats
import AssayTestSupport
import Foundation
import Testing

@Suite("Open Images at scale")
struct OpenImagesScaleTests {
  /// A table on disk beside images that all have the same bytes.
  private struct ManyImages: SourceTree {
    let name = "many"
    let isSingleFile = false
    let list: [SourceFile]
    let table: FileHandle
    let tablePath: String
    let image: [UInt8]

    func files() throws -> [SourceFile] { list }

    func read(
      _ path: String, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws -> Int {
      if path == tablePath {
        return pread(table.fileDescriptor, buffer.baseAddress, buffer.count, off_t(offset))
      }
      let count = max(0, min(buffer.count, image.count - offset))
      if count > 0 { buffer.copyBytes(from: image[offset..<offset + count]) }
      return count
    }
  }

  @Test(
    "2 million rows of 250,000 images are imported in bounded memory",
    .enabled(if: LongTests.areOn))
  func manyRows() throws {
    let folder = try TemporaryFolder()
    let path = folder.url.appending(path: "boxes.csv").path
    let images = 250_000
    FileManager.default.createFile(atPath: path, contents: nil)
    let file = try #require(FileHandle(forUpdatingAtPath: path))
    var text = "ImageID,Source,LabelName,Confidence,XMin,XMax,YMin,YMax,IsOccluded,IsTruncated,"
    text += "IsGroupOf,IsDepiction,IsInside\n"
    let ids = (0..<images).map { id in
      let digits = String(id, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }
    for (number, id) in ids.enumerated() {
      for box in 0..<8 {
        text +=
          "\(id),xclick,/m/0\(number % 600),1,0.1\(box),0.9\(box),0.2\(box),0.8\(box),0,0,0,0,0\n"
      }
      if text.utf8.count > 1 << 20 {
        try file.write(contentsOf: Data(text.utf8))
        text = ""
      }
    }
    try file.write(contentsOf: Data(text.utf8))
    var list = [SourceFile(path: "boxes.csv", size: 1 << 27, modified: 0)]
    list += ids.map { SourceFile(path: "train/\($0).jpg", size: 100, modified: 0) }
    let tree = ManyImages(
      list: list, table: file, tablePath: "boxes.csv",
      image: try FileTree(fixture: "openimages/v5").readAll("images/train/a.png", limit: 1 << 20))
    text = ""
    let before = Self.memory("VmRSS:")
    let start = ContinuousClock.now
    var objects = 0
    let run = try OpenImagesImporter().run(tree, ImportOptions()) {
      objects += $0.annotations.count
    }
    let seconds = (ContinuousClock.now - start).components.seconds
    #expect(objects == 8 * images && run.outcome.accepted == images)
    let grown = Self.memory("VmHWM:") - before
    print(
      "open images: 2,000,000 rows, \(images) images: \(seconds) s, \(grown >> 10) MiB more at the peak"
    )
    #expect(grown < 500 << 10)
  }

  /// The resident memory or its peak, in KiB.
  private static func memory(_ name: String) -> Int {
    let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix(name) } ?? ""
    return Int(line.filter(\.isNumber)) ?? 0
  }
}
