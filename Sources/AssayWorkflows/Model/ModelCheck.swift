import AssayCore
import AssayFormats
import AssayImaging
package import AssayInference
package import AssayStore
import Foundation

/// A second opinion on a model: its raw outputs beside those of another program for the same inputs.
package struct ModelCheck {
  /// The other side of the comparison.
  package enum Reference: Sendable {
    /// ONNX Runtime, in a Python that has it.
    case onnxRuntime
    /// A runner, as the user typed it.
    case runner(RunnerCommand)
    /// Recorded inputs and outputs in a NumPy archive.
    case expected(path: String)
  }

  /// The environment variable with the Python that has ONNX Runtime.
  package static let pythonVariable = "ASSAY_PYTHON"

  package var reference = Reference.onnxRuntime
  /// The maximum number of inputs; `nil` for ``imageLimit`` images, or all recorded inputs.
  package var limit: Int?
  /// The number of images that are inputs unless another one is asked for.
  package static let imageLimit = 8
  /// The largest difference that counts as equal, for values up to 1; for larger ones in proportion.
  package var tolerance = 1e-3
  private let catalog: Catalog
  private let progress: any ProgressSink

  package init(catalog: Catalog, progress: any ProgressSink = NoProgress()) {
    self.catalog = catalog
    self.progress = progress
  }

  /// Compares a model's outputs.
  ///
  /// - Parameter view: the view whose first samples are the inputs; `nil` for images of seeded noise. Not used
  ///   with recorded inputs.
  /// - Throws: ``ModelCheckError``, ``PredictError``, ``RunnerTrustError``, `InferenceError`, `StoreError`,
  ///   ``Interrupted``.
  package func run(model name: String, view: String?) throws -> ModelCheckOutcome {
    let record = try catalog.model(named: name)
    let model = try record.load()
    let inputs: CheckedInputs
    let rows: [[Float]]
    let title: String
    if case .expected(let path) = reference {
      let pairs = try RecordedPairs(path, of: model, limit: limit ?? .max)
      (inputs, rows) = (pairs.inputs, pairs.outputs)
      title = (path as NSString).lastPathComponent
    } else {
      inputs = try self.inputs(of: model, view: view)
      let other = try otherProgram(for: record, model)
      title = other.title
      progress.report(0.5, "running \(title)")
      rows = try Self.outputs(of: other.model, inputs)
    }
    progress.report(0.75, "running \(name)")
    let own = try Self.outputs(of: model, inputs)
    return ModelCheckOutcome(
      model: name, engine: model.runner.map { $0.program.title } ?? "OpenVINO", reference: title,
      inputs: inputs, tolerance: tolerance, isQuantized: model.file.isQuantized,
      outputs: Self.compared(own, rows, model.readOutputs, inputs.names, tolerance))
  }

  // MARK: Inputs

  private func inputs(of model: ValidatedModel, view: String?) throws -> CheckedInputs {
    var preprocessor = Preprocessor(model.manifest.input)
    guard let view else {
      var random = SplitMix64(seed: 1)
      let (width, height) = (model.manifest.input.size.width, model.manifest.input.size.height)
      var inputs = CheckedInputs(source: .noise)
      for index in 0..<(limit ?? Self.imageLimit) {
        let pixels = (0..<(width * height * 3)).map { _ in UInt8.random(in: 0...255, using: &random)
        }
        guard
          let raster = Raster(width: width, height: height, channels: 3, elements: pixels)
        else { continue }
        inputs.names.append("noise \(index + 1)")
        inputs.tensors.append(preprocessor.tensor(of: raster))
      }
      return inputs
    }
    let selection = try catalog.resolve(view)
    let samples = try catalog.samples(in: selection, limit: limit ?? Self.imageLimit)
    guard !samples.isEmpty else { throw PredictError.emptyView(view) }
    let images = SampleImages(catalog: catalog, dataset: selection.dataset)
    var inputs = CheckedInputs(source: .view(view))
    var failure: String?
    for sample in samples {
      try Interruption.check("nothing was stored")
      switch try images.rasters(of: [sample])[0] {
      case .failure(let error): failure = failure ?? error.description
      case .success(let raster):
        inputs.names.append(sample.key)
        inputs.tensors.append(preprocessor.tensor(of: raster))
      }
    }
    guard !inputs.names.isEmpty else {
      throw PredictError.nothingReadable(view: view, tried: samples.count, first: failure ?? "")
    }
    return inputs
  }

  // MARK: Programs

  private func otherProgram(
    for record: ModelRecord, _ model: ValidatedModel
  ) throws -> (model: ValidatedModel, title: String) {
    var manifest = model.manifest
    let program: RunnerProgram
    switch reference {
    case .runner(let command):
      program = RunnerProgram(
        command: command, folder: FileManager.default.currentDirectoryPath)
    case .onnxRuntime, .expected:
      guard model.file.format == .onnx else {
        throw ModelCheckError.notONNX(model: record.name, path: record.path)
      }
      let python = ProcessInfo.processInfo.environment[Self.pythonVariable] ?? "python3"
      program = RunnerProgram(
        command: RunnerCommand(
          words: [python, "-c", RunnerScript.onnxRuntime.text, RunnerCommand.modelMark]),
        folder: "/", title: "ONNX Runtime")
    }
    manifest.runner = program.command
    let runner = try start(program, for: record, manifest)
    manifest.constantInputs = []
    let other = try ValidatedModel(
      try ModelFile.ofRunner(record.path), manifest: manifest, runner: runner)
    let versions = runner.versions.compactMap { member in
      member.value.text.map { "\(member.name) \($0)" }
    }
    let version = versions.isEmpty ? "" : " (\(versions.joined(separator: ", ")))"
    return (other, program.title + version)
  }

  private func start(
    _ program: RunnerProgram, for record: ModelRecord, _ manifest: ModelManifest
  ) throws -> RunnerProcess {
    do throws(InferenceError) {
      return try RunnerProcess(
        program, model: record.path, input: manifest.input, constants: manifest.constantInputs)
    } catch {
      guard usesONNXRuntime, error.lacksModule else { throw error }
      throw ModelCheckError.noONNXRuntime(python: program.command.words[0])
    }
  }

  private var usesONNXRuntime: Bool {
    if case .onnxRuntime = reference { true } else { false }
  }

  private static func outputs(
    of model: ValidatedModel, _ inputs: CheckedInputs
  ) throws -> [[Float]] {
    try model.requireArrays(or: "its inputs cannot be those of another program")
    ModelProcess.setThreads(1)
    let compiled = try model.compile(
      batch: model.runner == nil ? 1 : min(4, model.defaultBatch), precision: .f32)
    var rows: [[Float]] = []
    for start in stride(from: 0, to: inputs.names.count, by: compiled.batch) {
      try Interruption.check("nothing was stored")
      let end = min(start + compiled.batch, inputs.names.count)
      rows += try compiled.infer(
        names: Array(inputs.names[start..<end]), size: inputs.tensors[start].size
      ) { index, target in
        _ = target.update(fromContentsOf: inputs.tensors[start + index].values)
      }
    }
    return rows
  }

  // MARK: Comparison

  private static func compared(
    _ own: [[Float]], _ other: [[Float]], _ outputs: [ReadOutput], _ names: [String],
    _ tolerance: Double
  ) -> [ComparedOutput] {
    var start = 0
    return outputs.map { output in
      defer { start += output.count }
      var result = ComparedOutput(name: output.name, count: output.count)
      for (sample, (first, second)) in zip(own, other).enumerated() {
        // Of a number of masks that differs from image to image only those exist that there are.
        for index in start..<min(start + output.count, max(first.count, second.count)) {
          result.add(
            index < first.count ? first[index] : 0, index < second.count ? second[index] : 0,
            tolerance: tolerance, sample: names[sample],
            index: index - start)
        }
      }
      return result
    }
  }
}

