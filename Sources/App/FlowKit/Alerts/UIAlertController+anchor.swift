import Foundation
import UIPlatform

extension UIAlertController {
    /// Sets the position of an action sheet on an iPad. UIKit raises for a sheet without one.
    ///
    /// - Parameters:
    ///   - view: the view that the sheet points at or, without an arrow, covers.
    ///   - hasArrow: whether the sheet points at the view.
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
