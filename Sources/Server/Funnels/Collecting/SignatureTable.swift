/// What an event is to the funnels, by number: which steps of which funnel it matches, and the breakdown value that it
/// starts an attempt with. An install's events have few such signatures, so each event keeps a number.
struct SignatureTable {
    let funnelCount: Int
    // Both have funnelCount entries for each signature.
    private(set) var masks: [UInt32] = []
    private(set) var values: [Int32] = []
    // As in StringTable: few are looked along, many are hashed.
    private var places: [Key: Int] = [:]
    private static let greatestScan = 32

    private struct Key: Hashable {
        var masks: [UInt32]
        var values: [Int32]
    }

    init(funnelCount: Int) {
        self.funnelCount = funnelCount
    }

    var count: Int { funnelCount == 0 ? 0 : masks.count / funnelCount }

    /// The steps of `funnel` that an event of this signature matches, step k as bit k − 1.
    @inline(__always)
    func mask(_ signature: Int, funnel: Int) -> UInt32 { masks[signature * funnelCount + funnel] }

    /// The place of the breakdown value in the table of strings, plus 1; 0 where there is none.
    @inline(__always)
    func value(_ signature: Int, funnel: Int) -> Int { Int(values[signature * funnelCount + funnel]) }

    /// The number of a signature, which gets one if it has none.
    mutating func intern(masks newMasks: [UInt32], values newValues: [Int32]) -> Int {
        if count <= Self.greatestScan {
            for signature in 0..<count where isEqual(signature, newMasks, newValues) { return signature }
            return append(masks: newMasks, values: newValues)
        }
        if places.isEmpty {
            for signature in 0..<count { places[key(signature)] = signature }
        }
        let key = Key(masks: newMasks, values: newValues)
        if let signature = places[key] { return signature }
        places[key] = count
        return append(masks: newMasks, values: newValues)
    }

    /// Adds a signature that is known not to be there.
    @discardableResult
    mutating func append(masks newMasks: [UInt32], values newValues: [Int32]) -> Int {
        masks += newMasks
        values += newValues
        return count - 1
    }

    mutating func removeAll() {
        masks.removeAll(keepingCapacity: true)
        values.removeAll(keepingCapacity: true)
        if !places.isEmpty { places.removeAll() }
    }

    private func key(_ signature: Int) -> Key {
        let range = signature * funnelCount..<(signature + 1) * funnelCount
        return Key(masks: Array(masks[range]), values: Array(values[range]))
    }

    private func isEqual(_ signature: Int, _ otherMasks: [UInt32], _ otherValues: [Int32]) -> Bool {
        let start = signature * funnelCount
        for funnel in 0..<funnelCount
        where masks[start + funnel] != otherMasks[funnel] || values[start + funnel] != otherValues[funnel] {
            return false
        }
        return true
    }
}
