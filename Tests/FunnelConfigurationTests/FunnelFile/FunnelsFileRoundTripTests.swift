import FlowEvents
import FunnelFile
import Funnels
import Testing

@Suite struct FunnelsFileRoundTripTests {
    private static let texts = [
        "home", "é", "e\u{301}", "\\ \"'", "🎉", "17", "true", "null", "on: #", "- a", "\t\n x ",
    ]

    // The double-quoted style of YAML accepts the escapes of JSON.
    private func quoted(_ text: String) -> String {
        var output = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": output += "\\\(scalar)"
            case "\n": output += "\\n"
            case "\t": output += "\\t"
            default: output.unicodeScalars.append(scalar)
            }
        }
        return output + "\""
    }

    private func written(_ value: PropertyValue) -> String {
        switch value {
        case .string(let text): quoted(text)
        case .number(let number): "\(number)"
        case .bool(let value): "\(value)"
        }
    }

    private func written(_ funnel: Funnel) -> String {
        var lines = [
            "- name: \(funnel.name)", "  count: \(funnel.count)",
            "  window: \(DurationText.text(funnel.windowMilliseconds))",
        ]
        if let text = funnel.description { lines.append("  description: \(quoted(text))") }
        if let field = funnel.breakdown { lines.append("  breakdown: \(quoted(field.path))") }
        lines.append("  steps:")
        for step in funnel.steps {
            lines += ["  - name: \(quoted(step.name))", "    event: \(quoted(step.event))", "    where: {"]
            lines += step.conditions.map { condition in
                let values = condition.values.map(written).joined(separator: ", ")
                return "      \(quoted(condition.field.path)): [\(values)],"
            }
            lines.append("      }")
        }
        return lines.joined(separator: "\n")
    }

    @Test(arguments: 0..<50)
    func `a funnel written to a file is read back as it was`(seed: Int) throws {
        // Prime strides over the choices reach every pair of choices without a random generator.
        func pick<Item>(_ items: [Item], _ index: Int) -> Item { items[(seed * 7 + index * 13) % items.count] }
        let values: [PropertyValue] = Self.texts.map { .string($0) } + [true, false, 0, -0.5, 1e300, 1e-7, 17]
        let steps = (0...(seed % 32)).map { index in
            let field = Field(path: pick(["screen", "properties.a.b", "é", "17"], index)) ?? .data("x")
            let condition = Condition(field, in: [pick(values, index), pick(values, index + 5)])
            return Step(
                name: "\(pick(Self.texts, index))-\(index)",
                event: pick(Self.texts, index),
                conditions: [condition]
            )
        }
        let funnel = try Funnel(
            name: "f-\(seed)",
            description: seed.isMultiple(of: 2) ? pick(Self.texts, 1) : nil,
            count: pick(Counting.allCases, 0),
            window: .milliseconds(seed * 1_234_567 + 1),
            breakdown: seed.isMultiple(of: 3) ? .property("a") : nil,
            steps: steps
        )
        let yaml = "funnels:\n" + written(funnel)
        let read = try FunnelsFile.parse(Array(yaml.utf8), file: "f")
        #expect(read.map(\.countingIdentity) == [funnel.countingIdentity], "\(yaml)")
        #expect(read.first?.description == funnel.description)
    }
}
