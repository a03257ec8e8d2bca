#if DEBUG
/// What a ``ScreenTracker`` has seen that the app's flows do not explain: screens nobody will find in a funnel as meant,
/// and paywalls whose sales belong to nothing.
///
/// Only in debug builds. Print it, or fail the tests that run through the app:
///
/// ```swift
/// #expect(screens.audit().findings.isEmpty)
/// ```
public struct ScreenAudit: Sendable, Hashable {
    /// Something to look at.
    public enum Finding: Sendable, Hashable {
        /// A screen became current without passing through any tracked flow, and the user has not gone back to it, swiped
        /// to it or selected its tab: somewhere a controller is pushed or presented by hand, or by an undecorated flow.
        case screenOutsideFlows(screen: String, previous: String?)
        /// A paywall was shown through a flow that is not attributed: its events have no `paywall_source`.
        case paywallWithoutSource(screen: String)
        /// A controller that a tracked flow presented is presented still. Asked when the app is back at its beginning, such
        /// as at the end of a test, it is one that nobody dismissed: its screen stays in memory.
        case presentationNeverDismissed(controller: String)
    }

    /// The findings, each once, in the order in which they were first seen; those of presentations last. At most 1,000
    /// are kept.
    public let findings: [Finding]
}

extension ScreenAudit: CustomStringConvertible {
    /// A line for each finding.
    public var description: String {
        findings.isEmpty ? "no findings" : findings.map(\.description).joined(separator: "\n")
    }
}

extension ScreenAudit.Finding: CustomStringConvertible {
    /// What was found, and what to do.
    public var description: String {
        switch self {
        case .screenOutsideFlows(let screen, let previous):
            "\(screen) came after \(previous ?? "nothing") past every tracked flow: show it through one"
        case .paywallWithoutSource(let screen):
            "\(screen) is a paywall without a source: present it through flow.attributed(to:by:)"
        case .presentationNeverDismissed(let controller):
            "\(controller) is still presented: dismiss it through its flow"
        }
    }
}

extension ScreenTracker {
    /// What has been seen up to now that the app's flows do not explain.
    public func audit() -> ScreenAudit {
        ScreenAudit(findings: auditTrail.findings + auditTrail.openPresentations)
    }
}
#endif
