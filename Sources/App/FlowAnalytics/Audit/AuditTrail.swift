#if DEBUG
import FlowKit
import Foundation
import UIPlatform

/// Collects the findings of a ``ScreenAudit``.
@MainActor
final class AuditTrail {
    private static let limit = 1000
    private struct Presented {
        weak var controller: UIViewController?
    }

    private(set) var findings: [ScreenAudit.Finding] = []
    private var known: Set<ScreenAudit.Finding> = []
    private var presented: [Presented] = []

    /// Returns whether the finding is new. After a thousand findings, none is.
    @discardableResult
    func add(_ finding: ScreenAudit.Finding) -> Bool {
        guard known.count < Self.limit, known.insert(finding).inserted else { return false }
        findings.append(finding)
        return true
    }

    /// Called once for each refusal, because the app then shows something other than its code asked for.
    var sayRefusal: @MainActor (String) -> Void = { refusal in
        try? FileHandle.standardError.write(contentsOf: Data("flow-funnels: \(refusal)\n".utf8))
    }

    private func addAndSay(_ finding: ScreenAudit.Finding) {
        if add(finding) { sayRefusal("\(finding)") }
    }

    /// A screen became current without a flow.
    func noticed(_ screen: String, after previous: String?, _ transition: ScreenTransition) {
        switch transition {
        case .back, .swipeDismiss, .tab, .dismiss, .resume: break
        case .root, .present, .replace: add(.screenOutsideFlows(screen: screen, previous: previous))
        }
    }

    /// A flow has called the completion of a presentation, modal or not.
    func presented(_ controller: UIViewController, on current: UIViewController?) {
        if !controller.isShown(before: current), controller.viewIfLoaded?.window == nil {
            refused(controller, on: current)
        }
        presented.removeAll { $0.controller?.presentingViewController == nil }
        guard controller.parent == nil, controller.presentingViewController != nil,
            !presented.contains(where: { $0.controller === controller }), presented.count < Self.limit
        else { return }
        presented.append(Presented(controller: controller))
    }

    /// A flow has not shown a controller.
    func refused(_ controller: UIViewController, on current: UIViewController?) {
        let name = current.map { "\(type(of: $0))" } ?? "nothing"
        addAndSay(.refused(controller: "\(type(of: controller))", current: name))
    }

    var openPresentations: [ScreenAudit.Finding] {
        presented.compactMap(\.controller).filter { $0.presentingViewController != nil }
            .map { .presentationNeverDismissed(controller: "\(type(of: $0))") }
    }
}
#endif
