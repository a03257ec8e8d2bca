import FlowKit
import FlowTimingTestSupport
import HeadlessUIKit
import Testing

@MainActor
@Suite(.eachTiming) struct NavigationFlowTests {
    let stack = UINavigationController()
    let home = UIViewController()
    let detail = UIViewController()

    @Test func `presenting pushes, replacing exchanges the top, dismissing pops`() {
        let flow = stack.navigationFlow
        #expect(flow.currentViewController() == nil)
        flow.replace(with: home, animated: false)
        #expect(flow.currentViewController() === home)
        flow.present(detail, animated: false)
        #expect(stack.viewControllers == [home, detail])
        let other = UIViewController()
        flow.replace(with: other, animated: false)
        #expect(stack.viewControllers == [home, other])
        flow.dismiss(animated: false)
        #expect(flow.currentViewController() === home)
    }

    @Test(arguments: [true, false])
    func `completions come once, after the transition`(animated: Bool) async {
        let flow = stack.navigationFlow
        flow.present(home, animated: false)
        var calls = 0
        await withCheckedContinuation { continuation in
            flow.present(detail, animated: animated) {
                calls += 1
                #expect(stack.transitionCoordinator == nil)
                continuation.resume()
            }
        }
        await withCheckedContinuation { continuation in
            flow.dismiss(animated: animated) {
                calls += 1
                continuation.resume()
            }
        }
        #expect(calls == 2)
        #expect(flow.currentViewController() === home)
    }

    @Test func `dismissing the root does nothing but complete`() {
        let flow = stack.navigationFlow
        flow.present(home, animated: false)
        var calls = 0
        flow.dismiss(animated: true) { calls += 1 }
        #expect(calls == 1)
        #expect(flow.currentViewController() === home)
    }

    @Test func `what UIKit would raise for is refused, and completes once`() {
        let flow = stack.navigationFlow
        flow.present(home, animated: false)
        let elsewhere = UIViewController()
        let other = UINavigationController(rootViewController: elsewhere)
        var calls = 0
        for refused in [home, elsewhere, stack, UINavigationController(), UITabBarController()] {
            flow.present(refused, animated: true) { calls += 1 }
            flow.replace(with: refused, animated: false)
        }
        #expect(calls == 5)
        #expect(stack.viewControllers == [home])
        #expect(other.viewControllers == [elsewhere])
    }

    @Test func `the current controller is right when the user goes back, and when the swipe is canceled`() throws {
        let flow = stack.navigationFlow
        let user = HeadlessUser(at: stack)
        flow.present(home, animated: false)
        flow.present(detail, animated: true)
        try #require(user.beginSwipeBack()).cancel()
        #expect(flow.currentViewController() === detail)
        user.goBack()
        #expect(flow.currentViewController() === home)
    }

    @Test func `a flow does not keep its stack, and still completes without it`() {
        var stack: UINavigationController? = UINavigationController()
        weak let gone = stack
        let flow = stack?.navigationFlow
        stack = nil
        #expect(gone == nil)
        var calls = 0
        flow?.present(home) { calls += 1 }
        flow?.replace(with: home)
        flow?.dismiss { calls += 1 }
        #expect(calls == 2)
        #expect(flow?.currentViewController() == nil)
    }
}
