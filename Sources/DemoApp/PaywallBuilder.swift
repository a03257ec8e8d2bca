import FlowKit
import UIPlatform

/// Makes the paywall. Other screens get it scoped to its source, without the shop.
struct PaywallBuilder: Builder {
    struct Dependencies {
        var source: PaywallSource
        var shop: PurchaseService
        /// Takes the paywall away.
        var dismiss: @MainActor () -> Void
    }

    func build(_ dependencies: Dependencies) -> UIViewController {
        PaywallViewController(
            headline: dependencies.source.headline,
            shop: dependencies.shop,
            dismiss: dependencies.dismiss
        )
    }
}

extension PaywallSource {
    /// What the paywall says above its plans.
    var headline: String {
        switch self {
        case .home: "Everything, without limits"
        case .profile: "A badge for your profile"
        case .settings: "Themes, backups and more"
        }
    }
}
