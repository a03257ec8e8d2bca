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
}
