import AssayCore
import AssayTestSupport
import Testing

@testable import AssayImaging

@Suite("Similar images")
struct SimilarityTests {
  private func thumbnail(_ raster: Raster<UInt8>) -> Thumbnail {
    Thumbnail(of: GrayConversion.gray(raster), colors: ThumbnailColors(of: raster))
  }

  /// An image changed as copies of photos are.
  private func variants(of seed: UInt64) throws -> [(name: String, raster: Raster<UInt8>)] {
    let whole = SeededPhoto.raster(seed: seed)
    let encoded = try ImageCodec.decode(ImageCodec.encodeJPEG(whole, quality: 60), as: .rgb8)
    return [
      ("quality 60", encoded), ("half", Resize.area(whole, to: ImageSize(width: 120, height: 90))),
      ("darker", SeededPhoto.raster(seed: seed, gain: 0.9)),
      ("brighter", SeededPhoto.raster(seed: seed, gain: 1.1)),
      ("mirrored", SeededPhoto.raster(seed: seed, isMirrored: true)),
      ("cropped", SeededPhoto.raster(seed: seed, crop: 0.05)),
    ]
  }

  @Test("Copies of an image are found and confirmed, other images are not")
  func copies() throws {
    let seeds = (0..<40).map(UInt64.init)
    var thumbnails: [Thumbnail] = []
    var names: [(seed: UInt64, name: String)] = []
    for seed in seeds {
      thumbnails.append(thumbnail(SeededPhoto.raster(seed: seed)))
      names.append((seed, "original"))
      for (name, raster) in try variants(of: seed) {
        thumbnails.append(thumbnail(raster))
        names.append((seed, name))
      }
    }
    let index = FingerprintIndex(
      values: thumbnails.flatMap {
        Fingerprint($0)?.values ?? Array(repeating: 0, count: Fingerprint.count)
      })
    let alignment = ThumbnailAlignment()
    var found: Set<Int> = []
    for (place, name) in names.enumerated() where name.name == "original" {
      let candidates = index.candidates(
        of: Fingerprint.variants(of: thumbnails[place]), except: place, least: 0.93)
      for candidate in candidates {
        let similarity = alignment.similarity(
          thumbnails[place], thumbnails[candidate.image], isMirrored: candidate.isMirrored,
          least: 0.97)
        guard similarity >= 0.97 else { continue }
        #expect(names[candidate.image].seed == name.seed, "\(name), \(names[candidate.image])")
        found.insert(candidate.image)
      }
    }
    let missing = names.indices.filter { names[$0].name != "original" && !found.contains($0) }
    #expect(missing.isEmpty, "\(missing.map { names[$0] })")
  }

  @Test("A fingerprint has length 1; an almost uniform image has none")
  func fingerprints() throws {
    let values = try #require(Fingerprint(thumbnail(SeededPhoto.raster(seed: 3)))).values
    #expect(values.count == Fingerprint.count)
    #expect(abs(values.reduce(0) { $0 + $1 * $1 } - 1) < 1e-5)
    let flat = thumbnail(Raster(repeating: 90, width: 64, height: 48))
    #expect(Fingerprint(flat) == nil && Fingerprint.variants(of: flat).isEmpty)
    #expect(flat.deviation == 0)
  }

