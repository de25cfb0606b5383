import AssayCore
import Foundation
import Testing

@Suite("assay review with several people")
struct ReviewPeopleCommandTests {
  @Test("The queue is divided and shared, and the status has each person's part")
  func parts() throws {
    let house = try ReviewProgram()
    let made = try house.run(
      "review", "r1", "--list", "--assign", "anna:2,ben", "--overlap", "0.25")
    #expect(made.status == 0, "\(made.stderr)")
    #expect(made.stdout.contains("2 of 8 samples go to each of anna, ben"))
    let status = try house.run("review", "status", "--json").json()
    let parts = try #require(status["parts"]?.elements)
    #expect(parts.map { $0["author"] } == ["anna", "ben"])
    #expect(parts.map { $0["assigned"] } == [6, 4])
    #expect(parts.map { $0["shared"] } == [2, 2])
    let text = try house.run("review", "status").stdout
    #expect(text.contains("person"))
    let moved = try house.run("review", "assign", "r1-uncertainty", "--from", "ben", "--to", "anna")
    #expect(moved.status == 0, "\(moved.stderr)")
    #expect(moved.stdout.contains("2 samples of ben assigned: anna 2"))
    #expect(moved.stdout.contains("2 samples left, which these people have already"))
    // The same request continues the same queue.
    let again = try house.run(
      "review", "r1", "--list", "--assign", "anna:2,ben", "--overlap", "0.25", "--json"
    ).json()
    #expect(again["resumed"] == true)
  }

  @Test("Agreement and consensus of a review where nobody has started")
  func empty() throws {
    let house = try ReviewProgram()
    _ = try house.run("review", "r1", "--list", "--overlap", "0.5", "--annotators", "anna,ben")
    let before = try house.run("review", "consensus", "--json").json()
    #expect(before["waiting"] == 4 && before["equal"] == 0 && before["adjudication"] == .null)
    let agreement = try house.run("agreement", "r1-uncertainty")
    #expect(agreement.status == 0, "\(agreement.stderr)")
    #expect(agreement.stdout.contains("4 shared samples not finished by two people yet"))
    #expect(agreement.stdout.contains("next: assay review status r1-uncertainty"))
  }

  @Test(
    "Refusals and usage errors",
    arguments: [
      (["review", "r1", "--list", "--overlap", "0.5"], 64, "two people or more"),
      (["review", "r1", "--list", "--overlap", "1.5", "--assign", "a,b"], 64, "at most 1"),
      (["review", "r1", "--list", "--assign", "a,a"], 64, "named twice"),
      (["review", "r1", "--list", "--assign", "a:0"], 64, "must be in 1...1000"),
      (["review", "r1", "--list", "--annotators", "a,b"], 64, "need --overlap"),
      (["review", "assign", "r1-uncertainty", "--to", "a"], 2, "unknown review"),
      (["agreement", "faces"], 2, "annotations of one person only"),
      (["agreement", "faces", "--sets", "a"], 64, "two names or more"),
      (["agreement", "nothing"], 2, "nothing"),
    ])
  func refusals(_ arguments: [String], _ status: Int32, _ words: String) throws {
    let house = try ReviewProgram()
    let outcome = try house.program.run(arguments)
    #expect(outcome.status == status, "\(outcome.stderr)")
    #expect(outcome.stderr.contains(words), "\(outcome.stderr)")
  }
}
