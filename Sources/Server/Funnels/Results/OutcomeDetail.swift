/// What an attempt tells beside its outcome and its times: what it adds to a sum, where its actor went next, or its breakdown
/// value.
///
/// A store keeps the details of each day's attempt. The summary adds them up by subject and text, except the values. So a new
/// figure of this kind has a subject here. The other code that keeps and adds up details does not tell subjects apart.
package struct OutcomeDetail {
    /// What a detail is about.
    package enum Subject: Sendable, Hashable {
        /// The sum of a step, by the step's index. The text is the unit.
        case sum(step: Int)
        /// Where the actors went whose attempts met a number of required steps. The text is the place.
        case next(rank: Int)
        /// The breakdown value of the attempt, as the text. Only the outcome of all attempts has it: a list of actors shows
        /// it, and the outcomes of several values can be equal.
        case value
    }

    var subject: Subject
    /// The text; `nil` for an event that has no amount to add.
    var text: StringTable.Index?
    /// What is added to the sum: the value × 10^decimals. It is 0 where nothing is added.
    var amount: Int64 = 0
}

extension OutcomeDetail.Subject {
    /// The subject as one number. The lowest bit is 0 for sums. A rank is 1 or more, so the code 1 is free for the value.
    @inline(__always)
    var code: Int {
        switch self {
        case .sum(let step): step << 1
        case .next(let rank): rank << 1 | 1
        case .value: 1
        }
    }

    /// Creates the subject with a ``code``, which is 0 or more and less than ``codeCount``.
    @inline(__always)
    init(code: Int) {
        self = code & 1 == 0 ? .sum(step: code >> 1) : code == 1 ? .value : .next(rank: code >> 1)
    }

    static let codeCount = (Funnel.maximumStepCount + 1) << 1
}
