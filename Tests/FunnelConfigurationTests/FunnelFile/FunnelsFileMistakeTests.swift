import FunnelFile
import Testing
import YAMLNodes

@Suite struct FunnelsFileMistakeTests {
    /// A file with one mistake, the line of the mistake, and words that the message must contain.
    struct Mistake: Sendable, CustomTestStringConvertible {
        let yaml: String
        let line: Int
        let words: String

        var testDescription: String { words }

        init(_ yaml: String, line: Int, _ words: String) {
            self.yaml = yaml
            self.line = line
            self.words = words
        }

        /// A funnel on lines 2 to 5, with one or more lines replaced.
        init(
            name: String = "name: f",
            window: String = "window: 30m",
            steps: String = "steps: [{name: s, event: e}]",
            line: Int,
            _ words: String
        ) {
            self.init("funnels:\n  - \(name)\n    \(window)\n    \(steps)\n", line: line, words)
        }

        /// The value of a condition on line 8.
        init(value: String, _ words: String) {
            let yaml =
                "funnels:\n- name: f\n  window: 1s\n  steps:\n  - name: s\n    event: e\n    where:\n      k: \(value)\n"
            self.init(yaml, line: 8, words)
        }
    }

    private static let alternatives = Array(repeating: "{event: e}", count: 17).joined(separator: ", ")

