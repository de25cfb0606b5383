import Testing

import AssayCore

@Suite("Rasters and sizes")
struct RasterTests {
  @Test("An element lies at (y · width + x) · channels + c")
  func layout() throws {
    var raster = try #require(
      Raster<UInt8>(width: 2, height: 2, channels: 3, elements: Array(0..<12)))
    #expect(raster[1, 0, 2] == 5)  // (0 · 2 + 1) · 3 + 2
    #expect(raster[0, 1, 0] == 6)  // (1 · 2 + 0) · 3
    raster[1, 1, 1] = 99
    #expect(raster.elements[10] == 99)
  }

  @Test("A size that does not fit the elements is refused")
  func mismatch() {
    #expect(Raster<UInt8>(width: 2, height: 2, elements: [1, 2, 3]) == nil)
    #expect(Raster<UInt8>(width: -1, height: -1, elements: [1]) == nil)
    #expect(Raster<UInt8>(width: .max, height: 2, elements: [1]) == nil)
    #expect(Raster<UInt8>(width: 1 << 40, height: 1 << 20, channels: 16, elements: []) == nil)
  }

  @Test("Sizes from outside are checked without overflow")
  func sizes() {
    #expect(ImageSize.checked(width: 10_000, height: 10_000)?.area == 100_000_000)
    #expect(ImageSize.checked(width: 10_001, height: 10_000) == nil)
    #expect(ImageSize.checked(width: .max, height: .max) == nil)
    #expect(ImageSize.checked(width: 0, height: 5) == nil)
  }
}

@Suite("Names and hashes")
struct NamesTests {
  @Test("Spellings of a split find each other, others do not")
  func splits() {
    #expect(SplitName.match("val", "Validation"))
    #expect(SplitName.match("dev", "valid"))
    #expect(SplitName.match("val2017", "val2017"))
    #expect(!SplitName.match("val2017", "val"))
    #expect(!SplitName.match("train", "test"))
    #expect(SplitName.isKnown("TRAIN") && !SplitName.isKnown("happy"))
  }

  @Test("Splits are listed in the order of their use, none at the end")
  func splitOrder() {
    let mixed: [String?] = [nil, "test", "extra", "val", "Training", "Extra"]
    #expect(
      mixed.sorted(by: SplitName.precedes) == ["Training", "val", "test", "Extra", "extra", nil])
  }

  @Test("The nearest spelling is suggested, a far one is not")
  func nearMiss() {
    let names = ["happy", "sad", "surprise"]
    #expect(NearMiss.suggestion(for: "hapy", among: names) == "happy")
    #expect(NearMiss.suggestion(for: "SURPRIS", among: names) == "surprise")
    #expect(NearMiss.suggestion(for: "lable", among: ["label", "split"]) == "label")
    #expect(NearMiss.suggestion(for: "flase", among: ["true", "false"]) == "false")
    #expect(NearMiss.suggestion(for: "xylophone", among: names) == nil)
    #expect(NearMiss.suggestion(for: "", among: names) == nil)
    // 1,025 letters, one off: not a likely typo, and a table of 1,025 by 1,024 for each name is
    // expensive.
    let long = String(repeating: "a", count: 1024)
    #expect(NearMiss.suggestion(for: long + "a", among: [long]) == nil)
    #expect(NearMiss.suggestion(for: String(repeating: "a", count: 99), among: [long]) == nil)
  }

  @Test("SHA-256 agrees with FIPS 180-4's examples")
  func hashes() {
    // NIST's example for the three letters abc, and the hash of the empty input.
    #expect(
      ContentHash.of(Array("abc".utf8))
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(
      ContentHash.of([]) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    var parts = ContentHash()
    parts.update("a")
    parts.update("bc")
    #expect(parts.hexadecimal() == ContentHash.of(Array("abc".utf8)))
  }

  @Test("SplitMix64 gives the published sequence for seed 1234567")
  func random() {
    var random = SplitMix64(seed: 1_234_567)
    // First outputs of the reference C code (S. Vigna, splitmix64.c) for this seed.
    #expect(random.next() == 6_457_827_717_110_365_317)
    #expect(random.next() == 3_203_168_211_198_807_973)
  }
}
