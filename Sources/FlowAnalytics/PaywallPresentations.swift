import FlowKit
import UIPlatform

/// One presentation of a paywall, as long as the paywall is in it.
///
/// A class, for copying weak references costs more than everything else here.
@MainActor
final class PaywallPresentation {
    let id: String
    let source: String
    /// The paywall.
    private(set) weak var screen: UIViewController?
    /// The container that was presented around the paywall, where it was not presented by itself.
    private weak var container: UIViewController?
    private let hasContainer: Bool
    private var give: (() -> Void)?

    /// Creates a presentation that the flow has neither accepted nor refused yet.
    ///
    /// - Parameters:
    ///   - screen: the paywall.
    ///   - presented: what is presented: the paywall itself, or the container around it.
    ///   - give: hands the presentation to the paywall, once it is shown.
    init(
        id: String,
        source: String,
        screen: UIViewController,
        presented: UIViewController,
        give: @escaping () -> Void
    ) {
        self.id = id
        self.source = source
        self.screen = screen
        self.give = give
        hasContainer = presented !== screen
        if hasContainer { container = presented }
    }

    /// Whether the flow has neither shown nor refused the paywall yet.
    var isPending: Bool { give != nil }

    /// Whether the paywall is shown, alone or in its container.
    var isShown: Bool { (hasContainer ? container : screen)?.isInHierarchy == true }

    /// Hands the presentation to the paywall as soon as that is shown.
    func acceptIfShown() {
        guard let give, isShown else { return }
        self.give = nil
        give()
    }
}

/// Which paywall is in which presentation.
@MainActor
struct PaywallPresentations {
    private var all: [PaywallPresentation] = []

    /// Adds a presentation, in place of the screen's last one.
    mutating func begin(_ presentation: PaywallPresentation) {
        if !all.isEmpty { all.removeAll { $0.screen == nil || $0.screen === presentation.screen } }
        all.append(presentation)
    }

    /// The flow is done with it: what is not shown now was refused.
    mutating func end(_ presentation: PaywallPresentation) {
        presentation.acceptIfShown()
        if presentation.isPending { all.removeAll { $0 === presentation } }
    }

    /// Forgets what is shown no more, so that it is not taken for the screen's next presentation.
    mutating func removeEnded() {
        guard !all.isEmpty else { return }
        all.removeAll { !$0.isPending && !$0.isShown }
    }

    /// The presentation that the screen is in.
    func presentation(of screen: UIViewController) -> PaywallPresentation? {
        all.first { $0.screen === screen }
    }
}