/// The inputs that two programs get.
package struct CheckedInputs: Sendable {
  package enum Source: Sendable {
    case noise
    case view(String)
    /// With the number of recorded inputs in the file.
    case recorded(path: String, of: Int)
  }

  package let source: Source
  package internal(set) var names: [String] = []
  /// The input values of each, and the size of its input.
  var tensors: [(values: [Float], size: ImageSize)] = []

  init(source: Source) { self.source = source }
}

/// The outcome of a check.
package struct ModelCheckOutcome: Sendable {
  package let model: String
  /// The program that computes the model for predictions.
  package let engine: String
  /// The program or file it is compared with.
  package let reference: String
  package let inputs: CheckedInputs
  package let tolerance: Double
  /// True if the model rounds to few bits inside.
  package let isQuantized: Bool
  package let outputs: [ComparedOutput]

  /// The largest ``ComparedOutput/relativeDifference`` of a quantized model that counts as equal. Another order
  /// of summation rounds some values to the next of 256 levels, which the layers behind carry on: 0.01 to 0.06
  /// for YOLOX-nano in OpenVINO and ONNX Runtime; wrong kernels gave 0.39 to 0.43.
  package static let quantizedLimit = 0.1

  /// True if no value differs by more than the tolerance; for a quantized model, if the differences are those
  /// of rounding.
  package var isEqual: Bool {
    outputs.allSatisfy { output in
      output.beyond == 0
        || isQuantized && output.relativeDifference.map { $0 <= Self.quantizedLimit } ?? false
    }
  }
}

