import AssayCore
import AssayFormats
import Testing

@Suite("Predictions as CSV")
struct PredictionsCSVTests {
  private func export(
    _ layout: PredictionsLayout, _ table: PredictionTable<Float>, first: [String]
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    let exporter = PredictionsExporter(layout: layout, classes: table.classes)
    exporter.writeHeader(to: &bytes)
    for (row, name) in first.enumerated() { exporter.writeRow(name, table.row(row), to: &bytes) }
    return bytes
  }

  @Test("Export and import give the same bits, keys and names")
  func identity() throws {
    var random = SplitMix64(seed: 5)
    let classes = [
      "happy", "a,b", "say \"hi\"", "=1+1", "truth", "line\nend", " blank ", "ärger", "label",
    ]
    let samples =
      (0..<500).map { $0 % 3 == 0 ? "a/\($0), \"x\"\r\n.png" : "\($0)" }
      + ["-1", "@x", ""]
      .dropLast()
    var scores: [Float] = []
    while scores.count < samples.count * classes.count {
      // Every bit pattern of a finite float, subnormal ones too.
      let score = Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
      if score.isFinite { scores.append(score) }
    }
    let table = PredictionTable(classes: classes, samples: samples, scores: scores)
    let bytes = export(.assay, table, first: samples)
    let read = try PredictionsCSV.read(bytes, file: "p.csv", as: Float.self)
    #expect(read.classes == classes)
    #expect(read.samples == samples)
    #expect(read.truth == nil)
    #expect(read.scores.map(\.bitPattern) == scores.map(\.bitPattern))
    #expect(export(.assay, read, first: samples) == bytes)
  }

