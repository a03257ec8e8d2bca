import Foundation
import HeadlessUIKit
import Testing

@MainActor
@Suite struct UISplitViewControllerTests {
    let window = UIWindow(frame: .zero)
    let split = UISplitViewController()
    let list = UINavigationController(rootViewController: UIViewController())
    let detail = MoveRecorder()

    init() {
        split.viewControllers = [list, detail]
        window.rootViewController = split
        window.makeKeyAndVisible()
    }

    private func setWidth(_ width: UIUserInterfaceSizeClass) {
        window.traitOverrides.horizontalSizeClass = width
    }

    @Test func `a split view that collapses pushes the secondary controller onto the primary stack`() {
        setWidth(.compact)
        #expect(split.isCollapsed)
        #expect(split.viewControllers == [list])
        #expect(list.topViewController === detail)
        #expect(detail.parent === list && detail.viewIfLoaded?.window === window)
    }

    @Test func `the view of the secondary controller moves without leaving the window`() {
        let before = detail.appearances
        setWidth(.compact)
        setWidth(.regular)
        #expect(detail.appearances == before)
    }

    @Test func `a split view that expands takes the top of the primary stack`() {
        setWidth(.compact)
        setWidth(.regular)
        #expect(!split.isCollapsed)
        #expect(split.viewControllers == [list, detail])
        #expect(list.viewControllers.count == 1 && detail.parent === split)
    }

    @Test func `a stack in the secondary column is pushed as it is, and popped after its own screens`() {
        let inner = UINavigationController(rootViewController: detail)
        split.viewControllers = [list, inner]
        inner.pushViewController(UIViewController(), animated: false)
        setWidth(.compact)
        let user = HeadlessUser(in: window)
        #expect(user.goBack() && user.screen === detail)
        #expect(user.goBack() && user.screen === list.viewControllers[0])
        #expect(!user.goBack())
    }

    @Test func `a delegate that has handled the collapse keeps the secondary controller from the stack`() {
        let delegate = SplitDelegate()
        split.delegate = delegate
        setWidth(.compact)
        #expect(list.viewControllers.count == 1)
        delegate.secondary = detail
        setWidth(.regular)
        #expect(split.viewControllers == [list, detail])
    }

    @Test func `a split view in a window with little room is collapsed from the beginning`() {
        let narrow = UIWindow(frame: .zero)
        narrow.traitOverrides.horizontalSizeClass = .compact
        let split = UISplitViewController()
        let list = UINavigationController(rootViewController: UIViewController())
        split.viewControllers = [list, UIViewController()]
        narrow.rootViewController = split
        narrow.makeKeyAndVisible()
        #expect(split.isCollapsed && list.viewControllers.count == 2)
        split.viewControllers = [list, UIViewController()]
        #expect(split.viewControllers == [list] && list.viewControllers.count == 3)
    }
}

final class MoveRecorder: UIViewController {
    private(set) var appearances = 0

    override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        appearances += 1
    }
}

@MainActor
private final class SplitDelegate: NSObject, UISplitViewControllerDelegate {
    var secondary: UIViewController?

    func splitViewController(
        _ splitViewController: UISplitViewController,
        collapseSecondary secondaryViewController: UIViewController,
        onto primaryViewController: UIViewController
    ) -> Bool { true }

    func splitViewController(
        _ splitViewController: UISplitViewController,
        separateSecondaryFrom primaryViewController: UIViewController
    ) -> UIViewController? { secondary }
}
