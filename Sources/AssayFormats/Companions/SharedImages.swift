import AssayCore

/// The images that several files of annotations describe. Two files that share some images can be parts of a
/// dataset; if one has all images of the other, it is another version of it.
struct SharedImages {
  /// A file all of whose images another one has as well.
  struct Repeated: Hashable, Sendable {
    /// The index of the file, and that of the other one.
    var file: Int
    var other: Int
    /// One of the images.
    var image: String

    /// - Parameters:
    ///   - name: the name of the source.
    ///   - paths: the path of a file by its index.
    func error(
      _ name: String, _ format: DatasetFormat, _ paths: (Int) -> String
    ) -> FormatError {
      .sharedImages(
        name: name, format: format, file: paths(file), others: [paths(other)], image: image)
    }
  }

  private struct Pair: Hashable {
    var file: Int
    var other: Int
  }

  /// The number of images of each file.
  private var images: [Int: Int] = [:]
  /// The number of images that a file has in common with another one, and the first of them.
  private var shared: [Pair: (count: Int, image: String)] = [:]

  /// Counts an image.
  ///
  /// - Parameter files: the indices of the files that describe it.
  mutating func add(_ image: String, of files: some Sequence<Int32>) {
    let files = Set(files.map(Int.init))
    for file in files {
      images[file, default: 0] += 1
      for other in files where other != file {
        shared[Pair(file: file, other: other), default: (0, image)].count += 1
      }
    }
  }

  /// The last file that repeats an earlier one; `nil` if there is none.
  var repeated: Repeated? {
    shared.filter { $0.value.count == images[$0.key.file] }
      .max { ($0.key.file, -$0.key.other) < ($1.key.file, -$1.key.other) }
      .map { Repeated(file: $0.key.file, other: $0.key.other, image: $0.value.image) }
  }
}
