import Foundation

/// Times single operations on masks to compare with the peers (../README.md): `MaskBench WORK FILE
/// [--workers N]`. Each prints its measurements; `check` is a number that must agree with the
/// peers'.
let works: [(name: String, run: (_ path: String, _ workers: Int) throws -> Void)] = [
  ("rle-decode", { print(try RunLengthWorks.decode($0, workers: $1)) }),
  ("rle-encode", { print(try RunLengthWorks.encode($0, workers: $1)) }),
  ("iou", { print(try RunLengthWorks.overlaps($0, workers: $1)) }),
  ("bands", { print(try RunLengthWorks.bands($0, workers: $1)) }),
  ("components", { print(try RunLengthWorks.components($0, workers: $1)) }),
  ("polygons", { print(try PolygonWorks.fill($0, workers: $1)) }),
  (
    "confusion",
    { print(try SegmentationWorks.count($0, workers: $1, isBinary: false, inMemory: true)) }
  ),
  (
    "confusion-png",
    { print(try SegmentationWorks.count($0, workers: $1, isBinary: false, inMemory: false)) }
  ),
  (
    "binary",
    { print(try SegmentationWorks.count($0, workers: $1, isBinary: true, inMemory: true)) }
  ),
  (
    "boundaries",
    {
      print(
        try SegmentationWorks.count(
          $0, workers: $1, isBinary: true, inMemory: true, boundary: true))
    }
  ),
]

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count == 2 || (arguments.count == 4 && arguments[2] == "--workers"),
  let work = works.first(where: { $0.name == arguments[0] }),
  let workers = arguments.count == 2 ? 2 : Int(arguments[3]), workers > 0
else {
  let names = works.map(\.name).joined(separator: "|")
  FileHandle.standardError.write(Data("usage: MaskBench \(names) FILE [--workers N]\n".utf8))
  exit(64)
}
try work.run(arguments[1], workers)
