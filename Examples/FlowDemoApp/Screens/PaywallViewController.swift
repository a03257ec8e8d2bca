import FlowEvents
public import FlowAnalytics
public import Foundation
public import UIPlatform

/// Asks for money. What it tracks goes through its presentation, so that each event says from where it was opened.
public final class PaywallViewController: UIViewController, ScreenNamed, ItemScreen, PaywallScreen {
    /// Where the paywall leads.
    public enum Route: Sendable, Hashable {
        /// It has done its part.
        case close
    }

    /// The name of the screen in events.
    public let screenName = "paywall"
    /// What the paywall looks like.
    public let layout: PaywallLayout
    /// The layout, by which a funnel can break down.
    public var itemID: String? { layout.rawValue }
    /// What the paywall was opened for.
    public let headline: String
    /// The presentation that the paywall is in; set by the attributed flow.
    public var presentation: Presentation<PaywallSource>?
    /// The plan that is marked.
    public private(set) var plan = Plan.year
    private let shop: PurchaseService
    private let locale: Locale
    private let handle: @MainActor (Route) -> Void

    init(
        headline: String,
        layout: PaywallLayout,
        shop: PurchaseService,
        locale: Locale,
        handle: @escaping @MainActor (Route) -> Void
    ) {
        self.headline = headline
        self.layout = layout
        self.shop = shop
        self.locale = locale
        self.handle = handle
        super.init(nibName: nil, bundle: nil)
    }

    /// Always `nil`: there are no storyboards to decode the screen from.
    public required init?(coder: NSCoder) { nil }

    /// What the marked plan costs, as the user writes it.
    public var price: String {
        plan.price.formatted(.currency(code: plan.currency).locale(locale))
    }

    /// A plan was tapped.
    public func select(_ plan: Plan) {
        self.plan = plan
        presentation?.track("plan_selected", properties: ["product": .string(plan.product)])
    }

    /// The button was tapped. The purchase belongs to this presentation, also where it ends after the dismissal.
    public func buy() {
        let plan = plan
        let presentation = presentation
        shop.buy(plan) { [weak self] outcome in
            presentation?.track(plan.facts(of: outcome))
            if outcome == .bought { self?.closeIfShown() }
        }
    }

    /// The cross was tapped.
    public func close() {
        handle(.close)
    }

    private func closeIfShown() {
        // The flow dismisses whatever it has presented: by now that may be another screen.
        guard presentingViewController != nil, !isBeingDismissed else { return }
        handle(.close)
    }
}
