import AssayCore
import Testing

import AssayWorkflows

@Suite("Import requests")
struct ImportRequestTests {
  @Test(
    "What is behind a colon is a format only where it is a known one",
    arguments: [
      ("a.csv", "a.csv", nil), ("a.csv:fer", "a.csv", .fer),
      ("dir/a:pixel-csv", "dir/a", .pixelCSV), ("a:b.csv", "a:b.csv", nil),
      ("a.csv:FER", "a.csv:FER", nil), ("a:fer:image-folder", "a:fer", .imageFolder),
      (":fer", ":fer", nil), ("a:", "a:", nil),
    ] as [(String, String, DatasetFormat?)])
  func suffix(source: String, path: String, format: DatasetFormat?) {
    let request = ImportRequest(source)
    #expect(request.path == path)
    #expect(request.format == format)
  }

  @Test(
    "A dataset is named after its source",
    arguments: [
      ("fer2013.csv", "fer2013"), ("fer2013.CSV.GZ", "fer2013"),
      ("My faces (2).csv", "My-faces--2-"),
      ("-x.csv", "x"), ("été", "t-"), ("...csv", nil), ("ümläut.csv", "ml-ut"), ("v1.2", "v1.2"),
    ] as [(String, String?)])
  func names(source: String, name: String?) {
    #expect(ImportRequest.defaultName(for: source) == name)
    if let name { #expect(ImportRequest.defaultName(for: name) == name) }
  }
}
