import Foundation
import Testing

import AssayCommands

/// Libraries that leave a mark when they are loaded are placed wherever a careless search would
/// find them.
@Suite("No foreign library is loaded", .enabled(if: Compiler.path != nil, "needs a C compiler"))
struct ForeignLibrariesTests {
  /// A program with a model, a dataset, and the library that leaves a mark.
  private struct Trap {
    let program: Program
    let library: Data

    var mark: String { program.folder.path + "/mark" }
    var hasRun: Bool { FileManager.default.fileExists(atPath: mark) }

    init() throws {
      program = try Program()
      try program.folder.write(
        "trap.c",
        """
        #include <fcntl.h>
        __attribute__((constructor)) static void run(void) {
          open("\(program.folder.path)/mark", O_CREAT | O_WRONLY, 0600);
        }
        """)
      let compiler = Process()
      compiler.executableURL = URL(fileURLWithPath: try #require(Compiler.path))
      compiler.arguments = ["-shared", "-fPIC", "-o", "trap.so", "trap.c"]
      compiler.currentDirectoryURL = URL(fileURLWithPath: program.folder.path)
      try compiler.run()
      compiler.waitUntilExit()
      library = try Data(contentsOf: URL(fileURLWithPath: program.folder.path + "/trap.so"))
      try program.folder.write("m.yaml", ModelCommandTests.manifest)
      try program.folder.write("squares.csv", "label,pixels\nbright,0 9 80 0\ndark,1 9 80 40\n")
      let imported = try program.run("import", "squares.csv:pixel-csv", "--name", "squares")
      #expect(imported.status == 0, "\(imported.stderr)")
    }

    /// Puts the library under these names into a folder below the program's.
    func plant(_ names: [String], in folder: String = "") throws {
      for name in names { try program.folder.write(folder + name, library) }
    }
  }

  /// Every name in a trace of a run, and those of all plug-ins and front ends.
  private static let names =
    [
      "auto_batch", "auto", "hetero", "intel_gpu", "intel_npu", "intel_cpu", "gpu", "npu",
      "template",
    ]
    .map { "libopenvino_\($0)_plugin.so" }
    + ["onnx", "ir", "tensorflow_lite", "tensorflow", "paddle", "pytorch"]
    .map { "libopenvino_\($0)_frontend.so.2641" }
    + [
      "libopenvino_c.so.2641", "libopenvino.so.2641", "libtbb.so.12", "libtbbmalloc.so.2",
      "libtbbbind_2_5.so.3", "libhwloc.so.15", "libtcm.so.1", "libiomp5.so",
    ]

  private func useModel(_ program: Program) throws {
    let model = ModelCommandTests.models + "/tiny.onnx"
    let added = try program.run("model", "add", model, "--manifest", "m.yaml", "--name", "t")
    #expect(added.status == 0, "\(added.stderr)")
    let outcome = try program.run("predict", "squares", "--model", "t", "--name", "r")
    #expect(outcome.status == 0, "\(outcome.stderr)")
    #expect(try program.run("doctor").stdout.contains("OpenVINO"))
  }

  @Test("A planted library does leave its mark where a person names its folder")
  func named() throws {
    let trap = try Trap()
    try trap.plant(["libopenvino_c.so.2641"], in: "own/")
    _ = try trap.program.run(
      "doctor", environment: ["ASSAY_OPENVINO": trap.program.folder.path + "/own"])
    #expect(trap.hasRun)
  }

  @Test("From the current folder none is loaded, under any name")
  func currentFolder() throws {
    let trap = try Trap()
    try trap.plant(Self.names)
    try trap.plant(Self.names, in: "openvino-2026.4.1/")
    try trap.plant(Self.names, in: ".deps/openvino/libs/")
    try trap.program.folder.write(
      "plugins.xml",
      #"<ie><plugins><plugin name="BATCH" location="trap.so"/></plugins></ie>"#)
    try useModel(trap.program)
    #expect(!trap.hasRun)
  }

  @Test("From the folders above the program none is loaded")
  func above() throws {
    let trap = try Trap()
    var folder = ""
    for part in ["a/", "b/", "c/", "d/", "e/", "f/"] {
      try trap.plant(["libopenvino_c.so.2641"], in: folder + ".deps/openvino/libs/")
      try trap.plant(["libopenvino_c.so.2641"], in: folder + "lib/assay/")
      folder += part
    }
    try trap.plant(["libopenvino_c.so.2641"], in: folder)
    let copy = trap.program.folder.path + "/" + folder + "assay"
    try FileManager.default.copyItem(atPath: Program.executable.path, toPath: copy)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: copy)
    process.arguments = ["doctor"]
    process.currentDirectoryURL = URL(fileURLWithPath: trap.program.folder.path + "/" + folder)
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["ASSAY_OPENVINO": ""]) { $1 }
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationReason == .exit && !trap.hasRun)
  }

  @Test(
    "No library is opened by a relative path",
    .enabled(if: Compiler.tool("strace") != nil, "needs strace"))
  func trace() throws {
    let trap = try Trap()
    let model = ModelCommandTests.models + "/tiny.onnx"
    _ = try trap.program.run("model", "add", model, "--manifest", "m.yaml", "--name", "t")
    try trap.plant(Self.names)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(Compiler.tool("strace")))
    process.arguments = [
      "-f", "-s", "4096", "-e", "trace=open,openat,openat2", "-o", "trace.txt",
      Program.executable.path, "predict", "squares", "--model", "t",
    ]
    process.currentDirectoryURL = URL(fileURLWithPath: trap.program.folder.path)
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    let opened = try trap.program.folder.read("trace.txt").split(separator: "\n").compactMap {
      line -> String? in
      let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
      return parts.count > 2 && parts[1].contains(".so") ? String(parts[1]) : nil
    }
    #expect(opened.contains { $0.hasSuffix("/libopenvino_intel_cpu_plugin.so") })
    let foreign = opened.filter {
      !$0.hasPrefix("/") || $0.hasPrefix(trap.program.folder.path)
    }
    #expect(foreign.isEmpty, "\(foreign)")
  }
}

/// Tools of this machine.
private enum Compiler {
  static let path = tool("cc") ?? tool("clang") ?? tool("gcc")

  /// The path of a program in `PATH`.
  static func tool(_ name: String) -> String? {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
      .map { "\($0)/\(name)" }.first(where: FileManager.default.isExecutableFile)
  }
}
