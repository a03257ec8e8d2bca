public import UIPlatform

@MainActor
extension AlertBuilder {
    /// Shows the alert.
    ///
    /// - Parameters:
    ///   - flow: the flow that presents the alert. A flow over a stack or a container presents it on top: an alert is never
    ///     pushed or embedded.
    ///   - anchor: the view that an action sheet points at on an iPad. Without it the sheet appears in the middle of the
    ///     flow's current screen.
    ///   - animated: whether to animate the transition.
    ///   - choice: called exactly once, after the alert has disappeared, with the index of the tapped button. The index is
    ///     `nil` if no button was tapped: the flow refused the alert, the app dismissed it, the user tapped beside a
    ///     popover, or the alert had no buttons of its own.
    public func show(
        on flow: Flow,
        anchor: UIView? = nil,
        animated: Bool = true,
        choice: @escaping @MainActor (Int?) -> Void
    ) {
        let answer = AlertAnswer(choice)
        let alert = build(answer)
        if let view = anchor ?? flow.currentViewController()?.viewIfLoaded {
            alert.anchor(to: view, hasArrow: anchor != nil)
        }
        flow.present(alert, animated: animated) { [weak alert] in
            if alert?.presentingViewController == nil { answer(nil) }
        }
    }

    /// Makes the alert without showing it: `builder.build(choice: answer) |> flow.present`.
    ///
    /// - Parameter choice: as in ``show(on:anchor:animated:choice:)``. An alert that is never shown answers `nil` when it
    ///   is deallocated.
    public func build(choice: @escaping @MainActor (Int?) -> Void) -> UIAlertController {
        build(AlertAnswer(choice))
    }

    private func build(_ answer: AlertAnswer) -> UIAlertController {
        let alert = UIAlertController(
            title: title,
            message: message,
            preferredStyle: style == .alert ? .alert : .actionSheet
        )
        let firstCancel = buttons.firstIndex { $0.role == .cancel }
        for (index, button) in buttons.enumerated() {
            let role = button.role == .cancel && index != firstCancel ? .default : button.role
            alert.addAction(UIAlertAction(title: button.title, style: role.actionStyle) { _ in answer(index) })
        }
        if buttons.isEmpty {
            alert.addAction(UIAlertAction(title: Self.closeTitle, style: .cancel) { _ in answer(nil) })
        }
        return alert
    }
}

extension AlertBuilder.Role {
    fileprivate var actionStyle: UIAlertAction.Style {
        switch self {
        case .default: .default
        case .cancel: .cancel
        case .destructive: .destructive
        }
    }
}

/// Calls the closure for an alert's answer, exactly once.
///
/// The alert's buttons hold it. It answers `nil` when it is deallocated with them: UIKit reports no dismissal that the app
/// asks for, so nothing else says that no button was tapped.
@MainActor
final class AlertAnswer {
    private var body: (@MainActor (Int?) -> Void)?

    init(_ body: @escaping @MainActor (Int?) -> Void) {
        self.body = body
    }

    func callAsFunction(_ index: Int?) {
        let body = body
        self.body = nil
        body?(index)
    }

    deinit {
        guard let body else { return }
        // The last reference may be released on any thread, at any moment.
        Task { @MainActor in body(nil) }
    }
}
