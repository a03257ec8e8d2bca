import UIPlatform

/// What a ``ScreenTracker`` knows about one window.
///
/// A tree of controllers that is in no window yet, as at the launch of an app, has a state without a window.
@MainActor
final class WindowState {
    weak var window: UIWindow? {
        didSet { hasHadWindow = hasHadWindow || window != nil }
    }
    private(set) var hasHadWindow = false
    /// The surroundings of the current screen.
    let footprint = Footprint()
    /// The name of the current screen.
    var name: String?
    /// The screens told by hand on top of the current controller.
    private(set) var toldScreens: [String] = []
    private weak var toldHost: UIViewController?
    private var toldBeneath: [ToldScreens] = []
    /// The running call of a tracked flow.
    var operation: FlowOperation?
    /// The paywall's presentation that is the current screen.
    var paywall: PaywallPresentation?
    /// The number of the last session when the window went to the background.
    var background: SessionMark?
    /// Whether the window's scene has announced its way to the background itself.
    var hearsScene = false

    /// Whether the window has been freed.
    var isGone: Bool { hasHadWindow && window == nil }

    /// The base of the tree in the window.
    var base: UIViewController? { window?.rootViewController ?? footprint.base }

    /// Whether a call of a tracked flow is running.
    var isOperating: Bool {
        guard operation != nil else { return false }
        // A flow that has dropped its completion never ends the call.
        if isKnownUniquelyReferenced(&operation) { operation = nil }
        return operation != nil
    }

    /// The running call of a flow that brings a screen: one that has not returned yet, or that has and is animated.
    func operationBringing(_ screen: UIViewController) -> FlowOperation? {
        guard isOperating, let operation, operation.isCalling || operation.target == ObjectIdentifier(screen) else {
            return nil
        }
        return operation
    }

    /// A screen that is told by hand lies on top of a controller, or of the screen that was told before.
    func enter(_ screen: String, on host: UIViewController) {
        toldScreens = toldScreens + [screen]
        toldHost = host
    }

    /// A screen that was told by hand is gone.
    ///
    /// - Returns: whether it was the screen in front.
    func leave(_ screen: String) -> Bool {
        if let index = toldScreens.lastIndex(of: screen) {
            let isInFront = index == toldScreens.count - 1
            toldScreens.remove(at: index)
            return isInFront
        }
        for index in toldBeneath.indices.reversed() {
            guard let place = toldBeneath[index].screens.lastIndex(of: screen) else { continue }
            toldBeneath[index].screens.remove(at: place)
            break
        }
        return false
    }

    /// Another controller becomes current. The screens that were told on top of the last one lie there until they are left,
    /// and are in front again when it comes back.
    func exchangeToldScreens(for controller: UIViewController) {
        if toldScreens.isEmpty, toldBeneath.isEmpty { return }
        if let toldHost, !toldScreens.isEmpty {
            toldBeneath.append(ToldScreens(host: toldHost, screens: toldScreens))
        }
        toldBeneath.removeAll { $0.host == nil }
        toldScreens = []
        guard let index = toldBeneath.firstIndex(where: { $0.host === controller }) else { return }
        toldScreens = toldBeneath.remove(at: index).screens
        toldHost = controller
    }

    /// Whether a call that is still running will announce the screen.
    func expects(_ screen: UIViewController) -> Bool {
        guard isOperating, let operation else { return false }
        return operation.target == ObjectIdentifier(screen)
            || operation.transition == .dismiss && operation.target == nil
    }
}

/// Screens told by hand on top of a controller that is not current.
private struct ToldScreens {
    weak var host: UIViewController?
    var screens: [String]
}
