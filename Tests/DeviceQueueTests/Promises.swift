import FlowEvents

/// The number of stored events that a helper reported, by process.
struct Promises {
    private(set) var stored: [String: Int] = [:]

    var total: Int { stored.values.reduce(0, +) }

    mutating func read(_ output: String) {
        for line in output.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count == 3, words[0] == "stored", let count = Int(words[2]) else { continue }
            stored[String(words[1])] = count
        }
    }

    /// The numbers of the stored events that are not among some events, by process.
    func missing(from events: [Event]) -> [String: Set<Int>] {
        let numbers = Dictionary(grouping: events) { $0.process ?? "" }.mapValues { Set($0.compactMap(\.n)) }
        var missing: [String: Set<Int>] = [:]
        for (process, count) in stored {
            let rest = Set(1...count).subtracting(numbers[process] ?? [])
            if !rest.isEmpty { missing[process] = rest }
        }
        return missing
    }
}
