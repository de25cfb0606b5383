import AssayCore
import AssayImaging
import AssayWorkflows
import Foundation

/// The result of `assay stats`.
struct StatsResult: CommandResult {
  let statistics: DatasetStatistics
  /// The folder of the written files; `nil` if none were requested.
  let folder: String?
  let files: [String]

  private var balance: ClassBalance { statistics.balance }

  var json: JSONValue {
    let imbalance: JSONValue =
      balance.imbalance.map {
        [
          "ratio": .number($0.ratio), "largest": .string($0.largest),
          "smallest": .string($0.smallest),
        ]
      } ?? .null
    var json: JSONValue = [
      "view": .string(statistics.view), "dataset": .string(statistics.dataset),
      "samples": JSONValue(statistics.samples), "labeled": JSONValue(balance.labeled),
      "unlabeled": JSONValue(balance.unlabeled.total),
      "splits": .array(balance.splits.map { JSONValue($0) }),
      "classes": .array(
        balance.classes.map { row in
          [
            "name": .string(row.name), "count": JSONValue(row.total),
            "share": JSONValue(balance.share(of: row)),
            "by_split": .array(row.counts.map { JSONValue($0) }),
          ]
        }),
      "unlabeled_by_split": .array(balance.unlabeled.counts.map { JSONValue($0) }),
      "imbalance": imbalance, "absent": .array(balance.absent.map { .string($0) }),
      "sizes": .array(
        statistics.sizes.map { row in
          [
            "width": JSONValue(row.size.width), "height": JSONValue(row.size.height),
            "count": JSONValue(row.count),
          ]
        }),
      "pixels": statistics.pixels.map(Self.json) ?? .null,
      "no_pixels": JSONValue(statistics.noPixels),
      "masks": statistics.masks.map { StatsMasks(masks: $0).json } ?? .null,
      "annotations": StatsKinds(kinds: statistics.kinds).json,
      "out": JSONValue(folder),
      "files": .array(files.map { .string($0) }),
    ]
    if let cardinality = balance.cardinality, case .object(var members) = json {
      members.append(.init("labels_per_sample", .number(cardinality)))
      json = .object(members)
    }
    return json
  }

  private static func json(_ pixels: PixelStatistics) -> JSONValue {
    func row(_ name: String, _ moments: Moments?) -> JSONValue {
      [
        "name": .string(name), "n": JSONValue(moments?.count ?? 0),
        "mean": moments.map { .array($0.channelMeans.map { .number($0) }) } ?? .null,
        "std": moments.map { .array($0.channelDeviations.map { .number($0) }) } ?? .null,
      ]
    }
    func scale(_ scaling: Scaling) -> JSONValue {
      ["black": .number(scaling.low), "white": .number(scaling.high)]
    }
    return [
      "width": JSONValue(pixels.size.width), "height": JSONValue(pixels.size.height),
      "channels": JSONValue(pixels.channels), "resized": .bool(pixels.isResized),
      "all": row("all", pixels.all),
      "classes": .array(pixels.classes.map { row($0.name, $0.moments) }),
      "unlabeled": JSONValue(pixels.unlabeled),
      "left_out": JSONValue(pixels.leftOut.count),
      "first_left_out": .array(
        pixels.leftOut.prefix(100).map {
          ["key": .string($0.key), "reason": .string($0.reason)]
        }),
      "mean_scale": scale(pixels.meanScale), "std_scale": scale(pixels.deviationScale),
    ]
  }

  func text(in terminal: Terminal) -> String {
    guard let masks = statistics.masks.map(StatsMasks.init) else {
      return Self.joined([
        headline, table.text(in: terminal),
        (notes + StatsKinds(kinds: statistics.kinds).notes + written).joined(separator: "\n"),
      ])
    }
    // If there are only regions, the classes have no labels to count.
    let labels =
      balance.labeled == 0
      ? [splits] : [table.text(in: terminal), notes.joined(separator: "\n")]
    return Self.joined(
      [headline] + labels + [
        masks.headline, masks.table.text(in: terminal),
        (StatsKinds(kinds: statistics.kinds).notes + masks.notes).joined(separator: "\n"),
        written.joined(separator: "\n"),
      ])
  }

  private static func joined(_ blocks: [String]) -> String {
    blocks.filter { !$0.isEmpty }.joined(separator: "\n\n")
  }

  private var headline: String {
    let sizes =
      switch statistics.sizes.count {
      case 0: ""
      case 1: ", \(statistics.sizes[0].size)"
      default: ", \(statistics.sizes.count) sizes (most frequent \(statistics.sizes[0].size))"
      }
    let classes =
      balance.classes.isEmpty
      ? "no classes" : Counted.text(balance.classes.count, "class", "classes")
    let samples = Counted.text(statistics.samples, "sample", "samples")
    return "\(Terminal.safe(statistics.view)): \(samples), \(classes)\(sizes)"
  }

