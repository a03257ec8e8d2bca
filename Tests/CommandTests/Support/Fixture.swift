import Foundation

/// The contract's examples.
enum Fixture {
    static func text(_ name: String) throws -> String {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try String(contentsOf: tests.appending(path: "Fixtures/examples/\(name)"), encoding: .utf8)
    }
}
