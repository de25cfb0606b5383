/// Recognizes binary dataset files.
enum BinaryCompanion {
  private static let signatures: [(bytes: [UInt8], name: String, isAnnotation: Bool)] = [
    (Array("PAR1".utf8), "Parquet tables", true),
    (Array("ARROW1".utf8), "Arrow tables", true),
    ([0x89, 0x48, 0x44, 0x46], "HDF5 files", true),
    ([0x93] + Array("NUMPY".utf8), "NumPy arrays", true),
    (Array("MATLAB 5.0".utf8), "MATLAB files", true),
    ([0x0A, 0x23, 0xD7, 0xCE], "MXNet records", true),
    (Array("SQLite format 3".utf8), "SQLite databases", false),
    (Array("7z".utf8) + [0xBC, 0xAF], "7-Zip archives", false),
    (Array("Rar!".utf8), "RAR archives", false),
    ([0x42, 0x5A, 0x68], "bzip2 archives", false),
    ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "xz archives", false),
    ([0x28, 0xB5, 0x2F, 0xFD], "Zstandard archives", false),
  ]

  static func kind(_ place: CompanionPlace, _ head: [UInt8], size: Int) -> CompanionKind? {
    if head.starts(with: Array("PK\u{3}\u{4}".utf8)) {
      return place.suffix == ".npz"
        ? CompanionKind(name: "NumPy arrays")
        : CompanionKind(name: "ZIP archives", isAnnotation: false)
    }
    for signature in signatures where head.starts(with: signature.bytes) {
      return CompanionKind(name: signature.name, isAnnotation: signature.isAnnotation)
    }
    if holds("ustar", at: 257, in: head) { return tar(head) }
    if holds("DICM", at: 128, in: head) { return CompanionKind(name: "DICOM images") }
    if holds("n+1", at: 344, in: head) || holds("ni1", at: 344, in: head) {
      return CompanionKind(name: "NIfTI volumes")
    }
    if isRecordFile(place, head) { return CompanionKind(name: "TFRecord files") }
    if head.starts(with: GzipInflater.magic) { return gzip(place.name) }
    return array(place, head, size: size)
  }

  /// The image arrays of MNIST and CIFAR.
  private static func array(
    _ place: CompanionPlace, _ head: [UInt8], size: Int
  ) -> CompanionKind? {
    let isCIFAR = ["data_batch", "test_batch", "batches.meta"].contains {
      place.name.hasPrefix($0)
    }
    if head.count >= 2, head[0] == 0x80, (2...5).contains(head[1]) {
      let isNamed =
        isCIFAR || place.folders.contains { $0.hasPrefix("cifar") }
        || (place.suffix.isEmpty && ["train", "test", "meta"].contains(place.name))
      return isNamed
        ? CompanionKind(name: "CIFAR batches (Python pickles)")
        : CompanionKind(name: "Python pickles", isAnnotation: false)
    }
    if head.count >= 4, head[0] == 0, head[1] == 0, [8, 9, 11, 12, 13, 14].contains(head[2]),
      (1...4).contains(head[3])
    {
      return CompanionKind(name: "IDX files (MNIST, EMNIST)")
    }
    let isRowed = size > 0 && (size % 3073 == 0 || size % 3074 == 0)
    let isNamed = isCIFAR || (["train.bin", "test.bin"].contains(place.name) && isRowed)
    return place.suffix == ".bin" && isNamed ? CompanionKind(name: "CIFAR batches (binary)") : nil
  }

  private static func gzip(_ name: String) -> CompanionKind {
    if name.hasSuffix(".tar.gz") || name.hasSuffix(".tgz") {
      return CompanionKind(name: "tar archives", isAnnotation: false)
    }
    if name.hasSuffix("ubyte.gz") { return CompanionKind(name: "IDX files (MNIST, EMNIST)") }
    if name.hasSuffix(".nii.gz") { return CompanionKind(name: "NIfTI volumes") }
    if name.hasSuffix(".csv.gz") { return CompanionKind(name: "CSV tables", isAnnotation: false) }
    return CompanionKind(name: "gzip files", isAnnotation: false)
  }

  /// A tar archive; a WebDataset shard if one of its first members is an image.
  private static func tar(_ head: [UInt8]) -> CompanionKind {
    var offset = 0
    var members = 0
    while offset + 512 <= head.count, members < 8, head[offset] != 0 {
      let name = String(decoding: head[offset..<offset + 100].prefix { $0 != 0 }, as: UTF8.self)
      if PairPath.isImageName(name) { return CompanionKind(name: "WebDataset shards") }
      let digits = head[offset + 124..<offset + 136].filter { (48...55).contains($0) }
      let size = digits.reduce(0) { ($0 & 0xFFFF_FFFF) * 8 + Int($1) - 48 }
      offset += 512 + (size + 511) / 512 * 512
      members += 1
    }
    return CompanionKind(name: "tar archives", isAnnotation: false)
  }

  /// TensorFlow's records, by the checksum of their first length, or by name.
  private static func isRecordFile(_ place: CompanionPlace, _ head: [UInt8]) -> Bool {
    TFRecordFile.beginsRecord(head)
      || TFRecordFile.suffixes.contains { place.name.contains($0 + "-") || place.suffix == $0 }
  }

  private static func holds(_ text: String, at offset: Int, in head: [UInt8]) -> Bool {
    head.count >= offset + text.utf8.count && head[offset...].starts(with: text.utf8)
  }
}
