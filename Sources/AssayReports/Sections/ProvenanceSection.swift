/// The section with the data, settings and versions of the evaluation, and the meanings of the terms.
struct ProvenanceSection: ReportSection {
  let facts: [FactGroup]
  let terms: [Term]
  var title = "Provenance"
  let id = "provenance"

  func values(_ builder: PageBuilder) throws(ReportError) -> [String: Any]? {
    [
      "groups": facts.map { group in
        [
          "title": group.title,
          "facts": group.facts.map { ["name": $0.name, "value": $0.value] },
        ] as [String: Any]
      }, "terms": terms.map(\.values),
    ]
  }
}
