import EventTracking
import FlowEvents
import FlowKit
import UIPlatform

/// One presentation of a paywall, from the call of the flow until its end.
@MainActor
final class PaywallPresentation {
    let id: String
    let origin: PaywallOrigin
    /// The name of the screen.
    var name: String
    /// The window in which the paywall has become the current screen. Only its identity: a weak reference to the state
    /// would make counting references to it slow.
    private(set) var windowState: ObjectIdentifier?
    private let screen: ControllerIdentity
    /// The container that is presented around the paywall, if it is not presented by itself.
    private let container: ControllerIdentity?
    /// The controller that presents or contains it, after the flow has shown it.
    private var holder: WeakController?
    /// The paywall or its container, if it is the root of a window.
    private var root: WeakController?
    /// The window of ``root``; `nil` until the window is visible.
    private var rootWindow: WeakWindow?
    /// Whether the flow has neither shown nor refused the paywall yet.
    private(set) var isPending = true
    private var enteredAt: Duration?
    private var timeOnScreen = Duration.zero

    init(
        id: String,
        origin: PaywallOrigin,
        screen: UIViewController,
        container: UIViewController?,
        fallbackName: String
    ) {
        self.id = id
        self.origin = origin
        name = fallbackName
        self.screen = ControllerIdentity(screen)
        self.container = container.map(ControllerIdentity.init)
    }

    /// How events name the presentation.
    var mark: PaywallMark { PaywallMark(id: id, source: origin.name) }

    /// Whether the controller is the paywall.
    func isOf(_ controller: UIViewController) -> Bool { screen.matches(controller) }

    /// Whether the paywall is still shown, alone or in its container, visible or covered.
    ///
    /// - Parameters:
    ///   - window: the window of ``windowState``.
    ///   - base: the base of the tree in this window; `nil` if it is not known.
    func isShown(in window: UIWindow?, base: UIViewController?) -> Bool {
        let presented = container ?? screen
        guard let holder = holder?.controller else { return isRoot(of: window, base: base) }
        if let other = holder.presentedViewController, presented.matches(other) {
            return !other.hasLeftPresentation && isReachable(in: window)
        }
        for child in holder.children where presented.matches(child) { return isReachable(in: window) }
        return false
    }

    private func isRoot(of window: UIWindow?, base: UIViewController?) -> Bool {
        guard let root = root?.controller else { return false }
        if rootWindow?.window == nil { rootWindow = root.viewIfLoaded?.window.map { WeakWindow($0) } }
        if let window = rootWindow?.window ?? window { return window.rootViewController === root }
        return base == nil || base === root
    }

    /// Whether nothing around the paywall has gone.
    private func isReachable(in window: UIWindow?) -> Bool {
        var next = holder?.controller
        while let controller = next {
            if controller.hasLeftPresentation { return false }
            guard let above = controller.parent ?? controller.presentingViewController else {
                // The base of the tree: gone if its window has another root.
                guard let window, let root = window.rootViewController else { return true }
                return root === controller
            }
            next = above
        }
        return true
    }

    /// Ends the wait for the flow if it has shown the controller that is the paywall or contains it.
    ///
    /// - Parameter current: returns the flow's current controller.
    func confirmIfShown(_ presented: UIViewController, before current: @MainActor () -> UIViewController?) {
        guard isPending else { return }
        if let holder = presented.parent ?? presented.presentingViewController {
            self.holder = WeakController(holder)
        } else if let window = presented.viewIfLoaded?.window, window.rootViewController === presented {
            root = WeakController(presented)
            rootWindow = WeakWindow(window)
        } else if presented.isShown(before: current()) {
            root = WeakController(presented)
        } else {
            return
        }
        isPending = false
    }

    /// The paywall has become the current screen of a window.
    func becomeCurrent(in state: WindowState) {
        windowState = ObjectIdentifier(state)
    }

    /// The flow has refused the paywall.
    func refuse() {
        isPending = false
    }

    /// The paywall has become the current screen, or the app is back in the foreground.
    func enterScreen(at moment: Duration) {
        if enteredAt == nil { enteredAt = moment }
    }

    /// The paywall is no longer the current screen, or the app is in the background.
    func leaveScreen(at moment: Duration) {
        guard let enteredAt else { return }
        timeOnScreen += moment - enteredAt
        self.enteredAt = nil
    }

    /// The event for the end of the presentation.
    func close(_ transition: ScreenTransition, at moment: Duration) -> EventDraft {
        leaveScreen(at: moment)
        return .paywallClose(mark, screen: name, transition, shown: timeOnScreen)
    }
}
