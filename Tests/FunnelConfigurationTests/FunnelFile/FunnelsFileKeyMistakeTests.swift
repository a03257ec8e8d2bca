import FunnelFile
import Testing
import YAMLNodes

/// The mistakes of conditions, exclusions, sums, actors, entries and time zones.
@Suite struct FunnelsFileKeyMistakeTests {
    typealias Mistake = FunnelsFileMistakeTests.Mistake

    /// A step, the second of two, with more keys on line 7.
    private static func step(_ keys: String) -> String {
        "steps:\n    - {name: a, event: e}\n    - name: b\n      \(keys)\n      event: e"
    }

    /// Exclusions of a funnel with the steps a, b and c, the first on line 5.
    private static func excluding(_ exclusion: String) -> String {
        let steps = ["a", "b", "c"].map { "{name: \($0), event: e}" }.joined(separator: ", ")
        return "exclude:\n    - \(exclusion)\n    steps: [\(steps)]"
    }

    static let mistakes: [Mistake] = [
        Mistake("timezone:\nfunnels: []\n", line: 1, "timezone: expected a text, found nothing (null)"),
        Mistake("timezone: 1\nfunnels: []\n", line: 1, "timezone: expected a text, found a number"),
        Mistake("timezone: [UTC]\nfunnels: []\n", line: 1, "timezone: expected a text, found a list"),
        Mistake("funnels: []\ntimezone: Mars/Olympus\n", line: 2, "unknown time zone 'Mars/Olympus'"),
        Mistake("timezone: PST\nfunnels: []\n", line: 1, "a name of the IANA time zone database, such as Europe"),
        Mistake("time_zone: UTC\nfunnels: []\n", line: 1, "unknown key 'time_zone': expected timezone, funnels"),
        Mistake(value: "{}", "one or more of not, exists, gt, gte, lt, lte, prefix, contains; found an empty map"),
        Mistake(value: "{Not: a}", "unknown operator 'Not'"),
        Mistake(value: "{gt: 1, eq: 1}", "unknown operator 'eq'"),
        Mistake(value: "{not: }", "where 'k', not: expected a text, a number or a truth value, found nothing"),
        Mistake(value: "{not: []}", "where 'k', not: expected a text, a number or a truth value, found an empty l"),
        Mistake(value: "{not: {}}", "found an empty mapping"),
        Mistake(value: "{not: {not: a}}", "found a mapping"),
        Mistake(value: "{not: [a, null]}", "not, in the list: expected a text, a number or a truth value"),
        Mistake(value: "{not: .nan}", "'.nan' is a number that no event can have"),
        Mistake(value: "{exists: }", "exists: expected true or false, found nothing (null)"),
        Mistake(value: "{exists: 'true'}", "exists: expected true or false, found a text"),
        Mistake(value: "{exists: 1}", "exists: expected true or false, found a number"),
        Mistake(value: "{exists: yes}", "exists: expected true or false, found a text"),
        Mistake(value: "{exists: [true]}", "exists: expected true or false, found a list"),
        Mistake(value: "{gt: .nan}", "gt: '.nan' is a number that no event can have: expected a finite one"),
        Mistake(value: "{lte: -.inf}", "lte: '-.inf' is a number that no event can have: expected a finite one"),
        Mistake(value: "{lt: 1, lt: 2}", "the key 'lt' occurs more than once"),
        Mistake(value: "[a, {not: b}]", "in the list: expected a text, a number or a truth value, found a mapping"),
        // The line is that of the key, not of the element.
        Mistake(
            steps: excluding("event: x\n      from: a\n      to: d"),
            line: 7,
            "exclude: there is no step 'd'"
        ),
        Mistake(steps: step("sum:\n        field: n\n        decimals: 7"), line: 9, "decimals: expected 0 to 6"),
    ]

    /// Keys of a funnel on line 4.
    static let keys: [(String, String)] = [
        ("count: {by: }", "count by: expected a text, found nothing"),
        ("count: {by: [a]}", "count by: expected a text, found a list"),
        ("count: {by: properties.}", "count by: expected a field of data, or properties.NAME, found 'properties.'"),
        ("count: {by: ''}", "count by: expected a text, found an empty text"),
        ("count: {}", "count: the key 'by' is missing"), ("count: {of: a}", "count: unknown key 'of': expected 'by'"),
        ("count: {by: a, of: b}", "count: unknown key 'of'"),
        ("count: [installs]", "count: expected installs, sessions or {by: FIELD}, found a list"),
        ("count: 1", "count: expected installs, sessions or {by: FIELD}, found '1'"),
        ("entry: last", "entry: expected any or first, found 'last'"),
        ("entry:", "entry: expected any or first, found ''"),
        ("entry: [first]", "entry: expected any or first, found a list"),
        ("exclude:", "exclude: expected a list of one or more exclusions, found nothing (null)"),
        ("exclude: []", "exclude: expected a list of one or more exclusions, found an empty list"),
        ("exclude: {event: x}", "exclude: expected a list of one or more exclusions, found a mapping"),
        ("exclude: [{event: x}]", "exclude: 's' is not before 's'"),
    ]

