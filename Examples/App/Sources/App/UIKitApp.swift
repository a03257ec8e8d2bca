import EventTracking
import FlowAnalytics
import FlowKit
import Foundation
import UIPlatform

enum PaywallSource: String { case home, profile }

@MainActor
func makeRoot(sink: EventSink, folder: URL) -> UINavigationController {
    let identity = IdentityStore.file(path: folder.appending(path: "identity.json").path)
    let screens = ScreenTracker(Tracker(source: "app://com.example.shop", identity: identity, sink: sink))
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
