public import FlowAnalytics
public import Foundation
public import UIPlatform

/// The first screen. It says where it wants to go, and knows neither the other screens nor their services.
public final class HomeViewController: UIViewController, ScreenNamed {
    /// Where the home screen leads.
    public enum Route: String, Sendable, Hashable {
        /// The profile was wanted.
        case profile
        /// The settings were wanted.
        case settings
        /// The paywall was wanted.
        case paywall
    }

    /// The name of the screen in events.
    public let screenName = "home"
    /// What the user goes on with; empty before ``loadShortcuts()``.
    public private(set) var shortcuts = Shortcuts()
    /// How the user is greeted.
    public var greeting: String { greetingOfNow.text }
    private let greetingOfNow: Greeting
    private let readShortcuts: @Sendable () async -> Shortcuts
    private let handle: @MainActor (Route) -> Void

    init(
        greeting: Greeting,
        loadShortcuts: @escaping @Sendable () async -> Shortcuts,
        handle: @escaping @MainActor (Route) -> Void
    ) {
        greetingOfNow = greeting
        readShortcuts = loadShortcuts
        self.handle = handle
        super.init(nibName: nil, bundle: nil)
    }

    /// Always `nil`: there are no storyboards to decode the screen from.
    public required init?(coder: NSCoder) { nil }

    /// The profile was tapped.
    public func openProfile() {
        handle(.profile)
    }

    /// The settings were tapped.
    public func openSettings() {
        handle(.settings)
    }

    /// The banner was tapped.
    public func openPaywall() {
        handle(.paywall)
    }

    /// Reads the shortcuts, beside the main actor.
    public func loadShortcuts() async {
        shortcuts = await readShortcuts()
    }

    /// A shortcut was tapped. One to a screen that does not exist any more leads nowhere.
    public func openShortcut(_ screen: String) {
        if let route = Route(rawValue: screen) { handle(route) }
    }
}
