public import Foundation
public import HeadlessUIKit

/// A controller that shows a view of SwiftUI.
///
/// Follows [UIHostingController](https://developer.apple.com/documentation/swiftui/uihostingcontroller).
open class UIHostingController<Content: View>: UIViewController {
    /// The view.
    public var rootView: Content

    /// Creates a controller for a view.
    public init(rootView: Content) {
        self.rootView = rootView
        super.init(nibName: nil, bundle: nil)
    }

    /// Always `nil`: there are no storyboards here.
    public required init?(coder: NSCoder) { nil }
}

/// A view of UIKit in SwiftUI.
///
/// Follows [UIViewRepresentable](https://developer.apple.com/documentation/swiftui/uiviewrepresentable).
@MainActor
@preconcurrency
public protocol UIViewRepresentable: View where Body == Never {
    /// The type of the view.
    associatedtype UIViewType: UIView
    /// What the view is made in.
    typealias Context = UIViewRepresentableContext<Self>
    /// Makes the view.
    func makeUIView(context: Context) -> UIViewType
    /// Something around the view has changed.
    func updateUIView(_ view: UIViewType, context: Context)
}

extension UIViewRepresentable {
    /// A view of UIKit has no body.
    public var body: Never { noBody(of: Self.self) }
}

/// What a view of UIKit is made in.
public struct UIViewRepresentableContext<Representable: UIViewRepresentable> {}
