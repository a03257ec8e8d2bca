extension UIView {
    /// How the tint color of a view is shown.
    ///
    /// Follows [UIView.TintAdjustmentMode](https://developer.apple.com/documentation/uikit/uiview/tintadjustmentmode-swift.enum).
    public enum TintAdjustmentMode: Int, Sendable {
        /// As the superview's.
        case automatic = 0
        /// As it is.
        case normal = 1
        /// Without its color, as beneath a sheet.
        case dimmed = 2
    }

    /// "The first non-default tint adjustment mode value in the view's hierarchy, ascending from and starting with the view
    /// itself." UIKit dims the presenter's view while a sheet, a popover or an alert is in front of it.
    ///
    /// Follows [tintAdjustmentMode](https://developer.apple.com/documentation/uikit/uiview/tintadjustmentmode-swift.property).
    public var tintAdjustmentMode: TintAdjustmentMode {
        get {
            guard ownTintAdjustmentMode == .automatic else { return ownTintAdjustmentMode }
            return superview?.tintAdjustmentMode ?? .normal
        }
        set {
            let old = tintAdjustmentMode
            ownTintAdjustmentMode = newValue
            if tintAdjustmentMode != old { announceTint() }
        }
    }

    /// Dims the view while something is presented over it, or ends that.
    func setDimmed(_ isDimmed: Bool) {
        guard (ownTintAdjustmentMode == .dimmed) != isDimmed else { return }
        ownTintAdjustmentMode = isDimmed ? .dimmed : .automatic
        announceTint()
    }
}
