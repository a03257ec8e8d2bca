import UIPlatform

/// A presentation of a paywall that is on its way: what keeps the paywall until the flow has shown or refused it.
@MainActor
struct PaywallOpening {
    let presentation: PaywallPresentation
    /// The paywall.
    let screen: UIViewController
    /// The container that is presented around the paywall, where it is not presented by itself.
    let container: UIViewController?

    /// Hands the presentation to the paywall as soon as that is shown.
    func acceptIfShown() {
        presentation.acceptIfShown(screen, in: container)
    }
}
