package import AssayCore

/// The splits of the folders at the top of a tree (`train/`, `val/`), where each holds an export of its own.
package struct FolderSplits {
  /// The samples in the folder of one split that the source gives another one: their number, and the first.
  private var contrary: (count: Int, location: String, split: String)?

  package init() {}

  /// Gives samples of the split `default`, which exporters write for a set without splits, that of their folder.
  package mutating func complete(_ batch: ImportedBatch) -> ImportedBatch {
    var batch = batch
    for place in batch.samples.indices {
      guard let stated = batch.samples[place].split,
        let location = batch.samples[place].location,
        let folder = location.firstIndex(of: "/").map({ String(location[..<$0]) }),
        SplitName.isKnown(folder)
      else { continue }
      if stated.lowercased() == "default" {
        batch.samples[place].split = folder
      } else if SplitName.isKnown(stated), !SplitName.match(stated, folder) {
        contrary = (
          (contrary?.count ?? 0) + 1, contrary?.location ?? location, contrary?.split ?? stated
        )
      }
    }
    return batch
  }

  /// A note on samples whose folder is called like another split; `nil` if there are none.
  package var note: String? {
    contrary.map { found in
      "\(Counted.text(found.count, "image lies", "images lie")) in the folder of another split than the source gives "
        + "\(found.count == 1 ? "it" : "them"), whose splits are kept (\(found.location): \(found.split))"
    }
  }
}
