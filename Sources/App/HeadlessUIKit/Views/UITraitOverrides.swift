/// What kind of device an interface is made for.
///
/// Follows [UIUserInterfaceIdiom](https://developer.apple.com/documentation/uikit/uiuserinterfaceidiom).
public enum UIUserInterfaceIdiom: Int, Sendable {
    /// Nobody has said.
    case unspecified = -1
    /// An iPhone.
    case phone = 0
    /// An iPad.
    case pad = 1
}

/// What a window says of the device, in place of what the device says.
///
/// Follows [UITraitOverrides](https://developer.apple.com/documentation/uikit/uitraitoverrides-1s5cb).
@MainActor
public protocol UITraitOverrides {
    /// The kind of device.
    var userInterfaceIdiom: UIUserInterfaceIdiom { get set }
}

struct HeadlessTraits: UITraitOverrides {
    var userInterfaceIdiom = UIUserInterfaceIdiom.phone
}
