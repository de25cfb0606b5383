import AssayCore
import AssayFormats
import AssayMetrics
import Foundation
import Testing

import AssayWorkflows

@Suite("Odd files of truth and results")
struct OddFilesTests {
  @Test("All of them are there")
  func cases() {
    #expect(OddFile.all.count == 118)
    #expect(Set(OddFile.all.map(\.name)) == Set(OddFileReadings.all.keys))
  }

  @Test(
    "What the reader is told, and the numbers by the rule that it tells", arguments: OddFile.all)
  func reading(_ file: OddFile) throws {
    let expected = try #require(OddFileReadings.all[file.name])
    switch expected {
    case .refused(let text):
      // Only files that the reference does not evaluate either, except the one that --compat
      // accepts.
      if let numbers = file.reference.numbers {
        #expect(try file.evaluate(isCompatible: true).numbers == numbers)
        #expect(text.contains("--compat pycocotools"))
      }
      do {
        _ = try file.evaluate()
        Issue.record("it is judged")
      } catch {
        #expect("\(error)" == text)
      }
    case .evaluated(let findings):
      let result = try file.evaluate()
      #expect(result.findings.map(\.text) == findings)
      // Equal to the last bit.
      #expect(result.numbers == (file.fixed ?? file.reference).numbers)
    }
  }

  @Test("Where the reference would stop or differ is told, and by how much", arguments: OddFile.all)
  func reference(_ file: OddFile) throws {
    guard case .evaluated = OddFileReadings.all[file.name] else { return }
    let result = try file.evaluate()
    let reference = result.reference
    if file.reference.error != nil {
      #expect(reference.stop != nil || reference.unknown != nil)
      return
    }
    #expect(reference.stop == nil)
    guard reference.unknown == nil else { return }
    #expect((reference.numbers ?? result.numbers) == file.reference.numbers)
    #expect(try file.evaluate(isCompatible: true).numbers == file.reference.numbers)
  }

  @Test(
    "Random odd values: --compat has pycocotools' numbers or says that it stops",
    arguments: OddFile.random)
  func compatible(_ file: OddFile) throws {
    let result: FileDetectionResult
    do {
      result = try file.evaluate(isCompatible: true)
    } catch FileDetectionError.noImageSize {
      // pycocotools draws polygons in images whose sides are not integers.
      return
    } catch {
      // Only files that pycocotools does not evaluate either are rejected.
      #expect(file.reference.numbers == nil, "\(error)")
      return
    }
    guard result.reference.unknown == nil else { return }
    #expect((result.reference.stop == nil) == (file.reference.error == nil))
    if let numbers = file.reference.numbers { #expect(result.numbers == numbers) }
    for (name, value) in file.reference.classAP ?? [:] {
      let place = try #require(result.classes.firstIndex(of: name), "\(name)")
      #expect(result.scores.perClass(.perCategoryAP)[place].value == value, "\(name)")
    }
    // The same messages are reported without --compat.
    guard let own = try? file.evaluate() else { return }
    #expect(own.reference.stop == result.reference.stop)
    if let numbers = file.reference.numbers {
      #expect((own.reference.numbers ?? own.numbers) == numbers)
    }
  }

  @Test("There are as many random files as were made, some of which pycocotools stops at")
  func randomCases() {
    #expect(OddFile.random.count == 250)
    #expect(OddFile.random.count { $0.reference.error != nil } > 40)
    #expect(OddFile.random.count { $0.reference.error == nil } > 80)
  }
}
