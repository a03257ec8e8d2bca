import Foundation

/// The seeds of the tests that draw random inputs: some fifty by default, all of them with `scripts/test-seeds`.
///
/// ```swift
/// @Test(arguments: Seeds.upTo(600))
/// func `any order gives what the brute force gives`(seed: UInt64) { … }
/// ```
package enum Seeds {
    /// The number of seeds that a test takes by default.
    package static let usualCount: UInt64 = 50

    /// Returns the seeds below a number, or about fifty of them.
    ///
    /// The fifty are spread: they have all remainders, by which tests choose a kind of input.
    ///
    /// - Parameter count: the number of all seeds. `TEST_SEEDS` in the environment multiplies it, and lets the test take all.
    package static func upTo(_ count: UInt64) -> [UInt64] {
        if let times { return Array(0..<count * times) }
        let step = max(1, count / usualCount)
        return (0..<min(count, usualCount)).map { $0 * step + $0 % step }
    }

    private static let times = ProcessInfo.processInfo.environment["TEST_SEEDS"].flatMap(UInt64.init)
}
