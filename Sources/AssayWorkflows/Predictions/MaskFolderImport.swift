import AssayCore
import AssayFormats
import AssayImaging
package import AssayStore
import Foundation

/// Creates a segmentation run from a folder of index masks: PNGs with the number of each pixel's class.
package struct MaskFolderImport {
  /// The result of the import.
  package struct Summary: Sendable {
    package var run: RunRecord
    /// False if the same folder was already imported under that name.
    package var isNew: Bool
    /// The number of samples of the view without a mask.
    package var absent: Int
    /// The number of pixels with the value of void pixels, which have no predicted class.
    package var void: Int
    package var hasGroundTruth: Bool
    package var notes: [String]
  }

  private let catalog: Catalog
  private let programVersion: String
  private let progress: any ProgressSink

  package init(
    catalog: Catalog, programVersion: String, progress: any ProgressSink = NoProgress()
  ) {
    self.catalog = catalog
    self.programVersion = programVersion
    self.progress = progress
  }

  /// Imports the folder; the run is created completely or not at all. Its samples are those with a
  /// mask, joined by path without suffix.
  ///
  /// - Throws: ``PredictionsError``, `FormatError`, ``SourceError``, ``PredictError`` if no class is
  ///   common, `StoreError`, ``Interrupted``.
  package func run(_ request: PredictionsImport.Request) throws -> Summary {
    let source = try ImportSource(request.path, view: request.view, in: catalog)
    let (tree, selection, samples) = (source.tree, source.selection, source.samples)
    let files = try tree.files().filter { $0.path.lowercased().hasSuffix(".png") }
    let values = try MaskValues(
      request.options, listed: MaskClassList.find(tree, first: request.options.firstNumber),
      source.taxonomy, file: tree.name)
    let hasGroundTruth = try catalog.hasGroundTruth(for: .segmentation, in: selection.dataset)
    let known = source.known
    if hasGroundTruth, !values.classes.contains(where: known.contains) {
      throw PredictError.nothingInCommon(
        model: tree.name, classes: values.classes, dataset: selection.dataset.name,
        categories: known)
    }
    let joined = try SampleKeyJoin(samples, view: request.view).places(
      of: files.map(\.path), byName: request.matchesNames)
    let used = joined.samples.indices.sorted { joined.samples[$0] < joined.samples[$1] }
    let draft = try draft(
      request, selection, tree, values, used.map { samples[joined.samples[$0]] })
    var counts = MaskCounts()
    let stored = try catalog.storeRun(draft, of: selection.dataset) { run in
      counts = try store(
        used.map { (files[$0], samples[joined.samples[$0]]) }, tree, values, in: run)
      if let problem = values.numbering(counts) {
        throw FormatError.predictions(tree.name, problem: problem)
      }
      guard counts.area > 0 || counts.void == 0 else {
        throw FormatError.predictions(
          tree.name,
          problem:
            "no pixel has a class: the masks have only 0 and the value of pixels without a known class (255). "
            + "If they are those of one class, name it: --classes CLASS")
      }
    }
    return Summary(
      run: stored.run, isNew: stored.isNew, absent: samples.count - used.count,
      void: counts.void, hasGroundTruth: hasGroundTruth,
      notes: [values.note] + (joined.note.map { [$0] } ?? []) + counts.notes)
  }

  private func draft(
    _ request: PredictionsImport.Request, _ selection: Selection, _ tree: DirectoryTree,
    _ values: MaskValues, _ samples: [SampleRecord]
  ) throws -> RunDraft {
    // The masks have their images' sizes: the size of a model's input has no meaning.
    let recipe = SegmentationRecipe(
      precision: "f32", keepsMaps: false, isLabelMap: true, threshold: nil, background: nil,
      input: samples.first?.size ?? ImageSize(width: 1, height: 1), resize: .stretch)
    let members = try JSONValue(parsing: recipe.settings).members ?? []
    let settings = JSONValue.object(
      members + [
        .init("imported", .string(tree.name)), .init("sha256", .string(try tree.wholeHash())),
      ] + request.detectionMembers)
    let versions: JSONValue = ["assay": .string(programVersion)]
    return RunDraft(
      name: request.name, task: .segmentation, dataset: selection.dataset.id, view: request.view,
      settings: settings.text(), versions: versions.text(), classes: values.classes,
      samples: samples.map(\.id))
  }

  /// Stores the masks, and returns the numbers of their pixels.
  private func store(
    _ pairs: [(file: SourceFile, sample: SampleRecord)], _ tree: DirectoryTree,
    _ values: MaskValues, in run: RunRecord
  ) throws -> MaskCounts {
    let reader = IndexMaskFile(tree: tree, values: values)
    var counts = MaskCounts()
    try OrderedStoring(
      workers: ProcessInfo.processInfo.activeProcessorCount, progress: progress,
      title: "storing masks"
    ).run(pairs) {
      try reader.read($0.file, of: $0.sample)
    } store: { readings in
      for reading in readings { counts.add(reading) }
      try catalog.record(readings.map(\.masks), in: run.id)
    }
    return counts
  }
}

