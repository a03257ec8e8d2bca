import FlowKit
import FlowTimingTestSupport
import Foundation
import HeadlessUIKit
import Testing

/// Steps that are taken.
@MainActor
@Suite(.eachTiming) struct NavigatorTests {
    let window = UIWindow(frame: .zero)
    let navigator: Navigator
    let user: HeadlessUser

    init() {
        navigator = Navigator(window: window)
        user = HeadlessUser(in: window)
        window.makeKeyAndVisible()
    }

    private var shown: String { window.shown }

    @Test func `a root comes into a navigation controller, unless it is one or a tab bar`() throws {
        try navigator.handle(navigation: .root(.titled("home")))
        #expect(shown == "[home]")
        try navigator.handle(navigation: .root(.stack("own")))
        #expect(shown == "[own]")
        try navigator.handle(navigation: .root(.tabs("a", "b")))
        #expect(shown == "<*[a] [b]>")
    }

    @Test func `steps go where the user is`() throws {
        try navigator.handle(navigation: .root(.tabs("a", "b")), animated: false)
        let steps: [(Navigation, String)] = [
            (.push(.titled("c")), "<*[a c] [b]>"),
            (.selectTab(1), "<[a c] *[b]>"),
            (.push(.titled("d")), "<[a c] *[b d]>"),
            (.replace(.titled("e")), "<[a c] *[b e]>"),
            (.pop, "<[a c] *[b]>"),
            (.selectTab(0), "<*[a c] [b]>"),
        ]
        for (step, expected) in steps {
            try navigator.handle(navigation: step, animated: false)
            #expect(shown == expected)
        }
    }

    @Test func `presentations lie on top of each other, each with a stack of its own`() async throws {
        try navigator.handle(navigation: .root(.titled("a")), animated: false)
        await settle(window)
        let steps: [(Navigation, String)] = [
            (.present(.titled("b")), "[a] / b"),
            (.presentInNavigation(.titled("c")), "[a] / b / [c]"),
            (.push(.titled("d")), "[a] / b / [c d]"),
            (.push(.titled("e")), "[a] / b / [c d e]"),
            (.popToRoot, "[a] / b / [c]"),
            (.popToRoot, "[a] / b / [c]"),
            (.dismiss, "[a] / b"),
            (.replace(.titled("f")), "[a] / f"),
            (.presentInNavigation(.stack("g")), "[a] / f / [g]"),
            (.dismiss, "[a] / f"),
            (.dismiss, "[a]"),
        ]
        for (step, expected) in steps {
            try navigator.handle(navigation: step, animated: false)
            await settle(window)
            #expect(shown == expected)
        }
    }

    @Test func `a new root leaves nothing presented on the old one`() async throws {
        try navigator.handle(navigations: [.root(.titled("a")), .present(.titled("b")), .root(.titled("c"))])
        await settle(window)
        #expect(shown == "[c]")
    }

    @Test(arguments: [true, false])
    func `each step's completion comes once, after the transition`(animated: Bool) async throws {
        let steps: [Navigation] = [
            .root(.tabs("a", "b")), .push(.titled("c")), .replace(.titled("d")), .popToRoot, .push(.titled("e")), .pop,
            .popToRoot, .present(.titled("f")), .replace(.titled("g")), .dismiss, .presentInNavigation(.titled("h")),
            .dismiss, .selectTab(1),
        ]
        var calls = 0
        for step in steps {
            await withCheckedContinuation { continuation in
                do throws(NavigationError) {
                    try navigator.handle(navigation: step, animated: animated) {
                        calls += 1
                        continuation.resume()
                    }
                } catch { Issue.record("\(error)") }
            }
        }
        await MainActor.turns()
        #expect(calls == steps.count)
        #expect(shown == "<[a] *[b]>")
    }

    @Test func `steps of a deep link are taken at once, and only the last is animated`() async throws {
        var calls = 0
        let link: [Navigation] = [.root(.titled("a")), .presentInNavigation(.titled("b")), .push(.titled("c"))]
        try navigator.handle(navigations: link) { calls += 1 }
        if window.headlessTiming == .immediate {
            #expect(shown == "[a] / [b c]")
            #expect(calls == 0)
        }
        await settle(window)
        #expect(shown == "[a] / [b c]")
        #expect(calls == 1)
        try navigator.handle(navigations: []) { calls += 1 }
        #expect(calls == 2)
    }

    @Test func `a deep link stops at the step that cannot be taken, and completes once`() {
        var calls = 0
        #expect {
            try navigator.handle(navigations: [.root(.titled("a")), .pop, .push(.titled("b"))]) { calls += 1 }
        } throws: {
            ($0 as? NavigationError)?.code == .atRoot
        }
        #expect(shown == "[a]")
        #expect(calls == 1)
    }

    @Test func `a controller that goes away during its presentation completes it once`() async throws {
        try navigator.handle(navigation: .root(.titled("a")), animated: false)
        var calls = 0
        await withCheckedContinuation { continuation in
            do throws(NavigationError) {
                try navigator.handle(navigation: .present(.titled("b"))) {
                    calls += 1
                    continuation.resume()
                }
                try navigator.handle(navigation: .root(.titled("c")))
            } catch { Issue.record("\(error)") }
        }
        await MainActor.turns()
        #expect(calls == 1)
        #expect(shown == "[c]")
    }
}
