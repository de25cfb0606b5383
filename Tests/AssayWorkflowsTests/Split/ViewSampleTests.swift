import AssayCore
import AssayStore
import Testing

@testable import AssayWorkflows

@Suite("Drawing a sample of a view")
struct ViewSampleTests {
  private static func draw(
    _ place: MergeCatalog, _ view: String, _ amount: String, name: String = "drawn",
    seed: UInt64 = 42, stratify: Bool = false, grouping: String? = nil
  ) throws -> ViewSample.Summary {
    var request = SampleRequest(view, .amount(try SampleAmount(amount)), name: name)
    request.seed = seed
    request.stratify = stratify
    request.grouping = try grouping.map { try SampleGrouping($0) }
    return try ViewSample(catalog: place.catalog).run(request, progress: NoProgress())
  }

  private static func keys(_ place: MergeCatalog, _ view: String) throws -> Set<String> {
    Set(try place.catalog.samples(in: place.catalog.resolve(view)).map(\.key))
  }

  /// 20 samples without labels, `0` to `19`.
  private static func plain(reversed: Bool = false) throws -> MergeCatalog {
    let place = try MergeCatalog()
    let drafts = (0..<20).map { MergeCatalog.Draft(key: "\($0)") }
    try place.add("plain", [], reversed ? drafts.reversed() : drafts, embedded: .gray8)
    return place
  }

  @Test("The order is that of SHA-256 of seed and key, whatever the order of the import")
  func order() throws {
    // Python: sorted(map(str, range(20)), key=lambda k: sha256(pack('<Q', 42) + k.encode()).digest())
    for reversed in [false, true] {
      let place = try Self.plain(reversed: reversed)
      let summary = try Self.draw(place, "plain", "6")
      #expect(summary.samples == 6 && summary.total == 20)
      #expect(try Self.keys(place, "drawn") == ["10", "6", "11", "9", "19", "18"])
      _ = try Self.draw(place, "plain", "6", name: "other", seed: 7)
      #expect(try Self.keys(place, "other") == ["15", "10", "2", "6", "13", "19"])
      // A larger sample contains the smaller one, and a view works like any other.
      _ = try Self.draw(place, "plain", "50%", name: "half")
      #expect(try Self.keys(place, "half").count == 10)
      #expect(try Self.keys(place, "half").isSuperset(of: Self.keys(place, "drawn")))
      _ = try Self.draw(place, "half", "1", name: "one")
      #expect(try Self.keys(place, "one") == ["10"])
    }
  }

