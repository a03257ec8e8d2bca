import FlowAnalytics
import FlowKit
import FlowTimingTestSupport
import Foundation
import HeadlessUIKit
import Testing

@MainActor
@Suite(.eachTiming) struct FlowTrackedTests {
    let app = TestApp()

    @Test func `decorating emits nothing`() {
        app.stack.viewControllers = [app.home]
        let flow = app.stack.navigationFlow.tracked(by: app.screens)
        #expect(flow.currentViewController() === app.home)
        #expect(app.log.lines.isEmpty)
    }

    @Test func `a screen from before the decoration counts before the first one of the flow`() {
        app.stack.viewControllers = [app.home]
        app.flow.present(DetailViewController(), animated: false)
        #expect(app.log.lines == ["home < -: root", "detail < home: present"])
    }

    @Test func `a screen counts when it has become current, before the app's completion`() async {
        app.flow.present(app.home, animated: false)
        await withCheckedContinuation { continuation in
            app.flow.present(DetailViewController(), animated: true) {
                #expect(app.log.lines.last == "detail < home: present")
                continuation.resume()
            }
            #expect(app.log.lines == ["home < -: root"])
        }
        #expect(app.log.lines.count == 2)
    }

    @Test func `completions come once through the decorators`() {
        let both = app.flow.tracked(by: app.screens).attributed(to: .home, by: app.paywalls)
        var calls = 0
        both.present(app.home, animated: false) { calls += 1 }
        both.present(app.home, animated: false) { calls += 1 }
        both.present(PaywallViewController()) { calls += 1 }
        app.user.finishTransitions()
        both.dismiss { calls += 1 }
        app.user.finishTransitions()
        both.dismiss { calls += 1 }
        #expect(calls == 5)
    }

    @Test func `two decorators of one tracker count once`() {
        let twice = app.flow.tracked(by: app.screens)
        twice.present(app.home)
        app.user.finishTransitions()
        twice.present(DetailViewController())
        app.user.finishTransitions()
        twice.dismiss()
        app.user.finishTransitions()
        #expect(app.log.lines == ["home < -: root", "detail < home: present", "home < detail: dismiss"])
    }

