import AssayCore
import AssayTestSupport
import Foundation
import Testing

@testable import AssayFormats

@Suite("TensorFlow's record files with images")
struct TFRecordImporterTests {
  private func tree(_ name: String) -> FileTree { FileTree(fixture: "tfrecord/" + name) }

  private func refusal(_ name: String, _ options: ImportOptions = ImportOptions()) -> String {
    do {
      _ = try Collected(tree(name), as: .tfRecord, options)
      return ""
    } catch {
      return "\(error)"
    }
  }

  private func options(
    _ columns: String, _ coordinates: BoxCoordinates? = nil
  ) throws -> ImportOptions {
    ImportOptions(columns: try BoxTableColumns(parsing: columns), coordinates: coordinates)
  }

  /// What TensorFlow computes and reads: `Tests/Fixtures/tfrecord/make.py`.
  private static func golden() throws -> JSONValue {
    let file = PackageFolder.fixture("tfrecord/golden.json")
    return try JSONValue(parsing: String(contentsOf: file, encoding: .utf8))
  }

  @Test("Checksums are TensorFlow's")
  func checksums() throws {
    let sums = try #require(try Self.golden()["checksums"]?.elements)
    #expect(sums.count == 8)
    for sum in sums {
      guard case .string(let text)? = sum["bytes"], case .integer(let masked)? = sum["masked"]
      else {
        Issue.record("the golden file has another form")
        continue
      }
      let digits = Array(text)
      let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
        UInt8(String(digits[$0..<$0 + 2]), radix: 16)
      }
      #expect(bytes.withUnsafeBytes { Int64(CRC32C.masked($0)) } == masked)
    }
  }

  @Test("All records have the features and integers that TensorFlow reads")
  func records() throws {
    let all = FileTree(fixture: "tfrecord")
    guard case .object(let files)? = try Self.golden()["records"] else {
      Issue.record("the golden file has no records")
      return
    }
    var checked = 0
    for file in files {
      let source = try #require(try all.files().first { $0.path == file.name })
      let table = try TFRecordFile(all, source)
      let rows = file.value.elements ?? []
      #expect(table.rows == rows.count && table.damage == nil && TFRecordFile.isNamed(file.name))
      for (number, row) in rows.enumerated() {
        guard case .object(let members) = row else { continue }
        let example = try table.record(number)
        #expect(example.keys == members.map(\.name).filter { example.kind($0) != nil }.sorted())
        for member in members {
          if let integers = member.value.elements {
            #expect(try (example.integers(member.name) ?? []).map { .integer($0) } == integers)
          } else {
            let values = try example.byteStrings(member.name)?.count
            let numbers = try example.numbers(member.name)?.count
            #expect(.integer(Int64(values ?? numbers ?? 0)) == member.value)
          }
          checked += 1
        }
      }
    }
    #expect(checked > 200)
  }

  @Test("The Object Detection API: label map, boxes, attributes; contradictions are issues")
  func detection() throws {
    let found = try CollectedObjects(detecting: tree("detection"))
    #expect(found.names == ["dog", "person", "cat"])
    #expect(found.samples.map(\.objects.count) == [1, 2, 0, 1, 2, 1])
    #expect(
      found.objects.map(\.label) == ["person", "person", "dog", "dog", "cat", "dog", "person"])
    let second = try #require(found.objects.dropFirst().first)
    let box = try #require(second.box)
    #expect(abs(box.x - 2) < 1e-5 && abs(box.width - 8) < 1e-5)
    #expect(abs(box.y - 1) < 1e-5 && abs(box.height - 5) < 1e-5)
    #expect(second.attributes == #"{"difficult":0,"view":"front"}"#)
    #expect(
      found.issues.map(\.kind) == [.unknownLabel, .unknownLabel, .unknownLabel, .badField])
    #expect(found.run.lists?.annotationsRead == 8 && found.run.outcome.rejected == 1)
    let keys = try Collected(detecting: tree("detection"))
    #expect(keys.splits == ["test"] + Array(repeating: "train", count: 5))
    #expect(keys.keys[0] == "test.record-00000-of-00001/image.encoded/000000/6.jpg")
    #expect(keys.sourceIDs == [.integer(2), .integer(1), nil])
  }

  @Test("Image models: shards without suffix; boxes have the label's class")
  func imageModels() throws {
    let found = try Collected(detecting: tree("imagenet"))
    #expect(found.classes == ["goldfish", "tench"])
    #expect(found.sourceIDs == [.integer(2), .integer(1)])
    #expect(
      found.splits
        == Array(repeating: "train", count: 6) + Array(repeating: "validation", count: 4))
    #expect(found.labels.prefix(4) == ["tench", "goldfish", "tench", "goldfish"])
    let objects = try CollectedObjects(detecting: tree("imagenet"))
    #expect(objects.objects.map(\.label) == ["tench", "goldfish", "tench", "goldfish"])
  }

  @Test("TensorFlow Datasets: lists of class names, boxes from the top, unknown labels")
  func datasets() throws {
    let found = try Collected(detecting: tree("datasets"))
    #expect(found.labels == [nil, "dog", "cat"] && found.splits == ["test", "train", "train"])
    let objects = try CollectedObjects(detecting: tree("datasets"))
    #expect(objects.objects.map(\.label) == ["ear", "eye"])
    let box = try #require(objects.objects.first?.box)
    #expect(abs(box.x - 4) < 1e-5 && abs(box.y - 1) < 1e-5)
    #expect(abs(box.width - 8) < 1e-5 && abs(box.height - 4) < 1e-5)
  }

  @Test("Masks and points of objects")
  func masks() throws {
    let found = try CollectedObjects(detecting: tree("masks"))
    #expect(found.objects.count == 3)
    // The first mask fills its box, the second is a part of its, and the third has another size.
    #expect(found.issues.map(\.kind) == [.maskSize])
    let first = try #require(found.objects.first)
    #expect(first.area == 40 && found.objects[1].area == 25)
    #expect(
      first.attributes == #"{"keypoints":[5.0,5.0,2,10.0,5.0,1],"num_keypoints":2}"#)
  }

  @Test("Index masks, and images and masks read in place")
  func segmentation() throws {
    let found = try Collected(detecting: tree("segmentation"))
    #expect(found.classes == ["class 1", "class 2", "class 3"] && found.samples.count == 3)
    let shown = TFRecordTree(tree("segmentation"))
    #expect(try shown.files().count == 6)
    for sample in found.samples {
      let bytes = try shown.readAll(try #require(sample.location), limit: 1 << 20)
      #expect(EmbeddedImagePlace.suffix(bytes) != nil && bytes.count > 60)
    }
    #expect(throws: TFRecordError.self) {
      try shown.readAll(
        "train-00000-of-00001.tfrecord/image.encoded/000003.png", limit: 1 << 20)
    }
  }

  @Test("Boxes in pixels are refused until they are stated")
  func corners() throws {
    let text = refusal("corners")
    #expect(text.contains("should be relative") && text.contains("--coordinates pixels"))
    let stated =
      "image=image/encoded,label=image/object/class/text,box="
      + ["xmin", "ymin", "xmax", "ymax"].map { "image/object/bbox/" + $0 }.joined(separator: ":")
    let found = try CollectedObjects(
      tree("corners"), as: .tfRecord, options(stated, .pixels))
    #expect(found.objects.map(\.box) == [Box(x: 2, y: 1, width: 8, height: 5)])
    let own = try CollectedObjects(
      tree("own"), as: .tfRecord, options("image=img,label=kind,boxwh=box", .pixels))
    #expect(
      own.objects.map(\.box) == Array(repeating: Box(x: 2, y: 1, width: 8, height: 5), count: 2))
    #expect(own.objects.map(\.label) == ["x", "x"])
  }

  @Test("Labels without names, several labels, other wire forms")
  func labels() throws {
    let flowers = try Collected(detecting: tree("flowers"))
    #expect(flowers.labels == [nil, "0", "1", "2"])
    #expect(flowers.run.notes.first?.contains("class.labels.txt") == true)
    let named = try Collected(
      tree("flowers"), as: .tfRecord, ImportOptions(classes: ["rose", "tulip", "daisy"]))
    #expect(named.labels == [nil, "rose", "tulip", "daisy"])
    #expect(try CollectedObjects(detecting: tree("tags")).objects.map(\.label) == ["red", "round"])
    #expect(try Collected(detecting: tree("packed")).labels == ["3"])
  }

  @Test("What cannot be read is refused by name; the rest of a damaged file is an issue")
  func refusals() throws {
    func reason(_ name: String) -> String {
      do {
        return try FormatDetector.detect(tree(name)).format.rawValue
      } catch {
        return "\(error)"
      }
    }
    #expect(reason("sequence").contains("it is a tf.train.SequenceExample, which is not read"))
    #expect(reason("raw").contains("none of the features of a.tfrecord holds images"))
    #expect(reason("gzip").contains("it is compressed with gzip"))
    #expect(reason("zlib").contains("it is compressed with zlib"))
    let found = try Collected(detecting: tree("broken"))
    #expect(found.labels == ["0", "0"] && found.rejected == 1)
    #expect(found.kinds == [.truncated, .unreadableImage])
  }

  @Test("Damaged record files and label maps are imported in part or refused")
  func mutations() throws {
    let seeds = try ["detection", "masks", "imagenet", "segmentation", "datasets"].map { name in
      let tree = tree(name)
      return try tree.files().map { ($0.path, try tree.readAll($0.path, limit: 1 << 20)) }
    }
    var random = SplitMix64(seed: 20_261_124)
    var (imported, refused) = (0, 0)
    for round in 0..<(LongTests.areOn ? 100_000 : 1_500) {
      var files = seeds[round % seeds.count]
      let place = Int.random(in: 0..<files.count, using: &random)
      var bytes = files[place].1
      for _ in 0..<Int.random(in: 1...3, using: &random) where bytes.count > 12 {
        let at = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[at] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes[at] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 2: bytes.removeSubrange(at..<min(bytes.count, at + 9))
        default: bytes.insert(0xFF, at: at)
        }
      }
      if round % 2 == 0 { Self.seal(&bytes) }
      files[place].1 = bytes
      let tree = MemoryTree(folder: Dictionary(uniqueKeysWithValues: files))
      do {
        let found = try Collected(tree, as: .tfRecord, ImportOptions(workers: 1))
        #expect(found.isBalanced && Set(found.keys).count == found.keys.count)
        imported += 1
      } catch is TFRecordError {
        refused += 1
      } catch is FormatError {
        refused += 1
      }
    }
    #expect(imported > 100 && refused > 100)
  }

  /// Makes the bytes one record with right checksums, so that its message is read.
  private static func seal(_ bytes: inout [UInt8]) {
    guard bytes.count > 16 else { return }
    let content = Array(bytes[12..<bytes.count - 4])
    var head = withUnsafeBytes(of: UInt64(content.count).littleEndian) { Array($0) }
    let first = head.withUnsafeBytes { CRC32C.masked($0) }
    let last = content.withUnsafeBytes { CRC32C.masked($0) }
    withUnsafeBytes(of: first.littleEndian) { head += Array($0) }
    head += content
    withUnsafeBytes(of: last.littleEndian) { head += Array($0) }
    bytes = head
  }
}