  @Test("Sizes that a view does not have are refused, and nothing is saved")
  func sizes() throws {
    let place = try Self.plain()
    #expect(throws: SampleError.tooMany(21, view: "plain", of: 20)) {
      try Self.draw(place, "plain", "21")
    }
    #expect(throws: SampleError.none(view: "plain", of: 20)) {
      try Self.draw(place, "plain", "2.4%")
    }
    #expect(try Self.draw(place, "plain", "2.5%", name: "one").samples == 1)
    #expect(try Self.draw(place, "plain", "100%", name: "all").samples == 20)
    for text in [
      "0", "-1", "1.5", "", "%", "0%", "101%", "1e2", "10 %", "٣", "99999999999999999999",
    ] {
      #expect(throws: SampleError.badAmount(text)) { try SampleAmount(text) }
    }
    #expect(throws: SampleError.noClasses(view: "plain")) {
      try ViewSample(catalog: place.catalog).run(
        SampleRequest("plain", .perClass(1), name: "x"), progress: NoProgress())
    }
    #expect(try place.catalog.views().map(\.name) == ["all", "one"])
  }

  @Test("A removed sample takes its list with it, so that its name is free")
  func removal() throws {
    let place = try Self.plain()
    _ = try Self.draw(place, "plain", "5")
    #expect(throws: StoreError.self) { try Self.draw(place, "plain", "6") }
    _ = try place.catalog.remove(.view, named: "drawn")
    #expect(try place.catalog.partitions(of: place.catalog.dataset(named: "plain").id).isEmpty)
    #expect(try Self.draw(place, "plain", "6").samples == 6)
    // A partition of the same name that is no sample stays.
    let split = try DatasetSplit(catalog: place.catalog).run(
      "plain", parts: PartShare.parse("a=0.5,b=0.5"), from: nil, seed: 1, stratify: false,
      name: "halves")
    _ = try place.catalog.addView(
      named: "halves", in: place.catalog.resolve("plain"), where: "part(halves) = a")
    _ = try place.catalog.remove(.view, named: "halves")
    #expect(
      try place.catalog.partitions(of: place.catalog.dataset(named: "plain").id).map(\.name)
        == ["drawn", split.partition.name])
  }

  @Test("Strata of labels have their share by the largest remainder")
  func labels() throws {
    let place = try MergeCatalog()
    // 50 a, 30 b, 13 c, 7 without a label.
    let labels: [Int?] = (0..<100).map { $0 < 50 ? 0 : $0 < 80 ? 1 : $0 < 93 ? 2 : nil }
    try place.add(
      "set", ["a", "b", "c"].map { Category(name: $0) },
      labels.enumerated().map { .init(key: "\($0)", label: $1) }, embedded: .gray8)
    let summary = try Self.draw(place, "set", "10", stratify: true)
    #expect(summary.before == [50, 30, 13, 7])
    // Quotas 5, 3, 1.3 and 0.7.
    #expect(summary.after == [5, 3, 1, 1])
    #expect(!summary.hasSets)
    let balanced = try ViewSample(catalog: place.catalog).run(
      SampleRequest("set", .perClass(13), name: "balanced"), progress: NoProgress())
    #expect(balanced.after == [13, 13, 13, 0])
    #expect(
      throws: SampleError.rareClasses(["c", "b"], counts: [13, 30], wanted: 31)
    ) {
      try ViewSample(catalog: place.catalog).run(
        SampleRequest("set", .perClass(31), name: "x"), progress: NoProgress())
    }
  }

  @Test("Images with several classes count in their rarest one", arguments: [false, true])
  func rarest(isMultiLabel: Bool) throws {
    let place = try MergeCatalog()
    // Every image has p; each tenth q, too; each hundredth r in place of q.
    let sets = (0..<400).map { $0 % 100 == 0 ? [0, 2] : $0 % 10 == 0 ? [0, 1] : [0] }
    try place.add(
      "set", ["p", "q", "r"].map { Category(name: $0) },
      sets.enumerated().map { number, set in
        isMultiLabel
          ? .init(key: "\(number)", labels: set) : .init(key: "\(number)", boxes: set + set)
      }, isMultiLabel: isMultiLabel, embedded: .gray8)
    for seed in 0..<5 as Range<UInt64> {
      let summary = try Self.draw(
        place, "set", "25%", name: "s\(seed)", seed: seed, stratify: true)
      #expect(summary.before == [400, 36, 4, 0] && summary.after == [100, 9, 1, 0])
      #expect(summary.hasSets)
    }
    let each = try ViewSample(catalog: place.catalog).run(
      SampleRequest("set", .perClass(4), name: "each"), progress: NoProgress())
    // The images of r and q have p as well.
    #expect(each.after == [8, 4, 4, 0])
  }

  @Test("Groups are drawn as a whole")
  func groups() throws {
    let place = try MergeCatalog()
    try place.add(
      "film", [Category(name: "a")],
      (0..<90).map { .init(key: "s\($0 / 9)/\($0 % 9).png", label: 0) }, embedded: .gray8)
    let summary = try Self.draw(
      place, "film", "30%", stratify: true, grouping: "^(s[0-9]+)/")
    #expect(summary.samples == 27 && summary.groups?.drawn == 3 && summary.groups?.total == 10)
    let keys = try Self.keys(place, "drawn")
    #expect(Set(keys.map { $0.prefix { $0 != "/" } }).count == 3)
    #expect(
      try Self.draw(place, "film", "90", name: "all", grouping: "^(s[0-9]+)/").samples == 90)
    #expect(throws: SplitError.self) {
      try Self.draw(place, "film", "10", name: "x", grouping: "^(t[0-9]+)/")
    }
  }
}
