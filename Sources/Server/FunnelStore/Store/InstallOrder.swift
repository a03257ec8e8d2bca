import Foundation

/// The order in which a store touches installs' rows: that of the index over them, so that a commit walks its tree once
/// instead of jumping about in it (measured in SQLite, a third more rows a second), and the same for all consumers, so
/// that two of them never wait for each other's rows at once.
package enum InstallOrder {
    /// The indices of `elements` in the order of their installs' bytes.
    package static func indices<Element>(of elements: [Element], by install: (Element) -> [UInt8]) -> [Int] {
        // The first bytes decide nearly always, and compare as one number.
        var keys = elements.indices.map { (prefix: prefix(of: install(elements[$0])), index: $0) }
        keys.sort { lhs, rhs in
            if lhs.prefix != rhs.prefix { return lhs.prefix < rhs.prefix }
            return precedes(install(elements[lhs.index]), install(elements[rhs.index]))
        }
        return keys.map(\.index)
    }

    private static func prefix(of bytes: [UInt8]) -> UInt64 {
        var result: UInt64 = 0
        for index in 0..<8 { result = result << 8 | (index < bytes.count ? UInt64(bytes[index]) : 0) }
        return result
    }

    private static func precedes(_ lhs: [UInt8], _ rhs: [UInt8]) -> Bool {
        let order = lhs.withUnsafeBytes { lhs in
            rhs.withUnsafeBytes { rhs in
                // memcmp must not be given no address, even for no bytes.
                guard let left = lhs.baseAddress, let right = rhs.baseAddress else { return 0 as Int32 }
                return memcmp(left, right, min(lhs.count, rhs.count))
            }
        }
        return order == 0 ? lhs.count < rhs.count : order < 0
    }
}
