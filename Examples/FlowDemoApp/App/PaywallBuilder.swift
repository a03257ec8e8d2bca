import FlowKit
import Foundation
import UIPlatform

/// Makes the paywall. Other screens get it scoped to its source, without the shop.
struct PaywallBuilder: Builder {
    struct Dependencies {
        var source: PaywallSource
        /// What the paywall looks like.
        var layout: PaywallLayout
        var shop: PurchaseService
        /// How prices are written.
        var locale: Locale
        var handle: @MainActor (PaywallViewController.Route) -> Void
    }

    func build(using dependencies: Dependencies) -> UIViewController {
        PaywallViewController(
            headline: dependencies.source.headline,
            layout: dependencies.layout,
            shop: dependencies.shop,
            locale: dependencies.locale,
            handle: dependencies.handle
        )
    }
}

/// Where the demo's paywall can be opened from; the raw value is the `paywall_source` of its events.
public enum PaywallSource: String, Sendable, CaseIterable {
    /// The banner on the home screen.
    case home
    /// The badge on the profile.
    case profile
    /// The row in the settings.
    case settings
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
