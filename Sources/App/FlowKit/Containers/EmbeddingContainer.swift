public import UIPlatform

/// A container whose children are what its ``embeddingFlow`` shows, the last one on top.
///
/// It is no screen of its own and has no other children: this is what the protocol promises.
@MainActor
public protocol EmbeddingContainer: ScreenContainer {}

/// A container to embed screens in, where the app has no class of its own for it.
open class ContainerViewController: UIViewController, EmbeddingContainer {}

extension EmbeddingContainer {
    /// The child on top.
    public var shownViewController: UIViewController? { children.last }

    /// A flow that embeds controllers as children in this one, each filling its view.
    ///
    /// Presenting puts a child over those that are there, dismissing takes the last one away, replacing does both.
    /// Nothing is animated, so completions are called before the call returns.
    ///
    /// Its current view controller is the child shown: the last one.
    ///
    /// Refused, so that nothing happens: a controller that is contained or presented already. An alert is presented over
    /// the container instead of being embedded. The flow does not keep the container alive, and does nothing when it is
    /// gone.
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
