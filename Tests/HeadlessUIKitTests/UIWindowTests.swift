import Foundation
import HeadlessUIKit
import Testing

/// Windows, the loading of views, and the callbacks around them.
@MainActor
@Suite struct UIWindowTests {
    let window = UIWindow(frame: .zero)
    let log = CallLog()

    private func screen(_ name: String) -> LoggedViewController { LoggedViewController(name, log) }

    private func calls() -> [String] {
        defer { log.calls = [] }
        return log.calls
    }

    @Test func `a window is hidden, and loads its root's view when it becomes visible`() {
        let root = screen("root")
        window.rootViewController = UINavigationController(rootViewController: root)
        #expect(window.isHidden)
        #expect(!root.isViewLoaded)
        window.makeKeyAndVisible()
        #expect(root.viewIfLoaded?.window === window)
        #expect(calls() == ["root load", "root will", "root did"])
    }

    @Test func `a push loads the view, and calls both controllers back in UIKit's order`() {
        let root = screen("root")
        let stack = UINavigationController(rootViewController: root)
        window.rootViewController = stack
        window.makeKeyAndVisible()
        _ = calls()
        stack.pushViewController(screen("detail"), animated: false)
        #expect(
            calls() == ["root will go", "detail load", "detail will", "root did go", "detail did"]
        )
    }

    @Test func `a sheet leaves the presenter in its window, and a full screen presentation does not`() {
        let root = screen("root")
        window.rootViewController = root
        window.makeKeyAndVisible()
        root.present(screen("sheet"), animated: false)
        #expect(root.viewIfLoaded?.window === window)
        root.dismiss(animated: false)
        _ = calls()
        let cover = screen("cover")
        cover.modalPresentationStyle = .fullScreen
        root.present(cover, animated: false)
        #expect(root.viewIfLoaded?.window == nil)
        #expect(calls() == ["root will go", "cover load", "cover will", "cover did", "root did go"])
        root.dismiss(animated: false)
        #expect(root.viewIfLoaded?.window === window)
    }

    @Test func `a presenter in no window is refused without a completion`() {
        let root = UIViewController()
        window.rootViewController = root
        root.present(UIViewController(), animated: false) { Issue.record("was presented") }
        #expect(root.presentedViewController == nil)
    }

    @Test(arguments: HeadlessTiming.allCases)
    func `a presentation without animation ends now or later`(timing: HeadlessTiming) async {
        window.headlessTiming = timing
        let root = UIViewController()
        window.rootViewController = root
        window.makeKeyAndVisible()
        var hasReturned = false
        await withCheckedContinuation { continuation in
            root.present(UIViewController(), animated: false) {
                #expect(hasReturned == (timing == .later))
                continuation.resume()
            }
            hasReturned = true
            #expect(root.presentedViewController?.isBeingPresented == (timing == .later))
            #expect(root.presentedViewController?.transitionCoordinator == nil)
        }
    }

    @Test func `a view hears of its window, with all that is in it`() {
        let inner = LoggedView(log)
        let outer = UIView(frame: .zero)
        outer.addSubview(inner)
        #expect(calls() == [])
        window.addSubview(outer)
        outer.removeFromSuperview()
        #expect(calls() == ["in", "out"])
    }

    @Test func `the visible controller of a stack is the presented one, and a pop to the root removes the others`() {
        let stack = UINavigationController(rootViewController: screen("root"))
        window.rootViewController = stack
        window.makeKeyAndVisible()
        stack.pushViewController(screen("a"), animated: false)
        stack.pushViewController(screen("b"), animated: false)
        let sheet = UIViewController()
        stack.present(sheet, animated: false)
        #expect(stack.visibleViewController === sheet)
        stack.dismiss(animated: false)
        #expect(stack.popToRootViewController(animated: false)?.count == 2)
        #expect(stack.visibleViewController === stack.viewControllers.first)
    }

    @Test func `a view hears of each change of a trait that it has registered for, and of no other`() {
        let window = UIWindow(frame: .zero)
        let view = UIView(frame: .zero)
        window.addSubview(view)
        let log = CallLog()
        view.registerForTraitChanges([UITraitVerticalSizeClass.self]) { (hearing: UIView, before: UITraitCollection) in
            log.calls.append("\(hearing === view) \(before.verticalSizeClass)")
        }
        window.traitOverrides.verticalSizeClass = .compact
        window.traitOverrides.verticalSizeClass = .compact
        window.traitOverrides.horizontalSizeClass = .compact
        window.traitOverrides.verticalSizeClass = .regular
        #expect(log.calls == ["true unspecified", "true compact"])
    }
}

/// The calls that a test has seen.
@MainActor
final class CallLog {
    var calls: [String] = []
}

private final class LoggedView: UIView {
    private let log: CallLog

    init(_ log: CallLog) {
        self.log = log
        super.init(frame: .zero)
    }

    required init?(coder: NSCoder) { nil }

    override func didMoveToWindow() {
        log.calls.append(window == nil ? "out" : "in")
    }
}

private final class LoggedViewController: UIViewController {
    private let name: String
    private let log: CallLog

    init(_ name: String, _ log: CallLog) {
        self.name = name
        self.log = log
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() { log.calls.append("\(name) load") }
    override func viewWillAppear(_ animated: Bool) { log.calls.append("\(name) will") }
    override func viewDidAppear(_ animated: Bool) { log.calls.append("\(name) did") }
    override func viewWillDisappear(_ animated: Bool) { log.calls.append("\(name) will go") }
    override func viewDidDisappear(_ animated: Bool) { log.calls.append("\(name) did go") }
}
