import UIPlatform

/// What a ``ScreenTracker`` knows about one window.
///
/// A tree of controllers that is in no window yet, as at the launch of an app, has a state without a window.
@MainActor
final class WindowState {
    /// The window, from when the tree is in one until it is freed.
    var window: UIWindow? {
        get { reference?.window }
        set { if let newValue { reference = WeakWindow(newValue) } }
    }
    private var reference: WeakWindow?
    var hasHadWindow: Bool { reference != nil }
    /// The surroundings of the current screen.
    let footprint = Footprint()
    /// The name of the current screen.
    var name: String?
    /// The views that are screens; `nil` as long as none has been told.
    var views: WindowViews?
    /// The running call of a tracked flow.
    var operation: FlowOperation?
    /// The paywall's presentation that is the current screen.
    var paywall: PaywallPresentation?
    /// The number of the last session when the window went to the background.
    var background: SessionMark?
    /// Whether the window's scene has announced its way to the background itself.
    var hearsScene = false

    /// Whether the window is one of a launch in the background: nobody sees its screens until it comes to the front.
    var isUnseen = false
    /// How the last screen on the way of a link became current; `nil` if there is none.
    var passing: ScreenTransition?
    /// The screen in which the window began, if it has no name: it is no screen of the app's, but what an SDK presents on.
    private var unnamedBase: ControllerIdentity?
    /// Its address. Asked first, since an identity counts a reference.
    private(set) var unnamedBaseID: ObjectIdentifier?

    func beginUnnamed(at base: UIViewController) {
        unnamedBase = ControllerIdentity(base)
        unnamedBaseID = ObjectIdentifier(base)
    }

    func isUnnamedBase(_ controller: UIViewController) -> Bool {
        unnamedBaseID == ObjectIdentifier(controller) && unnamedBase?.matches(controller) == true
    }

    /// How many times the tracker has looked whether the current screen has a view.
    var viewlessLooks = 0

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

    /// Whether a call that is still running will announce the screen.
    func expects(_ screen: UIViewController) -> Bool {
        guard isOperating, let operation else { return false }
        return operation.target == ObjectIdentifier(screen)
            || operation.transition == .dismiss && operation.target == nil
    }
}
