import Testing

@testable import AssayMetrics

struct AgreementGolden: Decodable {
  struct Case: Decodable {
    struct Kappa: Decodable {
      var first: Int
      var second: Int
      var kappa: Double?
    }
    var classes: Int
    var people: Int
    var ratings: [[Int?]]
    var kappas: [Kappa]
    var alpha: Double?
    var fleiss: Double?
  }
  var cases: [Case]
}

struct NominalAgreementTests {
  @Test("Kappa, alpha and Fleiss' kappa are those of scikit-learn, krippendorff and statsmodels")
  func goldens() throws {
    let golden = try Goldens.load("agreement", as: AgreementGolden.self)
    #expect(golden.cases.count >= 15)
    for (place, item) in golden.cases.enumerated() {
      let agreement = NominalAgreement(
        ratings: item.ratings, people: item.people, classCount: item.classes)
      for pair in item.kappas {
        let kappa = agreement.kappa(pair.first, pair.second).value
        #expect(Goldens.agree(kappa, pair.kappa), "case \(place): \(pair)")
      }
      #expect(Goldens.agree(agreement.alpha.value, item.alpha), "case \(place)")
      if item.ratings.allSatisfy({ $0.allSatisfy { $0 != nil } }) {
        #expect(Goldens.agree(agreement.fleiss.value, item.fleiss), "case \(place)")
      } else {
        let counts = Set(item.ratings.map { $0.count { $0 != nil } }.filter { $0 >= 2 })
        #expect(counts.count == 1 || agreement.fleiss.value == nil, "case \(place)")
      }
    }
  }

  @Test("By hand: 20 items, 15 agreements, kappa 0.4")
  func byHand() {
    // Cohen's example of Wikipedia, scaled: yes/yes 20, yes/no 5, no/yes 10, no/no 15: kappa 0.4.
    let ratings: [[Int?]] =
      Array(repeating: [0, 0], count: 20) + Array(repeating: [0, 1], count: 5)
      + Array(repeating: [1, 0], count: 10) + Array(repeating: [1, 1], count: 15)
    let agreement = NominalAgreement(ratings: ratings, people: 2, classCount: 2)
    #expect(agreement.observed.value == 0.7)
    let kappa = agreement.kappa(0, 1)
    #expect(abs((kappa.value ?? 0) - 0.4) < 1e-12)
    let interval = kappa.interval
    #expect(interval.map { $0.low < 0.4 && $0.high > 0.4 } == true)
    // The asymptotic standard error of Fleiss, Cohen and Everitt is 0.127: half a width of 0.25.
    #expect(interval.map { abs($0.high - $0.low - 0.5) < 0.06 } == true)
  }

  @Test("Few items and one class have no interval or no value")
  func undefined() {
    let few = NominalAgreement(ratings: [[0, 0], [1, 1], [0, 1]], people: 2, classCount: 2)
    #expect(few.kappa(0, 1).value != nil)
    #expect(few.kappa(0, 1).interval == nil)
    let one = NominalAgreement(
      ratings: Array(repeating: [0, 0], count: 60), people: 2, classCount: 2)
    #expect(one.observed.value == 1)
    #expect(one.kappa(0, 1).value == nil)
    #expect(one.alpha.value == nil)
    let none = NominalAgreement(ratings: [[0, nil], [nil, 1]], people: 2, classCount: 2)
    #expect(none.observed.value == nil)
    #expect(none.kappa(0, 1).value == nil)
    #expect(none.itemCount == 0)
  }

  @Test("Objects are matched greedily by descending IoU, each once")
  func matches() {
    let pairs = [
      ObjectAgreement.Match(first: 0, second: 0, iou: 0.6),
      ObjectAgreement.Match(first: 0, second: 1, iou: 0.9),
      ObjectAgreement.Match(first: 1, second: 1, iou: 0.7),
      ObjectAgreement.Match(first: 1, second: 2, iou: 0.4),
    ]
    #expect(
      ObjectAgreement.matches(pairs) == [ObjectAgreement.Match(first: 0, second: 1, iou: 0.9)])
    #expect(ObjectAgreement.matches(pairs, minimum: 0.3).map(\.second) == [1, 2])
    var sample = ObjectAgreement.Sample()
    sample.add(matches: ObjectAgreement.matches(pairs), objects: 5)
    #expect(ObjectAgreement.f1([sample]).value == 0.4)
    #expect(ObjectAgreement.matchedIoU([sample]) == 0.9)
    #expect(ObjectAgreement.f1([]).value == nil)
    #expect(ObjectAgreement.matchedIoU([ObjectAgreement.Sample()]) == nil)
  }
}
