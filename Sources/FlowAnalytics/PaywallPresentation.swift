import FlowKit
import UIPlatform

/// One presentation of a paywall, as long as the paywall is in it.
@MainActor
final class PaywallPresentation {
    let id: String
    let origin: PaywallOrigin
    private let type: PaywallType
    private let screenID: ObjectIdentifier
    /// The paywall.
    private weak var screen: UIViewController?
    /// The container that was presented around the paywall, where it was not presented by itself.
    private weak var container: UIViewController?
    private let hasContainer: Bool
    /// Whether the flow has neither shown nor refused the paywall yet.
    private(set) var isPending = true

    /// Creates a presentation that the flow has neither accepted nor refused yet.
    ///
    /// - Parameters:
    ///   - id: the `presentation_id`.
    ///   - origin: where the paywall is opened from.
    ///   - type: the paywall's class.
    ///   - screen: the paywall.
    ///   - presented: what is presented: the paywall itself, or the container around it.
    init(
        id: String,
        origin: PaywallOrigin,
        type: PaywallType,
        screen: UIViewController,
        presented: UIViewController
    ) {
        self.id = id
        self.origin = origin
        self.type = type
        self.screen = screen
        screenID = ObjectIdentifier(screen)
        hasContainer = presented !== screen
        if hasContainer { container = presented }
    }

    /// Whether the paywall is the controller, and not another one at the address of a paywall that is gone.
    func isOf(_ controller: UIViewController) -> Bool {
        ObjectIdentifier(controller) == screenID && screen != nil
    }

    /// Whether the other one is of the same paywall, or of one that has come to its address since.
    func isReplaced(by other: PaywallPresentation) -> Bool { screenID == other.screenID }

    /// Whether the paywall is shown, alone or in its container.
    var isShown: Bool { (hasContainer ? container : screen)?.isInHierarchy == true }

    /// Hands the presentation to the paywall as soon as that is shown.
    func acceptIfShown() {
        guard isPending, let screen, (hasContainer ? container : screen)?.isInHierarchy == true else { return }
        isPending = false
        type.accept(screen, id, origin)
    }
}