  @Test("The fingerprint of a mirrored image has the odd frequencies negated")
  func mirrored() throws {
    let variants = Fingerprint.variants(of: thumbnail(SeededPhoto.raster(seed: 8)))
    let mirror = try #require(
      Fingerprint(thumbnail(SeededPhoto.raster(seed: 8, isMirrored: true))))
    let own = try #require(variants.first { $0.isMirrored })
    #expect(zip(own.values, mirror.values).allSatisfy { abs($0 - $1) < 0.02 })
  }

  @Test("A search returns at most its limit, and never the image itself")
  func limit() throws {
    let values = try #require(Fingerprint(thumbnail(SeededPhoto.raster(seed: 5)))).values
    let count = FingerprintIndex.candidateLimit + 40
    let index = FingerprintIndex(values: (0..<count).flatMap { _ in values })
    let found = index.candidates(of: [(values, false)], except: 7, least: 0.9)
    #expect(found.count == FingerprintIndex.candidateLimit)
    #expect(!found.contains { $0.image == 7 })
    #expect(found.map(\.image) == found.map(\.image).sorted())
  }

  @Test("The closest of thousands of similar fingerprints are found")
  func crowded() throws {
    let base = try #require(Fingerprint(thumbnail(SeededPhoto.raster(seed: 5)))).values
    var generator = SplitMix64(seed: 1)
    // All have the signs of the base, so that they are in one bucket.
    var values = (0..<2_000).flatMap { _ -> [Float] in
      let changed = base.map { $0 * Float.random(in: 0.7...1.3, using: &generator) }
      let length = changed.reduce(0) { $0 + $1 * $1 }.squareRoot()
      return changed.map { $0 / length }
    }
    let count = Fingerprint.count
    let twin = Array(values[1_000 * count..<1_001 * count])
    values.replaceSubrange(1_800 * count..<1_801 * count, with: twin)
    let index = FingerprintIndex(values: values)
    let found = index.candidates(of: [(twin, false)], except: 1_000, least: 0.5)
    #expect(found.first?.image == 1_800)
    #expect(found.count == FingerprintIndex.candidateLimit)
  }

  @Test("The alignment goes on until the correlation that is needed is reached")
  func exactAlignment() {
    let alignment = ThumbnailAlignment()
    for seed in 0..<12 {
      let one = thumbnail(SeededPhoto.raster(seed: UInt64(seed)))
      let cropped = thumbnail(SeededPhoto.raster(seed: UInt64(seed), crop: 0.05))
      let value = alignment.similarity(one, cropped, isMirrored: false, least: 0.99)
      #expect(value >= 0.99, "\(seed)")
    }
  }

  @Test("Identical images correlate with 1, whatever their brightness; noise does not")
  func alignment() throws {
    let alignment = ThumbnailAlignment()
    let one = thumbnail(SeededPhoto.raster(seed: 11))
    #expect(alignment.similarity(one, one, isMirrored: false, least: 0.97) > 0.9999)
    let other = thumbnail(SeededPhoto.raster(seed: 12))
    #expect(alignment.similarity(one, other, isMirrored: false, least: 0.97) < 0.9)
    let flat = thumbnail(Raster(repeating: 90, width: 64, height: 48))
    #expect(alignment.similarity(one, flat, isMirrored: false, least: 0.97) == 0)
  }
}

@Suite("How images look")
struct ImageAppearanceTests {
  @Test("A uniform image has no range, no entropy and no sharpness")
  func uniform() {
    let look = ImageAppearance(Raster(repeating: 77, width: 200, height: 100))
    #expect(look.low == 77 && look.high == 77 && look.entropy == 0 && look.sharpness == nil)
  }

  @Test("Images of fewer than 1,024 pixels have no entropy")
  func tiny() {
    #expect(ImageAppearance(Raster(repeating: 77, width: 8, height: 8)).entropy == nil)
    #expect(ImageAppearance(Raster(repeating: 77, width: 32, height: 32)).entropy == 0)
  }

