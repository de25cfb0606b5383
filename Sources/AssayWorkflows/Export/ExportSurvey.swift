import AssayCore
package import AssayFormats
import AssayStore

/// The content that an export will write, and the content that its format cannot hold, counted before anything is written.
package struct ExportSurvey: Sendable {
  /// The numbers of images, of labels of whole images, and of objects.
  package struct Counts: Hashable, Sendable {
    package var images = 0
    package var labels = 0
    package var objects = 0

    /// Labels and objects together.
    package var annotations: Int { labels + objects }
  }

  /// The content of the source, after the changes of classes.
  package private(set) var source = Counts()
  /// The content that will be written.
  package private(set) var expected = Counts()
  package private(set) var losses = ExportLosses()
  /// The requested changes of shapes.
  package private(set) var shapes = ShapeCounts()
  /// The hashes of the canonical form of all images, of the source and as the format holds them.
  private(set) var sourceHashes: [CanonicalImage.Digest] = []
  private(set) var expectedHashes: [CanonicalImage.Digest] = []
  /// Notes about the form of the files, one clause each.
  package let notes: [String]
  /// The content that the format cannot hold, one clause for each kind.
  package var announcements: [String] {
    losses.list.map { kind, count in
      let names =
        kind == .attributes
        ? losses.attributes.sorted { ($1.value, $0.key) < ($0.value, $1.key) } : []
      let listed = names.prefix(8).map { "\($0.key): \($0.value)" }.joined(separator: ", ")
      return kind.text(count)
        + (listed.isEmpty ? "" : " (\(listed)\(names.count > 8 ? ", …" : ""))")
    }
  }

  /// The number of annotations of the images by people beside those whose annotations are the
  /// labels.
  private static func otherAnnotations(_ plan: ExportPlan, _ catalog: Catalog) throws -> Int {
    guard try !catalog.annotators(of: plan.scope.dataset.id).isEmpty else { return 0 }
    var count = 0
    let ids = plan.samples.map(\.id).sorted()
    for start in stride(from: 0, to: ids.count, by: ExportPlan.chunk) {
      let part = Array(ids[start..<min(start + ExportPlan.chunk, ids.count)])
      try catalog.forEachOtherAnnotations(of: part) { _, annotations in
        count += annotations.values.reduce(0) { $0 + $1.count }
      }
    }
    return count
  }

  /// For each class, whether something that is written has it.
  private(set) var isUsed: [Bool]

  /// Reads all annotations once, and sets `plan.firstObjects`.
  ///
  /// - Throws: `StoreError`, `MaskError`, ``Interrupted``.
  init(
    _ plan: inout ExportPlan, _ catalog: Catalog, checksFiles: Bool, workers: Int,
    _ progress: any ProgressSink
  ) throws {
    struct Part: Sendable {
      var source = Counts()
      var expected = Counts()
      var losses = ExportLosses()
      var shapes = ShapeCounts()
      var objects: [Int32] = []
      var hashes: [(CanonicalImage.Digest, CanonicalImage.Digest?)] = []
      var used: Set<Int> = []
      var hasFiles: [Bool] = []
    }
    let reading = plan
    notes = plan.exporter.notes
    let names = reading.mapping.classes.map(\.name)
    let writtenNames = reading.dataset.classes.map(\.name)
    isUsed = Array(repeating: false, count: writtenNames.count)
    var start = 0
    var objects: [Int32] = []
    var hasFiles: [Bool] = []
    try OrderedWorkers(workers: workers).run(
      next: { () -> Range<Int>? in
        try Interruption.check("nothing was written")
        guard start < reading.samples.count else { return nil }
        defer { start += ExportPlan.chunk }
        return start..<min(start + ExportPlan.chunk, reading.samples.count)
      },
      transform: { _, range -> Part in
        var part = Part()
        let images = try reading.images(
          range, catalog, checksFiles: checksFiles, counts: { part.shapes.add($0) })
        for image in images {
          part.hasFiles.append(image.hasFile)
          if !image.hasFile, !reading.exporter.capabilities.needsFiles {
            part.losses.note(.missingFiles)
          }
          let sample = reading.samples[image.number]
          part.source.add(image)
          let name = sample.location?.split(separator: "/").last.map(String.init)
          let hash = CanonicalImage.hash(
            image, name: name ?? String(image.name), split: sample.split, classes: names)
          if reading.exporter.capabilities.usesDisplayedSize, let size = sample.size,
            let shown = image.size, size != shown,
            image.objects.contains(where: { $0.shape != .tag })
          {
            // Coordinates of one frame mean nothing in the other.
            part.losses.note(.frames)
            part.objects.append(-1)
            part.hashes.append((hash, nil))
            continue
          }
          guard let fitted = reading.fitting.fit(image, &part.losses) else {
            part.objects.append(-1)
            part.hashes.append((hash, nil))
            continue
          }
          part.expected.add(fitted)
          part.objects.append(Int32(clamping: fitted.objects.count))
          part.used.formUnion(fitted.labels + fitted.objects.map(\.category))
          let split = reading.dataset.splits[fitted.split].name
          if split != sample.split { part.losses.note(.splits) }
          part.hashes.append(
            (
              hash,
              CanonicalImage.hash(
                fitted, name: String(fitted.name), split: split, classes: writtenNames)
            ))
        }
        return part
      },
      deliver: { part in
        source.add(part.source)
        expected.add(part.expected)
        losses.add(part.losses)
        shapes.add(part.shapes)
        objects += part.objects
        hasFiles += part.hasFiles
        for category in part.used { isUsed[category] = true }
        for (source, written) in part.hashes {
          sourceHashes.append(source)
          if let written { expectedHashes.append(written) }
        }
        progress.report(
          Double(objects.count) / Double(reading.samples.count), "checking \(reading.scope.view)")
      })
    for range in plan.ranges {
      var before: Int32 = 0
      for index in range where objects[index] >= 0 {
        let count = objects[index]
        objects[index] = before
        before = before.addingReportingOverflow(count).partialValue
      }
    }
    plan.firstObjects = objects
    plan.hasFiles = hasFiles
    plan.fitting.noteClasses(plan.mapping.classes, isUsed: isUsed, &losses)
    losses.note(.voidClasses, plan.mapping.joinedVoids)
    losses.note(.imageNames, plan.renamed)
    losses.note(.annotators, try Self.otherAnnotations(plan, catalog))
  }
}

extension ExportSurvey.Counts {
  mutating func add(_ image: ExportImage) {
    images += 1
    labels += image.labels.count
    objects += image.objects.count
  }

  fileprivate mutating func add(_ other: Self) {
    images += other.images
    labels += other.labels
    objects += other.objects
  }
}
