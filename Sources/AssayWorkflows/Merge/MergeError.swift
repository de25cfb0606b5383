/// The reasons why datasets are not merged.
package enum MergeError: Error, Hashable {
  case noSamples(view: String)
  /// All views are of one dataset.
  case oneDataset(String)
  /// A new name that one of the merged datasets has.
  case nameOfSource(String)
  /// A dataset with sets of labels, and one without.
  case labelSets(with: String, without: String)
  /// A dataset with annotations of objects, and one with labels of whole images.
  case tasks(objects: String, labels: String)
  /// A class that is void in only some of the datasets.
  case mixedVoid(String)
  /// Images that are in two of the datasets.
  case sameImages(count: Int, example: [String])
  /// Images with different labels in two of the datasets.
  case labels(count: Int, example: [String])
  /// A path in place of a dataset.
  case isPath(String)
}

extension MergeError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noSamples(let view): "“\(view)” has no samples"
    case .oneDataset(let name):
      "all views are of the dataset \(name); give at least two datasets "
        + "(assay view save names a part of one)"
    case .nameOfSource(let name):
      "\(name) is one of the merged datasets; choose another --name"
    case .labelSets(let with, let without):
      """
      \(with) has sets of labels and \(without) does not: in the merged dataset, each image of \
      \(without) would count as labeled with no other class; if that is true, write it as sets first \
      (assay export \(without) --to multilabel-csv DIR) and import that
      """
    case .tasks(let objects, let labels):
      """
      \(objects) has annotations of objects and \(labels) has labels of whole images: in the merged \
      dataset, the images of \(labels) would count as images without objects; evaluate them as two \
      datasets
      """
    case .mixedVoid(let name):
      """
      the class “\(name)” is void (not evaluated) in only some of the datasets: --drop \(name) leaves it \
      out; assay convert SRC --rename renames it in one of them
      """
    case .sameImages(let count, let example):
      """
      \(count) \(count == 1 ? "image is" : "images are") in more than one dataset, for example \
      \(example.joined(separator: " and ")); --duplicates first takes each from the first dataset that \
      has it, --duplicates union adds the annotations of the others, --duplicates keep takes all
      """
    case .labels(let count, let example):
      """
      \(count) \(count == 1 ? "image has" : "images have") different labels in two datasets, for example \
      \(example.joined(separator: " and ")): --duplicates union cannot decide which is right; correct the \
      wrong ones (assay corrections add) and merge with --corrected, or --duplicates first takes the label \
      of the first dataset
      """
    case .isPath(let path):
      """
      “\(path)” is a file or folder, not a dataset of the catalog: assay import it first, or write \
      files directly with assay merge PATH PATH --to FORMAT DIR
      """
    }
  }
}
