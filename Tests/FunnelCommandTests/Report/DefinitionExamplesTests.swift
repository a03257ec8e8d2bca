import FlowEventTestSupport
import FlowTestSupport
import FunnelTestSupport
import Foundation
import Testing

/// Tests the contract's examples of all keys of a definition with a broker and the built commands.
@Suite(
    .waits,
    .serialized,
    .timeLimit(.minutes(10)),
    .enabled(if: Kcat.path != nil || !Kcat.mayBeMissing, "kcat is not installed: run scripts/bootstrap --tests")
)
struct DefinitionExamplesTests {
    @Test(arguments: [(1, 31), (4, 32)] as [(Int, UInt64)])
    func `the events in any order, over any partitions, give the report figure for figure`(
        partitions: Int,
        seed: UInt64
    ) async throws {
        let pipeline = try Pipeline(partitions: partitions)
        try pipeline.directory.write(Fixture.text("funnels.yaml", of: .definitions), to: "config/funnels.yaml")
        var generator = SeededGenerator(seed: seed)
        let lines = try Fixture.keyedEvents(of: .definitions)
        try await Kcat.publish((lines + lines.prefix(500)).shuffled(using: &generator), to: pipeline)
        let outcome = try await pipeline.count()
        #expect(outcome.status == 0 && outcome.output.isEmpty, "\(outcome.errors)")
        let output = try await pipeline.report("--times", "--by", "day", "--format", "json").output
        let found = try JSONDecoder().decode(JSONValue.self, from: Data(output.utf8))
        let expected = try JSONDecoder().decode(
            JSONValue.self,
            from: Data(Fixture.text("report.json", of: .definitions).utf8)
        )
        #expect(found["funnels"]?.withoutStates == expected["funnels"]?.withoutStates)
    }
}

private enum JSONValue: Decodable, Equatable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    subscript(key: String) -> JSONValue? {
        if case .object(let members) = self { members[key] } else { nil }
    }

    /// The value without what depends on the partitions: which days are settled and final.
    var withoutStates: JSONValue {
        switch self {
        case .array(let elements): .array(elements.map(\.withoutStates))
        case .object(let members):
            .object(
                members.filter { !["settled_to", "final_to", "held_back_by", "state"].contains($0.key) }
                    .mapValues(\.withoutStates)
            )
        default: self
        }
    }
}