    @Test func `nested flows of one tracker count once`() {
        let container = ContainerViewController()
        app.window.rootViewController = container
        let outer = container.embeddingFlow.tracked(by: app.screens)
        outer.present(app.stack)
        app.flow.present(app.home, animated: false)
        let other = UINavigationController(rootViewController: ProfileViewController())
        outer.replace(with: other)
        app.modal(on: container).present(SettingsViewController(), animated: false)
        app.user.swipeToDismiss()
        #expect(
            app.log.lines == [
                "home < -: root", "profile < home: replace", "settings < profile: present",
                "profile < settings: swipe_dismiss",
            ]
        )
    }

    @Test func `a canceled swipe counts nothing`() async throws {
        app.flow.present(app.home, animated: false)
        await settle(app.window)
        app.flow.present(DetailViewController(), animated: false)
        await settle(app.window)
        try #require(app.user.beginSwipeBack()).cancel()
        let modal = app.modal(on: app.stack)
        modal.present(SettingsViewController(), animated: false)
        await settle(app.window)
        try #require(app.user.beginSwipeToDismiss()).cancel()
        modal.dismiss(animated: false)
        await settle(app.window)
        #expect(
            app.log.lines == [
                "home < -: root", "detail < home: present", "settings < detail: present",
                "detail < settings: dismiss",
            ]
        )
    }

    @Test func `a call during a swipe that is canceled then counts nothing`() throws {
        app.flow.present(app.home, animated: false)
        app.flow.present(DetailViewController(), animated: false)
        let swipe = try #require(app.user.beginSwipeBack())
        app.flow.present(app.home)
        swipe.cancel()
        #expect(app.log.lines == ["home < -: root", "detail < home: present"])
    }

    @Test func `refused presentations and dismissals of nothing count nothing`() {
        app.flow.present(app.home, animated: false)
        app.flow.present(app.home)
        app.flow.dismiss()
        let modal = app.modal(on: app.home)
        modal.dismiss()
        modal.present(SettingsViewController(), animated: false)
        modal.present(DetailViewController(), animated: false)
        #expect(app.log.lines == ["home < -: root", "settings < home: present"])
    }

    @Test func `what changes below a modal is not current`() async {
        app.flow.present(app.home, animated: false)
        await settle(app.window)
        app.flow.present(DetailViewController(), animated: false)
        await settle(app.window)
        let modal = app.modal(on: app.stack)
        modal.present(SettingsViewController(), animated: false)
        await settle(app.window)
        app.flow.dismiss(animated: false)
        await settle(app.window)
        #expect(app.log.lines.count == 3)
        modal.dismiss(animated: false)
        await settle(app.window)
        #expect(app.log.lines.last == "home < settings: dismiss")
    }

    @Test func `dismissing several presentations counts what is shown then`() async {
        app.flow.present(app.home, animated: false)
        await settle(app.window)
        let modal = app.modal(on: app.home)
        let settings = SettingsViewController()
        modal.present(settings, animated: false)
        await settle(app.window)
        app.modal(on: settings).present(DetailViewController(), animated: false)
        await settle(app.window)
        modal.dismiss()
        app.user.finishTransitions()
        #expect(app.log.lines.suffix(2) == ["detail < settings: present", "home < detail: dismiss"])
    }

    @Test func `two calls in one turn count both screens`() {
        app.flow.present(app.home, animated: false)
        app.flow.present(DetailViewController())
        app.flow.present(ProfileViewController())
        app.user.finishTransitions()
        #expect(app.log.lines.suffix(2) == ["detail < home: present", "profile < detail: present"])
    }

    @Test func `an app's delegate stays, and what happens behind the flow is heard all the same`() {
        let delegate = AppDelegate()
        app.stack.delegate = delegate
        app.flow.present(app.home, animated: false)
        app.flow.present(DetailViewController(), animated: false)
        app.user.goBack()
        #expect(app.stack.delegate === delegate)
        #expect(delegate.shown == 3)
        #expect(app.log.lines.count == 3)
        app.flow.present(ProfileViewController(), animated: false)
        #expect(app.log.lines.suffix(2) == ["home < detail: back", "profile < home: present"])
    }

    @Test func `a delegate that the app sets later is left alone`() {
        let delegate = AppDelegate()
        app.flow.present(app.home, animated: false)
        app.flow.present(DetailViewController(), animated: false)
        app.stack.delegate = delegate
        app.user.goBack()
        app.flow.dismiss()
        #expect(app.stack.delegate === delegate)
        #expect(app.log.lines.last == "home < detail: back")
        app.stack.delegate = nil
        app.flow.present(DetailViewController(), animated: false)
        app.user.goBack()
        #expect(app.log.lines.last == "home < detail: back")
    }

    @Test func `a presentation's delegate of the app stays, and its swipe is heard all the same`() {
        let delegate = AppDelegate()
        let settings = SettingsViewController()
        settings.presentationController?.delegate = delegate
        app.flow.present(app.home, animated: false)
        let modal = app.modal(on: app.home)
        modal.present(settings, animated: false)
        app.user.swipeToDismiss()
        #expect(delegate.dismissed == 1)
        #expect(app.log.lines.count == 3)
        modal.dismiss()
        #expect(app.log.lines.last == "home < settings: swipe_dismiss")
        #expect(app.log.lines.count == 3)
    }

    @Test func `what the app does without the flow is heard`() {
        app.flow.present(app.home, animated: false)
        app.stack.pushViewController(DetailViewController(), animated: true)
        app.user.finishTransitions()
        app.stack.setViewControllers([app.home, ProfileViewController()], animated: false)
        app.stack.popViewController(animated: false)
        #expect(
            app.log.lines.dropFirst() == [
                "detail < home: present", "profile < detail: replace", "home < profile: back",
            ]
        )
    }

    @Test func `a new root of the window is a root`() {
        app.flow.present(app.home, animated: false)
        let other = UINavigationController()
        app.window.rootViewController = other
        other.navigationFlow.tracked(by: app.screens).present(ProfileViewController(), animated: false)
        #expect(app.log.lines == ["home < -: root", "profile < home: root"])
    }

    @Test func `a tree that is filled unseen counts when it is shown`() async {
        app.flow.present(app.home, animated: false)
        await settle(app.window)
        let unseen = UINavigationController()
        unseen.navigationFlow.tracked(by: app.screens).present(ProfileViewController(), animated: false)
        await settle(app.window)
        #expect(app.log.lines.count == 1)
        app.modal(on: app.home).present(unseen, animated: false)
        await settle(app.window)
        #expect(app.log.lines.last == "profile < home: present")
    }

    @Test func `an empty container counts when it is filled, as its first screen is no root of the app`() {
        app.flow.present(app.home, animated: false)
        let modal = UINavigationController()
        app.modal(on: app.home).present(modal, animated: false)
        #expect(app.log.lines.count == 1)
        modal.navigationFlow.tracked(by: app.screens).present(SettingsViewController(), animated: false)
        #expect(app.log.lines.last == "settings < home: present")
    }

    @Test func `a flow that forgets its completion is noticed late`() {
        var forgetful = app.stack.navigationFlow
        forgetful.presentViewController = { [stack = app.stack] controller, animated, _ in
            stack.pushViewController(controller, animated: animated)
        }
        let flow = forgetful.tracked(by: app.screens)
        flow.present(app.home, animated: false)
        flow.present(DetailViewController(), animated: false)
        flow.dismiss(animated: false)
        #expect(app.log.lines.suffix(2) == ["detail < home: present late", "home < detail: dismiss"])
    }

    @Test func `neither tracker nor flows keep screens alive`() {
        weak var freed: UIViewController?
        app.flow.present(app.home, animated: false)
        do {
            let detail = DetailViewController()
            freed = detail
            app.flow.present(detail, animated: false)
            app.flow.dismiss(animated: false)
        }
        #expect(freed == nil)
    }
}

@MainActor
private final class AppDelegate: NSObject, UINavigationControllerDelegate, UIAdaptivePresentationControllerDelegate {
    private(set) var shown = 0
    private(set) var dismissed = 0

    func navigationController(
        _ navigationController: UINavigationController,
        didShow viewController: UIViewController,
        animated: Bool
    ) {
        shown += 1
    }

    func presentationControllerDidDismiss(_ presentationController: UIPresentationController) {
        dismissed += 1
    }
}
