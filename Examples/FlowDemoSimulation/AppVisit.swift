import FlowDemoApp
import Foundation
import HeadlessUIKit

/// One use of the app: a window with the app in it, and the person in front.
@MainActor
struct AppVisit {
    private let window: UIWindow
    private let app: DemoApp
    private let user: HeadlessUser

    private let world: World

    /// Opens the app.
    init(world: World) {
        let window = UIWindow(frame: .zero)
        self.window = window
        self.world = world
        user = HeadlessUser(in: window)
        app = World.$current.withValue(world) {
            let app = DemoApp(window: window)
            // A first root is only refused where the window is gone, and it is held here.
            do { try app.launch() } catch { preconditionFailure("\(error)") }
            return app
        }
        user.finishTransitions()
    }

    /// What the person looks at.
    var screen: UIViewController? { user.screen }

    /// Where that is; `nil` for a screen that nobody has told the simulation of.
    func place(isOrdering: Bool) -> Place? {
        switch user.screen {
        case is HomeViewController: .home
        case is ProfileViewController: .profile
        case is SettingsViewController: .settings
        case is PaywallViewController: isOrdering ? .checkout : .paywall
        default: nil
        }
    }

    /// Does what the person wants, through the screen or, where UIKit lets a user act without it, past it.
    func perform(_ move: Move) {
        switch move {
        case .goBack: user.goBack()
        case .swipeBack: user.swipeBack()
        case .cancelSwipeBack: user.beginSwipeBack()?.cancel()
        case .swipePaywallAway: user.swipeToDismiss()
        case .cancelSwipeAway: user.beginSwipeToDismiss()?.cancel()
        case .wait, .leave: break
        default: World.$current.withValue(world) { tap(move) }
        }
        user.finishTransitions()
    }

    private func tap(_ move: Move) {
        switch (user.screen, move) {
        case (let home as HomeViewController, .openProfile): home.openProfile()
        case (let home as HomeViewController, .openSettings): home.openSettings()
        case (let home as HomeViewController, .openPaywall): home.openPaywall()
        case (let profile as ProfileViewController, .openPaywall): profile.openPaywall()
        case (let settings as SettingsViewController, .openPaywall): settings.openPaywall()
        case (let settings as SettingsViewController, .toggleNotifications): settings.toggleNotifications()
        case (let paywall as PaywallViewController, .selectPlan):
            paywall.select(paywall.plan == .year ? .month : .year)
        case (let paywall as PaywallViewController, .buy): paywall.buy()
        case (let paywall as PaywallViewController, .closePaywall): paywall.close()
        // The weights of a place name only what its screen offers.
        default: break
        }
    }

    /// Waits for what the app does by itself, such as closing the paywall after a purchase.
    func finishTransitions() {
        user.finishTransitions()
    }
}
