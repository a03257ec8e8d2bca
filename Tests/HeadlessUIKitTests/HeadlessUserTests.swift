import Foundation
import HeadlessUIKit
import Testing

@MainActor
@Suite struct HeadlessUserTests {
    let window = UIWindow(frame: .zero)
    let root = UIViewController()
    let detail = UIViewController()
    let sheet = UIViewController()

    init() {
        window.rootViewController = root
        window.makeKeyAndVisible()
    }

    @Test func `goes back to the root and no further`() {
        let stack = UINavigationController(rootViewController: root)
        window.rootViewController = stack
        let user = HeadlessUser(in: window)
        stack.pushViewController(detail, animated: true)
        #expect(user.goBack())
        #expect(user.screen === root)
        #expect(!user.goBack())
        #expect(!user.swipeBack())
    }

    @Test func `a canceled swipe back leaves everything as it was`() throws {
        let log = StackLog()
        let stack = UINavigationController(rootViewController: root)
        stack.pushViewController(detail, animated: false)
        stack.delegate = log
        let swipe = try #require(HeadlessUser(at: stack).beginSwipeBack())
        #expect(stack.topViewController === root)
        #expect(stack.transitionCoordinator?.isInteractive == true)
        swipe.cancel()
        #expect(stack.topViewController === detail)
        #expect(detail.parent === stack)
        #expect(log.calls == [.will(root)])
        swipe.finish()
        #expect(stack.topViewController === detail)
    }

    @Test func `does not reach the stack below a presentation`() {
        let stack = UINavigationController(rootViewController: root)
        stack.pushViewController(detail, animated: false)
        window.rootViewController = stack
        stack.present(sheet, animated: false)
        #expect(!HeadlessUser(at: stack).goBack())
        #expect(stack.topViewController === detail)
    }

    @Test func `swipes the frontmost presentation away, and its delegate hears it`() {
        let delegate = SheetDelegate()
        root.present(detail, animated: false)
        detail.present(sheet, animated: false)
        sheet.presentationController?.delegate = delegate
        let user = HeadlessUser(at: root)
        #expect(user.swipeToDismiss())
        #expect(delegate.calls == ["should", "will", "did"])
        #expect(user.screen === detail)
        #expect(user.swipeToDismiss())
        #expect(!user.swipeToDismiss())
    }

    @Test func `a canceled swipe to dismiss keeps the presentation`() throws {
        let delegate = SheetDelegate()
        root.present(sheet, animated: false)
        sheet.presentationController?.delegate = delegate
        let swipe = try #require(HeadlessUser(at: root).beginSwipeToDismiss())
        #expect(sheet.isBeingDismissed)
        swipe.cancel()
        #expect(!sheet.isBeingDismissed)
        #expect(root.presentedViewController === sheet)
        #expect(delegate.calls == ["should", "will"])
    }

    @Test func `cannot dismiss what the delegate holds`() {
        let delegate = SheetDelegate(allows: false)
        root.present(sheet, animated: false)
        sheet.presentationController?.delegate = delegate
        #expect(!HeadlessUser(at: root).swipeToDismiss())
        #expect(root.presentedViewController === sheet)
        #expect(delegate.calls == ["should", "attempt"])
    }

    @Test func `an app's own dismissal tells the delegate nothing`() {
        let delegate = SheetDelegate()
        root.present(sheet, animated: false)
        sheet.presentationController?.delegate = delegate
        root.dismiss(animated: false)
        #expect(delegate.calls.isEmpty)
    }

    @Test func `selects tabs, and only then the delegate hears it`() {
        let delegate = TabLog()
        let tabs = UITabBarController()
        tabs.viewControllers = [root, detail]
        tabs.delegate = delegate
        let user = HeadlessUser(at: tabs)
        #expect(user.selectTab(1))
        #expect(user.screen === detail)
        tabs.selectedIndex = 0
        #expect(delegate.selected == [detail])
        #expect(!user.selectTab(2))
    }

    @Test func `waits for transitions, also for those that completions begin`() {
        let root = root
        let sheet = sheet
        let detail = detail
        root.present(sheet, animated: true) { sheet.present(detail, animated: true) }
        let user = HeadlessUser(at: root)
        user.finishTransitions()
        #expect(user.screen === detail)
        #expect(!detail.isBeingPresented)
    }
}

@MainActor
private final class SheetDelegate: NSObject, UIAdaptivePresentationControllerDelegate {
    let allows: Bool
    private(set) var calls: [String] = []

    init(allows: Bool = true) {
        self.allows = allows
        super.init()
    }

    func presentationControllerShouldDismiss(_ presentationController: UIPresentationController) -> Bool {
        calls.append("should")
        return allows
    }

    func presentationControllerWillDismiss(_ presentationController: UIPresentationController) {
        calls.append("will")
    }

    func presentationControllerDidDismiss(_ presentationController: UIPresentationController) {
        calls.append("did")
    }

    func presentationControllerDidAttemptToDismiss(_ presentationController: UIPresentationController) {
        calls.append("attempt")
    }
}

@MainActor
private final class TabLog: NSObject, UITabBarControllerDelegate {
    private(set) var selected: [UIViewController] = []

    func tabBarController(_ tabBarController: UITabBarController, didSelect viewController: UIViewController) {
        selected.append(viewController)
    }
}
