import EventTracking
import EventTrackingTestKit
import FlowAnalytics
import FlowEvents
import FlowKit
import Foundation
import HeadlessUIKit

/// Does the steps of a random journey in an app, and the same in the model.
@MainActor
final class JourneyRunner {
    private static let names = ["home", "detail", "profile"]
    private let setting: JourneySetting
    private var animated: Bool { setting.animated }
    private let clock = ManualClock()
    private let logs: [EventLog]
    private let screens: [ScreenTracker]
    private let paywalls: [PaywallAttribution<PaywallSource>]
    private var windows: [UIWindow] = []
    private(set) var model = JourneyModel()
    private let created = Created()
    private let application = UIApplication()

    /// Every controller of the journey, held weakly.
    private final class Created {
        struct Box { weak var controller: UIViewController? }
        var boxes: [Box] = []
    }

    init(_ setting: JourneySetting) {
        self.setting = setting
        let clock = clock
        let logs = (0..<setting.trackers).map { _ in EventLog() }
        self.logs = logs
        screens = logs.map { log in ScreenTracker(clock: clock) { log.append($0) } }
        for tracker in screens {
            tracker.application = ObjectIdentifier(application)
            #if DEBUG
            tracker.sayRefusal = { _ in }
            #endif
        }
        paywalls = screens.map { PaywallAttribution($0, ids: .counting("p")) }
        for index in 0..<setting.windows { open(index) }
    }

    /// What is wrong after the steps; `nil` if nothing is.
    func failure(after steps: [JourneyStep]) async -> String? {
        for step in steps {
            take(step)
            await endTurns()
        }
        for (index, log) in logs.enumerated() where log.journeyLines != model.lines {
            let lines = log.journeyLines
            let same = zip(lines, model.lines).prefix { $0 == $1 }.count
            return """
                tracker \(index), event \(same):
                  is       \(lines.dropFirst(same).prefix(4))
                  should   \(model.lines.dropFirst(same).prefix(4))
                """
        }
        return nil
    }

    /// The controllers that are alive although the windows are gone.
    func leaks() async -> Int {
        for window in windows {
            window.rootViewController?.dismiss(animated: false)
            HeadlessUser(in: window).finishTransitions()
            window.rootViewController = nil
        }
        windows = []
        await endTurns()
        return created.boxes.count { $0.controller != nil }
    }

    /// What ends on a later turn has ended then.
    private func endTurns() async {
        guard setting.timing == .later else { return }
        for _ in 0..<5 { await Task.yield() }
    }

    private func open(_ index: Int) {
        let window = UIWindow(windowScene: UIWindowScene())
        window.headlessTiming = setting.timing
        windows.append(window)
        let stacks = [0, 1].map { made(UINavigationController(rootViewController: screen($0))) }
        let tabs = made(UITabBarController())
        tabs.viewControllers = stacks
        window.makeKeyAndVisible()
        track(window.rootFlow).replace(with: contained(tabs, kind: setting.containers + index), animated: false)
        let tab = [[ModelScreen(name: "home")], [ModelScreen(name: "detail")]]
        model.open(ModelWindow(layers: [.init(tabs: tab, isStack: true)]))
    }

    /// The tabs alone, in a container that nobody has declared, in a split view, or on a page.
    private func contained(_ tabs: UITabBarController, kind: Int) -> UIViewController {
        switch kind % 4 {
        case 1:
            let container = made(UndeclaredContainer())
            container.addChild(tabs)
            container.view.addSubview(tabs.view)
            tabs.didMove(toParent: container)
            return container
        case 2:
            let split = made(UISplitViewController())
            let list = made(UINavigationController(rootViewController: made(SettingsViewController())))
            split.viewControllers = [list, tabs]
            return split
        case 3:
            let pages = made(UIPageViewController())
            pages.setViewControllers([tabs], direction: .forward, animated: false)
            return pages
        default: return tabs
        }
    }

    private func made<Controller: UIViewController>(_ controller: Controller) -> Controller {
        created.boxes.append(.init(controller: controller))
        return controller
    }

    private func screen(_ value: Int) -> UIViewController {
        made([HomeViewController(), DetailViewController(), ProfileViewController()][value % 3])
    }

    private func track(_ flow: Flow) -> Flow {
        screens.reduce(flow) { $0.tracked(by: $1) }
    }

    private func attribute(_ flow: Flow) -> Flow {
        paywalls.reduce(track(flow)) { $0.attributed(to: .home, by: $1) }
    }

    private func take(_ step: JourneyStep) {
        guard windows.indices.contains(model.active) else { return }
        let user = HeadlessUser(in: windows[model.active])
        model.begin()
        perform(step, user)
        user.finishTransitions()
    }
}

extension JourneyRunner {
    private var root: UIViewController? { windows[model.active].rootViewController }

    /// The frontmost presented controller, or the root.
    private var top: UIViewController? {
        var top = root
        while let next = top?.presentedViewController { top = next }
        return top
    }

    private var stack: UINavigationController? {
        top as? UINavigationController ?? tabs?.selectedViewController as? UINavigationController
    }

    private var tabs: UITabBarController? {
        guard let top else { return nil }
        return ([top] + top.children).lazy.compactMap { $0 as? UITabBarController }.first
    }

    private func change(_ transition: String, _ change: (inout ModelWindow.Layer) -> Void) {
        let index = model.windows[model.active].layers.count - 1
        change(&model.windows[model.active].layers[index])
        model.end(transition)
    }

    private func presented(_ layer: ModelWindow.Layer) {
        model.windows[model.active].layers.append(layer)
        model.end("present")
    }

    private func dismissed(_ transition: String) {
        model.windows[model.active].layers.removeLast()
        model.end(transition)
    }

