import AssayCore
import AssayWorkflows
import Testing

@testable import AssayCommands

@Suite("assay doctor")
struct DoctorCommandTests {
  private let well = DoctorResult(checks: [
    DoctorCheck("SQLite", .ok, "3.40.1"), DoctorCheck("browser", .optional, nil, advice: "get one"),
  ])
  private let ill = DoctorResult(checks: [
    DoctorCheck("SQLite", .ok, "3.40.1"),
    DoctorCheck("OpenVINO", .missing, nil, advice: "not found\nrun Scripts/setup"),
  ])

  @Test("What is missing decides; what is optional does not")
  func wellness() {
    #expect(well.isWell)
    #expect(!ill.isWell)
  }

  @Test("The text has a headline and one line per check, with the advice in one column")
  func text() {
    #expect(
      well.text(in: Terminal()) == """
        All required dependencies are present.

          ok        SQLite   3.40.1
          optional  browser  get one
        """)
    #expect(
      ill.text(in: Terminal()) == """
        1 dependency is missing.

          ok        SQLite    3.40.1
          missing   OpenVINO  not found
                    run Scripts/setup
        """)
  }

  @Test("JSON has every check with its status")
  func json() {
    #expect(ill.json["ok"] == .bool(false))
    let checks = ill.json["checks"]?.elements
    #expect(checks?.map { $0["status"]?.text } == ["ok", "missing"])
    #expect(checks?.last?["advice"]?.text == "not found\nrun Scripts/setup")
    #expect(checks?.last?["found"] == .null)
  }

  @Test("The built program finds all that it needs")
  func program() throws {
    let outcome = try Program().run("doctor", "--json")
    #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
    #expect(try outcome.json()["ok"] == .bool(true))
  }
}
