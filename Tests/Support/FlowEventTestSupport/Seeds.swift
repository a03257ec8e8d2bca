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

    /// Returns the seeds of a test: fifty of them by default.
    ///
    /// The fifty are spread over all. Their remainders by small numbers differ, because tests choose a kind of input by these.
    ///
    /// - Parameter count: the number of all seeds. With `TEST_SEEDS=3` in the environment, the test takes three times as many.
    package static func upTo(_ count: UInt64) -> [UInt64] {
        if let times { return Array(0..<count * times) }
        let step = max(1, count / usualCount)
        return (0..<min(count, usualCount)).map { $0 * step + ($0 + $0 / step) % step }
    }

    // A wrong value must not pass for a run of all seeds.
    private static let times = ProcessInfo.processInfo.environment["TEST_SEEDS"].map { text in
        guard let times = UInt64(text), times > 0 else { fatalError("TEST_SEEDS is '\(text)': expected 1 or more") }
        return times
    }
}
