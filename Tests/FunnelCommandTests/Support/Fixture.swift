import Foundation

/// The contract's examples.
enum Fixture {
    static func text(_ name: String) throws -> String {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try String(contentsOf: tests.appending(path: "Fixtures/examples/\(name)"), encoding: .utf8)
    }

    /// Each event as a line for kcat: its key, a tab, and its value.
    static func keyedEvents() throws -> [String] {
        try text("events.ndjson").split(separator: "\n").map { line in
            let key = try JSONDecoder().decode(Key.self, from: Data(line.utf8)).partitionkey
            return "\(key)\t\(line)"
        }
    }

    private struct Key: Decodable {
        let partitionkey: String
    }
}
