#if DEBUG
import UIPlatform

/// Collects for a ``ScreenAudit``.
@MainActor
final class AuditTrail {
    private static let limit = 1000
    private struct Presented {
        weak var controller: UIViewController?
    }

    private(set) var findings: [ScreenAudit.Finding] = []
    private var known: Set<ScreenAudit.Finding> = []
    private var presented: [Presented] = []

    func add(_ finding: ScreenAudit.Finding) {
        guard known.count < Self.limit, known.insert(finding).inserted else { return }
        findings.append(finding)
    }

    /// A screen became current, and no flow has told of it.
    func noticed(_ screen: String, after previous: String?, _ transition: ScreenTransition) {
        switch transition {
        case .back, .swipeDismiss, .tab, .dismiss: break
        case .root, .present, .replace: add(.screenOutsideFlows(screen: screen, previous: previous))
        }
    }

    /// A flow is done with presenting a controller, modally or not.
    func presented(_ controller: UIViewController) {
        presented.removeAll { $0.controller?.presentingViewController == nil }
        guard controller.parent == nil, controller.presentingViewController != nil,
            !presented.contains(where: { $0.controller === controller }), presented.count < Self.limit
        else { return }
        presented.append(Presented(controller: controller))
    }

    var openPresentations: [ScreenAudit.Finding] {
        presented.compactMap(\.controller).filter { $0.presentingViewController != nil }
            .map { .presentationNeverDismissed(controller: "\(type(of: $0))") }
    }
}
#endif