/// The numbers of pixels in the masks of a folder.
struct MaskCounts: Sendable {
  /// Those without a known class.
  var void = 0
  /// Those of classes.
  var area = 0
  /// Those of value 0, if it is background.
  var background = 0
  /// The largest value but for that of pixels without a known class.
  var largest = 0

  mutating func add(_ reading: IndexMaskFile.Reading) {
    void += reading.void
    area += reading.masks.masks.reduce(0) { $0 + $1.area }
    background += reading.background
    largest = max(largest, reading.largest)
  }

  var notes: [String] {
    let all = void + area + background
    guard background > 0, all > 0 else { return [] }
    let percent = (1000 * Double(background) / Double(all)).rounded() / 10
    return ["pixels of the value 0, \(percent) %, are background"]
  }
}

/// The classes that the values of masks stand for.
struct MaskValues: Sendable {
  /// The run's classes.
  let classes: [String]
  /// The class of each value, an index into ``classes``; `nil` for background.
  let places: [Int: Int?]
  /// True if 255 is the only class because the masks are binary.
  let isBinary: Bool
  let note: String
  /// The number of names that `--classes` lists without saying whether 0 or 1 is the first; `nil` if something says it.
  private let unnumbered: Int?

  /// - Parameters:
  ///   - listed: the values and names of a list in the folder; `nil` for none.
  ///   - file: the folder's name, for errors.
  /// - Throws: `FormatError` if nothing states the classes of the values.
  init(
    _ options: PredictionFileOptions, listed: [Int: String]?, _ taxonomy: Taxonomy, file: String
  ) throws {
    let categories = taxonomy.categories.filter { !$0.isVoid }
    var names: [Int: String] = [:]
    var source = "the dataset's source"
    if let classes = options.classes {
      names = MaskClassList.values(of: classes, first: options.firstNumber)
      source = "--classes"
    } else if let first = options.firstNumber {
      for (place, category) in categories.enumerated() { names[first + place] = category.name }
      source = "--class-numbers"
    } else if let listed {
      names = listed
      source = "the folder's list of classes"
    } else {
      for category in categories {
        if case .integer(let id)? = category.sourceID, let value = Int(exactly: id) {
          names[value] = category.name
        }
      }
      guard names.count == categories.count, !categories.isEmpty else {
        throw FormatError.predictions(
          file,
          problem:
            "nothing says which class a value of the masks is: the dataset's classes have no numbers; give "
            + "--classes A,B,… (from 1; from 0 if the first is background), or --class-numbers 0 or 1 if the "
            + "values count the dataset's classes")
      }
    }
    var classes: [String] = []
    var places: [Int: Int?] = [:]
    if names[0] == nil { places[0] = .some(nil) }
    for (value, name) in names.sorted(by: { $0.key < $1.key }) {
      if name.lowercased() == SegmentationClasses.background {
        places[value] = .some(nil)
      } else if let place = classes.firstIndex(of: name) {
        places[value] = place
      } else {
        places[value] = classes.count
        classes.append(name)
      }
    }
    unnumbered =
      options.classes != nil && options.firstNumber == nil && names[0] == nil && classes.count > 1
      ? names.count : nil
    isBinary = classes.count == 1 && places[255] == nil
    if isBinary { places[255] = 0 }
    self.classes = classes
    self.places = places
    let shown = names.sorted { $0.key < $1.key }.prefix(6)
      .map { "\($0.key) is “\($0.value)”" }.joined(separator: ", ")
    note = "values of the masks by \(source): \(shown)\(names.count > 6 ? ", …" : "")"
  }

