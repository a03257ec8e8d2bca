import Foundation

/// The order in which a store reads and writes the rows of installs: the order of their bytes.
///
/// It is the order of the index, so that a commit walks the index once from one end to the other. It is also the same for
/// all consumers, so that two consumers that lock rows never deadlock.
package enum InstallOrder {
    /// Returns the indices below `count`, sorted by the bytes of their installs.
    ///
    /// It asks by index, because copying whole elements in generic code counts references to each of their parts.
    package static func indices(count: Int, by install: (Int) -> [UInt8]) -> [Int] {
        // The first eight bytes nearly always differ, and compare as one number.
        var keys = (0..<count).map { (prefix: prefix(of: install($0)), index: $0) }
        keys.sort { lhs, rhs in
            if lhs.prefix != rhs.prefix { return lhs.prefix < rhs.prefix }
            return precedes(install(lhs.index), install(rhs.index))
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
                // memcmp must not get a null pointer, even for a length of zero.
                guard let left = lhs.baseAddress, let right = rhs.baseAddress else { return 0 as Int32 }
                return memcmp(left, right, min(lhs.count, rhs.count))
            }
        }
        return order == 0 ? lhs.count < rhs.count : order < 0
    }
}
