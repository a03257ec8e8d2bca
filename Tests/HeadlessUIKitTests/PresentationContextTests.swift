import Foundation
import HeadlessUIKit
import Testing

/// Where a presentation takes place, and what lies beneath it.
@MainActor
@Suite struct PresentationContextTests {
    let window = UIWindow(frame: .zero)
    let home = UIViewController()
    let stack: UINavigationController
    let user: HeadlessUser

    init() {
        stack = UINavigationController(rootViewController: home)
        window.rootViewController = stack
        window.makeKeyAndVisible()
        user = HeadlessUser(in: window)
    }

    @Test(arguments: [UIModalPresentationStyle.automatic, .pageSheet, .formSheet, .popover])
    func `what is beneath a sheet or popover is dimmed until it goes`(style: UIModalPresentationStyle) throws {
        let view = TintRecorder()
        home.view.addSubview(view)
        let sheet = UIViewController()
        sheet.modalPresentationStyle = style
        home.present(sheet, animated: true)
        #expect(view.modes == [.dimmed])
        user.finishTransitions()
        sheet.dismiss(animated: false)
        #expect(view.modes == [.dimmed, .normal])
    }

    @Test func `a canceled swipe leaves what is beneath the sheet dimmed`() throws {
        let view = TintRecorder()
        home.view.addSubview(view)
        home.present(UIViewController(), animated: false)
        try #require(user.beginSwipeToDismiss()).cancel()
        #expect(view.tintAdjustmentMode == .dimmed)
        user.swipeToDismiss()
        #expect(view.tintAdjustmentMode == .normal)
    }

    @Test func `a full screen dims nothing, and a view with a mode of its own keeps it`() {
        let view = TintRecorder()
        view.tintAdjustmentMode = .normal
        home.view.addSubview(view)
        let full = UIViewController()
        full.modalPresentationStyle = .fullScreen
        home.present(full, animated: false)
        full.dismiss(animated: false)
        home.present(UIViewController(), animated: false)
        #expect(view.modes == [] && view.tintAdjustmentMode == .normal)
    }

    @Test func `a container view is there from the beginning of a presentation to the end of the dismissal`() throws {
        let sheet = UIViewController()
        #expect(sheet.presentationController?.containerView == nil)
        home.present(sheet, animated: false)
        let container = try #require(sheet.presentationController?.containerView)
        #expect(container.window === window && sheet.view.superview === container)
        try #require(user.beginSwipeToDismiss()).cancel()
        #expect(container.window === window)
        sheet.dismiss(animated: false)
        #expect(container.window == nil && sheet.viewIfLoaded?.window == nil)
    }

    @Test func `a full screen over a sheet leaves the sheet's view in its container when it goes`() throws {
        let sheet = UIViewController()
        home.present(sheet, animated: false)
        let container = try #require(sheet.presentationController?.containerView)
        let full = UIViewController()
        full.modalPresentationStyle = .fullScreen
        sheet.present(full, animated: false)
        #expect(sheet.view.window == nil && container.window === window)
        full.dismiss(animated: false)
        #expect(sheet.view.superview === container)
    }

    @Test func `the nearest controller that defines the context presents a search`() {
        let search = UISearchController(searchResultsController: nil)
        home.definesPresentationContext = true
        home.present(search, animated: false)
        #expect(search.presentingViewController === home)
        #expect(stack.presentedViewController == nil)
        #expect(user.screen === home)
    }

    @Test func `a stack defines the context for what it contains, and nobody for a sheet`() {
        let tabs = UITabBarController()
        window.rootViewController = tabs
        tabs.viewControllers = [stack]
        let current = UIViewController()
        current.modalPresentationStyle = .currentContext
        home.present(current, animated: false)
        #expect(current.presentingViewController === stack)
        current.dismiss(animated: false)
        let sheet = UIViewController()
        home.present(sheet, animated: false)
        #expect(sheet.presentingViewController === tabs)
    }

    @Test func `the user goes back beneath a search without results of its own`() {
        stack.pushViewController(UIViewController(), animated: false)
        stack.topViewController?.present(UISearchController(searchResultsController: nil), animated: false)
        #expect(user.goBack() && user.screen === home)
    }

    @Test func `a view is inserted beneath the others`() {
        let top = UIView(), bottom = UIView()
        home.view.addSubview(top)
        home.view.insertSubview(bottom, at: 0)
        #expect(home.view.subviews == [bottom, top])
    }
}

private final class TintRecorder: UIView {
    private(set) var modes: [UIView.TintAdjustmentMode] = []

    override func tintColorDidChange() {
        super.tintColorDidChange()
        if superview != nil { modes.append(tintAdjustmentMode) }
    }
}
