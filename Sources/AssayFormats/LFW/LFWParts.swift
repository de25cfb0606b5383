import AssayCore

/// LFW's part labels: for some of the images a PPM of the same stem in `parts_lfw_funneled_gt_images`
/// in which hair is red, the face green and the background blue.
///
/// Source: A. Kae et al., "Augmenting CRFs with Boltzmann Machine Shape Priors for Image Labeling"
/// (2013), and the README of its data.
struct LFWParts {
  /// The images with their masks, by the image's path.
  private(set) var pairs: [MaskPair] = []
  private(set) var issues: [Issue] = []
  /// The number of images and masks that the issues omit.
  private(set) var rejected = 0
  /// The lists of the splits.
  private(set) var lists: Set<String> = []

  /// The colors by the numbers of the classes; the background is 0.
  static let colors = LabelColors([
    .init(color: 0x0000FF, name: "background"), .init(color: 0xFF0000, name: "hair"),
    .init(color: 0x00FF00, name: "face"),
  ])
  static let classes = IndexClasses([1: "hair", 2: "face"], hasBackground: true)

  private static let splits = [
    "parts_train": "train", "parts_validation": "validation", "parts_test": "test",
  ]

  /// The PPM files in a folder of part labels.
  static func masks(_ files: [SourceFile]) -> [SourceFile] {
    files.filter { file in
      file.path.hasSuffix(ignoringCase: ".ppm")
        && file.path.lowercased().split(separator: "/").dropLast().contains {
          $0.hasPrefix("parts_lfw")
        }
    }
  }

  /// - Throws: any error that the tree throws.
  init(_ tree: any SourceTree) throws {
    let files = try tree.files()
    let masks = Self.masks(files)
    let labeled = Set(masks.map { String(SortedFiles.stem(of: $0.path)) })
    var limit = IssueLimit()
    var splits: [String: String] = [:]
    for file in files where file.path.hasSuffix(ignoringCase: ".txt") {
      guard let split = Self.splits[String(file.path.fileName.dropLast(4)).lowercased()] else {
        continue
      }
      lists.insert(file.path)
      try ImageList.forEachLine(tree, file.path) { line, number in
        func note(_ kind: IssueKind, _ message: String) {
          guard limit.admits(kind) else { return }
          let location = IssueLocation(file: file.path, line: number)
          issues.append(Issue(kind, .warning, at: location, message))
        }
        let fields = line.split { $0 == "\t" || $0 == " " }.map(String.init)
        let stem: String
        if fields.count == 2, let number = Int(fields[1]) {
          stem = LFWName.stem(fields[0], number)
        } else if fields.count == 1 {
          stem = fields[0]
        } else {
          return note(.badField, "expected a name and the number of an image; the line is ignored")
        }
        guard labeled.contains(stem) else {
          return note(.missingImage, "there are no part labels \(stem).ppm")
        }
        if let other = splits[stem], other != split {
          return note(.badField, "\(stem) is in the list of \(other), too, which counts")
        }
        splits[stem] = split
      }
    }
    var images: [String: SourceFile] = [:]
    var all = 0
    let isMask = Set(masks.map(\.path))
    for file in files where PairPath.isImageName(file.path) && !isMask.contains(file.path) {
      all += 1
      images[String(SortedFiles.stem(of: file.path))] = file
    }
    for mask in masks {
      let stem = String(SortedFiles.stem(of: mask.path))
      guard let image = images[stem] else {
        rejected += 1
        guard limit.admits(.unpairedMask) else { continue }
        issues.append(
          Issue(
            .unpairedMask, .error, at: IssueLocation(file: mask.path),
            "no image for this mask; left out"))
        continue
      }
      pairs.append(MaskPair(image: image, mask: mask, split: splits[stem]))
    }
    pairs.sort { SortedFiles.precedes($0.image.path, $1.image.path) }
    issues += limit.remainder(in: tree.name)
    if let first = pairs.first, all > pairs.count {
      issues.append(
        Issue(
          .unpairedMask, .warning,
          at: IssueLocation(file: String(SortedFiles.folder(of: first.image.path))),
          "\(Counted.text(all - pairs.count, "image has", "images have")) no part labels; left out")
      )
    }
  }
}
