import FlowKit
import FlowTimingTestSupport
import HeadlessUIKit
import Testing

@MainActor
@Suite(.eachTiming) struct ModalFlowTests {
    let home = UIViewController()
    let sheet = UIViewController()
    let other = UIViewController()
    let window: UIWindow

    init() {
        window = UIWindow(showing: home)
    }

    @Test func `the current controller is the presented one, else the presenter's own`() {
        let flow = home.modalFlow
        #expect(flow.currentViewController() === home)
        flow.present(sheet, animated: true)
        #expect(flow.currentViewController() === sheet)
        HeadlessUser(at: home).finishTransitions()
        flow.dismiss(animated: true)
        #expect(flow.currentViewController() === sheet)
        HeadlessUser(at: home).finishTransitions()
        #expect(flow.currentViewController() === home)
    }

    @Test func `a container that presents nothing answers with what it shows`() {
        let stack = UINavigationController(rootViewController: home)
        #expect(stack.modalFlow.currentViewController() === home)
    }

    @Test func `the current controller is right when the user swipes, and when the swipe is canceled`() throws {
        let flow = home.modalFlow
        let user = HeadlessUser(at: home)
        flow.present(sheet, animated: true)
        try #require(user.beginSwipeToDismiss()).cancel()
        #expect(flow.currentViewController() === sheet)
        user.swipeToDismiss()
        #expect(flow.currentViewController() === home)
    }

    @Test(arguments: [true, false])
    func `completions come once, after the transition`(animated: Bool) async {
        let flow = home.modalFlow
        var calls = 0
        await withCheckedContinuation { continuation in
            flow.present(sheet, animated: animated) {
                calls += 1
                #expect(!sheet.isBeingPresented)
                continuation.resume()
            }
        }
        await withCheckedContinuation { continuation in
            flow.dismiss(animated: animated) {
                calls += 1
                #expect(flow.currentViewController() === home)
                continuation.resume()
            }
        }
        #expect(calls == 2)
    }

    @Test func `presenting while presenting is refused, and completes once`() {
        let flow = home.modalFlow
        flow.present(sheet, animated: false)
        var calls = 0
        flow.present(other, animated: true) { calls += 1 }
        #expect(calls == 1)
        #expect(flow.currentViewController() === sheet)
    }

    @Test func `what UIKit would raise for is refused, and completes once`() {
        let stack = UINavigationController(rootViewController: home)
        let elsewhere = UIViewController()
        let presenter = UIViewController()
        presenter.present(elsewhere, animated: false)
        let flow = home.modalFlow
        var calls = 0
        for refused in [home, stack, elsewhere] {
            flow.present(refused, animated: true) { calls += 1 }
            flow.replace(with: refused, animated: true)
        }
        #expect(calls == 3)
        #expect(stack.presentedViewController == nil)
    }

    @Test func `dismissing with nothing presented completes once, and leaves the presenter alone`() {
        home.present(sheet, animated: false)
        let flow = sheet.modalFlow
        var calls = 0
        flow.dismiss(animated: true) { calls += 1 }
        #expect(calls == 1)
        #expect(home.presentedViewController === sheet)
    }

    @Test func `dismissing takes away all that is on top`() async {
        let flow = home.modalFlow
        flow.present(sheet, animated: false)
        await settle(window)
        sheet.modalFlow.present(other, animated: false)
        await settle(window)
        flow.dismiss(animated: false)
        await settle(window)
        #expect(home.presentedViewController == nil)
        #expect(other.presentingViewController == nil)
    }

    @Test func `dismissing in the middle of the presentation waits for its end`() async {
        let flow = home.modalFlow
        var calls: [String] = []
        await withCheckedContinuation { continuation in
            flow.present(sheet, animated: true) { calls.append("presented") }
            flow.dismiss(animated: true) {
                calls.append("dismissed")
                continuation.resume()
            }
        }
        #expect(calls == ["presented", "dismissed"])
        #expect(flow.currentViewController() === home)
    }

    @Test func `dismissing twice completes twice`() async {
        let flow = home.modalFlow
        flow.present(sheet, animated: false)
        await settle(window)
        var calls = 0
        flow.dismiss(animated: true) { calls += 1 }
        flow.dismiss(animated: true) { calls += 1 }
        HeadlessUser(at: home).finishTransitions()
        #expect(calls == 2)
        #expect(flow.currentViewController() === home)
    }

    @Test func `dismissing during a swipe dismisses also when the swipe is canceled`() async throws {
        let flow = home.modalFlow
        flow.present(sheet, animated: false)
        await settle(window)
        let swipe = try #require(HeadlessUser(at: home).beginSwipeToDismiss())
        var calls = 0
        flow.dismiss(animated: false) { calls += 1 }
        #expect(calls == 0)
        swipe.cancel()
        await settle(window)
        #expect(calls == 1)
        #expect(flow.currentViewController() === home)
    }

    @Test func `replacing exchanges what is presented, or presents`() async {
        let flow = home.modalFlow
        flow.replace(with: sheet, animated: false)
        await settle(window)
        #expect(flow.currentViewController() === sheet)
        flow.replace(with: other, animated: true)
        if window.headlessTiming == .later { await settle(window) }
        #expect(flow.currentViewController() === other)
        #expect(sheet.presentingViewController == nil)
        flow.replace(with: other, animated: true)
        #expect(flow.currentViewController() === other)
    }

    @Test func `a flow does not keep its presenter, and still completes without it`() {
        var presenter: UIViewController? = UIViewController()
        let flow = presenter?.modalFlow
        presenter = nil
        var calls = 0
        flow?.present(sheet) { calls += 1 }
        flow?.dismiss { calls += 1 }
        #expect(calls == 2)
        #expect(flow?.currentViewController() == nil)
    }
}
