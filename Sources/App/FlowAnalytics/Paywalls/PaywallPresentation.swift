import FlowKit
import UIPlatform

/// One presentation of a paywall, as long as the paywall is in it.
@MainActor
final class PaywallPresentation {
    let id: String
    let origin: PaywallOrigin
    private let type: PaywallType
    private let screen: ControllerIdentity
    /// The container that is presented around the paywall, where it is not presented by itself.
    private let container: ControllerIdentity?
    /// What presents or contains it, from when the paywall has been shown; or the window that it is the bottom of.
    private weak var holder: UIViewController?
    private weak var window: UIWindow?
    /// Whether the flow has neither shown nor refused the paywall yet.
    private(set) var isPending = true

    /// Creates a presentation that the flow has neither accepted nor refused yet.
    ///
    /// - Parameters:
    ///   - id: the `presentation_id`.
    ///   - origin: where the paywall is opened from.
    ///   - type: the paywall's class.
    ///   - screen: the paywall.
    ///   - container: the container that is presented around it, where it is not presented by itself.
    init(
        id: String,
        origin: PaywallOrigin,
        type: PaywallType,
        screen: UIViewController,
        container: UIViewController?
    ) {
        self.id = id
        self.origin = origin
        self.type = type
        self.screen = ControllerIdentity(screen)
        self.container = container.map(ControllerIdentity.init)
    }

    /// Whether it is the controller that is the paywall.
    func isOf(_ controller: UIViewController) -> Bool { screen.isOf(controller) }

    /// Whether the paywall is shown still, alone or in its container.
    var isShown: Bool {
        let presented = container ?? screen
        guard let holder else { return window?.rootViewController.map(presented.isOf) == true }
        if let other = holder.presentedViewController, presented.isOf(other) { return true }
        for child in holder.children where presented.isOf(child) { return true }
        return false
    }

    /// Hands the presentation to the paywall as soon as that is shown.
    func acceptIfShown(_ screen: UIViewController, in container: UIViewController?) {
        guard isPending else { return }
        let presented = container ?? screen
        if let holder = presented.parent ?? presented.presentingViewController {
            self.holder = holder
        } else if let window = presented.viewIfLoaded?.window, window.rootViewController === presented {
            self.window = window
        } else {
            return
        }
        isPending = false
        type.accept(screen, id, origin)
    }
}
