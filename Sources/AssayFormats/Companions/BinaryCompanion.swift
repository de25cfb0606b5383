/// Recognizes binary dataset files.
enum BinaryCompanion {
  private static let signatures: [(bytes: [UInt8], kind: CompanionKind)] = [
    (Array("PAR1".utf8), .parquet),
    (Array("ARROW1".utf8), CompanionKind("Arrow tables")),
    ([0x89, 0x48, 0x44, 0x46], CompanionKind("HDF5 files")),
    ([0x93] + Array("NUMPY".utf8), .numPy),
    (Array("MATLAB 5.0".utf8), CompanionKind("MATLAB files")),
    ([0x0A, 0x23, 0xD7, 0xCE], CompanionKind("MXNet records")),
    (Array("SQLite format 3".utf8), CompanionKind(other: "SQLite databases")),
    (Array("7z".utf8) + [0xBC, 0xAF], CompanionKind(other: "7-Zip archives")),
    (Array("Rar!".utf8), CompanionKind(other: "RAR archives")),
    ([0x42, 0x5A, 0x68], CompanionKind(other: "bzip2 archives")),
    ([0xFD, 0x37, 0x7A, 0x58, 0x5A], CompanionKind(other: "xz archives")),
    ([0x28, 0xB5, 0x2F, 0xFD], CompanionKind(other: "Zstandard archives")),
  ]

  static func kind(_ place: CompanionPlace, _ head: [UInt8], size: Int) -> CompanionKind? {
    if head.starts(with: Array("PK\u{3}\u{4}".utf8)) {
      return place.suffix == ".npz" ? .numPy : CompanionKind(other: "ZIP archives")
    }
    for signature in signatures where head.starts(with: signature.bytes) { return signature.kind }
    if holds("ustar", at: 257, in: head) { return tar(head) }
    if holds("DICM", at: 128, in: head) { return .dicom }
    if holds("n+1", at: 344, in: head) || holds("ni1", at: 344, in: head) {
      return .nifti
    }
    if isRecordFile(place, head) { return .tfRecord }
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
        ? .cifarPickles : CompanionKind(other: "Python pickles")
    }
    if head.count >= 4, head[0] == 0, head[1] == 0, [8, 9, 11, 12, 13, 14].contains(head[2]),
      (1...4).contains(head[3])
    {
      return .idx
    }
    let isRowed = size > 0 && (size % 3073 == 0 || size % 3074 == 0)
    let isNamed = isCIFAR || (["train.bin", "test.bin"].contains(place.name) && isRowed)
    return place.suffix == ".bin" && isNamed ? .cifar : nil
  }

  private static func gzip(_ name: String) -> CompanionKind {
    if name.hasSuffix(".tar.gz") || name.hasSuffix(".tgz") {
      return CompanionKind(other: "tar archives")
    }
    if name.hasSuffix("ubyte.gz") { return .idx }
    if name.hasSuffix(".nii.gz") { return .nifti }
    if name.hasSuffix(".csv.gz") { return CompanionKind(other: "CSV tables") }
    return CompanionKind(other: "gzip files")
  }

  /// A tar archive; a WebDataset shard if one of its first members is an image.
  private static func tar(_ head: [UInt8]) -> CompanionKind {
    var offset = 0
    var members = 0
    while offset + 512 <= head.count, members < 8, head[offset] != 0 {
      let name = String(decoding: head[offset..<offset + 100].prefix { $0 != 0 }, as: UTF8.self)
      if PairPath.isImageName(name) { return .shards }
      let digits = head[offset + 124..<offset + 136].filter { (48...55).contains($0) }
      let size = digits.reduce(0) { ($0 & 0xFFFF_FFFF) * 8 + Int($1) - 48 }
      offset += 512 + (size + 511) / 512 * 512
      members += 1
    }
    return CompanionKind(other: "tar archives")
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