    static let exclusions: [(String, String)] = [
        ("x", "exclude: expected a mapping, found a text"), ("{}", "exclude: the key 'event' is missing"),
        ("{event: x, name: y}", "exclude: unknown key 'name': expected event, where, any, from, to"),
        ("{event: 1}", "exclude, event: expected a text, found a number"),
        ("{event: x, where: }", "exclude, where: expected a mapping, found nothing"),
        ("{event: x, where: {k: {gt: a}}}", "exclude, where 'k', gt: expected a number, found a text"),
        ("{event: x, from: 1}", "exclude, from: expected a text, found a number"),
        ("{event: x, to: }", "exclude, to: expected a text, found nothing"),
        ("{event: x, from: d}", "exclude: there is no step 'd': expected a, b, c"),
        ("{event: x, from: a, to: A}", "exclude: there is no step 'A': expected a, b, c"),
        ("{event: x, from: c, to: b}", "exclude: 'c' is not before 'b': expected 'from' to be a step before 'to'"),
        ("{event: x, from: b, to: b}", "exclude: 'b' is not before 'b'"),
        ("{event: x, from: c}", "exclude: 'c' is not before 'c'"),
        ("{event: x, to: a}", "exclude: 'a' is not before 'a'"),
    ]

    static let sums: [(String, String)] = [
        ("sum:", "sum: expected a mapping, found nothing (null)"), ("sum: n", "sum: expected a mapping, found a te"),
        ("sum: {}", "sum: the key 'field' is missing"), ("sum: {decimals: 2}", "sum: the key 'field' is missing"),
        ("sum: {field: n, digits: 2}", "sum: unknown key 'digits': expected field, decimals, unit"),
        ("sum: {field: }", "sum, field: expected a text, found nothing"),
        ("sum: {field: properties.}", "sum, field: expected a field of data, or properties.NAME"),
        ("sum: {field: n, unit: 7}", "sum, unit: expected a text, found a number"),
        ("sum: {field: n, unit: ''}", "sum, unit: expected a text, found an empty text"),
        ("sum: {field: n, decimals: 7}", "decimals: expected 0 to 6, found 7"),
        ("sum: {field: n, decimals: -1}", "decimals: expected 0 to 6, found -1"),
        ("sum: {field: n, decimals: 1.5}", "sum, decimals: expected a whole number from 0 to 6, found '1.5'"),
        ("sum: {field: n, decimals: .nan}", "sum, decimals: expected a whole number from 0 to 6, found '.nan'"),
        ("sum: {field: n, decimals: two}", "sum, decimals: expected a whole number from 0 to 6, found 'two'"),
        ("sum: {field: n, decimals: }", "sum, decimals: expected a whole number from 0 to 6, found ''"),
        ("sum: {field: n, decimals: [2]}", "sum, decimals: expected a whole number from 0 to 6, found a list"),
    ]

    @Test(arguments: mistakes)
    func `a mistake is refused with the file, the line and what was expected`(mistake: Mistake) throws {
        try mistake.check()
    }

    @Test(arguments: ["gt", "gte", "lt", "lte"])
    func `an operand that is not a number is refused`(name: String) throws {
        let operands = [("'1'", "a text"), ("true", "the truth value true"), ("", "nothing (null)"), ("[1]", "a list")]
        for (operand, found) in operands {
            let words = "where 'k', \(name): expected a number, found \(found)"
            try Mistake(value: "{\(name): \(operand)}", words).check()
        }
    }

    @Test(arguments: ["prefix", "contains"])
    func `an operand that is not a text is refused`(name: String) throws {
        let operands = [("1", "a number"), ("true", "the truth value true"), ("", "nothing (null)"), ("[a]", "a list")]
        for (operand, found) in operands {
            let words = "where 'k', \(name): expected a text, found \(found)"
            try Mistake(value: "{\(name): \(operand)}", words).check()
        }
    }

    @Test(arguments: keys)
    func `a mistake in a key of a funnel is refused`(key: String, words: String) throws {
        try Mistake(window: "window: 30m\n    \(key)", line: 4, "funnel 'f', \(words)").check()
    }

    @Test(arguments: exclusions)
    func `a mistake in an exclusion is refused`(exclusion: String, words: String) throws {
        try Mistake(steps: Self.excluding(exclusion), line: 5, "funnel 'f', \(words)").check()
    }

    @Test(arguments: sums)
    func `a mistake in a sum is refused`(sum: String, words: String) throws {
        try Mistake(steps: Self.step(sum), line: 7, "step 'b', \(words)").check()
    }
}
