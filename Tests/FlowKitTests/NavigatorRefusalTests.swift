import FlowKit
import FlowTimingTestSupport
import Foundation
import HeadlessUIKit
import Testing

/// Steps that cannot be taken: nothing happens, and the error says why.
@MainActor
@Suite(.eachTiming) struct NavigatorRefusalTests {
    let window = UIWindow(frame: .zero)
    let navigator: Navigator
    let user: HeadlessUser

    init() {
        navigator = Navigator(window: window)
        user = HeadlessUser(in: window)
        window.makeKeyAndVisible()
    }

    private var shown: String { window.shown }

    private func refusal(of navigation: Navigation) -> NavigationError.Code? {
        var calls = 0
        defer { #expect(calls == 1, "the completion of a refused step") }
        do throws(NavigationError) {
            try navigator.handle(navigation: navigation, animated: false) { calls += 1 }
            return nil
        } catch {
            #expect("\(error)".contains("\(navigation)"))
            return error.code
        }
    }

    @Test func `with no root, every step but root is refused`() {
        let steps: [Navigation] = [
            .push(.titled("a")), .present(.titled("a")), .presentInNavigation(.titled("a")), .replace(.titled("a")),
            .pop, .popToRoot, .dismiss, .selectTab(0),
        ]
        for step in steps { #expect(refusal(of: step) == .noRoot) }
        #expect(window.rootViewController == nil)
    }

    @Test func `a step without its stack, tab or presentation is refused`() throws {
        window.rootViewController = UIViewController()
        #expect(refusal(of: .push(.titled("a"))) == .noStack)
        #expect(refusal(of: .pop) == .noStack)
        #expect(refusal(of: .popToRoot) == .noStack)
        #expect(refusal(of: .dismiss) == .nothingPresented)
        #expect(refusal(of: .selectTab(0)) == .noTabs)
        try navigator.handle(navigation: .root(.titled("a")))
        #expect(refusal(of: .pop) == .atRoot)
        try navigator.handle(navigation: .root(.tabs("a", "b")))
        #expect(refusal(of: .selectTab(2)) == .noSuchTab)
        #expect(refusal(of: .selectTab(-1)) == .noSuchTab)
    }

    @Test func `replacing in an empty stack makes its root, and without a stack the window's root`() throws {
        window.rootViewController = UINavigationController()
        try navigator.handle(navigation: .replace(.titled("a")), animated: false)
        #expect(shown == "[a]")
        window.rootViewController = UIViewController()
        try navigator.handle(navigation: .replace(.titled("b")), animated: false)
        #expect(shown == "b")
    }

    @Test func `presenting while a presentation or a dismissal runs is refused`() throws {
        try navigator.handle(navigation: .root(.titled("a")), animated: false)
        try navigator.handle(navigation: .present(.titled("b")))
        #expect(refusal(of: .present(.titled("c"))) == .transitionRunning)
        #expect(refusal(of: .presentInNavigation(.titled("c"))) == .transitionRunning)
        #expect(refusal(of: .replace(.titled("c"))) == .transitionRunning)
        user.finishTransitions()
        try navigator.handle(navigation: .dismiss)
        #expect(refusal(of: .present(.titled("c"))) == .transitionRunning)
        user.finishTransitions()
        #expect(shown == "[a]")
    }

    @Test func `nothing is presented on an alert, which can be dismissed, and pushed under`() async throws {
        try navigator.handle(navigation: .root(.titled("a")), animated: false)
        await settle(window)
        window.rootViewController?.modalFlow.present(AlertBuilder(title: "!").build { _ in }, animated: false)
        await settle(window)
        #expect(refusal(of: .present(.titled("b"))) == .alertInFront)
        try navigator.handle(navigation: .push(.titled("b")), animated: false)
        await settle(window)
        #expect(shown == "[a b] / !")
        try navigator.handle(navigation: .dismiss, animated: false)
        await settle(window)
        #expect(shown == "[a b]")
    }

    @Test func `a stack takes no containers and no alerts`() throws {
        try navigator.handle(navigation: .root(.titled("a")), animated: false)
        let alert = Screen { AlertBuilder(title: "!").build { _ in } }
        for screen in [Screen.stack("b"), .tabs("b"), alert] {
            #expect(refusal(of: .push(screen)) == .notForStacks)
            #expect(refusal(of: .replace(screen)) == .notForStacks)
        }
        #expect(shown == "[a]")
    }

    @Test func `a controller that is shown already is refused`() throws {
        let shared = UIViewController()
        let screen = Screen("shared") { shared }
        try navigator.handle(navigation: .root(screen), animated: false)
        let steps: [Navigation] = [.root(screen), .push(screen), .present(screen), .replace(screen)]
        for step in steps { #expect(refusal(of: step) == .alreadyShown) }
    }

    @Test func `a screen may build others while it is built, and must not navigate`() throws {
        let navigator = navigator
        var inner: NavigationError?
        let screen = Screen("outer") {
            let built = UINavigationController(rootViewController: Screen.titled("a").build())
            do throws(NavigationError) { try navigator.handle(navigation: .root(.titled("b"))) } catch { inner = error }
            return built
        }
        try navigator.handle(navigation: .root(screen))
        #expect(inner?.code == .insideBuild)
        #expect(shown == "[a]")
    }

    @Test func `a flow that shows nothing is an error, and so is a window that is gone`() {
        var window: UIWindow? = UIWindow(frame: .zero)
        var errors: [NavigationError.Code] = []
        func collect(_ navigator: Navigator?) {
            do throws(NavigationError) { try navigator?.handle(navigation: .root(.titled("a"))) } catch {
                errors.append(error.code)
            }
        }
        let navigator = window.map { Navigator(window: $0) }
        collect(navigator?.decorated { _ in .empty })
        window = nil
        collect(navigator)
        #expect(errors == [.refused, .windowGone])
    }
}
