import AssayCore
import AssayFormats
import AssayMetrics
import Dispatch
import Foundation
import Synchronization

/// The two files of an evaluation, read at the same time.
struct FileDetectionInputs: Sendable {
  var truth: COCOTruth
  var results: COCOResults
  var overlap: OverlapKind
  /// The files, and their names for messages.
  let truthTree: DirectoryTree
  let resultTree: DirectoryTree
  var truthName: String { truthTree.name }
  var resultName: String { resultTree.name }

  /// - Parameter asked: the kind of overlap; `nil` for keypoints if both files have them, for
  ///   regions if the first result has a region and no box, otherwise boxes.
  /// - Throws: ``FileDetectionError``, `COCOFileError`, `FormatError`, ``SourceError``, ``Interrupted``.
  init(
    truth truthPath: String, results resultPath: String, overlap asked: OverlapKind?,
    progress: any ProgressSink
  ) throws {
    let truthTree = try DirectoryTree(truthPath)
    let resultTree = try DirectoryTree(resultPath)
    (self.truthTree, self.resultTree) = (truthTree, resultTree)
    let workers = ProcessInfo.processInfo.activeProcessorCount
    let resultReader = try COCOResultsReader(resultTree, workers: workers)
    // Errors at the beginning of the file are reported when the whole file is read.
    let first = try? resultReader.firstShape()
    let isOfRegions = first.map { $0.hasRegion && !$0.hasBox } ?? false
    overlap = asked ?? (isOfRegions ? .mask : .box)
    let isMask = overlap == .mask
    let truthReading = Reading {
      try COCOTruthReader(truthTree, workers: workers).read(regions: isMask)
    }
    let found = Result {
      try resultReader.read(
        regions: isMask || isOfRegions, byImage: false
      ) { share in
        try Interruption.check("nothing was stored")
        progress.report(share * 0.6, "reading \(resultTree.name)")
      }
    }
    do {
      truth = try truthReading.result()
    } catch COCOFileError.listForTruth(let file) {
      if case .failure(COCOFileError.truthForResults(let other)) = found {
        throw FileDetectionError.swapped(truth: file, results: other)
      }
      throw COCOFileError.listForTruth(file)
    }
    results = try found.get()
    if asked == nil, results.first.hasKeypoints {
      guard truth.hasKeypoints || truth.count == 0 else {
        throw FileDetectionError.noTrueKeypoints(
          file: truthTree.name, hasBoxes: results.first.hasBox)
      }
      overlap = .keypoints
    }
    try readAgain(workers)
  }

  /// Reads the regions as well if missing boxes or areas must be computed from them.
  private mutating func readAgain(_ workers: Int) throws {
    guard overlap != .mask else { return }
    let lacksShape = truth.flags.contains {
      $0.contains(.region) && !$0.isDisjoint(with: [.noArea, .noBox])
    }
    if lacksShape {
      truth = try COCOTruthReader(truthTree, workers: workers).read(regions: true)
    }
    if !results.hasRegions, results.flags.contains(where: { $0.contains([.region, .noBox]) }) {
      results = try COCOResultsReader(resultTree, workers: workers)
        .read(byImage: false)
    }
  }
}

/// Work on another thread; the caller waits for its result.
private final class Reading<Output: Sendable>: Sendable {
  private let done = DispatchGroup()
  private let outcome = Mutex<Result<Output, any Error>?>(nil)

  init(_ work: @escaping @Sendable () throws -> Output) {
    DispatchQueue(label: "assay.reading", qos: .userInitiated).async(group: done) { [self] in
      let result = Result { try work() }
      outcome.withLock { $0 = result }
    }
  }

  deinit { done.wait() }

  func result() throws -> Output {
    done.wait()
    guard let result = outcome.withLock({ $0 }) else { throw Interrupted(kept: "") }
    return try result.get()
  }
}