  @Test("Two gray values with equal counts have an entropy of one bit")
  func entropy() throws {
    let raster = try #require(
      Raster<UInt8>(
        width: 80, height: 80, elements: (0..<6400).map { $0 % 80 < 40 ? 0 : 255 }))
    let look = ImageAppearance(raster)
    #expect(abs(try #require(look.entropy) - 1) < 1e-6)
    #expect(look.low == 0 && look.high == 255)
    // Enlarged to 160 pixels, the step between the halves is a slope over four pixels.
    #expect(try #require(look.sharpness) > 0.35)
    let large = try #require(
      Raster<UInt8>(
        width: 160, height: 160, elements: (0..<25600).map { $0 % 160 < 80 ? 0 : 255 }))
    // A step of the whole range between two pixels.
    #expect(ImageAppearance(large).sharpness == 1)
  }

  @Test("Smoothing lowers the sharpness")
  func sharpness() throws {
    let sharp = GrayConversion.gray(SeededPhoto.raster(seed: 4, width: 320, height: 240))
    let small = Resize.area(sharp, to: ImageSize(width: 20, height: 15))
    let blurred = Resize.bilinear(small, to: ImageSize(width: 320, height: 240))
    let one = try #require(ImageAppearance(sharp).sharpness)
    let other = try #require(ImageAppearance(blurred).sharpness)
    #expect(one > 0.3 && other < 0.12)
  }

  @Test(
    "The sharpness of a blurred image does not depend on its size",
    arguments: [(640, 480), (240, 180), (160, 120), (128, 96), (96, 72), (72, 54)])
  func scale(width: Int, height: Int) throws {
    let sharp = GrayConversion.gray(SeededPhoto.raster(seed: 4, width: 320, height: 240))
    let small = Resize.area(sharp, to: ImageSize(width: 20, height: 15))
    let whole = ImageSize(width: 320, height: 240)
    let blurred = ResizeFilter.pillowBicubic.apply(to: small, size: whole, window: PixelRect(whole))
    let size = ImageSize(width: width, height: height)
    func measure(_ raster: Raster<UInt8>) throws -> Float {
      try #require(
        ImageAppearance(
          ResizeFilter.pillowBicubic.apply(to: raster, size: size, window: PixelRect(size))
        ).sharpness)
    }
    let reference = try #require(ImageAppearance(blurred).sharpness)
    #expect(abs(try measure(blurred) - reference) < 0.02 && reference < 0.12)
    // Below 96 pixels, the finest edges of a sharp image are gone, too.
    #expect(try width < 96 || measure(sharp) > 0.12)
  }
}

@Suite("Reduced decoding")
struct ReducedDecodingTests {
  @Test("A JPEG is decoded at the fraction that keeps the longer side", arguments: [1, 2, 4, 8])
  func sizes(denominator: Int) throws {
    let raster = SeededPhoto.raster(seed: 2, width: 331, height: 209)
    let bytes = try ImageCodec.encodeJPEG(raster, quality: 90)
    let reduced = try bytes.withUnsafeBytes { buffer in
      try ImageCodec.decodeReduced(
        buffer, header: try ImageCodec.header(of: buffer), longest: 331 / denominator)
    }
    #expect(reduced.channels == 3)
    let gray = GrayConversion.gray(reduced)
    #expect(gray.width == (331 + denominator - 1) / denominator)
    #expect(gray.height == (209 + denominator - 1) / denominator)
    let whole = Resize.area(
      GrayConversion.gray(try ImageCodec.decode(bytes, as: .rgb8)),
      to: ImageSize(width: gray.width, height: gray.height))
    let difference = zip(gray.elements, whole.elements).reduce(0) {
      $0 + abs(Int($1.0) - Int($1.1))
    }
    #expect(Double(difference) / Double(gray.elements.count) < 8)
  }

  @Test(
    "Every good file decodes, oriented, and a cut one is refused", arguments: ImageFixtures.good)
  func files(name: String) throws {
    let bytes = try ImageFixtures.bytes(name)
    let whole = try ImageCodec.decode(bytes, as: .gray8)
    try bytes.withUnsafeBytes { buffer in
      let header = try ImageCodec.header(of: buffer)
      let gray = try ImageCodec.decodeReduced(buffer, header: header, longest: 10_000)
      #expect(gray.width == whole.width && gray.height == whole.height)
      let small = try ImageCodec.decodeReduced(buffer, header: header, longest: 1)
      #expect(small.width >= 1 && small.width <= whole.width)
    }
    for cut in [bytes.count / 2, bytes.count * 3 / 4] {
      #expect(throws: ImageError.self, "\(cut)") {
        try Array(bytes.prefix(cut)).withUnsafeBytes { buffer in
          try ImageCodec.decodeReduced(
            buffer, header: try ImageCodec.header(of: buffer), longest: 1)
        }
      }
    }
  }

  /// The image of a JPEG without its end, or of a shorter part of it.
  private func withoutEnd(_ bytes: [UInt8]) throws -> Raster<UInt8>? {
    try bytes.withUnsafeBytes { buffer in
      ImageCodec.decodeWithoutEnd(
        buffer, header: try ImageCodec.header(of: buffer), longest: 10_000)
    }
  }

  @Test(
    "A JPEG without its end marker has all rows; a shorter one has not",
    arguments: ["rgb.jpg", "gray.jpg", "cmyk.jpg", "ycc420.jpg", "restarts.jpg"])
  func withoutEnd(name: String) throws {
    let bytes = try ImageFixtures.bytes(name)
    #expect(bytes.suffix(2) == [0xFF, 0xD9])
    let whole = try bytes.withUnsafeBytes { buffer in
      try ImageCodec.decodeReduced(
        buffer, header: try ImageCodec.header(of: buffer), longest: 10_000)
    }
    #expect(throws: ImageError.truncated(.jpeg)) {
      try ImageCodec.decode(Array(bytes.dropLast(2)), as: .native)
    }
    #expect(try withoutEnd(bytes.dropLast(2)) == whole)
    #expect(try withoutEnd(bytes.dropLast(1)) == whole)
    for cut in [12, bytes.count / 4, bytes.count / 3] {
      #expect(try withoutEnd(bytes.dropLast(cut)) == nil, "\(cut)")
    }
  }

  @Test("Of a progressive JPEG without its end, the last scans could be missing")
  func progressive() throws {
    #expect(try withoutEnd(try ImageFixtures.bytes("progressive.jpg").dropLast(2)) == nil)
  }
}

