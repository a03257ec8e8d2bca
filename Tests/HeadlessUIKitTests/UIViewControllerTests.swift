import Foundation
import HeadlessUIKit
import Testing

@MainActor
@Suite struct UIViewControllerTests {
    let presenter = UIViewController()
    let presented = UIViewController()
    let window = UIWindow(frame: .zero)

    init() {
        window.rootViewController = presenter
        window.makeKeyAndVisible()
    }

    @Test func `presenting shows at once and completes after the transition`() async {
        await withCheckedContinuation { continuation in
            presenter.present(presented, animated: true) { continuation.resume() }
            #expect(presenter.presentedViewController === presented)
            #expect(presented.presentingViewController === presenter)
            #expect(presented.isBeingPresented)
            #expect(presented.transitionCoordinator != nil)
        }
        #expect(!presented.isBeingPresented)
        #expect(presented.transitionCoordinator == nil)
    }

    @Test func `presenting without animation completes before it returns`() {
        var completions = 0
        presenter.present(presented, animated: false) { completions += 1 }
        #expect(completions == 1)
        #expect(!presented.isBeingPresented)
    }

    @Test func `the farthest ancestor presents, and every descendant knows`() {
        let stack = UINavigationController(rootViewController: presenter)
        window.rootViewController = stack
        presenter.present(presented, animated: false)
        #expect(presented.presentingViewController === stack)
        #expect(stack.presentedViewController === presented)
        #expect(presenter.presentedViewController === presented)
    }

    @Test func `what is contained in a presented controller is presented by the same presenter`() {
        let inside = UIViewController()
        let stack = UINavigationController(rootViewController: inside)
        presenter.present(stack, animated: false)
        #expect(inside.presentingViewController === presenter)
        #expect(inside.presentationController === stack.presentationController)
    }

    @Test func `presenting while presenting is refused without a completion`() {
        presenter.present(presented, animated: false)
        let second = UIViewController()
        presenter.present(second, animated: false) { Issue.record("a refused presentation has no completion") }
        #expect(presenter.presentedViewController === presented)
        #expect(second.presentingViewController == nil)
    }

    @Test func `presenting during an animated dismissal is refused`() {
        presenter.present(presented, animated: false)
        presenter.dismiss(animated: true)
        let second = UIViewController()
        presenter.present(second, animated: false)
        #expect(second.presentingViewController == nil)
    }

    @Test func `presenting what is contained elsewhere stops the program`() async {
        await #expect(processExitsWith: .failure) { @MainActor in
            let child = UIViewController()
            let stack = UINavigationController(rootViewController: child)
            UIViewController().present(child, animated: false)
            _ = stack
        }
    }

    @Test func `dismissing keeps what is presented until the transition ends`() async {
        presenter.present(presented, animated: false)
        await withCheckedContinuation { continuation in
            presenter.dismiss(animated: true) { continuation.resume() }
            #expect(presenter.presentedViewController === presented)
            #expect(presented.isBeingDismissed)
        }
        #expect(presenter.presentedViewController == nil)
        #expect(presented.presentingViewController == nil)
        #expect(!presented.isBeingDismissed)
    }

    @Test func `a presented controller asks its presenter to dismiss it`() {
        presenter.present(presented, animated: false)
        presented.dismiss(animated: false)
        #expect(presenter.presentedViewController == nil)
    }

    @Test func `dismissing low in a stack of presentations takes away all above`() {
        let top = UIViewController()
        presenter.present(presented, animated: false)
        presented.present(top, animated: false)
        presenter.dismiss(animated: false)
        #expect(presenter.presentedViewController == nil)
        #expect(presented.presentedViewController == nil)
        #expect(top.presentingViewController == nil)
    }

    @Test func `dismissing what presents takes away only what is above it`() {
        let top = UIViewController()
        presenter.present(presented, animated: false)
        presented.present(top, animated: false)
        presented.dismiss(animated: false)
        #expect(presenter.presentedViewController === presented)
        #expect(presented.presentedViewController == nil)
    }

    @Test func `dismissing nothing does nothing and has no completion`() {
        presenter.dismiss(animated: false) { Issue.record("nothing was dismissed") }
    }

    @Test func `dismissing during a presentation is ignored`() {
        presenter.present(presented, animated: true)
        presenter.dismiss(animated: false) { Issue.record("nothing was dismissed") }
        #expect(presenter.presentedViewController === presented)
    }

    @Test func `each presentation has a presentation controller of its own`() {
        let first = presented.presentationController
        presenter.present(presented, animated: false)
        #expect(presented.presentationController === first)
        #expect(first?.presentingViewController === presenter)
        presenter.dismiss(animated: false)
        #expect(presented.presentationController !== first)
    }

    @Test func `a child leaves its container for another`() {
        let other = UIViewController()
        presenter.addChild(presented)
        other.addChild(presented)
        #expect(presenter.children.isEmpty)
        #expect(presented.parent === other)
        presented.removeFromParent()
        #expect(other.children.isEmpty)
        #expect(presented.parent == nil)
    }

    @Test func `a window has its root controller's view, and that of what is presented`() {
        #expect(presenter.view.window === window)
        presenter.present(presented, animated: false)
        #expect(presented.view.window === window)
        presenter.dismiss(animated: false)
        #expect(presented.view.window == nil)
        window.rootViewController = UIViewController()
        #expect(presenter.view.window == nil)
    }

    @Test func `a tree that is thrown away while presenting is freed`() {
        weak var freed: UIViewController?
        do {
            let root = UIViewController()
            let sheet = UIViewController()
            let window = UIWindow(frame: .zero)
            window.rootViewController = root
            window.makeKeyAndVisible()
            root.present(sheet, animated: false)
            _ = sheet.presentationController
            freed = sheet
        }
        #expect(freed == nil)
    }
}
