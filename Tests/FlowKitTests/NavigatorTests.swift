import FlowKit
import Foundation
import HeadlessUIKit
import Testing

@MainActor
@Suite struct NavigatorTests {
    let window = UIWindow(frame: .zero)
    let navigator: Navigator
    let user: HeadlessUser

    init() {
        navigator = Navigator(window: window)
        user = HeadlessUser(in: window)
    }

    /// The titles of what is shown, from the root: `[a b]` a stack, `<a b>` tabs, `/` a presentation.
    private var shown: String { window.rootViewController.map { describe($0) } ?? "" }

    private func describe(_ controller: UIViewController) -> String {
        var text = controller.title ?? "?"
        if let stack = controller as? UINavigationController {
            text = "[" + stack.viewControllers.map { $0.title ?? "?" }.joined(separator: " ") + "]"
        } else if let tabs = controller as? UITabBarController {
            let titles = (tabs.viewControllers ?? []).map {
                ($0 === tabs.selectedViewController ? "*" : "") + describe($0)
            }
            return "<" + titles.joined(separator: " ") + ">"
        } else if controller is UIAlertController {
            text = "!"
        }
        if controller.parent == nil, let next = controller.presentedViewController { text += " / " + describe(next) }
        return text
    }

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

    @Test func `presentations lie on top of each other, each with a stack of its own`() throws {
        try navigator.handle(navigation: .root(.titled("a")), animated: false)
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
            #expect(shown == expected)
        }
    }

    @Test func `a new root leaves nothing presented on the old one`() throws {
        try navigator.handle(navigations: [.root(.titled("a")), .present(.titled("b")), .root(.titled("c"))])
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

    @Test func `steps of a deep link are taken at once, and only the last is animated`() throws {
        var calls = 0
        let link: [Navigation] = [.root(.titled("a")), .presentInNavigation(.titled("b")), .push(.titled("c"))]
        try navigator.handle(navigations: link) { calls += 1 }
        #expect(shown == "[a] / [b c]")
        #expect(calls == 0)
        user.finishTransitions()
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
}

extension NavigatorTests {
    @Test func `with no root, every step but root is refused`() {
        let steps: [Navigation] = [
            .push(.titled("a")), .present(.titled("a")), .presentInNavigation(.titled("a")), .replace(.titled("a")),
            .pop, .popToRoot, .dismiss, .selectTab(0),
        ]
        for step in steps { #expect(refusal(of: step) == .noRoot) }
        #expect(window.rootViewController == nil)
    }

    @Test func `what there is nothing for is refused`() throws {
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

    @Test func `nothing is presented on an alert, which can be dismissed, and pushed under`() throws {
        try navigator.handle(navigation: .root(.titled("a")), animated: false)
        window.rootViewController?.modalFlow.present(AlertBuilder(title: "!").build { _ in }, animated: false)
        #expect(refusal(of: .present(.titled("b"))) == .alertInFront)
        try navigator.handle(navigation: .push(.titled("b")), animated: false)
        #expect(shown == "[a b] / !")
        try navigator.handle(navigation: .dismiss, animated: false)
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

    @Test func `every step goes through the decorated flow, the later decoration outside`() throws {
        var calls: [String] = []
        func log(_ name: String) -> Navigator.Decoration {
            { flow in
                var copy = flow
                copy.presentViewController = { controller, animated, completion in
                    calls.append("\(name) present")
                    flow.presentViewController(controller, animated, completion)
                }
                copy.replaceViewController = { controller, animated in
                    calls.append("\(name) replace")
                    flow.replaceViewController(controller, animated)
                }
                copy.dismissViewController = { animated, completion in
                    calls.append("\(name) dismiss")
                    flow.dismissViewController(animated, completion)
                }
                return copy
            }
        }
        let both = navigator.decorated(log("inner")).decorated(log("outer"))
        try both.handle(navigation: .root(.titled("a")), animated: false)
        #expect(calls == ["outer replace", "inner replace"])
        calls = []
        let one = navigator.decorated(log("one"))
        let steps: [Navigation] = [
            .root(.tabs("a", "b")), .push(.titled("c")), .replace(.titled("d")), .push(.titled("e")), .popToRoot,
            .push(.titled("f")), .pop, .present(.titled("g")), .dismiss, .presentInNavigation(.titled("h")), .dismiss,
            .selectTab(1),
        ]
        try one.handle(navigations: steps, animated: false)
        #expect(calls.count == steps.count)
    }

    @Test func `a recording navigator writes down the steps and their screens`() throws {
        let recorder = NavigationRecorder()
        let recording = Navigator.recording(in: recorder)
        var calls = 0
        try recording.handle(navigations: [.root(.detail(id: 1)), .pop]) { calls += 1 }
        try recording.handle(navigation: .push(.detail(id: 7))) { calls += 1 }
        #expect(recorder.descriptions == ["root detail(id:)", "pop", "push detail(id:)"])
        #expect(recorder.lastScreen?.build().title == "7")
        #expect(calls == 2)
        recorder.refusal = .noRoot
        #expect(throws: NavigationError(.noRoot, .dismiss)) {
            try recording.handle(navigation: .dismiss) { calls += 1 }
        }
        #expect(calls == 3)
    }
}

extension Screen {
    fileprivate static func titled(_ title: String) -> Screen {
        Screen {
            let controller = UIViewController()
            controller.title = title
            return controller
        }
    }

    fileprivate static func detail(id: Int) -> Screen {
        Screen { Screen.titled("\(id)").build() }
    }

    fileprivate static func stack(_ title: String) -> Screen {
        Screen { UINavigationController(rootViewController: Screen.titled(title).build()) }
    }

    fileprivate static func tabs(_ titles: String...) -> Screen {
        Screen {
            let tabs = UITabBarController()
            tabs.viewControllers = titles.map { Screen.stack($0).build() }
            return tabs
        }
    }
}
