extension MatchColumns {
  /// All detections, one by one.
  var results: [RankedResult] {
    var results: [RankedResult] = []
    results.reserveCapacity(scores.count)
    var hit = 0
    for part in parts {
      for rank in 0..<Int(part.results) {
        let place = results.count
        var result = RankedResult(
          class: Int(part.class), found: Int(founds[place]), score: scores[place], rank: rank,
          matched: 0, ignored: 0)
        if marks[place] & Self.isHit != 0 {
          result.matched = hits[hit * 2 * areaCount]
          result.ignored = hits[hit * 2 * areaCount + areaCount]
          result.truth = hitTruths[hit] == Self.none ? nil : Int(hitTruths[hit])
          hit += 1
        } else if marks[place] & 1 == 0 {
          result.ignored = everyThreshold
        }
        results.append(result)
      }
    }
    return results
  }
}
