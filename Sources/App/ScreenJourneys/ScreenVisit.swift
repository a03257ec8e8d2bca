import FlowEvents

/// A screen that became current.
struct ScreenVisit: Sendable, Hashable {
    var screen: String
    var time: Timestamp
    var transition: String?
    var isPaywall: Bool
    /// The item that the screen showed.
    var item: String?
    /// The number of the session; 0 until the visit is written.
    var session: Int64 = 0

    /// Whether the user went back to an earlier screen.
    var isReturn: Bool {
        switch transition {
        case "back", "dismiss", "swipe_dismiss": true
        default: false
        }
    }
}

extension Timestamp {
    func before(days: Int) -> Timestamp {
        let (span, overflow) = Int64(days).multipliedReportingOverflow(by: 86_400_000)
        return overflow ? Timestamp(milliseconds: .min) : before(milliseconds: span)
    }

    func before(milliseconds span: Int64) -> Timestamp {
        let (result, overflow) = milliseconds.subtractingReportingOverflow(span)
        return Timestamp(milliseconds: overflow ? .min : result)
    }
}
