import FlowEventTestSupport

/// Generates valid and damaged funnels files, damaged YAML and random bytes. Equal seeds give equal files.
struct FunnelsFileMutator {
    private var generator: SeededGenerator

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    private static let originals = [
        """
        funnels:
          - name: home-to-paywall
            description: Home screen to paywall
            count: installs
            window: 30m
            steps:
              - name: home
                event: screen_view
                where: {screen: home}
              - name: paywall
                event: screen_view
                where: {screen: paywall, paywall_source: [home, profile]}
        """,
        """
        funnels:
        - {name: a, window: 1h30m, count: sessions, breakdown: properties.x, steps: [{name: "s", event: 'e'}]}
        - name: b
          window: 5ms
          steps: [{name: s, event: e, where: {properties.a.b: [1, 0.5, true, "1"]}}, {name: t, event: e}]
        """,
        """
        timezone: Europe/Berlin
        funnels:
        - name: a
          count: {by: presentation_id}
          entry: first
          window: 3d
          exclude:
          - {event: x, where: {t: {not: [a, 1]}}, from: s, to: t}
          steps:
          - {name: s, event: e, where: {a: {exists: false}, b: {gte: 1, lt: 100}, c: {prefix: d, contains: ''}}}
          - {name: t, event: e, sum: {field: properties.price, decimals: 2, unit: properties.currency}}
        """,
    ].map { Array($0.utf8) }

    /// Fragments that are difficult for YAML parsers, and the keywords of a funnels file.
    private static let pieces = [
        ":", ": ", "- ", "[", "]", "{", "}", ",", "#", "&a ", "*a", "<<: *a", "!!str ", "!!binary ", "|", ">", "|+\n",
        "?", "%YAML 1.1\n---\n", "---\n", "...\n", "\"", "'", "\\", "\"\\ud800\"", "\"\\x00\"", "\t", "\n", "\r",
        "\r\n",
        "  ", "\u{FEFF}", "\u{0}", "\u{85}", "\u{2028}", "\u{1B}[2J", "\u{202E}", "é", "e\u{301}", "😀", "null", "~",
        "true", "on", "1e400", "-0", "0x10", "0o7", ".nan", ".inf", "17", "9007199254740993", "99999999999999999999d",
        "1h", "0s", "-1s", "1d1d", "name: x", "window: 1s", "steps: []", "steps:\n", "where: {}", "where: {a: []}",
        "where: {a: {b: c}}", "{not: a}", "{gt: .nan}", "{exists: 1}", "exclude: []", "exclude: [{event: e}]",
        "from: t",
        "entry: last", "count: {by: a}", "decimals: 7", "sum: {field: a}", "timezone: UTC", "timezone: Mars",
        "breakdown: ''", "count: people", "event: [e]", "unknown: 1", "name: home-to-paywall",
    ].map { Array($0.utf8) }

    /// Returns the next file.
    mutating func next() -> [UInt8] {
        var file = Self.originals.randomElement(using: &generator) ?? []
        for _ in 0...Int.random(in: 0...3, using: &generator) { mutate(&file) }
        return file
    }

    private mutating func mutate(_ file: inout [UInt8]) {
        let position = Int.random(in: 0...file.count, using: &generator)
        let end = min(file.count, position + Int.random(in: 0...12, using: &generator))
        switch UInt8.random(in: 0...6, using: &generator) {
        case 0: file.insert(contentsOf: piece(), at: position)
        case 1: file.replaceSubrange(position..<end, with: piece())
        case 2: file.removeSubrange(position..<end)
        case 3: file.removeSubrange(position...)
        case 4: file.insert(UInt8(truncatingIfNeeded: generator.next()), at: position)
        case 5: file.insert(contentsOf: file[position..<end], at: Int.random(in: 0...file.count, using: &generator))
        default:
            file.insert(contentsOf: Array(repeating: piece(), count: 200).joined(), at: position)
        }
    }

    private mutating func piece() -> [UInt8] {
        Self.pieces.randomElement(using: &generator) ?? []
    }
}
