import EventTracking
import FlowAnalytics
import FlowKit
import Foundation
import Testing
import UIPlatform

enum PaywallSource: String { case home, profile }

final class HomeViewController: UIViewController {}
final class DetailViewController: UIViewController {}
final class ProfileViewController: UIViewController {}

final class PaywallViewController: UIViewController, PaywallScreen {
    var presentation: Presentation<PaywallSource>?

    override func viewDidLoad() {
        super.viewDidLoad()
        presentation?.track("paywall_loaded")
    }
}

/// A container that the app has not declared.
final class DrawerViewController: UIViewController {
    convenience init(around child: UIViewController) {
        self.init(nibName: nil, bundle: nil)
        addChild(child)
        view.addSubview(child.view)
        child.didMove(toParent: self)
    }
}

/// The lines of the tracked events.
// Unchecked: the lock guards the lines, and `Mutex` is not available on iOS 17.
final class HostLog: @unchecked Sendable {
    private let lock = NSLock()
    private var kept: [String] = []
    private var sources: [String?] = []

    var lines: [String] { lock.withLock { kept } }
    /// The sources of the paywalls whose views have been loaded. UIKit does not say when it loads the view of a screen that
    /// is pushed, so these events are not in the lines.
    var loadedFrom: [String?] { lock.withLock { sources } }

    func append(_ event: EventDraft) {
        if event.type == "paywall_loaded" { return lock.withLock { sources.append(event.paywallSource) } }
        let name = event.type == "screen_view" ? event.screen ?? "-" : event.type
        let previous = event.previousScreen.map { " < \($0)" } ?? ""
        let transition = event.transition.map { ": \($0)" } ?? ""
        let source = event.paywallSource.map { " [\($0)]" } ?? ""
        lock.withLock { kept.append(name + previous + transition + source) }
    }
}

/// A window of a test, on the simulator in the host app's scene.
@MainActor
final class HostWindow {
    let window: UIWindow
    let stack = UINavigationController()

    init() throws {
        #if canImport(UIKit)
        let scenes = UIApplication.shared.connectedScenes.compactMap { $0 as? UIWindowScene }
        window = UIWindow(windowScene: try #require(scenes.first))
        #else
        window = UIWindow(windowScene: UIWindowScene())
        #endif
    }

    /// Hides the window, so that the next test has the screen to itself.
    func close() {
        window.isHidden = true
        window.rootViewController = nil
    }
}

/// Returns when the condition holds, at the latest after five minutes. UIKit ends presentations on later turns.
@MainActor
func wait(until condition: () -> Bool) async {
    let end = ContinuousClock.now + .seconds(300)
    while !condition(), ContinuousClock.now < end { await Task.yield() }
}
