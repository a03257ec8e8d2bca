internal import FlowEvents

extension DurationText {
    /// A duration as a person says it: without the milliseconds of ten seconds or more, and the seconds of an hour or more.
    static func about(_ milliseconds: Int64) -> String {
        switch milliseconds {
        case ..<10_000: text(milliseconds)
        case ..<3_600_000: text(milliseconds / 1_000 * 1_000)
        default: text(milliseconds / 60_000 * 60_000)
        }
    }
}
