public import UIPlatform

extension UIWindow {
    /// A flow over the window's root controller. Replacing sets the root; presenting sets it if the window has none.
    ///
    /// If the window has a root, presenting and dismissing use the root's `modalFlow`. A new root
    /// removes everything presented on the old one, without animation; a running presentation is dismissed when it has
    /// ended. A change of the root is not animated, so its completion runs before the call returns.
    ///
    /// The flow refuses a controller that is already contained or presented, and an alert: nothing happens then. It does
    /// not keep the window alive, and does nothing after the window is gone.
    public var rootFlow: Flow {
        Flow(
            presentViewController: { [weak self] controller, animated, completion in
                if let root = self?.rootViewController {
                    root.modalFlow.present(controller, animated: animated, completion: completion)
                } else {
                    self?.setRoot(controller)
                    completion?()
                }
            },
            replaceViewController: { [weak self] controller, _ in self?.setRoot(controller) },
            dismissViewController: { [weak self] animated, completion in
                let flow = self?.rootViewController?.modalFlow ?? .empty
                flow.dismiss(animated: animated, completion: completion)
            },
            currentViewController: { [weak self] in self?.rootViewController?.modalFlow.currentViewController() }
        )
    }

    private func setRoot(_ controller: UIViewController) {
        guard !controller.isInHierarchy, !(controller is UIAlertController) else { return }
        // UIKit keeps a presentation, and all that is in it, when the root beneath it is exchanged.
        rootViewController?.modalFlow.dismiss(animated: false)
        rootViewController = controller
    }
}