  @Test("The oracle's layout has the truth first, and probabilities as the float64 they widen to")
  func oracleLayout() throws {
    let table = PredictionTable<Float>(
      classes: ["angry", "happy"], samples: nil, scores: [0.1, 0.9, 1e-5, 0.25])
    let bytes = export(.oracle, table, first: ["happy", "angry"])
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == "truth,angry,happy\nhappy,0.10000000149011612,0.8999999761581421\n"
        + "angry,9.999999747378752e-06,0.25\n")
    let read = try PredictionsCSV.read(bytes, file: "o.csv", as: Double.self)
    #expect(read.truth == ["happy", "angry"])
    #expect(read.samples == nil)
    #expect(read.scores == table.scores.map(Double.init))
  }

  @Test("Names that a spreadsheet would run are quoted and not altered")
  func formulas() {
    let table = PredictionTable<Float>(
      classes: ["=SUM(A1)", "+a", "-b", "@c", "d"], samples: nil, scores: [])
    let header = String(decoding: export(.assay, table, first: []), as: UTF8.self)
    #expect(header == "sample,\"=SUM(A1)\",\"+a\",\"-b\",\"@c\",d\n")
  }

  @Test("Keys and truth together, classes alone, a byte order mark, CRLF and blank lines are read")
  func otherLayouts() throws {
    let both = try PredictionsCSV.read(
      Array("\u{FEFF}sample,truth,a,b\r\nx,b,0.5,.5\r\n\r\ny,a, 1 ,0\r\n".utf8), file: "f",
      as: Double.self)
    #expect(both.samples == ["x", "y"])
    #expect(both.truth == ["b", "a"])
    #expect(both.scores == [0.5, 0.5, 1, 0])
    let alone = try PredictionsCSV.read(Array("a,b\n1,0\n".utf8), file: "f", as: Double.self)
    #expect(alone.samples == nil)
    #expect(alone.classes == ["a", "b"])
    #expect(alone.count == 1)
  }

  @Test("True labels are read with keys or in order")
  func truth() throws {
    let keyed = try PredictionsCSV.readTruth(
      Array("sample,label\n3,happy\n4,sad\n".utf8), file: "t")
    #expect(keyed.samples == ["3", "4"])
    #expect(keyed.labels == ["happy", "sad"])
    let ordered = try PredictionsCSV.readTruth(Array("note,truth\n,a\n,b\n".utf8), file: "t")
    #expect(ordered.samples == nil)
    #expect(ordered.labels == ["a", "b"])
    let whole = try PredictionsCSV.readTruth(Array("a,truth,sample\n1,x,s\n".utf8), file: "t")
    #expect(whole.samples == ["s"])
  }

  @Test(
    "What is not right is refused with its line",
    arguments: [
      ("sample,a,b\n1,0.5\n", 2, "expected 3 fields, found 2"),
      ("sample,a,b\n1,0.5,0.5,0\n", 2, "found 4"),
      ("sample,a,b\n\n1,0.5,x\n", 3, "'x' in column 'b' is not a finite number"),
      ("sample,a\n1,nan\n", 2, "'nan'"), ("sample,a\n1,1e999\n", 2, "'1e999'"),
      ("sample,a\n1,0x10\n", 2, "'0x10'"), ("sample,a\n1,\n", 2, "''"),
      ("sample,a\n1,0\n2,0\n1,0\n", 4, "duplicate sample '1', first in line 2"),
      ("sample,a\n,0\n", 2, "the sample is missing"),
      ("truth,a\n,0\n", 2, "the true label is empty"),
      ("sample\n1\n", 1, "has no classes"), ("sample,a,a\n", 1, "duplicate class 'a'"),
      ("sample,a,\n", 1, "has no name"), ("sample,\"a\n1,0\n", 1, "missing closing quote"),
      ("sample,a\n\"x\ny\"z,0\n", 3, "text between a closing quote"),
      ("image,a,b\nx.png,1,0\n", 2, "if the column holds the samples' keys, call it sample"),
      ("a,b,sample\nx.png,1,0\n", 2, "'sample' is column 3, and keys must be in the first column"),
      (",a,b\n0,1,0\n", 1, "the first column has no name, as pandas writes its index"),
      ("sample;a;b\nx;1;0\n", 1, "separated by semicolons"),
      ("sample\ta\tb\nx\t1\t0\n", 1, "separated by tabs"),
      ("sample,a,b\nx,35%,65%\n", 2, "a percentage; write it as a probability"),
      ("sample,prediction\nx,airplane\n", 2, "it is not a class; remove the column"),
      ("sample,a,b\nx,1,\n", 2, "each class needs a probability in each row"),
    ])
  func refused(text: String, line: Int, says: String) throws {
    let error = #expect(throws: FormatError.self) {
      try PredictionsCSV.read(Array(text.utf8), file: "p.csv", as: Double.self)
    }
    let message = "\(try #require(error))"
    #expect(message.hasPrefix("p.csv:\(line): "))
    #expect(message.contains(says))
  }

  @Test("Files that are not tables are rejected")
  func noTables() throws {
    #expect(throws: FormatError.emptyFile("rows.csv")) {
      try PredictionsCSV.read(MemoryTree(""), as: Float.self)
    }
    #expect(throws: FormatError.noRows("rows.csv")) {
      try PredictionsCSV.read(MemoryTree("sample,a\n"), as: Float.self)
    }
    #expect(throws: FormatError.noRows("rows.csv")) {
      try PredictionsCSV.readTruth(MemoryTree("label\n"))
    }
    #expect(throws: FormatError.self) { try PredictionsCSV.readTruth(MemoryTree("a,b\n1,2\n")) }
    #expect(throws: FormatError.self) {
      try PredictionsCSV.read(MemoryTree(folder: [:]), as: Float.self)
    }
    #expect(throws: FormatError.self) {
      try PredictionsCSV.read(MemoryTree([0x61, 0xFF, 0x2C, 0x62, 0x0A]), as: Float.self)
    }
  }

  @Test("10,000 damaged tables are read or refused")
  func mutations() {
    let text = Array(
      "sample,\"a,b\",c\n\"x\"\"y\",0.25,1e-05\nz,-1.5e3,.5\r\n\"multi\nline\",1,0\n".utf8)
    let spice = Array(",\"\n\r 0e.-+x".utf8) + [0xFF, 0]
    var random = SplitMix64(seed: 9)
    var refused = 0
    for _ in 0..<10_000 {
      var bytes = text
      for _ in 0..<3 {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        bytes[place] = spice[Int.random(in: 0..<spice.count, using: &random)]
      }
      do {
        let table = try PredictionsCSV.read(bytes, file: "p", as: Float.self)
        #expect(table.scores.count == table.count * table.classes.count)
        #expect(table.scores.allSatisfy { $0.isFinite })
      } catch {
        refused += 1
      }
    }
    #expect((5_000..<10_000).contains(refused))
  }
}
