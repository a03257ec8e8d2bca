import FlowEventTestSupport
import FlowEvents
import FunnelFile
import FunnelTestSupport
import Funnels
import Testing

@Suite struct FunnelsFileRoundTripTests {
    // The double-quoted style of YAML accepts the escapes of JSON.
    private func quoted(_ text: String) -> String {
        var output = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": output += "\\\(scalar)"
            case "\u{0}"..<" ": output += scalar.value < 16 ? "\\x0\(String(scalar.value, radix: 16))" : "\\x1F"
            default: output.unicodeScalars.append(scalar)
            }
        }
        return output + "\""
    }

    private func written(_ value: PropertyValue) -> String {
        switch value.kind {
        case .string(let text): quoted(text)
        case .number(let number): "\(number)"
        case .bool(let value): "\(value)"
        }
    }

    private func written(_ test: Condition.Test) -> String {
        func list(_ values: [PropertyValue]) -> String { "[\(values.map(written).joined(separator: ", "))]" }
        return switch test {
        case .isOneOf(let values): list(values)
        case .isNoneOf(let values): "{not: \(list(values))}"
        case .exists(let value): "{exists: \(value)}"
        case .greaterThan(let bound): "{gt: \(bound)}"
        case .atLeast(let bound): "{gte: \(bound)}"
        case .lessThan(let bound): "{lt: \(bound)}"
        case .atMost(let bound): "{lte: \(bound)}"
        case .hasPrefix(let text): "{prefix: \(quoted(text))}"
        case .contains(let text): "{contains: \(quoted(text))}"
        }
    }

    private func written(_ patterns: [EventPattern]) -> String {
        patterns.count == 1
            ? written(patterns[0]) : "any: [\(patterns.map { "{\(written($0))}" }.joined(separator: ", "))]"
    }

    private func written(_ pattern: EventPattern) -> String {
        // A key occurs once in a mapping, so that a field has one condition here.
        let fields = pattern.conditions.map { "\(quoted($0.field.path)): \(written($0.test))" }
        return "event: \(quoted(pattern.event))"
            + (fields.isEmpty ? "" : ", where: {\(fields.joined(separator: ", "))}")
    }

    private func written(_ step: Step) -> String {
        var text = "{name: \(quoted(step.name)), \(written(step.alternatives))"
        if step.isOptional { text += ", optional: true" }
        if let sum = step.sum {
            let unit = sum.unit.map { ", unit: \(quoted($0.path))" } ?? ""
            text += ", sum: {field: \(quoted(sum.field.path)), decimals: \(sum.decimals)\(unit)}"
        }
        return text + "}"
    }

    private func written(_ exclusion: Exclusion) -> String {
        let ends = [("from", exclusion.from), ("to", exclusion.to)].compactMap { key, step in
            step.map { ", \(key): \(quoted($0))" }
        }
        return "{\(written(exclusion.alternatives))\(ends.joined())}"
    }

    private func written(_ breakdown: Breakdown) -> String {
        let parts = breakdown.parts.map { part in
            part.step.map { "{field: \(quoted(part.field.path)), step: \(quoted($0))}" } ?? quoted(part.field.path)
        }
        return breakdown.isList ? "[\(parts.joined(separator: ", "))]" : parts[0]
    }

    private func written(_ experiment: Experiment) -> String {
        let shares = experiment.shares.map { "\(quoted($0.value)): \($0.weight)" }.joined(separator: ", ")
        return "{control: \(quoted(experiment.control))\(shares.isEmpty ? "" : ", shares: {\(shares)}")}"
    }

    private func written(_ funnel: Funnel) -> String {
        let count =
            switch funnel.count {
            case .installs, .sessions: funnel.count.description
            case .by(let field): "{by: \(quoted(field.path))}"
            }
        var lines = [
            "- name: \(funnel.name)", "  count: \(count)", "  entry: \(funnel.entry)",
            "  window: \(DurationText.text(funnel.windowMilliseconds))",
        ]
        if let text = funnel.description { lines.append("  description: \(quoted(text))") }
        if let breakdown = funnel.breakdown { lines.append("  breakdown: \(written(breakdown))") }
        if let next = funnel.next {
            lines.append("  next: {\(written(next.pattern)), field: \(quoted(next.field.path))}")
        }
        if let experiment = funnel.experiment { lines.append("  experiment: \(written(experiment))") }
        if !funnel.exclusions.isEmpty { lines += ["  exclude:"] + funnel.exclusions.map { "  - \(written($0))" } }
        lines += ["  steps:"] + funnel.steps.map { "  - \(written($0))" }
        return lines.joined(separator: "\n")
    }

    @Test(arguments: Seeds.upTo(100))
    func `a funnel written to a file is read back as it was`(seed: UInt64) throws {
        var random = RandomDefinitions(seed: seed)
        random.isForFiles = true
        let funnel = try random.funnel(name: "f-\(seed)")
        let yaml = "timezone: \(funnel.timeZone.name)\nfunnels:\n" + written(funnel)
        let read = try FunnelsFile.parse(Array(yaml.utf8), file: "f")
        #expect(read.map(\.countingIdentity) == [funnel.countingIdentity], "\(yaml)")
        #expect(read.first?.description == funnel.description && read.first?.experiment == funnel.experiment)
    }
}
