import Foundation
import UIPlatform

extension UIAlertController {
    /// Tells an action sheet where it stands on an iPad, where UIKit raises for one that does not know.
    ///
    /// - Parameters:
    ///   - view: what it stands beside or, without an arrow, in the middle of.
    ///   - hasArrow: whether it points at the view.
    func anchor(to view: UIView, hasArrow: Bool) {
        // Asking an alert of the other style for its popover changes that alert.
        guard preferredStyle == .actionSheet, let popover = popoverPresentationController,
            popover.sourceView == nil, popover.sourceItem == nil
        else { return }
        let bounds = view.bounds
        popover.sourceView = view
        popover.sourceRect =
            hasArrow ? bounds : CGRect(origin: CGPoint(x: bounds.midX, y: bounds.midY), size: .zero)
        if !hasArrow { popover.permittedArrowDirections = [] }
    }
}