/// An output of two programs.
package struct ComparedOutput: Sendable {
  /// A pair of values.
  package struct Pair: Sendable {
    package let sample: String
    /// The index among the sample's values of this output.
    package let index: Int
    package let own: Float
    package let other: Float
  }

  package let name: String
  /// The number of values per input.
  package let count: Int
  /// The number of compared values.
  package private(set) var compared = 0
  /// The number of values that differ by more than the tolerance.
  package private(set) var beyond = 0
  /// Sums over pairs of finite values: of the absolute differences, of their squares, of the other program's
  /// values and of their squares.
  private var sum = 0.0
  private var squares = 0.0
  private var otherSum = 0.0
  private var otherSquares = 0.0
  private var hasInfinite = false
  /// The pair with the largest difference in proportion to the tolerance; `nil` if all values are equal.
  package private(set) var worst: Pair?
  private var worstExcess = 0.0

  init(name: String, count: Int) {
    self.name = name
    self.count = count
  }

  /// The mean absolute difference; `nil` if nothing was compared.
  package var meanDifference: Double? { compared > 0 ? sum / Double(compared) : nil }

  /// The root mean square of the differences, in proportion to the standard deviation of the other program's
  /// values; `nil` if that is 0, or if a value is not finite.
  package var relativeDifference: Double? {
    guard compared > 0, !hasInfinite else { return nil }
    let mean = otherSum / Double(compared)
    let variance = otherSquares / Double(compared) - mean * mean
    return variance > 0 ? (squares / Double(compared) / variance).squareRoot() : nil
  }

  /// The difference of ``worst``; 0 if all values are equal, infinite if only one of them is finite.
  package var worstDifference: Float {
    guard let worst else { return 0 }
    let difference = abs(worst.own - worst.other)
    return difference.isNaN ? .infinity : difference
  }

  mutating func add(_ own: Float, _ other: Float, tolerance: Double, sample: String, index: Int) {
    compared += 1
    otherSum += Double(other)
    otherSquares += Double(other) * Double(other)
    if !own.isFinite || !other.isFinite { hasInfinite = true }
    if own == other || own.isNaN && other.isNaN { return }
    let difference = abs(Double(own) - Double(other))
    if difference.isFinite {
      sum += difference
      squares += difference * difference
    }
    let excess =
      difference.isFinite ? difference / (tolerance * max(1, abs(Double(other)))) : .infinity
    if !(excess <= 1) { beyond += 1 }
    if worst == nil || excess > worstExcess {
      worst = Pair(sample: sample, index: index, own: own, other: other)
      worstExcess = excess
    }
  }
}

/// Inputs and outputs of a NumPy archive.
private struct RecordedPairs {
  private(set) var inputs: CheckedInputs
  /// The outputs that the model's manifest reads, one row per input.
  private(set) var outputs: [[Float]] = []
  private let path: String
  private let arrays: [(name: String, array: NPYArray)]