  /// The question that the values leave open: masks with 0 and without the number of the last class can count the classes
  /// from 0, or have background and nothing of the last class. `nil` if it is answered.
  func numbering(_ counts: MaskCounts) -> String? {
    guard let unnumbered, counts.background > 0, counts.largest < unnumbered else { return nil }
    return
      "the masks have the values 0 to \(counts.largest), and --classes has \(unnumbered) names: give --class-numbers 0 "
      + "if 0 is the first class, or --class-numbers 1 if 0 is background"
  }
}

/// Reads one index mask.
struct IndexMaskFile: Sendable {
  struct Reading: Sendable {
    var masks: SampleMasks
    var void: Int
    /// The pixels of value 0, if it is background.
    var background: Int
    /// The largest value of a class or of background.
    var largest: Int
  }

  let tree: DirectoryTree
  let values: MaskValues

  private static let fileLimit = 512 << 20

  /// - Throws: `FormatError` for a file that is not an index mask of the image's size.
  func read(_ file: SourceFile, of sample: SampleRecord) throws -> Reading {
    func refuse(_ problem: String) -> FormatError { .predictions(file.path, problem: problem) }
    guard let size = sample.size else { throw PredictionsError.noImageSize(sample.key) }
    let bytes = try tree.readAll(file.path, limit: Self.fileLimit)
    let regions: [(value: Int, mask: Mask)]
    let isWide: Bool
    do {
      let header = try ImageCodec.header(of: bytes)
      guard !header.isLossy else {
        throw refuse("this is a \(header.kind.name), which changes values; save the masks as PNG")
      }
      guard header.size == size else {
        throw refuse(
          "the mask is \(header.size), and its image \(sample.key) \(size); "
            + "resize the masks with nearest neighbor")
      }
      isWide = header.bitDepth == 16
      if isWide {
        guard header.channels == 1 else {
          throw refuse("a color mask; save the number of each pixel's class")
        }
        regions = Mask.labels(of: try ImageCodec.decodeValues(bytes, oriented: false))
          .map { (Int($0.value), $0.mask) }
      } else {
        let raster = try ImageCodec.decode(bytes, as: .stored)
        guard raster.channels == 1 else {
          throw refuse("a color mask; save the number of each pixel's class, one channel")
        }
        regions = Mask.labels(of: raster).map { (Int($0.value), $0.mask) }
      }
    } catch let error as ImageError {
      throw refuse("the mask cannot be read: \(error)")
    }
    return try reading(regions, isWide: isWide, size, sample, refuse)
  }

  private func reading(
    _ regions: [(value: Int, mask: Mask)], isWide: Bool, _ size: ImageSize, _ sample: SampleRecord,
    _ refuse: (String) -> FormatError
  ) throws -> Reading {
    var masks: [Int: Mask] = [:]
    var (void, background, largest) = (0, 0, 0)
    for (value, mask) in regions {
      guard let place = values.places[value] else {
        guard value == (isWide ? 65_535 : 255) else {
          throw refuse(
            "the value \(value) (\(mask.area) pixels) is not a class; list all classes with --classes"
          )
        }
        void += mask.area
        continue
      }
      largest = max(largest, value)
      guard let place else {
        if value == 0 { background += mask.area }
        continue
      }
      masks[place] = masks[place].map { Mask.union(of: [$0, mask], size: size) } ?? mask
    }
    let empty = Mask(emptyOf: size)
    return Reading(
      masks: SampleMasks(
        sample: sample.id,
        masks: values.classes.indices.map { place in
          let mask = masks[place] ?? empty
          return MaskPrediction(
            class: place, area: mask.area, meanInside: nil, meanDistance: 0.5,
            counts: mask.compressed)
        }), void: void, background: background, largest: largest)
  }
}
