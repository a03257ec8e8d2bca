import UIPlatform

/// A presentation of a paywall that is on its way: what keeps the paywall until the flow has shown or refused it.
@MainActor
struct PaywallOpening {
    let presentation: PaywallPresentation
    /// The paywall.
    let screen: UIViewController
    /// What is presented: the paywall itself, or the container around it.
    let presented: UIViewController

    /// Hands the presentation to the paywall as soon as that is shown.
    func acceptIfShown() {
        presentation.acceptIfShown(screen, presented: presented)
    }
}
