import UIPlatform

/// A step that is being taken: the navigation, the decoration of its flow, and its completion.
@MainActor
struct NavigationStep {
    let navigation: Navigation
    let animated: Bool
    let decorate: Navigator.Decoration
    let completion: () -> Void

    func show(_ controller: UIViewController, in flow: Flow) throws(NavigationError) {
        decorate(flow).present(controller, animated: animated, completion: completion)
        guard controller.isInHierarchy else { throw NavigationError(.refused, navigation) }
    }

    /// - Parameters:
    ///   - window: the window whose root is replaced. Its view is loaded when the window becomes visible.
    ///   - presented: the presented controller that is replaced. UIKit may end its dismissal on a later turn.
    func replace(
        with controller: UIViewController,
        in flow: Flow,
        of window: UIWindow? = nil,
        instead presented: UIViewController? = nil
    ) throws(NavigationError) {
        decorate(flow).replace(with: controller, animated: animated)
        if let presented, presented.isBeingDismissed, !controller.isInHierarchy {
            presented.afterPresentation(animated: false) { [animated, completion] in
                controller.afterPresentation(animated: animated, completion)
            }
            return
        }
        guard controller.isInHierarchy || window?.rootViewController === controller else {
            throw NavigationError(.refused, navigation)
        }
        controller.afterPresentation(animated: animated, completion)
    }

    func pop(_ stack: UINavigationController) throws(NavigationError) {
        guard stack.viewControllers.count > 1 else { throw NavigationError(.atRoot, navigation) }
        decorate(stack.navigationFlow).dismiss(animated: animated, completion: completion)
    }

    func popToRoot(_ stack: UINavigationController) {
        guard stack.viewControllers.count > 1, let root = stack.viewControllers.first else { return completion() }
        var flow = stack.navigationFlow
        flow.dismissViewController = { [weak stack] animated, completion in
            stack?.setViewControllers([root], animated: animated)
            root.afterTransition(animated: animated, completion)
        }
        decorate(flow).dismiss(animated: animated, completion: completion)
    }

    func dismiss(_ path: VisiblePath) throws(NavigationError) {
        guard let presenter = (path.alert ?? path.presented)?.presentingViewController else {
            throw NavigationError(.nothingPresented, navigation)
        }
        decorate(presenter.modalFlow).dismiss(animated: animated, completion: completion)
    }

    func dismissAll(from root: UIViewController) {
        decorate(root.modalFlow).dismiss(animated: animated, completion: completion)
    }

    func select(_ index: Int, of path: VisiblePath) throws(NavigationError) {
        guard let tabs = path.tabs else { throw NavigationError(.noTabs, navigation) }
        guard let controllers = tabs.viewControllers, controllers.indices.contains(index) else {
            throw NavigationError(.noSuchTab, navigation)
        }
        var flow = Flow.empty
        flow.replaceViewController = { [weak tabs] controller, _ in tabs?.selectedViewController = controller }
        flow.currentViewController = { [weak tabs] in tabs?.selectedViewController }
        decorate(flow).replace(with: controllers[index], animated: animated)
        completion()
    }
}

extension NavigationStep {
    func stack(of path: VisiblePath) throws(NavigationError) -> UINavigationController {
        guard let stack = path.nearestStack else { throw NavigationError(.noStack, navigation) }
        return stack
    }

    func checkedForStack(_ controller: UIViewController) throws(NavigationError) -> UIViewController {
        guard !controller.isBarContainer, !(controller is UIAlertController) else {
            throw NavigationError(.notForStacks, navigation)
        }
        return controller
    }

    func checkFreeToPresent(_ path: VisiblePath) throws(NavigationError) {
        guard !path.isChanging else { throw NavigationError(.transitionRunning, navigation) }
        guard path.alert == nil else { throw NavigationError(.alertInFront, navigation) }
    }
}

extension UIViewController {
    /// Whether it is a navigation or tab bar controller, which UIKit does not take into a stack.
    var isBarContainer: Bool { self is UINavigationController || self is UITabBarController }

    /// A navigation controller with this one at its root.
    var inNavigation: UINavigationController { UINavigationController(rootViewController: self) }
}
