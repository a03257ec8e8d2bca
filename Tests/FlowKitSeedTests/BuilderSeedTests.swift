// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The code is as an app would write it: an app documents no builders.

import FlowKit
import FlowTimingTestSupport
import Foundation
import HeadlessUIKit
import Testing
import UIPlatform

// A builder whose dependencies are a protocol with associated types, scoped to the source for the screens that open it.

enum PaywallSource: String, Sendable {
    case home, profile
}

protocol PurchasesService { var name: String { get } }
protocol AnalyticsTracker { var isOn: Bool { get } }

protocol PaywallDeps {
    associatedtype PurchasesServiceType: PurchasesService
    associatedtype AnalyticsTrackerType: AnalyticsTracker

    var source: PaywallSource { get }
    var purchasesService: PurchasesServiceType { get }
    var analyticsTracker: AnalyticsTrackerType { get }
}

private final class PaywallInteractor {
    weak var viewController: PaywallViewController?
    let service: any PurchasesService

    init(purchasesService: some PurchasesService, analyticsTracker: some AnalyticsTracker) {
        service = purchasesService
    }
}

private final class PaywallViewController: UIViewController {
    let source: PaywallSource
    let interactor: PaywallInteractor

    init(source: PaywallSource, interactor: PaywallInteractor) {
        self.source = source
        self.interactor = interactor
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }
}

struct PaywallBuilder<Deps: PaywallDeps>: Builder {
    init() {}

    func build(using deps: Deps) -> UIViewController {
        let interactor = PaywallInteractor(
            purchasesService: deps.purchasesService,
            analyticsTracker: deps.analyticsTracker
        )
        let viewController = PaywallViewController(source: deps.source, interactor: interactor)
        interactor.viewController = viewController
        return viewController
    }
}

private struct Purchases: PurchasesService { let name = "purchases" }
private struct Analytics: AnalyticsTracker { let isOn = true }

@MainActor
private final class AppDelegate {
    lazy var purchasesService = Purchases()
    lazy var analyticsTracker = Analytics()

    var paywallBuilder: some Builder<PaywallSource, UIViewController> {
        PaywallBuilder().scoped { source in
            PaywallDepsImpl(
                purchasesService: self.purchasesService,
                analyticsTracker: self.analyticsTracker,
                source: source
            )
        }
    }
}

private struct PaywallDepsImpl: PaywallDeps {
    let purchasesService: Purchases
    let analyticsTracker: Analytics
    let source: PaywallSource
}

private final class HomeViewController<PB: Builder<PaywallSource, UIViewController>>: UIViewController {
    let paywallBuilder: PB

    init(paywallBuilder: PB) {
        self.paywallBuilder = paywallBuilder
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    func presentPaywall() {
        let paywallViewController = paywallBuilder.build(using: .home)
        present(paywallViewController, animated: true)
    }
}

@MainActor
@Suite(.eachTiming) struct BuilderSeedTests {
    @Test func `a screen builds the paywall with its source, and knows nothing else`() throws {
        let window = UIWindow(frame: .zero)
        let home = HomeViewController(paywallBuilder: AppDelegate().paywallBuilder)
        window.rootViewController = home
        window.makeKeyAndVisible()
        home.presentPaywall()
        let paywall = try #require(home.presentedViewController as? PaywallViewController)
        #expect(paywall.source == .home)
        #expect(paywall.interactor.viewController === paywall)
        #expect(paywall.interactor.service.name == "purchases")
    }
}