  /// - Throws: ``ModelCheckError``; ``SourceError``.
  init(_ path: String, of model: ValidatedModel, limit: Int) throws {
    self.path = path
    inputs = CheckedInputs(source: .recorded(path: path, of: 0))
    let tree = try DirectoryTree(path)
    guard tree.isSingleFile, let file = try tree.files().first,
      try ArchiveKind.detect(tree, file.path) == .zip
    else { throw ModelCheckError.noArchive(path: path) }
    arrays = try Self.located(path, "") { try NPYArray.arrays(tree, file) }
    let own = model.imageInput.name
    let names = arrays.map(\.name)
    guard let input = array(of: [own, "input"]) else {
      throw ModelCheckError.noInput(path: path, wanted: own, found: names)
    }
    let wanted = model.manifest.input
    let known = wanted.shape(batch: nil).dropFirst()
    // The height and width of the recorded images, which may be any of those that the manifest allows.
    let sides = Array(input.shape.dropFirst())
    let places = wanted.layout == .nhwc ? (0, 1) : (1, 2)
    let size =
      sides.count == 3
      ? ImageSize.checked(width: sides[places.1], height: sides[places.0]) : nil
    guard let size, zip(sides, known).allSatisfy({ $1 == nil || $0 == $1 }),
      sides.reduce(1, *) == size.area * wanted.color.channels,
      size.width <= wanted.size.width, size.height <= wanted.size.height,
      let count = input.shape.first, count > 0
    else {
      throw ModelCheckError.arrayShape(
        path: path, name: input.name, found: input.shape,
        expected: known.map { $0.map(String.init) ?? "N" })
    }
    inputs = CheckedInputs(source: .recorded(path: path, of: count))
    inputs.tensors = try rows(of: input, limit: limit).map { ($0, size) }
    inputs.names = inputs.tensors.indices.map { "\(input.name)[\($0)]" }
    outputs = [[Float]](repeating: [], count: inputs.tensors.count)
    for output in model.readOutputs {
      let allowed = [output.name] + (model.readOutputs.count == 1 ? ["output", "expected"] : [])
      guard let array = array(of: allowed) else {
        throw ModelCheckError.noOutput(path: path, wanted: output.name, found: names)
      }
      guard array.shape.first == count, array.rowWidth == output.count else {
        throw ModelCheckError.arrayShape(
          path: path, name: array.name, found: array.shape,
          expected: ["\(output.count) values"])
      }
      for (index, row) in try rows(of: array, limit: limit).enumerated() { outputs[index] += row }
    }
    if let scale = model.manifest.outputScale {
      for index in outputs.indices { scale.apply(to: &outputs[index]) }
    }
  }

  private func array(of names: [String]) -> NPYArray? {
    names.lazy.compactMap { name in arrays.first { $0.name == name }?.array }.first
  }

  /// The first rows of an array in float32. Whole numbers above 2^24 and doubles are rounded.
  private func rows(of array: NPYArray, limit: Int) throws -> [[Float]] {
    guard array.holdsNumbers, !array.isFortran || array.shape.count < 3 else {
      throw ModelCheckError.badArray(
        path: path, name: array.name,
        reason: array.holdsNumbers
          ? "it is in Fortran's order; save numpy.ascontiguousarray(array)"
          : "it holds texts; save numbers")
    }
    var rows: [[Float]] = []
    try Self.located(path, array.name) {
      try array.forEachRow { row, values in
        if row < limit { rows.append(values.map { Float($0) }) }
      }
    }
    return rows
  }

  /// Adds the place to an error about an array.
  private static func located<Value>(
    _ path: String, _ name: String, _ body: () throws -> Value
  ) throws -> Value {
    do {
      return try body()
    } catch let FormatError.predictions(found, problem) {
      throw ModelCheckError.badArray(
        path: path, name: name.isEmpty ? found : name, reason: problem)
    }
  }
}

/// The reasons why a model's outputs were not compared.
package enum ModelCheckError: Error, Hashable, CustomStringConvertible {
  case notONNX(model: String, path: String)
  case noONNXRuntime(python: String)
  case noArchive(path: String)
  case badArray(path: String, name: String, reason: String)
  case noInput(path: String, wanted: String, found: [String])
  case noOutput(path: String, wanted: String, found: [String])
  case arrayShape(path: String, name: String, found: [Int], expected: [String])

  package var description: String {
    switch self {
    case .notONNX(let model, let path):
      "ONNX Runtime reads only ONNX, and “\(model)” is \(path). Compare with another program, --runner COMMAND, or"
        + " with recorded outputs, --expect FILE.npz"
    case .noONNXRuntime(let python):
      "\(python) has no ONNX Runtime: \(python) -m pip install onnxruntime, or set $\(ModelCheck.pythonVariable) to"
        + " the path of a Python that has it. Without it, compare with recorded outputs: --expect FILE.npz"
    case .noArchive(let path):
      "\(path) is no NumPy archive; write one with numpy.savez(\"\(path)\", input=…, NAME_OF_OUTPUT=…)"
    case .badArray(let path, let name, let reason): "\(path), array “\(name)”: \(reason)"
    case .noInput(let path, let wanted, let found):
      "\(path) has no array “\(wanted)” or “input” with the inputs; it has \(found.joined(separator: ", "))"
    case .noOutput(let path, let wanted, let found):
      "\(path) has no array “\(wanted)” with the expected outputs; it has \(found.joined(separator: ", "))"
    case .arrayShape(let path, let name, let found, let expected):
      "\(path): the array “\(name)” has the shape \(found); the model needs [N, \(expected.joined(separator: ", "))]"
    }
  }
}
