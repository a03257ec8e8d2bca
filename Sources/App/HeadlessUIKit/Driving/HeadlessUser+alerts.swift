@MainActor
extension HeadlessUser {
    /// Taps a button of the alert in front: it goes, then the button's handler is called. `false` where no alert is in
    /// front, or the button cannot be tapped.
    ///
    /// - Parameter index: the button's place in the order in which the buttons were added.
    @discardableResult
    public func tapButton(at index: Int) -> Bool {
        finishTransitions()
        guard let alert = path.last as? UIAlertController, alert.actions.indices.contains(index) else { return false }
        return tap(alert.actions[index], of: alert)
    }

    /// Taps the first button with a title of the alert in front, as ``tapButton(at:)`` does.
    @discardableResult
    public func tapButton(_ title: String) -> Bool {
        finishTransitions()
        guard let alert = path.last as? UIAlertController,
            let action = alert.actions.first(where: { $0.title == title })
        else { return false }
        return tap(action, of: alert)
    }

    /// Taps beside the action sheet in front, which is the same as tapping its cancel button. Without one, only a
    /// popover goes, and no handler is called. `false` where nothing went: an alert, or no alert at all.
    @discardableResult
    public func tapOutside() -> Bool {
        finishTransitions()
        guard let alert = path.last as? UIAlertController, alert.preferredStyle == .actionSheet else { return false }
        if let cancel = alert.cancelAction { return tap(cancel, of: alert) }
        guard alert.viewIfLoaded?.window?.traitOverrides.userInterfaceIdiom == .pad,
            let controller = alert.presentationController,
            controller.delegate?.presentationControllerShouldDismiss(controller) ?? true
        else { return false }
        let dismissal = alert.ownPresenter?.beginDismissal(isInteractive: false) {
            controller.delegate?.presentationControllerDidDismiss(controller)
        }
        dismissal?.finish()
        return dismissal != nil
    }

    /// Types into a text field of the alert in front. `false` without such a field.
    @discardableResult
    public func type(_ text: String, intoField index: Int = 0) -> Bool {
        finishTransitions()
        guard let fields = (path.last as? UIAlertController)?.textFields, fields.indices.contains(index) else {
            return false
        }
        fields[index].text = text
        return true
    }

    private func tap(_ action: UIAlertAction, of alert: UIAlertController) -> Bool {
        guard action.isEnabled, let presenter = alert.ownPresenter else { return false }
        let dismissal = presenter.beginDismissal(isInteractive: false) { action.handler?(action) }
        dismissal?.finish()
        return dismissal != nil
    }
}
