import EventTracking
import FlowEvents
import FlowAnalytics
import FlowKit
import Foundation
import ScreenJourneys
import UIPlatform

// The app of the article "Building an app on FlowKit". Its code blocks are pieces of this file: `ArticleTests` compares
// them, so a block that does not compile cannot stand in the article.

struct Character: Sendable, Hashable, Identifiable {
    var id: Int
    var name: String
}

struct CharacterService: Sendable {
    var all: @Sendable () throws -> [Character]
}

enum PaywallSource: String, Sendable { case list, push }

struct Session: Sendable, Hashable {
    var userName: String?
}

struct World: Sendable {
    var date: @Sendable () -> Date = { Date() }
    var calendar = Calendar.current
    var timeZone = TimeZone.current
    var locale = Locale.current
    var session = Session()
    var characters = CharacterService { [Character(id: 1, name: "Momo")] }
    var track: @Sendable (EventDraft) -> Void = { _ in }
    var sessions: (@Sendable () -> SessionProgress)?

    @TaskLocal static var current = World()
}

extension Builders {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    // The name that this pattern is known by.
    static var Current: World { World.current }
}

extension Builders {
    enum Characters {
        @MainActor static func list(
            paywall: some Builder<PaywallSource, UIViewController>,
            navigation: Flow,
            modal: Flow
        ) -> UIViewController {
            let flow = CharactersFlow(paywall: paywall, navigation: navigation, modal: modal)
            return CharactersViewController(load: Current.characters.all, handle: flow.handle)
        }

        @MainActor static func detail(_ character: Character) -> UIViewController {
            DetailViewController(character, openedAt: Current.date(), locale: Current.locale)
        }
    }
}

final class CharactersViewController: UIViewController {
    enum Route: Hashable {
        case detail(Character)
        case paywall
        case failure(String)
    }

    private let load: @Sendable () throws -> [Character]
    private let handle: @MainActor (Route) -> Void

    init(load: @escaping @Sendable () throws -> [Character], handle: @escaping @MainActor (Route) -> Void) {
        self.load = load
        self.handle = handle
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    func selectFirst() {
        do {
            if let character = try load().first { handle(.detail(character)) }
        } catch {
            handle(.failure(error.localizedDescription))
        }
    }

    func selectBanner() {
        handle(.paywall)
    }
}

final class DetailViewController: UIViewController {
    let openedAt: Date

    init(_ character: Character, openedAt: Date, locale: Locale) {
        self.openedAt = openedAt
        super.init(nibName: nil, bundle: nil)
        title = character.name.capitalized(with: locale)
    }

    required init?(coder: NSCoder) { nil }
}

final class PaywallViewController: UIViewController, PaywallScreen {
    var presentation: Presentation<PaywallSource>?
    let headline: String
    let close: @MainActor () -> Void

    init(headline: String, close: @escaping @MainActor () -> Void) {
        self.headline = headline
        self.close = close
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }
}

@MainActor
struct CharactersFlow {
    let paywall: any Builder<PaywallSource, UIViewController>
    let navigation: Flow
    let modal: Flow

    func handle(_ route: CharactersViewController.Route) {
        switch route {
        case .detail(let character): Builders.Characters.detail(character) |> navigation.present
        case .paywall: paywall.build(.list) |> modal.present
        case .failure(let message): Builders.alert(title: "No characters", message: message) |> modal.present
        }
    }
}

struct PaywallBuilder: Builder {
    struct Dependencies {
        var headline: String
        var close: @MainActor () -> Void
    }

    func build(using dependencies: Dependencies) -> UIViewController {
        PaywallViewController(headline: dependencies.headline, close: dependencies.close)
    }
}

extension Screen {
    static func characters(_ assembly: Assembly) -> Screen {
        Screen { assembly.characters() }
    }

    static func detail(assembly: Assembly, character: Character) -> Screen {
        Screen { Builders.Characters.detail(character) }
    }

    static func paywall(_ assembly: Assembly, source: PaywallSource) -> Screen {
        Screen { assembly.paywall.build(source) }
    }
}

@MainActor
final class Assembly {
    private let stack: UINavigationController
    private let screens: ScreenTracker
    private let paywalls: PaywallAttribution<PaywallSource>

    init(stack: UINavigationController, screens: ScreenTracker) {
        self.stack = stack
        self.screens = screens
        paywalls = PaywallAttribution(screens)
    }

    var modal: Flow { stack.modalFlow.tracked(by: screens) }

    var paywall: some Builder<PaywallSource, UIViewController> {
        PaywallBuilder().scoped { [modal] source in
            PaywallBuilder.Dependencies(headline: "Opened from \(source.rawValue)", close: modal.dismiss)
        }
    }

    func characters() -> UIViewController {
        Builders.Characters.list(
            paywall: paywall,
            navigation: stack.navigationFlow.tracked(by: screens),
            modal: modal.attributed(to: .list, by: paywalls)
        )
    }

    func links(in window: UIWindow) -> Navigator {
        Navigator(window: window).tracked(by: screens).attributed(to: .push, by: paywalls)
    }
}

@MainActor
final class App {
    let screens: ScreenTracker
    let navigator: Navigator
    let assembly: Assembly

    init(window: UIWindow, journeys: Journeys) throws(NavigationError) {
        let stack = UINavigationController()
        screens = ScreenTracker(sessions: World.current.sessions, track: journeys.remembering(World.current.track))
        assembly = Assembly(stack: stack, screens: screens)
        navigator = assembly.links(in: window)
        let root = Screen("root") { stack }
        try navigator.handle(navigations: [.root(root), .replace(.characters(assembly))], animated: false)
    }

    func open(_ character: Character) {
        do {
            try navigator.handle(navigations: [
                .popToRoot, .push(.detail(assembly: assembly, character: character)),
            ])
        } catch {
            Builders.alert(for: error) |> assembly.modal.present
        }
    }
}

@MainActor
func confirmDeletion(of character: Character, on flow: Flow, delete: @escaping @MainActor () -> Void) {
    AlertBuilder(title: "Delete \(character.name)?")
        .button("Delete", role: .destructive)
        .button("Keep", role: .cancel)
        .show(on: flow) { index in
            if index == 0 { delete() }
        }
}

struct Shortcuts: Sendable {
    var screens: [String]
    var lastStop: String?

    init(from journeys: Journeys) async throws(JourneysError) {
        screens = try await journeys.mostVisited(days: 30, limit: 3, excluding: ["characters"]).map(\.screen)
        lastStop = try await journeys.lastStop()?.screen
    }
}
