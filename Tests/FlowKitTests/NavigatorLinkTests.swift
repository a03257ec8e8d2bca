import FlowKit
import Foundation
import HeadlessUIKit
import Testing

/// Links: several steps, each after the one before, also where UIKit ends a presentation a turn later.
@MainActor
@Suite struct NavigatorLinkTests {
    let window = UIWindow(frame: .zero)
    let navigator: Navigator

    init() {
        navigator = Navigator(window: window)
    }

    private func open(_ steps: Navigation...) async -> Result<Void, NavigationError> {
        await withCheckedContinuation { continuation in
            navigator.open(steps, animated: false) { continuation.resume(returning: $0) }
        }
    }

    @Test func `a root before the window is visible is taken, and its view is loaded later`() throws {
        try navigator.handle(navigations: [.root(.titled("a")), .push(.titled("b"))], animated: false)
        #expect(window.shown == "[a b]")
        #expect(window.rootViewController?.isViewLoaded == false)
        window.makeKeyAndVisible()
        #expect(window.rootViewController?.isViewLoaded == true)
    }

    @Test(arguments: HeadlessTiming.allCases)
    func `each step waits for the one before`(timing: HeadlessTiming) async throws {
        window.headlessTiming = timing
        window.makeKeyAndVisible()
        let result = await open(
            .root(.titled("a")),
            .present(.titled("b")),
            .presentInNavigation(.titled("c")),
            .push(.titled("d")),
            .dismiss,
            .replace(.titled("e")),
            .present(.titled("f"))
        )
        try result.get()
        #expect(window.shown == "[a] / e / f")
    }

    @Test(arguments: HeadlessTiming.allCases)
    func `all presentations are dismissed at once`(timing: HeadlessTiming) async throws {
        window.headlessTiming = timing
        window.makeKeyAndVisible()
        try await open(.root(.titled("a")), .dismissAll, .present(.titled("b")), .present(.titled("c"))).get()
        try await open(.dismissAll, .push(.titled("d"))).get()
        #expect(window.shown == "[a d]")
    }

    @Test func `beneath a presentation without a stack, steps go to the stack beneath`() async throws {
        window.makeKeyAndVisible()
        try await open(.root(.titled("a")), .present(.titled("b")), .push(.titled("c")), .push(.titled("d")), .pop)
            .get()
        #expect(window.shown == "[a c] / b")
    }

    @Test(arguments: HeadlessTiming.allCases)
    func `a refusal is reported once, and the steps after it are not taken`(timing: HeadlessTiming) async {
        window.headlessTiming = timing
        window.makeKeyAndVisible()
        let result = await open(.root(.titled("a")), .present(.titled("b")), .selectTab(1), .push(.titled("c")))
        #expect(throws: NavigationError(.noTabs, .selectTab(1))) { try result.get() }
        #expect(window.shown == "[a] / b")
    }

    @Test(arguments: HeadlessTiming.allCases)
    func `a refused last or only step is a refusal`(timing: HeadlessTiming) async {
        window.headlessTiming = timing
        window.makeKeyAndVisible()
        await #expect(throws: NavigationError(.noRoot, .pop)) { try await open(.pop).get() }
        await #expect(throws: NavigationError(.atRoot, .pop)) { try await open(.root(.titled("a")), .pop).get() }
        await #expect(throws: NavigationError(.atRoot, .pop)) { try await open(.dismissAll, .pop).get() }
        await #expect(throws: NavigationError(.noTabs, .selectTab(7))) { try await open(.selectTab(7)).get() }
        let recorder = NavigationRecorder()
        recorder.refusal = .noRoot
        var results: [Result<Void, NavigationError>] = []
        Navigator.recording(in: recorder).open([.pop]) { results.append($0) }
        #expect(results.count == 1)
        #expect(throws: NavigationError(.noRoot, .pop)) { try results.first?.get() }
    }

    @Test func `a refusal that comes later is told before the completion`() async throws {
        window.headlessTiming = .later
        window.makeKeyAndVisible()
        try navigator.handle(navigation: .root(.titled("a")), animated: false)
        var calls: [String] = []
        await withCheckedContinuation { continuation in
            try? navigator.handle(navigations: [.present(.titled("b")), .selectTab(1)], animated: false) {
                calls.append("completed")
                continuation.resume()
            } refused: { error in
                calls.append("refused \(error.code == .noTabs)")
            }
        }
        #expect(calls == ["refused true", "completed"])
    }

    @Test(arguments: HeadlessTiming.allCases)
    func `a dismissal during a presentation without animation is not lost`(timing: HeadlessTiming) async {
        window.headlessTiming = timing
        let home = UIViewController()
        window.rootViewController = home
        window.makeKeyAndVisible()
        let flow = home.modalFlow
        flow.present(UIViewController(), animated: false)
        await withCheckedContinuation { continuation in flow.dismiss(animated: false) { continuation.resume() } }
        #expect(home.presentedViewController == nil)
    }

    @Test func `an app hears what its flow has refused`() {
        let home = UIViewController()
        window.rootViewController = home
        window.makeKeyAndVisible()
        var refused: [UIViewController] = []
        let flow = home.modalFlow.reportingRefusals { refused.append($0) }
        let alert = AlertBuilder(title: "Sure?").build { _ in }
        flow.present(UIViewController(), animated: false)
        flow.present(alert, animated: false)
        #expect(refused == [alert])
    }
}
