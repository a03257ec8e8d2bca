import FlowKit
import FlowTimingTestSupport
import Foundation
import HeadlessUIKit
import Testing

@MainActor
@Suite(.eachTiming) struct NavigatorDecoratedTests {
    let window = UIWindow(frame: .zero)
    let navigator: Navigator

    init() {
        navigator = Navigator(window: window)
        window.makeKeyAndVisible()
    }

    @Test func `every step goes through the decorated flow, the later decoration outside`() async throws {
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
        await settle(window)
        #expect(calls == ["outer replace", "inner replace"])
        calls = []
        let one = navigator.decorated(log("one"))
        let steps: [Navigation] = [
            .root(.tabs("a", "b")), .push(.titled("c")), .replace(.titled("d")), .push(.titled("e")), .popToRoot,
            .push(.titled("f")), .pop, .present(.titled("g")), .dismiss, .presentInNavigation(.titled("h")), .dismiss,
            .selectTab(1),
        ]
        try one.handle(navigations: steps, animated: false)
        await settle(window)
        #expect(calls.count == steps.count)
    }
}
