import Foundation
import HeadlessUIKit
import Testing

@MainActor
@Suite struct UINavigationControllerTests {
    let root = UIViewController()
    let detail = UIViewController()

    @Test func `a push is on top at once, and a pop gone at once`() {
        let stack = UINavigationController(rootViewController: root)
        stack.pushViewController(detail, animated: true)
        #expect(stack.topViewController === detail)
        #expect(detail.parent === stack)
        #expect(stack.popViewController(animated: true) === detail)
        #expect(stack.topViewController === root)
        #expect(detail.parent == nil)
    }

    @Test func `the root cannot be popped`() {
        let stack = UINavigationController(rootViewController: root)
        #expect(stack.popViewController(animated: false) == nil)
        #expect(stack.topViewController === root)
    }

    @Test func `an animated push is a transition until the next turn`() async {
        let stack = UINavigationController(rootViewController: root)
        stack.pushViewController(detail, animated: true)
        await withCheckedContinuation { continuation in
            stack.transitionCoordinator?.animate(alongsideTransition: nil) { context in
                #expect(!context.isCancelled)
                continuation.resume()
            }
        }
        #expect(stack.transitionCoordinator == nil)
    }

    @Test func `a delegate hears of a change of the top before and after it`() {
        let delegate = StackLog()
        let stack = UINavigationController(rootViewController: root)
        stack.delegate = delegate
        stack.pushViewController(detail, animated: false)
        #expect(delegate.calls == [.will(detail), .did(detail)])
        stack.setViewControllers([root], animated: false)
        #expect(delegate.calls.suffix(2) == [.will(root), .did(root)])
        stack.setViewControllers([UIViewController(), root], animated: false)
        #expect(delegate.calls.count == 4)
    }

    @Test func `a change during a transition ends that first`() {
        let delegate = StackLog()
        let stack = UINavigationController(rootViewController: root)
        stack.delegate = delegate
        stack.pushViewController(detail, animated: true)
        stack.popViewController(animated: false)
        #expect(delegate.calls == [.will(detail), .did(detail), .will(root), .did(root)])
    }

    @Test func `pushing what is in the stack stops the program`() async {
        await #expect(processExitsWith: .failure) { @MainActor in
            let root = UIViewController()
            UINavigationController(rootViewController: root).pushViewController(root, animated: false)
        }
    }

    @Test func `pushing a navigation controller stops the program`() async {
        await #expect(processExitsWith: .failure) { @MainActor in
            UINavigationController().pushViewController(UINavigationController(), animated: false)
        }
    }
}

/// Writes down what a navigation controller's delegate hears.
@MainActor
final class StackLog: NSObject, UINavigationControllerDelegate {
    enum Call: Equatable {
        case will(UIViewController), did(UIViewController)
    }

    private(set) var calls: [Call] = []

    func navigationController(
        _ navigationController: UINavigationController,
        willShow viewController: UIViewController,
        animated: Bool
    ) {
        calls.append(.will(viewController))
    }

    func navigationController(
        _ navigationController: UINavigationController,
        didShow viewController: UIViewController,
        animated: Bool
    ) {
        calls.append(.did(viewController))
    }
}
