// swift-tools-version: 6.1
import PackageDescription

/// Where `Scripts/setup` unpacks the pinned OpenVINO wheel; ignored by git.
let openVINO = "\(Context.packageDirectory)/.deps/openvino"

/// The package's folder as the text of a string in C: the only checkout whose `.deps` the program uses.
let checkout = Context.packageDirectory.reduce(into: "") { text, character in
  if character == "\"" || character == "\\" { text += "\\" }
  text.append(character)
}

let swiftSettings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

let deque = Target.Dependency.product(name: "DequeModule", package: "swift-collections")
let real = Target.Dependency.product(name: "RealModule", package: "swift-numerics")
let arguments = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let sqlite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")
let mustache = Target.Dependency.product(name: "Mustache", package: "swift-mustache")
let hummingbird = Target.Dependency.product(name: "HummingbirdCore", package: "hummingbird")
let yams = Target.Dependency.product(name: "Yams", package: "Yams")

/// Optimization in a debug build, too, with the assertions of one: for code whose tests compute for minutes without it.
let optimizedInDebug = SwiftSetting.unsafeFlags(
  ["-O", "-assert-config", "Debug"], .when(configuration: .debug))

/// A target of this package with the house settings; its dependencies are the arrows of the design. Where a
/// release build gains nothing from optimization, but would spend minutes on it, it is left out. A target that
/// `computes` is optimized in debug builds, too.
func library(
  _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = [],
  isOptimized: Bool = true, computes: Bool = false
) -> Target {
  .target(
    name: name, dependencies: dependencies, exclude: exclude,
    swiftSettings: swiftSettings
      + (isOptimized ? [] : [.unsafeFlags(["-Onone"], .when(configuration: .release))])
      + (computes ? [optimizedInDebug] : []))
}

/// The tests of a target. A release build optimizes what they test, not the tests themselves: Swift 6.3.1 crashes
/// on some asynchronous test functions (“While splitting coroutine”), and optimizing takes longer than it saves.
func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: dependencies + ["AssayTestSupport"],
    swiftSettings: swiftSettings + [.unsafeFlags(["-Onone"], .when(configuration: .release))])
}

let package = Package(
  name: "assay",
  products: [.executable(name: "assay", targets: ["assay"])],
  // The versions that a release is tested with. What these packages depend on themselves is not pinned by
  // this: SwiftPM takes the newest versions that their own manifests allow.
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
    .package(url: "https://github.com/apple/swift-numerics", exact: "1.1.1"),
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    // Without its traits: the server is configured in code, so swift-configuration need not be built.
    .package(
      url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1", traits: []),
    .package(url: "https://github.com/hummingbird-project/swift-mustache", exact: "2.1.1"),
    .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
  ],
  targets: [
    // Layer 6
    .executableTarget(name: "assay", dependencies: ["AssayCommands"], swiftSettings: swiftSettings),
    // Layer 5
    library(
      "AssayCommands",
      [
        "AssayReview", "AssayWorkflows", "AssayStore", "AssayMetrics", "AssayImaging", "CProgram",
        arguments,
      ], isOptimized: false),
    // Layer 4
    library(
      "AssayReview",
      ["AssayWorkflows", "AssayStore", "AssayImaging", "CEmbeddedFiles", hummingbird],
      exclude: ["Pages"]),
    // Layer 3
    library(
      "AssayWorkflows",
      [
        "AssayFormats", "AssayStore", "AssayInference", "AssayRemote", "AssayReports",
        "AssayMetrics", "AssayImaging", "CLinux",
      ]),
    library("AssayRemote", ["AssayFormats", "CLinux"]),
    // Layer 2
    library("AssayFormats", ["AssayImaging", "CExpat", "CZlib", "CZstd", "CSimdJSON", yams]),
    library(
      "AssayInference", ["AssayImaging", "CEmbeddedFiles", "COpenVINO", yams],
      exclude: ["Runner/Python"]),
    library(
      "AssayReports", ["AssayMetrics", "AssayImaging", "CCairo", "CEmbeddedFiles", mustache],
      exclude: ["Templates"]),
    // Layer 1
    library("AssayStore", ["AssayCore", "CZlib", grdb, sqlite]),
    library("AssayImaging", ["AssayCore", "CImageCodecs"], computes: true),
    library("AssayMetrics", ["AssayCore", real], computes: true),
    // Layer 0
    library("AssayCore", [deque, "CCrypto"], computes: true),
    .target(
      name: "CImageCodecs",
      linkerSettings: [
        .linkedLibrary("png16"), .linkedLibrary("turbojpeg"), .linkedLibrary("webp"),
        .linkedLibrary("tiff"), .linkedLibrary("z"),
      ]),
    // Calls of the kernel that the C library lacks.
    .target(name: "CLinux"),
    // The commit that the program was built from.
    .target(name: "CProgram"),
    // The editor's pages and the report's templates, by C's #embed.
    .target(name: "CEmbeddedFiles", cSettings: [.unsafeFlags(["-std=gnu23"])]),
    .target(
      name: "CSimdJSON", cxxSettings: [.unsafeFlags(["-O3"])],
      linkerSettings: [.linkedLibrary("simdjson"), .linkedLibrary("stdc++")]),
    .target(
      name: "COpenVINO",
      cSettings: [
        .unsafeFlags(["-isystem", "\(openVINO)/include"]),
        .define("ASSAY_CHECKOUT", to: "\"\(checkout)\""),
      ],
      linkerSettings: [.linkedLibrary("dl")]),
    .systemLibrary(name: "CCairo", pkgConfig: "cairo", providers: [.apt(["libcairo2-dev"])]),
    .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),
    // Times single operations beside the peers' (Benchmarks/README.md); not installed.
    .executableTarget(
      name: "MaskBench", dependencies: ["AssayCore", "AssayMetrics", "AssayImaging"],
      path: "Benchmarks/MaskBench", swiftSettings: swiftSettings),
    // Appends to a ledger and says so, for the tests that trace or kill it; not installed.
    .executableTarget(
      name: "LedgerBench", dependencies: ["AssayCore", "AssayStore"],
      path: "Benchmarks/LedgerBench", swiftSettings: swiftSettings),
    // Tests. What several of them use is in AssayTestSupport, which no product contains.
    .target(
      name: "AssayTestSupport", dependencies: ["AssayCore"], path: "Tests/Support",
      swiftSettings: swiftSettings),
    tests("AssayCore", ["AssayCore"]),
    tests("AssayImaging", ["AssayImaging"]),
    tests("AssayMetrics", ["AssayMetrics"]),
    tests("AssayStore", ["AssayStore"]),
    tests("AssayFormats", ["AssayFormats"]),
    tests("AssayInference", ["AssayInference"]),
    tests("AssayRemote", ["AssayRemote"]),
    tests("AssayReports", ["AssayReports"]),
    tests("AssayWorkflows", ["AssayWorkflows"]),
    tests("AssayReview", ["AssayReview"]),
    tests("AssayCommands", ["AssayCommands", "assay"]),
    // Nothing but text that is read again and again.
    .testTarget(
      name: "ConventionsTests", dependencies: ["AssayTestSupport"],
      swiftSettings: swiftSettings + [optimizedInDebug]),
  ]
)
