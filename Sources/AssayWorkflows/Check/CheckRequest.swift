package import AssayCore

/// A request to check a view.
package struct CheckRequest: Hashable, Sendable {
  /// A dataset, a view, or a part of either.
  package var view: String
  /// The kinds to look for, in the order of the table.
  package var kinds: [FindingKind]
  /// The run that likely label errors come from: RUN or RUN@EVALUATION.
  package var run: String?
  /// The model whose output gives the features that outliers are found by: MODEL or MODEL:OUTPUT.
  package var features: String?
  /// The partition whose parts are the splits; `nil` for the source's splits.
  package var partition: String?

  /// - Parameter kinds: `nil` for all.
  package init(
    _ view: String, kinds: Set<FindingKind>? = nil, run: String? = nil, features: String? = nil,
    partition: String? = nil
  ) {
    self.view = view
    self.kinds = FindingKind.allCases.filter { kinds?.contains($0) ?? true }
    self.run = run
    self.features = features
    self.partition = partition
  }

  /// The settings that are stored with the findings.
  var settings: JSONValue {
    [
      "kinds": .array(kinds.map { .string($0.rawValue) }), "run": JSONValue(run),
      "features": JSONValue(features),
      "partition": JSONValue(partition),
    ]
  }
}

/// The reasons why a check is impossible.
package enum CheckError: Error, Hashable {
  case noSamples(view: String)
  /// Label errors were asked for without a run.
  case noRun
  /// Outliers were asked for without a model.
  case noFeatures
  /// The run is of another dataset.
  case otherDataset(run: String, of: String, view: String, dataset: String)
  /// Leakage must not be found, but the view has fewer than two splits.
  case noSplits(view: String)
  /// The folder or archive of the dataset cannot be opened.
  case noSource(dataset: String, reason: String)
  /// An image that a shard read cannot be read when the parts are joined; with the reason.
  case noImage(String)
  /// The working file cannot be written.
  case noWorkingFile(path: String, reason: String)
}

extension CheckError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noSamples(let view): "“\(view)” has no samples to check"
    case .noRun: "labelError needs the run that the labels are compared with: add --run RUN"
    case .noFeatures:
      "outlier needs the model whose features are compared: add --features MODEL[:OUTPUT]"
    case .otherDataset(let run, let of, let view, let dataset):
      "the run “\(run)” is of the dataset “\(of)”, but “\(view)” is of “\(dataset)”; give a run of "
        + "“\(dataset)” (assay ls runs)"
    case .noSplits(let view):
      "--fail-on leakage: “\(view)” has fewer than two splits; check the whole dataset, or give "
        + "--partition"
    case .noSource(let dataset, let reason):
      "the images of “\(dataset)” cannot be read: \(reason) (moved? assay relink \(dataset) DIR)"
    case .noImage(let reason):
      "\(reason); a shard read this image, and its pixels are compared with those of others: join the parts where the "
        + "images are"
    case .noWorkingFile(let path, let reason):
      "a working file in \(path) cannot be written: \(reason); set TMPDIR to a folder with space"
    }
  }
}