@Suite("Colors of images")
struct ThumbnailColorsTests {
  /// A picture in one color with a lighter square.
  private func square(_ red: UInt8, _ green: UInt8, _ blue: UInt8, at x: Int = 40) -> Raster<UInt8>
  {
    var raster = Raster<UInt8>(repeating: 60, width: 120, height: 120, channels: 3)
    for row in 30..<70 {
      for column in x..<x + 40 {
        (raster[column, row, 0], raster[column, row, 1]) = (red, green)
        raster[column, row, 2] = blue
      }
    }
    return raster
  }

  private func difference(
    _ a: Raster<UInt8>, _ b: Raster<UInt8>, isMirrored: Bool = false
  ) -> Float {
    ThumbnailColors(of: a).difference(to: ThumbnailColors(of: b), isMirrored: isMirrored)
  }

  @Test("Cb and Cr are those of BT.601")
  func conversion() {
    // Pillow 13: Image.new("RGB", (8, 8), color).convert("YCbCr").getpixel((0, 0)).
    for (color, cb, cr) in [
      ((255, 0, 0), 84, 255), ((0, 255, 0), 43, 21), ((0, 0, 255), 255, 107),
      ((90, 160, 30), 74, 103), ((128, 128, 128), 128, 128),
    ] as [((UInt8, UInt8, UInt8), UInt8, UInt8)] {
      var raster = Raster<UInt8>(repeating: 0, width: 16, height: 16, channels: 3)
      for place in 0..<256 {
        raster.elements.replaceSubrange(
          3 * place..<3 * place + 3, with: [color.0, color.1, color.2])
      }
      let values = ThumbnailColors(of: raster).values
      #expect(abs(Int(values[0]) - Int(cb)) <= 1 && abs(Int(values[64]) - Int(cr)) <= 1)
    }
  }

  @Test("A red and a green light differ, a light that is shifted or mirrored does not")
  func lights() {
    let (red, green) = (square(220, 40, 30), square(30, 118, 60))
    #expect(difference(red, green) > 60)
    #expect(difference(red, red) == 0)
    #expect(difference(red, square(220, 40, 30, at: 46)) < 12)
    let flipped = square(220, 40, 30, at: 20)
    #expect(difference(flipped, square(220, 40, 30, at: 60), isMirrored: true) < 1)
    #expect(difference(flipped, square(220, 40, 30, at: 60)) > 24)
  }

  @Test("A gray copy has no colors to compare")
  func gray() {
    let red = square(220, 40, 30)
    #expect(difference(red, GrayConversion.gray(red)) == 0)
    #expect(difference(red, GrayConversion.rgb(GrayConversion.gray(red))) == 0)
    #expect(ThumbnailColors(of: GrayConversion.gray(red)).isGray)
    #expect(!ThumbnailColors(of: red).isGray)
  }

  @Test("The bytes of a thumbnail give it back, another number of bytes does not")
  func bytes() {
    let red = square(220, 40, 30)
    let thumbnail = Thumbnail(of: GrayConversion.gray(red), colors: ThumbnailColors(of: red))
    #expect(Thumbnail(bytes: thumbnail.bytes) == thumbnail)
    #expect(Thumbnail(bytes: thumbnail.bytes.dropLast()) == nil)
  }
}
