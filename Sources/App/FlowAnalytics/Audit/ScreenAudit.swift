#if DEBUG
import UIPlatform

/// The mistakes that a ``ScreenTracker`` found in how an app uses its flows.
///
/// It exists only in debug builds. Print it, or check in a UI test that it is empty:
///
/// ```swift
/// #expect(screens.audit().findings.isEmpty)
/// ```
public struct ScreenAudit: Sendable, Hashable {
    /// A mistake.
    public enum Finding: Sendable, Hashable {
        /// A screen became current without a tracked flow, and the user has not gone back to it or selected its tab: the app
        /// pushes or presents it by hand or through an undecorated flow.
        case screenOutsideFlows(screen: String, previous: String?)
        /// A paywall was shown through a flow that is not attributed: its events have no `paywall_source`.
        case paywallWithoutSource(screen: String)
        /// A controller contains the current screen and is not declared as a container: conform it to
        /// `ScreenContainer`, so that its screens are found also where no flow names them.
        case undeclaredContainer(controller: String)
        /// A controller that became current has a ``PaywallScreen`` as a child, and is not declared as a container: it counts
        /// as a screen, and not as the paywall.
        case paywallInUndeclaredContainer(paywall: String, controller: String)
        /// A hosting controller's root view has no name of its own, such as `AnyView`.
        case unnamedHostingController(screen: String)
        /// Two classes have one name, such as `ViewController` in two namespaces. The namespace tells their screens apart for
        /// now; conform them to ``ScreenNamed``.
        case sharedClassName(first: String, second: String)
        /// A flow has refused to show a controller, for example an alert while a paywall is presented.
        case refused(controller: String, current: String)
        /// A paywall was built with one source and presented through a flow with another. The builder's counts.
        case sourcesDisagree(controller: String, built: String, flow: String)
        /// A controller that a tracked flow presented is still presented. At the end of a test that returns to the first
        /// screen, it is one that was never dismissed, and stays in memory.
        case presentationNeverDismissed(controller: String)
    }

    /// The findings, each once, in the order in which they were first seen. Open presentations come last. At most 1,000
    /// findings are kept.
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
            "\(screen) came after \(previous ?? "nothing") without a tracked flow: show it through one"
        case .paywallWithoutSource(let screen):
            "\(screen) is a paywall without a source: present it through flow.attributed(to:by:)"
        case .undeclaredContainer(let controller):
            "\(controller) contains screens and is not declared: conform it to ScreenContainer"
        case .paywallInUndeclaredContainer(let paywall, let controller):
            "\(controller) contains the paywall \(paywall) and counts as a screen: if the paywall is the screen, conform the "
                + "container to ScreenContainer"
        case .unnamedHostingController(let screen):
            "\(screen) is a hosting controller without a name: conform it to ScreenNamed or map it in ScreenNaming"
        case .sharedClassName(let first, let second):
            "\(first) and \(second) have one name: conform them to ScreenNamed or map them in ScreenNaming"
        case .refused(let controller, let current):
            "\(controller) was not shown on \(current): its flow or UIKit has refused it"
        case .sourcesDisagree(let controller, let built, let flow):
            "\(controller) was built for \(built) and shown by a flow from \(flow): name the source once"
        case .presentationNeverDismissed(let controller):
            "\(controller) is still presented: dismiss it through its flow"
        }
    }
}

extension ScreenTracker {
    /// Called with a sentence for each controller that a tracked flow has refused to show. By default it writes the
    /// sentence to standard error. Only in debug builds; to hear of refusals in every build, use
    /// `reportingRefusals(to:)`.
    public var sayRefusal: @MainActor (String) -> Void {
        get { auditTrail.sayRefusal }
        set { auditTrail.sayRefusal = newValue }
    }

    /// The findings up to now. A screen that is in front and of which nothing has been heard is found, too.
    public func audit() -> ScreenAudit {
        let known = auditTrail.findings
        let unheard = unheardScreens.filter { !known.contains($0) }
        return ScreenAudit(findings: known + unheard + auditTrail.openPresentations)
    }

    private var unheardScreens: [ScreenAudit.Finding] {
        windows.compactMap { state in
            guard let base = state.base, !state.isUnseen, !state.isOperating, state.passing == nil,
                let visible = VisibleScreen.find(from: base, types: types),
                !state.footprint.isScreen(visible.controller), visible.controller.transitionCoordinator == nil
            else { return nil }
            return .screenOutsideFlows(screen: name(of: visible), previous: state.name)
        }
    }
}
#endif
