/// Signatures by index: the steps of each funnel that an event matches, and the breakdown value of an attempt that the
/// event starts.
///
/// The events of an install have few distinct signatures, so each event stores the index of its signature.
struct SignatureTable {
    typealias Index = TableIndex<SignatureTable>
    /// The index of a breakdown value in the owner's strings, or `nil`, in four bytes.
    typealias Value = CompactIndex<StringTable>

    let funnelCount: Int
    // Both arrays have funnelCount elements for each signature.
    private(set) var masks: [UInt32] = []
    private(set) var values: [Value] = []
    // Empty as long as the table is small, as in StringTable.
    private var indexByKey: [Key: Index] = [:]
    private static let greatestScan = 32

    private struct Key: Hashable {
        var masks: [UInt32]
        var values: [Value]
    }

    init(funnelCount: Int) {
        self.funnelCount = funnelCount
    }

    var count: Int { funnelCount == 0 ? 0 : masks.count / funnelCount }

    /// The steps of a funnel that an event with this signature matches, step k as bit k − 1.
    @inline(__always)
    func mask(_ signature: Index, funnel: Int) -> UInt32 { masks[signature.offset * funnelCount + funnel] }

    /// The breakdown value of an attempt that an event with this signature starts; `nil` where it starts none or the
    /// funnel has no breakdown.
    @inline(__always)
    func value(_ signature: Index, funnel: Int) -> StringTable.Index? {
        values[signature.offset * funnelCount + funnel].wrappedValue
    }

    /// The index of a signature, which is added if it is not in the table yet.
    mutating func intern(masks newMasks: [UInt32], values newValues: [Value]) -> Index {
        if count <= Self.greatestScan {
            for offset in 0..<count where isEqual(offset, newMasks, newValues) { return Index(offset) }
            return append(masks: newMasks, values: newValues)
        }
        if indexByKey.isEmpty {
            for offset in 0..<count { indexByKey[key(offset)] = Index(offset) }
        }
        let key = Key(masks: newMasks, values: newValues)
        if let index = indexByKey[key] { return index }
        indexByKey[key] = Index(count)
        return append(masks: newMasks, values: newValues)
    }

    /// Appends a signature that is not in the table yet.
    @discardableResult
    mutating func append(masks newMasks: [UInt32], values newValues: [Value]) -> Index {
        masks += newMasks
        values += newValues
        return Index(count - 1)
    }

    mutating func removeAll() {
        masks.removeAll(keepingCapacity: true)
        values.removeAll(keepingCapacity: true)
        if !indexByKey.isEmpty { indexByKey.removeAll() }
    }

    private func key(_ offset: Int) -> Key {
        let range = offset * funnelCount..<(offset + 1) * funnelCount
        return Key(masks: Array(masks[range]), values: Array(values[range]))
    }

    private func isEqual(_ offset: Int, _ otherMasks: [UInt32], _ otherValues: [Value]) -> Bool {
        let start = offset * funnelCount
        for funnel in 0..<funnelCount
        where masks[start + funnel] != otherMasks[funnel] || values[start + funnel] != otherValues[funnel] {
            return false
        }
        return true
    }
}
