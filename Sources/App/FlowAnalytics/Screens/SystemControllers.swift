import UIPlatform

/// Apple's controllers that are no screens of an app: share sheets, pickers, mail, the list of More, context menus.
///
/// They are known by name, since an app that never uses them should not link their frameworks. What shows content that the
/// app has chosen, such as Safari or a movie, is a screen.
enum SystemControllers {
    private static let names: Set = [
        // Sharing and sending.
        "UIActivityViewController", "UICloudSharingController", "MFMailComposeViewController",
        "MFMessageComposeViewController", "SLComposeViewController", "UIPrintPanelViewController",
        // Picking and editing.
        "UIImagePickerController", "PHPickerViewController", "UIDocumentPickerViewController",
        "UIDocumentMenuViewController", "UIColorPickerViewController", "UIFontPickerViewController",
        "CNContactPickerViewController", "MPMediaPickerController", "EKCalendarChooser", "EKEventEditViewController",
        "VNDocumentCameraViewController", "DataScannerViewController", "UIVideoEditorController",
        "UITextFormattingViewController", "ImagePlaygroundViewController", "UIReferenceLibraryViewController",
        // Buying, signing in, recording.
        "SKStoreProductViewController", "SKCloudServiceSetupViewController", "PKPaymentAuthorizationViewController",
        "PKAddPassesViewController", "PKAddPaymentPassViewController", "SFAuthenticationViewController",
        "INUIAddVoiceShortcutViewController", "INUIEditVoiceShortcutViewController", "RPPreviewViewController",
        "RPBroadcastActivityViewController", "GKGameCenterViewController", "GKMatchmakerViewController",
        // What UIKit itself puts on the screen.
        "UIMoreListController", "UIInputViewController", "UIInputWindowController", "UISystemInputViewController",
        "UICompatibilityInputViewController", "UIPredictionViewController", "UIEditingOverlayViewController",
        "UISystemKeyboardDockController", "UIApplicationRotationFollowingController", "UIStatusBarViewController",
    ]

    /// Whether the class of a controller, or one that it inherits from, is one of them. The names of UIKit's private classes
    /// begin with `_UI`, as those of context menus do.
    static func contains(_ controller: UIViewController) -> Bool {
        var next: Mirror? = Mirror(reflecting: controller)
        while let mirror = next {
            let name = String(describing: mirror.subjectType)
            if names.contains(name) || name.hasPrefix("_UI") && !name.hasPrefix("_UIHosting") { return true }
            next = mirror.superclassMirror
        }
        return false
    }
}
