import UIPlatform

/// What the name of a hosting controller's class says: which view it shows, and whether the class is SwiftUI's own.
enum HostedView {
    /// SwiftUI's views that show one other view, and which of their generic arguments that is.
    private static let wrappers = [
        "EquatableView": 0, "Form": 0, "GeometryReader": 0, "Group": 0, "HStack": 0, "IDView": 0, "LazyHStack": 0,
        "LazyVStack": 0, "LazyView": 0, "List": 1, "ModifiedContent": 0, "NavigationStack": 1, "NavigationView": 0,
        "Optional": 0, "ScrollView": 0, "ScrollViewReader": 0, "Section": 1, "VStack": 0, "ViewThatFits": 0,
        "ZStack": 0,
    ]
    /// SwiftUI's views that say nothing of what they show. With its module's name, every view of SwiftUI is one.
    private static let nameless: Set = [
        "AnyView", "EmptyView", "ForEach", "NavigationSplitView", "TabView", "TupleView",
    ]
    /// SwiftUI's private controllers, by name: in tests on Linux they are in other modules.
    private static let controllers: Set = [
        "HostingScrollViewController", "InspectorHostingController", "NavigationStackHostingController",
        "NotifyingMulticolumnSplitViewController", "PageHostingController", "PopoverHostingController",
        "PresentationHostingController", "SplitViewNavigationController",
        "StyleContextSplitViewNavigationController", "SwiftUITabBarController", "TabHostingController",
        "UIKitAdaptableTabBarController", "UIKitNavigationController", "UIKitSplitViewController",
        "UIKitTabBarController",
    ]

    /// The full name of the view that a hosting controller shows, past the views of SwiftUI around it.
    ///
    /// - Parameter host: the name of the controller's class, with or without modules.
    /// - Returns: `nil` for other classes, and for a view that has no name of its own, such as `AnyView`.
    static func root(ofHost host: String) -> Substring? {
        let (name, arguments) = generic(host[...])
        guard lastName(of: name) == "UIHostingController", var view = arguments.first else { return nil }
        while true {
            let (name, arguments) = generic(view)
            let last = lastName(of: name)
            if let index = wrappers[last], arguments.indices.contains(index) {
                view = arguments[index]
                continue
            }
            let isOfSwiftUI = name.hasPrefix("SwiftUI.") || name.hasPrefix("SwiftUICore.") || name.hasPrefix("Swift.")
            let isNameless = last.isEmpty || last.hasPrefix("_") || nameless.contains(last)
            return isOfSwiftUI || isNameless ? nil : name
        }
    }

    /// Whether a controller is a hosting controller, also of a class of the app's own.
    @MainActor
    static func isHosting(_ controller: UIViewController) -> Bool {
        var next: Mirror? = Mirror(reflecting: controller)
        while let mirror = next {
            if isHost(String(reflecting: mirror.subjectType)) { return true }
            next = mirror.superclassMirror
        }
        return false
    }

    /// Whether a class is `UIHostingController`.
    static func isHost(_ type: String) -> Bool { lastName(of: generic(type[...]).name) == "UIHostingController" }

    /// Whether a class of controllers is one of SwiftUI's own, which shows a part of what a hosting controller shows.
    ///
    /// - Parameter type: the full name of the class.
    static func isOfSwiftUI(_ type: String) -> Bool {
        let name = generic(type[...]).name
        let last = lastName(of: name)
        return last != "UIHostingController" && (name.hasPrefix("SwiftUI.") || controllers.contains(last))
    }

    /// The last part of a full name.
    static func lastName(of path: Substring) -> String {
        path.split(separator: ".").last.map(String.init) ?? ""
    }

    /// A type without its generic arguments, and the arguments. A tuple has no name.
    private static func generic(_ type: Substring) -> (name: Substring, arguments: [Substring]) {
        guard let start = type.firstIndex(of: "<"), type.hasSuffix(">") else {
            return (type.hasPrefix("(") && type.contains(",") ? "" : type, [])
        }
        var arguments: [Substring] = []
        var depth = 0
        var begin = type.index(after: start)
        for index in type.indices[begin...] {
            switch type[index] {
            case "<", "(", "[": depth += 1
            case ">" where depth == 0, "," where depth == 0:
                arguments.append(type[begin..<index].drop { $0 == " " })
                begin = type.index(after: index)
            case ">", ")", "]": depth -= 1
            default: break
            }
        }
        return (type[..<start], arguments)
    }
}
