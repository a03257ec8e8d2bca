import Foundation

/// The contract's examples: those of the first version, those of the keys of a definition, and those of what people ask:
/// alternatives, optional steps, values of any step and where they went.
enum Fixture: String {
    case examples
    case definitions
    case questions

    static func text(_ name: String, of fixture: Fixture = .examples) throws -> String {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try String(contentsOf: tests.appending(path: "Fixtures/\(fixture.rawValue)/\(name)"), encoding: .utf8)
    }

    /// Each event as a line for kcat: its key, a tab, and its value.
    static func keyedEvents(of fixture: Fixture = .examples) throws -> [String] {
        try text("events.ndjson", of: fixture).split(separator: "\n").map { line in
            let key = try JSONDecoder().decode(Key.self, from: Data(line.utf8)).partitionkey
            return "\(key)\t\(line)"
        }
    }

    private struct Key: Decodable {
        let partitionkey: String
    }
}
