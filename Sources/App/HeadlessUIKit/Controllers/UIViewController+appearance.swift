extension UIViewController {
    /// What the appearance callbacks have said last.
    enum Appearance {
        case disappeared, appearing, appeared, disappearing
    }

    /// Begins to appear or to disappear, together with the children on screen. Ends with ``endAppearance(animated:)``.
    func beginAppearance(_ isAppearing: Bool, animated: Bool) {
        switch (appearance, isAppearing) {
        case (.disappeared, true), (.disappearing, true):
            loadViewIfNeeded()
            appearance = .appearing
            viewWillAppear(animated)
        case (.appeared, false), (.appearing, false):
            appearance = .disappearing
            viewWillDisappear(animated)
        default: return
        }
        for child in children where child.viewIfLoaded?.isInWindow == true {
            child.beginAppearance(isAppearing, animated: animated)
        }
    }

    /// Ends an appearance or disappearance that has begun.
    func endAppearance(animated: Bool) {
        switch appearance {
        case .appearing:
            appearance = .appeared
            viewIsAppearing(animated)
            viewDidAppear(animated)
        case .disappearing:
            appearance = .disappeared
            viewDidDisappear(animated)
        default: return
        }
        for child in children { child.endAppearance(animated: animated) }
    }

    /// Appears or disappears with the view, unless a transition does that.
    func updateAppearance() {
        let isInWindow = viewIfLoaded?.isInWindow == true
        switch (appearance, isInWindow) {
        case (.disappeared, true), (.appeared, false):
            beginAppearance(isInWindow, animated: false)
            // A container that is still appearing ends that for its children as well.
            if parent?.appearance != .appearing { endAppearance(animated: false) }
        default: break
        }
    }

    /// Puts the view of a child on top of this controller's view, if that is in a window.
    func showView(of child: UIViewController) {
        guard let view = viewIfLoaded, view.isInWindow, child.view.superview !== view else { return }
        view.addSubview(child.view)
    }

    /// When an unanimated presentation ends here.
    var timing: HeadlessTiming { viewIfLoaded?.window?.headlessTiming ?? .immediate }
}
