import FlowDemoApp
import Foundation
import HeadlessUIKit

/// One use of the app: a window with the app, and a person who uses it.
@MainActor
struct AppVisit {
    private let window: UIWindow
    private let app: DemoApp
    private let user: HeadlessUser

    private let world: World

    /// Opens the app.
    init(world: World) {
        let window = UIWindow(frame: .zero)
        window.makeKeyAndVisible()
        self.window = window
        self.world = world
        user = HeadlessUser(in: window)
        app = World.$current.withValue(world) {
            let app = DemoApp(window: window)
            // Setting the first root fails only without a window, and `window` is retained here.
            do { try app.launch() } catch { preconditionFailure("\(error)") }
            return app
        }
        user.finishTransitions()
    }

    /// The screen that the person sees.
    var screen: UIViewController? { user.screen }

    /// The place of the screen; `nil` for a screen that the simulation does not know.
    func place(isOrdering: Bool) -> Place? {
        switch user.screen {
        case is HomeViewController: .home
        case is ProfileViewController: .profile
        case is SettingsViewController: .settings
        case is PaywallViewController: isOrdering ? .checkout : .paywall
        default: nil
        }
    }

    /// Performs a move, through the screen or, for gestures, through UIKit.
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
        // The weights of a place contain only moves that its screen offers.
        default: break
        }
    }

    /// Finishes transitions that the app starts, such as closing the paywall after a purchase.
    func finishTransitions() {
        user.finishTransitions()
    }
}
