public import UIPlatform

/// A container whose only children are the controllers that its ``embeddingFlow`` shows, the last one on top.
///
/// It is not a screen itself.
@MainActor
public protocol EmbeddingContainer: ScreenContainer {}

/// A container for embedded screens, for apps without a class of their own.
open class ContainerViewController: UIViewController, EmbeddingContainer {}

extension EmbeddingContainer {
    /// The child on top.
    public var shownViewController: UIViewController? { children.last }

    /// A flow that embeds controllers as children. Each child fills this controller's view.
    ///
    /// Presenting adds a child on top of the others, dismissing removes the last one, replacing does both. Nothing is
    /// animated, so completions run before the call returns.
    ///
    /// Its current view controller is the last child.
    ///
    /// The flow refuses a controller that is already contained or presented: nothing happens then. It presents an alert
    /// over the container instead of embedding it. The flow does not keep the container alive, and does nothing after it
    /// is gone.
    public var embeddingFlow: Flow {
        makeEmbeddingFlow(in: { [weak self] in self?.view }, current: { $0.children.last })
    }
}

extension UIViewController {
    /// A flow that embeds controllers as children in a subview of this controller, which may have other children.
    ///
    /// It works like ``EmbeddingContainer/embeddingFlow``. Its current view controller is the last child in the subview.
    ///
    /// - Parameter container: returns the subview. It is called for each controller that is embedded.
    public func embeddingFlow(in container: @escaping @MainActor () -> UIView?) -> Flow {
        makeEmbeddingFlow(in: container) { host in
            guard let container = container() else { return nil }
            return host.children.last { $0.viewIfLoaded?.superview === container }
        }
    }

    fileprivate func makeEmbeddingFlow(
        in container: @escaping @MainActor () -> UIView?,
        current: @escaping @MainActor (UIViewController) -> UIViewController?
    ) -> Flow {
        Flow(
            presentViewController: { [weak self] controller, animated, completion in
                if let self, controller is UIAlertController {
                    presentModally(controller, animated: animated, completion: completion)
                    return
                }
                if let self, canEmbed(controller) { embed(controller, in: container()) }
                completion?()
            },
            replaceViewController: { [weak self] controller, _ in
                guard let self, canEmbed(controller) else { return }
                current(self)?.leaveContainer()
                embed(controller, in: container())
            },
            dismissViewController: { [weak self] _, completion in
                if let self { current(self)?.leaveContainer() }
                completion?()
            },
            currentViewController: { [weak self] in self.flatMap(current) }
        )
    }

    private func canEmbed(_ controller: UIViewController) -> Bool {
        !controller.isInHierarchy && !controller.isAncestor(of: self) && !(controller is UIAlertController)
    }

    private func embed(_ child: UIViewController, in container: UIView?) {
        guard let container else { return }
        addChild(child)
        child.view.frame = container.bounds
        child.view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        container.addSubview(child.view)
        child.didMove(toParent: self)
    }

    private func leaveContainer() {
        willMove(toParent: nil)
        viewIfLoaded?.removeFromSuperview()
        removeFromParent()
    }
}
