import FlowKit
import Foundation
import HeadlessUIKit

extension UIWindow {
    /// A visible window.
    convenience init(showing root: UIViewController) {
        self.init(frame: .zero)
        rootViewController = root
        makeKeyAndVisible()
    }

    /// The titles of what is shown, from the root: `[a b]` a stack, `<a b>` tabs, `/` a presentation.
    var shown: String { rootViewController.map { Self.describe($0) } ?? "" }

    private static func describe(_ controller: UIViewController) -> String {
        var text = controller.title ?? "?"
        if let stack = controller as? UINavigationController {
            text = "[" + stack.viewControllers.map { $0.title ?? "?" }.joined(separator: " ") + "]"
        } else if let tabs = controller as? UITabBarController {
            let titles = (tabs.viewControllers ?? []).map {
                ($0 === tabs.selectedViewController ? "*" : "") + describe($0)
            }
            return "<" + titles.joined(separator: " ") + ">"
        } else if controller is UIAlertController {
            text = "!"
        }
        if controller.parent == nil, let next = controller.presentedViewController { text += " / " + describe(next) }
        return text
    }
}

/// Screens that are known by their titles.
extension Screen {
    static func titled(_ title: String) -> Screen {
        Screen {
            let controller = UIViewController()
            controller.title = title
            return controller
        }
    }

    static func detail(id: Int) -> Screen {
        Screen { Screen.titled("\(id)").build() }
    }

    static func stack(_ title: String) -> Screen {
        Screen { UINavigationController(rootViewController: Screen.titled(title).build()) }
    }

    static func tabs(_ titles: String...) -> Screen {
        Screen {
            let tabs = UITabBarController()
            tabs.viewControllers = titles.map { Screen.stack($0).build() }
            return tabs
        }
    }
}
