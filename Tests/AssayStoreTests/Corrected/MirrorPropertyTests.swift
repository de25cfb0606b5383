import AssayCore
import Testing

import AssayStore

@Suite("What is read is what replay says")
struct MirrorPropertyTests {
  /// Random entries like those of people and programs, valid and invalid ones.
  private func entry(
    _ house: CorrectedHouse, _ random: inout SplitMix64, _ made: [LedgerEntry]
  ) -> CorrectionDraft {
    let size = ImageSize(width: 10, height: 10)
    func number(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }
    func pick<Element>(_ list: [Element]) -> Element { list[number(list.count)] }
    func mask() -> Mask { Mask(number(9), number(9), 1 + number(4), 1 + number(4), in: size) }
    let key = "\(number(5))"
    let category = pick(["person", "person", "traffic light", "unicorn"])
    let author = pick(["anna", "ben"])
    let parent: CorrectionDraft.Parent =
      number(6) == 0
      ? .sequence(made.last { $0.sample.key == key }.map { $0.parent ?? 0 } ?? 0) : .head
    let hash: String? = number(12) == 0 ? CorrectedHouse.hash("another image") : nil
    func draft(
      _ kind: CorrectionKind, _ target: CorrectionTarget, _ payload: JSONValue = [:]
    ) -> CorrectionDraft {
      house.draft(
        key, kind, target, payload, dataset: "coco", by: author,
        visit: TemporaryLedger.uuid(0x900 + number(3)),
        parent: parent, hash: hash)
    }
    let before = made.filter { $0.sample.key == key }
    switch number(10) {
    case 0...2:
      var draft = house.mask(key, category, added: mask(), removed: nil)
      draft.parent = parent
      return draft
    case 3, 4:
      var draft = house.mask(key, category, removed: mask())
      draft.parent = parent
      return draft
    case 5: return draft(.label, .label, ["category": .string(category)])
    case 6:
      return draft(
        .add, .sample,
        [
          "category": .string(category), "size": [10, 10], "crowd": .bool(number(3) == 0),
          "mask": .string(house.text(mask())),
        ])
    case 7:
      let target = before.last { $0.kind == "add" }.map {
        CorrectionTarget.made(entry: $0.uuid, occurrence: 0)
      }
      return draft(
        .remove,
        target ?? .annotation(set: "labels", sourceID: nil, occurrence: number(2)))
    case 8:
      guard let entry = before.last else { return draft(.unsure, .sample) }
      return draft(pick([.undo, .redo]), .sample, ["entry": .string(entry.uuid)])
    default:
      return draft(
        pick([.accept, .reject, .unsure, .skip, .note, .bad]), .sample, ["reason": "because"])
    }
  }

  @Test("For random ledgers, at the head and at random entries", arguments: 0..<4)
  func random(seed: Int) throws {
    let house = try CorrectedHouse { try $0.importRegions(sixImages) }
    var random = SplitMix64(seed: UInt64(seed))
    var made: [LedgerEntry] = []
    for _ in 0..<3 {
      for _ in 0..<8 {
        made.append(try house.ledger.append(entry(house, &random, made)).entry)
      }
      try compare(house, try house.corrected(), upTo: nil)
      let at = Int64(random.next() % UInt64(made.count))
      try compare(house, try house.corrected(at: at), upTo: at)
    }
    // Rebuilt from scratch, it is the same as when updated entry by entry.
    let grown = try content(house.corrected())
    let other = try CorrectedHouse { try $0.importRegions(sixImages) }
    let state = try MirrorRefresh(catalog: other.catalog, ledger: house.ledger) { _, samples in
      Dictionary(uniqueKeysWithValues: samples.map { ($0.id, house.image($0.key)) })
    }.state()
    #expect(try content(other.catalog.reading(state.reading(corrected: true))) == grown)
  }

  private func content(_ catalog: Catalog) throws -> [String] {
    try catalog.sql(
      """
      SELECT z.sample, z.isChanged, z.label, z.status, z.leftOut, z.corrections, z.entries,
        z.conflicts, z.seconds, z.head, a.ordinal, a.category, a.shape, a.area, a.isChanged,
        a.target, hex(ifnull(h.bytes, g.bytes)), k.count, k.crowdCount, k.unionArea
      FROM truthState t JOIN correctedSample z ON z.state = t.id
      LEFT JOIN correctedAnnotation a ON a.state = z.state AND a.sample = z.sample
      LEFT JOIN correctedGeometry h ON h.id = a.correctedGeometry
      LEFT JOIN geometry g ON g.id = a.geometry
      LEFT JOIN correctedSampleCategory k ON k.state = z.state AND k.sample = z.sample
        AND k.category = a.category
      WHERE t.isHead ORDER BY z.sample, a.ordinal
      """
    ).rows.map { "\($0)" }
  }