    private func perform(_ step: JourneyStep, _ user: HeadlessUser) {
        switch step {
        case .push, .pushPaywall, .pushByHand, .replace, .replacePaywall, .dismissTop, .popByHand, .goBack,
            .cancelSwipeBack, .popToRootByHand:
            if let stack { performInStack(step, stack, user) }
        case .present, .presentByHand, .presentPaywall, .presentInStack, .presentFullScreen, .refused:
            if let top { performPresentation(step, top) }
        case .dismiss, .closeItself, .swipe, .cancelSwipe:
            if let top, let presenter = top.presentingViewController { performEnd(step, top, presenter, user) }
        case .selectTab(let tab), .selectTabByHand(let tab):
            guard let tabs, top?.presentedViewController == nil else { return }
            // A user of the headless app does not see what an undeclared container contains.
            if case .selectTab = step, user.selectTab(tab % 2) {} else { tabs.selectedIndex = tab % 2 }
            user.finishTransitions()
            change("tab") { $0.selected = tab % 2 }
        case .background(let value):
            screens.forEach { $0.enterBackground() }
            clock.advance(by: .seconds(value == 0 ? 3600 : 10))
            screens.forEach { $0.enterForeground() }
            if value == 0 { model.resume() }
        case .nextWindow: model.active = (model.active + 1) % windows.count
        case .narrow:
            // Split views collapse and expand again: screens move, and stay.
            windows[model.active].traitOverrides.horizontalSizeClass = .compact
            windows[model.active].traitOverrides.horizontalSizeClass = .regular
        }
    }

    private func performInStack(_ step: JourneyStep, _ stack: UINavigationController, _ user: HeadlessUser) {
        let flow = track(stack.navigationFlow)
        switch step {
        case .push(let value):
            flow.present(screen(value), animated: animated)
            change("present") { $0.stack.append(ModelScreen(name: Self.names[value % 3])) }
        case .pushPaywall:
            let paywall = model.newPaywall()
            attribute(stack.navigationFlow).present(made(PaywallViewController()), animated: animated)
            change("present") { $0.stack.append(paywall) }
        case .pushByHand(let value):
            stack.pushViewController(screen(value), animated: animated)
            user.finishTransitions()
            change("present") { $0.stack.append(ModelScreen(name: Self.names[value % 3])) }
        case .replace(let value):
            flow.replace(with: screen(value), animated: animated)
            change("replace") { $0.stack[$0.stack.count - 1] = ModelScreen(name: Self.names[value % 3]) }
        case .replacePaywall:
            let paywall = model.newPaywall()
            attribute(stack.navigationFlow).replace(with: made(PaywallViewController()), animated: animated)
            change("replace") { $0.stack[$0.stack.count - 1] = paywall }
        case .dismissTop:
            guard stack.viewControllers.count > 1 else { return flow.dismiss(animated: animated) }
            flow.dismiss(animated: animated)
            change("dismiss") { $0.stack.removeLast() }
        case .popByHand:
            guard stack.popViewController(animated: animated) != nil else { return }
            user.finishTransitions()
            change("back") { $0.stack.removeLast() }
        case .goBack:
            guard user.goBack() else { return }
            change("back") { $0.stack.removeLast() }
        case .cancelSwipeBack: user.beginSwipeBack()?.cancel()
        case .popToRootByHand:
            guard stack.popToRootViewController(animated: animated) != nil else { return }
            user.finishTransitions()
            change("back") { $0.stack.removeLast($0.stack.count - 1) }
        default: break
        }
    }

    private func performPresentation(_ step: JourneyStep, _ top: UIViewController) {
        let flow = track(top.modalFlow)
        switch step {
        case .present(let value):
            flow.present(screen(value), animated: animated)
            presented(.init(tabs: [[ModelScreen(name: Self.names[value % 3])]], isStack: false))
        case .presentByHand(let value):
            top.present(screen(value), animated: animated)
            HeadlessUser(in: windows[model.active]).finishTransitions()
            presented(.init(tabs: [[ModelScreen(name: Self.names[value % 3])]], isStack: false))
        case .presentPaywall:
            let paywall = model.newPaywall()
            attribute(top.modalFlow).present(made(PaywallViewController()), animated: animated)
            presented(.init(tabs: [[paywall]], isStack: false))
        case .presentInStack(let value):
            flow.present(made(UINavigationController(rootViewController: screen(value))), animated: animated)
            presented(.init(tabs: [[ModelScreen(name: Self.names[value % 3])]], isStack: true))
        case .presentFullScreen(let value):
            let controller = screen(value)
            controller.modalPresentationStyle = .fullScreen
            flow.present(controller, animated: animated)
            presented(.init(tabs: [[ModelScreen(name: Self.names[value % 3])]], isStack: false, canSwipe: false))
        case .refused:
            guard let presenter = top.presentingViewController else { return }
            model.refusePaywall()
            attribute(presenter.modalFlow).present(made(PaywallViewController()), animated: animated)
        default: break
        }
    }

    private func performEnd(
        _ step: JourneyStep,
        _ top: UIViewController,
        _ presenter: UIViewController,
        _ user: HeadlessUser
    ) {
        switch step {
        case .dismiss:
            track(presenter.modalFlow).dismiss(animated: animated)
            dismissed("dismiss")
        case .closeItself:
            top.dismiss(animated: animated)
            user.finishTransitions()
            dismissed("dismiss")
        case .swipe:
            guard model.windows[model.active].layers.last?.canSwipe == true else { return }
            user.swipeToDismiss()
            dismissed("swipe_dismiss")
        case .cancelSwipe: user.beginSwipeToDismiss()?.cancel()
        default: break
        }
    }
}
