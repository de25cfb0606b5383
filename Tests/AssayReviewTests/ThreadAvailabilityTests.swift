import Foundation
import Testing

@testable import AssayReview

/// Tests the check for enough threads.
struct ThreadAvailabilityTests {
  @Test("As many threads as the server needs can be started, and all end again")
  func enough() throws {
    try ThreadAvailability.check(ThreadAvailability.ofServer)
  }

  @Test("Too few are said, with the limit and the next step; those started end")
  func tooFew() {
    var left = 5
    let error = ReviewServerError.threads(
      needed: 20, possible: 5, reason: SystemText.error(EAGAIN))
    #expect(throws: error) {
      try ThreadAvailability.check(20) { work in
        guard left > 0 else { return EAGAIN }
        left -= 1
        Thread.detachNewThread(work)
        return 0
      }
    }
    #expect("\(error)".contains("ulimit -u"))
  }
}