  private func compare(_ house: CorrectedHouse, _ catalog: Catalog, upTo: Int64?) throws {
    var selection = try catalog.resolve("coco")
    selection.includesLeftOut = true
    let classes = try catalog.taxonomy(of: selection.dataset.id).names
    let samples = try catalog.samples(in: selection)
    let ids = samples.map(\.id)
    let imported = try house.catalog.importedTruths(of: ids)
    let fields = classes.flatMap {
      ["count(\"\($0)\")", "count(\"\($0)\", crowd)", "coverage(\"\($0)\")"]
    }
    let numbers = try catalog.numbers(fields, of: ids, in: selection)
    let records = Dictionary(
      uniqueKeysWithValues: try catalog.corrected(of: ids).map { ($0.sample, $0) })
    var regions: [[AnnotationRecord]] = []
    try catalog.forEachAnnotations(of: ids) { regions.append($1) }
    var leftOut: Set<Int64> = []
    for (index, sample) in samples.enumerated() {
      let entries = try house.ledger.entries(upTo: upTo, dataset: "coco", key: sample.key)
      let truth = CorrectionReplay.replay(
        imported[index], entries, contentHash: house.image(sample.key))
      // A class that the dataset does not have is left out.
      let label = truth.label.flatMap { classes.firstIndex(of: $0) }
      let objects = truth.objects.filter { classes.contains($0.category) }
      #expect(sample.category == label)
      #expect(regions[index].map(\.category) == objects.map { classes.firstIndex(of: $0.category) })
      #expect(regions[index].map(\.geometry) == objects.map(\.geometry))
      #expect(regions[index].map(\.box) == objects.map(\.box))
      #expect(regions[index].map(\.area) == objects.map(\.area))
      #expect(regions[index].map(\.shape) == objects.map(\.shape))
      #expect(regions[index].map(\.isCrowd) == objects.map(\.isCrowd))
      #expect(regions[index].map(\.sourceID) == objects.map(\.sourceID))
      #expect(Set(regions[index].map(\.ordinal)).count == objects.count)
      for (place, name) in classes.enumerated() {
        let own = objects.filter { $0.category == name }
        let values = numbers[index][3 * place..<3 * place + 3]
        #expect(
          values.first == Double(own.count { !$0.isCrowd } + (label == place ? 1 : 0)))
        #expect(values.dropFirst().first == Double(own.count(where: \.isCrowd)))
        if let size = sample.size, !own.isEmpty {
          let union = Mask.union(of: try own.map { try $0.mask(in: size) }, size: size)
          #expect(values.last == Double(union.area) / 100)
        } else if own.isEmpty, label != place {
          #expect(values.last == 0)
        }
      }
      let record = records[sample.id]
      #expect((record == nil) == entries.isEmpty)
      #expect(record?.status ?? .open == truth.status)
      #expect(record?.leftOut == truth.leftOut)
      // Corrections of which nothing is left without that class do not count.
      let source = imported[index]
      let isLess = label == nil && truth.label != nil || objects.count < truth.objects.count
      let isAsImported =
        truth.leftOut == nil && label == source.label.flatMap { classes.firstIndex(of: $0) }
        && objects.count == source.objects.count && !objects.contains(where: \.isChanged)
      #expect(record?.corrections ?? 0 == (isLess && isAsImported ? 0 : truth.corrections))
      #expect(record?.conflicts ?? 0 == truth.conflicts.count)
      #expect(record?.entries ?? 0 == entries.count)
      #expect(record?.head == truth.head)
      if truth.leftOut != nil { leftOut.insert(sample.id) }
    }
    selection.includesLeftOut = false
    #expect(try catalog.samples(in: selection).map(\.id) == ids.filter { !leftOut.contains($0) })
    #expect(
      try catalog.correctionCounts(of: ids).corrections
        == records.values.reduce(0) { $0 + $1.corrections })
  }
}
