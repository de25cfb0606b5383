import Foundation
import Testing

@testable import AssayWorkflows

@Suite("Doctor")
struct DoctorTests {
  private struct NoLibrary: Error, CustomStringConvertible {
    var description: String { "no library; Scripts/setup fetches it" }
  }

  private func doctor(catalog: String = "/nowhere/assay.db") -> Doctor {
    var doctor = Doctor(programVersion: "1.2.3", catalogPath: catalog)
    doctor.loadOpenVINO = { ("2026.4.1", "/lib/libopenvino_c.so") }
    doctor.fontFolders = []
    doctor.environment = [:]
    return doctor
  }

  private func check(_ name: String, _ doctor: Doctor) throws -> DoctorCheck {
    try #require(doctor.examine().first { $0.name == name })
  }

  private func folder() throws -> URL {
    let url = FileManager.default.temporaryDirectory.appending(path: "doctor-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    return url
  }

  @Test("The program's own version is reported")
  func program() throws {
    let found = try #require(try check("assay", doctor()).found)
    #expect(found.hasPrefix("1.2.3, "))
  }

  @Test(
    "The version and file of every linked library are reported",
    arguments: [
      "SQLite", "libpng", "libwebp", "libtiff", "cairo", "expat", "zlib", "libcrypto", "simdjson",
    ])
  func libraries(name: String) throws {
    let check = try check(name, doctor())
    #expect(check.status == .ok)
    let found = try #require(check.found)
    #expect(found.contains(#/^\d+\.\d+(\.\d+)*, \/.*\.so/#))
  }

  @Test(
    "A mapping's file is found by an address in it",
    arguments: [
      (0x7f10, "/usr/lib/lib a.so.1"), (0x7f1f, "/usr/lib/lib a.so.1"), (0x7f20, nil), (0x10, nil),
      (0x9000, nil),
    ] as [(UInt, String?)])
  func mappings(address: UInt, file: String?) {
    let maps = """
      7f10-7f20 r-xp 00000000 fe:01 12 /usr/lib/lib a.so.1
      7f20-7f30 rw-p 00000000 00:00 0
      9000-9100 rw-p 00000000 00:00 0     [heap]
      """
    #expect(LinkedLibrary.file(at: address, in: maps) == file)
  }

  @Test("OpenVINO's version and file are reported, or the reason why it cannot be loaded")
  func openVINO() throws {
    var doctor = doctor()
    #expect(
      try check("OpenVINO", doctor)
        == DoctorCheck("OpenVINO", .ok, "2026.4.1, /lib/libopenvino_c.so"))
    doctor.loadOpenVINO = { throw NoLibrary() }
    #expect(
      try check("OpenVINO", doctor)
        == DoctorCheck("OpenVINO", .missing, nil, advice: "no library; Scripts/setup fetches it"))
  }

  @Test("Without any font one is missing; DejaVu goes before others")
  func fonts() throws {
    var doctor = doctor()
    #expect(try check("font", doctor).status == .missing)
    let root = try folder()
    defer { try? FileManager.default.removeItem(at: root) }
    doctor.fontFolders = [root.path]
    try Data().write(to: root.appending(path: "readme.txt"))
    #expect(try check("font", doctor).status == .missing)
    try Data().write(to: root.appending(path: "B.OTF"))
    try Data().write(to: root.appending(path: "a.ttf"))
    #expect(try check("font", doctor).found == root.path + "/B.OTF")
    let inner = root.appending(path: "truetype")
    try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
    try Data().write(to: inner.appending(path: "DejaVuSans.ttf"))
    #expect(try check("font", doctor).found == root.path + "/truetype/DejaVuSans.ttf")
  }

  @Test("No catalog is no harm; a file that is none is")
  func catalogs() throws {
    let none = try check("catalog", doctor())
    #expect(none.status == .optional)
    #expect(none.advice == "none at /nowhere/assay.db; create one with assay import")
    let root = try folder()
    defer { try? FileManager.default.removeItem(at: root) }
    let file = root.appending(path: "a.db")
    try Data("this is no database, and it is longer than a header of SQLite's: ".utf8)
      .write(to: file)
    let broken = try check("catalog", doctor(catalog: file.path))
    #expect(broken.status == .missing)
    #expect(broken.advice?.contains("is not an assay catalog") == true)
  }

  @Test("A browser is found in PATH, and may be missing")
  func browsers() throws {
    var doctor = doctor()
    #expect(try check("browser", doctor).status == .optional)
    let root = try folder()
    defer { try? FileManager.default.removeItem(at: root) }
    let file = root.appending(path: "chromium")
    try Data().write(to: file)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
    doctor.environment["PATH"] = "/nowhere:\(root.path)"
    #expect(try check("browser", doctor).found == file.path)
  }
}