  /// One row per class and, if there are several splits, one column per split; count and share; the
  /// mean and the standard deviation over all pixels if images were read.
  private var table: TextTable {
    let splits = balance.splits.count > 1 ? balance.splits : []
    let pixels = statistics.pixels
    var columns: [(String, TextTable.Alignment)] = [("class", .left)]
    columns += splits.map { ($0 ?? "no split", .right) }
    columns += [("n", .right), ("share", .right)]
    if pixels != nil { columns += [("mean", .right), ("std", .right)] }
    var table = TextTable(columns)
    func add(_ row: ClassBalance.Row, share: Double?, moments: Moments?) {
      var cells = [row.name] + (splits.isEmpty ? [] : row.counts.map(String.init))
      cells += ["\(row.total)", share.map { Self.fixed($0, 3) } ?? "–"]
      if pixels != nil {
        cells.append(moments.map { Self.list($0.channelMeans) } ?? "–")
        cells.append(moments.map { Self.list($0.channelDeviations) } ?? "–")
      }
      table.add(cells)
    }
    for (index, row) in balance.classes.enumerated() {
      add(row, share: balance.share(of: row), moments: pixels?.classes[index].moments)
    }
    if balance.unlabeled.total > 0 { add(balance.unlabeled, share: nil, moments: nil) }
    add(ClassBalance.Row(name: "all", counts: balance.splitSizes), share: nil, moments: pixels?.all)
    return table
  }

  private var notes: [String] {
    var notes: [String] = []
    if let cardinality = balance.cardinality {
      notes.append(
        "\(Self.fixed(cardinality, 2)) labels per sample; a sample counts for each of its labels")
    } else if balance.hasSets {
      notes.append("labels of images, beside regions: a sample counts for each of its labels")
    }
    if let imbalance = balance.imbalance, imbalance.ratio == 1 {
      notes.append(
        balance.absent.isEmpty
          ? "balanced: every class has the same number of samples"
          : "balanced: every class with samples has the same number")
    } else if let imbalance = balance.imbalance {
      notes.append(
        "imbalance \(Self.fixed(imbalance.ratio, 1)): \(Terminal.safe(imbalance.largest)) is the "
          + "most frequent class, \(Terminal.safe(imbalance.smallest)) the least frequent")
    }
    if !balance.absent.isEmpty {
      notes.append(
        "classes without samples: " + balance.absent.map(Terminal.safe).joined(separator: ", "))
    }
    return notes
  }

  /// The number of samples in each split, if there are several splits.
  private var splits: String {
    guard balance.splits.count > 1 else { return "" }
    return balance.splits.indices.map { split in
      "\(Terminal.safe(balance.splits[split] ?? "no split")) \(balance.splitSizes[split])"
    }.joined(separator: ", ")
  }

  /// The lines about written files.
  private var written: [String] {
    guard let folder else { return [] }
    var notes: [String] = []
    if let means = statistics.masks?.means {
      notes += [
        "\(Counted.text(means.rows.count, "mean mask", "mean masks")) on a grid of \(means.grid): look at "
          + "\(Terminal.safe(folder))/\(MeanMaskFiles.sheetName)"
      ]
      if means.leftOut > 0 {
        notes.append(
          Counted.text(means.leftOut, "image", "images") + " of unknown size "
            + (means.leftOut == 1 ? "is" : "are") + " not in the mean masks")
      }
    }
    if let reason = statistics.noPixels {
      notes.append("no mean images: \(Terminal.safe(reason))")
    }
    guard let pixels = statistics.pixels else { return notes }
    if pixels.isResized {
      notes.append("resized to \(pixels.size) (area mean, bilinear if larger)")
    }
    if let first = pixels.leftOut.first {
      notes.append(
        "\(Counted.text(pixels.leftOut.count, "image", "images")) left out; the first, \(Terminal.safe(first.key)): "
          + Terminal.safe(first.reason))
    }
    notes.append(
      "\(Counted.text(files.count, "file", "files")) in \(Terminal.safe(folder)): look at \(StatisticsFiles.sheetName)"
    )
    notes.append(
      "black to white in all images: \(Self.range(pixels.meanScale)) for means, "
        + "\(Self.range(pixels.deviationScale)) for standard deviations")
    return notes
  }

  private static func range(_ scale: Scaling) -> String {
    "\(fixed(scale.low, 1))…\(fixed(scale.high, 1))"
  }

  private static func list(_ values: [Double]) -> String {
    values.map { fixed($0, 1) }.joined(separator: " ")
  }

  private static func fixed(_ value: Double, _ decimals: Int) -> String {
    String(format: "%.\(decimals)f", value)
  }
}