    static let mistakes =
        [
            Mistake("", line: 1, "the file is empty"),
            Mistake("# only a comment\n", line: 1, "the file is empty"),
            Mistake("- a\n", line: 1, "expected a mapping, found a list"),
            Mistake("text\n", line: 1, "expected a mapping, found a text"),
            Mistake("{}\n", line: 1, "the key 'funnels' is missing"),
            Mistake("funnels:\n", line: 1, "expected a list of one or more funnels, found nothing (null)"),
            Mistake("funnels: []\n", line: 1, "expected a list of one or more funnels, found an empty list"),
            Mistake("funnels: {a: 1}\n", line: 1, "expected a list of one or more funnels, found a mapping"),
            Mistake("funnels:\n- 17\n", line: 2, "a funnel: expected a mapping, found a number"),
            Mistake("version: 1\nfunnels: []\n", line: 1, "unknown key 'version': expected timezone, funnels"),
            Mistake("funnels: [\n", line: 2, "not valid YAML"),
            Mistake("funnels:\n\t- a\n", line: 2, "not valid YAML"),
            Mistake("funnels: *nobody\n", line: 1, "undefined alias"),
            Mistake("a: \u{1}\n", line: 1, "control characters are not allowed"),
            Mistake("funnels: []\n---\nfunnels: []\n", line: 3, "found a second one"),
            Mistake("funnels: 1\nfunnels: 2\n", line: 2, "the key 'funnels' occurs more than once"),
            Mistake(
                window: "windw: 30m",
                line: 3,
                "funnel 'f': unknown key 'windw': expected name, description, count"
            ),
            Mistake(window: "# none", line: 2, "funnel 'f': the key 'window' is missing"),
            Mistake(name: "window: 1s", window: "# none", line: 2, "the key 'name' is missing"),
            Mistake(steps: "# none", line: 2, "the key 'steps' is missing"),
            Mistake(name: "name: 17", line: 2, "found a number: write it in quotes, as \"17\""),
            Mistake(name: "name: true", line: 2, "found the truth value true: write it in quotes"),
            Mistake(name: "name:", line: 2, "found nothing (null)"),
            Mistake(name: "name: ''", line: 2, "found an empty text"),
            Mistake(name: "name: a b", line: 2, "expected one or more of letters, digits"),
            Mistake(window: "window: 30m\n    window: 1h", line: 4, "the key 'window' occurs more than once"),
            Mistake(
                window: "window: 30m\n    count: people",
                line: 4,
                "installs, sessions or {by: FIELD}, found 'people'"
            ),
            Mistake(window: "window: 30m\n    count:", line: 4, "count: expected installs, sessions or {by: FIELD}"),
            Mistake(window: "window: 30m\n    breakdown: properties.", line: 4, "properties.NAME, found 'properties.'"),
            Mistake(
                window: "window: 30m\n    breakdown: []",
                line: 4,
                "breakdown: expected a list of one or more parts"
            ),
            Mistake(
                window: "window: 30m\n    breakdown: [a, [b]]",
                line: 4,
                "breakdown: expected a text, found a list"
            ),
            Mistake(window: "window: 30m\n    breakdown: 17", line: 4, "breakdown: expected a text, found a number"),
            Mistake(window: "window: 30m\n    breakdown: [a, b, c, d]", line: 4, "expected 1 to 3 parts, found 4"),
            Mistake(window: "window: 30m\n    breakdown: {step: s}", line: 4, "the key 'field' is missing"),
            Mistake(window: "window: 30m\n    breakdown: {field: a, of: s}", line: 4, "unknown key 'of'"),
            Mistake(
                window: "window: 30m\n    breakdown:\n    - a\n    - {field: b, step: nowhere}",
                line: 6,
                "breakdown: there is no step 'nowhere': expected s"
            ),
            Mistake(window: "window: 30m\n    next: screen_view", line: 4, "next: expected a mapping, found a text"),
            Mistake(window: "window: 30m\n    next: {event: e}", line: 4, "the key 'field' is missing"),
            Mistake(window: "window: 30m\n    next: {field: screen}", line: 4, "the key 'event' is missing"),
            Mistake(window: "window: 30m\n    next: {event: e, field: x, any: []}", line: 4, "unknown key 'any'"),
            Mistake(window: "window: 30m\n    next: {event: e, field: properties.}", line: 4, "found 'properties.'"),
            Mistake(
                window: "window: 30m\n    experiment: {control: plain}",
                line: 4,
                "experiment: expected a breakdown, whose values are the variants"
            ),
            Mistake(
                window: "window: 30m\n    breakdown: [a, b]\n    experiment: {control: plain}",
                line: 5,
                "experiment: expected a breakdown of one part, found 2 parts"
            ),
            Mistake(
                window: "window: 30m\n    breakdown: {field: a, step: t}\n    experiment: {control: plain}",
                steps: "steps: [{name: s, event: e}, {name: t, event: e}]",
                line: 5,
                "expected a breakdown by a field of the first step, found one of 't'"
            ),
            Mistake(window: "window: 30m\n    breakdown: a\n    experiment: plain", line: 5, "expected a mapping"),
            Mistake(
                window: "window: 30m\n    breakdown: a\n    experiment: {shares: {a: 1}}",
                line: 5,
                "the key 'control' is missing"
            ),
            Mistake(
                window: "window: 30m\n    breakdown: a\n    experiment: {control: [plain]}",
                line: 5,
                "control: expected a value of the breakdown, found a list"
            ),
            Mistake(
                window: "window: 30m\n    breakdown: a\n    experiment:\n      control: plain\n      shares: {}",
                line: 7,
                "shares: expected a share for each variant, found an empty mapping"
            ),
            Mistake(
                window: "window: 30m\n    breakdown: a\n    experiment:\n      control: a\n      shares: {a: 1, b: 0}",
                line: 7,
                "share of 'b': expected a number of more than 0, found '0'"
            ),
            Mistake(
                window: "window: 30m\n    breakdown: a\n    experiment: {control: a, shares: {b: 1, c: 1}}",
                line: 5,
                "control 'a' has no share: expected one of 'b', 'c', or a share for it"
            ),
            Mistake(
                steps: "steps:\n    - {name: s, event: e, optional: true}\n    - {name: t, event: e}",
                line: 5,
                "step 's', optional: the first and the last step must be met"
            ),
            Mistake(
                steps: "steps:\n    - {name: s, event: e}\n    - {name: t, event: e, optional: true}",
                line: 6,
                "step 't', optional: the first and the last step must be met"
            ),
            Mistake(
                steps: "steps:\n    - {name: s, event: e}\n    - {name: t, event: e, optional: yes}",
                line: 6,
                "step 't', optional: expected true or false, found 'yes'"
            ),
            Mistake(
                steps: "steps:\n    - {name: s, event: e}\n"
                    + (0..<9).map { "    - {name: o\($0), event: e, optional: true}\n" }.joined()
                    + "    - {name: t, event: e}",
                line: 14,
                "step 'o8', optional: expected at most 8 optional steps, found 9"
            ),
            Mistake(
                window: "window: 30m\n    exclude:\n    - {event: x, from: o}",
                steps: "steps: [{name: s, event: e}, {name: o, event: e, optional: true}, {name: t, event: e}]",
                line: 5,
                "exclude: step 'o' is optional: expected s, t"
            ),
            Mistake(
                steps: "steps:\n    - {name: s, event: e, any: [{event: e}]}",
                line: 5,
                "step 's': 'event' stands beside 'any': expected it in each of the alternatives"
            ),
            Mistake(
                steps: "steps:\n    - {name: s, any: [{event: e}], where: {a: 1}}",
                line: 5,
                "step 's': 'where' stands beside 'any'"
            ),
            Mistake(
                steps: "steps:\n    - {name: s, any: []}",
                line: 5,
                "any: expected a list of one or more alternatives"
            ),
            Mistake(steps: "steps:\n    - {name: s, any: [e]}", line: 5, "any: expected a mapping, found a text"),
            Mistake(
                steps: "steps:\n    - {name: s, any: [{event: e, name: t}]}",
                line: 5,
                "unknown key 'name': expected event, where"
            ),
            Mistake(
                steps: "steps:\n    - name: s\n      any: [\(alternatives)]",
                line: 6,
                "step 's', any: expected 1 to 16 alternatives, found 17"
            ),
            Mistake(
                window: "window: 30m\n    exclude:\n    - any: [\(alternatives)]",
                steps: "steps: [{name: s, event: e}, {name: t, event: e}]",
                line: 5,
                "exclude, any: expected 1 to 16 alternatives, found 17"
            ),
            Mistake(window: "window: 30m\n    description:", line: 4, "description: expected a text, found nothing"),
            Mistake(window: "window: 30m\n    <<: {count: installs}", line: 4, "unknown key '<<'"),
            Mistake(window: "window: 0s", line: 3, "expected a window of more than 0"),
            Mistake(window: "window: 1000000d", line: 3, "at most 100000 days"),
            Mistake(steps: "steps:", line: 4, "steps: expected a list of one or more steps, found nothing (null)"),
            Mistake(steps: "steps: []", line: 4, "steps: expected a list of one or more steps, found an empty list"),
            Mistake(steps: "steps: home", line: 4, "steps: expected a list of one or more steps, found a text"),
            Mistake(steps: "steps: [home]", line: 4, "a step: expected a mapping, found a text"),
            Mistake(steps: "steps:\n    - {event: e}", line: 5, "a step: the key 'name' is missing"),
            Mistake(steps: "steps:\n    - {name: s}", line: 5, "step 's': the key 'event' is missing"),
            Mistake(
                steps: "steps:\n    - {name: s, event: 5}",
                line: 5,
                "step 's', event: expected a text, found a number"
            ),
            Mistake(steps: "steps:\n    - {name: s, event: [e]}", line: 5, "event: expected a text, found a list"),
            Mistake(
                steps: "steps:\n    - {name: s, event: e, were: {}}",
                line: 5,
                "unknown key 'were': expected name, event, where"
            ),
            Mistake(
                steps: "steps:\n    - {name: s, event: e}\n    - {name: s, event: e}",
                line: 6,
                "two steps named 's'"
            ),
            Mistake(
                steps: "steps:\n    - {name: s, event: e, where: }",
                line: 5,
                "where: expected a mapping, found nothing"
            ),
            Mistake(
                steps: "steps:\n    - {name: s, event: e, where: {}}",
                line: 5,
                "where: expected one or more fields, found an empty mapping"
            ),
            Mistake(
                steps: "steps:\n    - {name: s, event: e, where: [a]}",
                line: 5,
                "where: expected a mapping, found a list"
            ),
            Mistake(steps: "steps:\n    - {name: s, event: e, where: {[a]: b}}", line: 5, "expected a name as the key"),
            Mistake(steps: "steps:\n    - {name: s, event: e, where: {'': b}}", line: 5, "properties.NAME, found ''"),
            Mistake(
                steps: "steps: [" + (0...32).map { "{name: s\($0), event: e}" }.joined(separator: ", ") + "]",
                line: 4,
                "has 33 steps: expected 1 to 32"
            ),
            Mistake(
                "funnels:\n- {name: f, window: 1s, steps: [{name: s, event: e}]}\n"
                    + "- {name: f, window: 2s, steps: [{name: s, event: e}]}\n",
                line: 3,
                "there is a funnel named 'f' in line 2 already"
            ),
            Mistake(value: "", "where 'k': expected a text, a number or a truth value, found nothing (null)"),
            Mistake(value: "~", "found nothing (null)"),
            Mistake(value: "{a: b}", "unknown operator 'a': expected not, exists, gt, gte, lt, lte, prefix, contains"),
            Mistake(value: "[]", "found an empty list"),
            Mistake(value: "[a, null]", "in the list: expected a text, a number or a truth value, found nothing"),
            Mistake(value: "[a, [b]]", "in the list: expected a text, a number or a truth value, found a list"),
            Mistake(value: ".inf", "'.inf' is a number that no event can have"),
            Mistake(value: "-.Inf", "'-.Inf' is a number that no event can have"),
            Mistake(value: ".NaN", "'.NaN' is a number that no event can have"),
            Mistake(value: "1e999", "'1e999' is a number that no event can have"),
            Mistake(value: "!!int x", "does not fit its tag 'tag:yaml.org,2002:int'"),
            Mistake(value: "!mine x", "does not fit its tag '!mine'"),
        ]
        + [
            "0", "30", "m", "''", "-5m", "1.5h", "30 m", "30M", "1h 30m", "30m1h", "1m1m", "30mm", "null", "[30m]",
            "'30m '",
            "99999999999999999999d", "9223372036854775807d", "٣m",
        ].map { Mistake(window: "window: \($0)", line: 3, "window: expected a duration such as 30m, 1h30m or 500ms") }

    @Test(arguments: mistakes)
    func `a mistake is refused with the file, the line and what was expected`(mistake: Mistake) throws {
        try mistake.check()
    }
}

extension FunnelsFileMistakeTests.Mistake {
    func check(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let error = try #require(throws: ConfigurationError.self, sourceLocation: sourceLocation) {
            try FunnelsFile.parse(Array(yaml.utf8), file: "config/funnels.yaml")
        }
        #expect(
            error.description.hasPrefix("config/funnels.yaml:\(line): "),
            "\(error)",
            sourceLocation: sourceLocation
        )
        #expect(error.message.contains(words), "\(error)", sourceLocation: sourceLocation)
    }
}
