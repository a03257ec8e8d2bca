public import UIPlatform

extension Navigator {
    /// Creates a navigator for a window. It does not keep the window alive.
    ///
    /// It looks at the window's controllers anew with each step. So it also works after the user or other code has changed
    /// what is shown.
    @MainActor
    public init(window: UIWindow) {
        let steps = WindowSteps(window: window)
        self.init { navigation, animated, decorate, completion throws(NavigationError) in
            try steps.take(navigation, animated: animated, decorate: decorate, completion: completion)
        }
    }
}

/// Takes steps in a window.
@MainActor
private final class WindowSteps {
    private weak var window: UIWindow?
    private var isBuilding = false

    init(window: UIWindow) {
        self.window = window
    }

    func take(
        _ navigation: Navigation,
        animated: Bool,
        decorate: @escaping Navigator.Decoration,
        completion: @escaping () -> Void
    ) throws(NavigationError) {
        guard !isBuilding else { throw NavigationError(.insideBuild, navigation) }
        guard let window else { throw NavigationError(.windowGone, navigation) }
        let step = NavigationStep(
            navigation: navigation,
            animated: animated,
            decorate: decorate,
            completion: completion
        )
        if case .root(let screen) = navigation {
            let root = try build(screen, for: navigation)
            let controller = root.isBarContainer ? root : root.inNavigation
            return try step.replace(with: controller, in: window.rootFlow, of: window)
        }
        guard let root = window.rootViewController else { throw NavigationError(.noRoot, navigation) }
        let path = VisiblePath(from: root)
        switch navigation {
        case .root: break
        case .push(let screen):
            let stack = try step.stack(of: path)
            try step.show(step.checkedForStack(build(screen, for: navigation)), in: stack.navigationFlow)
        case .present(let screen):
            try step.checkFreeToPresent(path)
            try step.show(build(screen, for: navigation), in: path.front.modalFlow)
        case .presentInNavigation(let screen):
            try step.checkFreeToPresent(path)
            let controller = try build(screen, for: navigation)
            let wrapped = controller.isBarContainer ? controller : controller.inNavigation
            try step.show(wrapped, in: path.front.modalFlow)
        case .replace(let screen):
            let controller = try build(screen, for: navigation)
            if let stack = path.stack {
                try step.replace(with: step.checkedForStack(controller), in: stack.navigationFlow)
            } else if let presented = path.presented, let presenter = presented.presentingViewController {
                guard !path.isChanging else { throw NavigationError(.transitionRunning, navigation) }
                try step.replace(with: controller, in: presenter.modalFlow, instead: presented)
            } else {
                try step.replace(with: controller, in: window.rootFlow, of: window)
            }
        case .pop: try step.pop(step.stack(of: path))
        case .popToRoot: try step.popToRoot(step.stack(of: path))
        case .dismiss: try step.dismiss(path)
        case .dismissAll: step.dismissAll(from: root)
        case .selectTab(let index): try step.select(index, of: path)
        }
    }

    private func build(_ screen: Screen, for navigation: Navigation) throws(NavigationError) -> UIViewController {
        isBuilding = true
        defer { isBuilding = false }
        let controller = screen.build()
        guard !controller.isInHierarchy else { throw NavigationError(.alreadyShown, navigation) }
        return controller
    }
}
