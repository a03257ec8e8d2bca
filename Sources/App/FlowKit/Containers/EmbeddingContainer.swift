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
        Flow(
            presentViewController: { [weak self] controller, animated, completion in
                if let self, controller is UIAlertController {
                    presentModally(controller, animated: animated, completion: completion)
                    return
                }
                if let self, canEmbed(controller) { embed(controller) }
                completion?()
            },
            replaceViewController: { [weak self] controller, _ in
                guard let self, canEmbed(controller) else { return }
                children.last?.leaveContainer()
                embed(controller)
            },
            dismissViewController: { [weak self] _, completion in
                self?.children.last?.leaveContainer()
                completion?()
            },
            currentViewController: { [weak self] in self?.children.last }
        )
    }

    private func canEmbed(_ controller: UIViewController) -> Bool {
        !controller.isInHierarchy && !controller.isAncestor(of: self) && !(controller is UIAlertController)
    }

    private func embed(_ child: UIViewController) {
        addChild(child)
        child.view.frame = view.bounds
        child.view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        view.addSubview(child.view)
        child.didMove(toParent: self)
    }

}

extension UIViewController {
    fileprivate func leaveContainer() {
        willMove(toParent: nil)
        viewIfLoaded?.removeFromSuperview()
        removeFromParent()
    }
}
