import EventTracking
import FlowAnalytics
import FlowKit
import Foundation
import UIPlatform

@MainActor
func makeRoot(tracker: Tracker) -> UINavigationController {
    let screens = ScreenTracker(tracker)
    let paywalls = PaywallAttribution<PaywallSource>(screens)

    let navigation = UINavigationController()
    let push = navigation.navigationFlow.tracked(by: screens)
    let modal = navigation.modalFlow.tracked(by: screens).attributed(to: .home, by: paywalls)

    let home = HomeViewController()
    home.openPaywall = { modal.present(PaywallViewController()) }
    push.present(home, animated: false)  // screen_view: home
    return navigation
}

final class HomeViewController: UIViewController, ScreenNamed {
    let screenName = "home"
    var openPaywall: () -> Void = {}
}

final class PaywallViewController: UIViewController, ScreenNamed, PaywallScreen {
    let screenName = "paywall"
    var presentation: Presentation<PaywallSource>?
    // Keeps its source, however late it comes.
    func didBuy() { presentation?.track("purchase") }
}
