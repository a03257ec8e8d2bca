public import UIPlatform

extension UIWindow {
    /// A flow over the window's root: replacing sets it, and presenting does where there is none yet.
    ///
    /// Where there is a root, presenting and dismissing are its ``UIKit/UIViewController/modalFlow``'s. What is presented
    /// on a root leaves with it, without animation; a presentation that is running is dismissed when it has ended.
    /// Nothing is animated with the root, so its completions are called before the call returns.
    ///
    /// Refused, so that nothing happens: a root that is contained or presented already, and an alert. The flow does not
    /// keep the window alive, and does nothing when it is gone.
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
