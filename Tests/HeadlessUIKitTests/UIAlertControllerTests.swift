import Foundation
import HeadlessUIKit
import Testing

@MainActor
@Suite struct UIAlertControllerTests {
    let window = UIWindow(frame: .zero)
    let home = UIViewController()
    let user: HeadlessUser

    init() {
        window.rootViewController = home
        window.makeKeyAndVisible()
        user = HeadlessUser(in: window)
    }

    @Test func `a handler is called once, with its action, after the alert has gone`() {
        let alert = UIAlertController(title: "Title", message: nil, preferredStyle: .alert)
        var calls: [String] = []
        alert.addAction(
            UIAlertAction(title: "OK", style: .default) { action in
                calls.append(action.title ?? "")
                #expect(alert.presentingViewController == nil)
            }
        )
        home.present(alert, animated: true)
        #expect(user.tapButton(at: 0))
        #expect(!user.tapButton(at: 0))
        #expect(calls == ["OK"])
    }

    @Test func `buttons are found by title, and not tapped where there is none or it is disabled`() {
        let alert = UIAlertController(title: "Title", message: nil, preferredStyle: .alert)
        alert.addAction(UIAlertAction(title: "A", style: .default))
        alert.addAction(UIAlertAction(title: "B", style: .destructive))
        alert.actions.first?.isEnabled = false
        home.present(alert, animated: false)
        #expect(!user.tapButton("A"))
        #expect(!user.tapButton("C"))
        #expect(!user.tapButton(at: 2))
        #expect(home.presentedViewController === alert)
        #expect(user.tapButton("B"))
        #expect(home.presentedViewController == nil)
    }

    @Test func `an alert goes neither with a swipe nor with a tap beside it`() {
        home.present(UIAlertController(title: "Title", message: nil, preferredStyle: .alert), animated: false)
        #expect(user.beginSwipeToDismiss() == nil)
        #expect(!user.tapOutside())
        #expect(home.presentedViewController != nil)
    }

    @Test func `a tap beside an action sheet is its cancel button`() {
        var calls: [String] = []
        let sheet = UIAlertController(title: nil, message: nil, preferredStyle: .actionSheet)
        for (title, style) in [("Delete", UIAlertAction.Style.destructive), ("Keep", .cancel)] {
            sheet.addAction(UIAlertAction(title: title, style: style) { calls.append($0.title ?? "") })
        }
        home.present(sheet, animated: false)
        #expect(user.tapOutside())
        #expect(calls == ["Keep"])
    }

    @Test(arguments: [UIUserInterfaceIdiom.phone, .pad])
    func `without a cancel button only a popover goes with a tap beside it`(idiom: UIUserInterfaceIdiom) {
        window.traitOverrides.userInterfaceIdiom = idiom
        let sheet = UIAlertController(title: nil, message: nil, preferredStyle: .actionSheet)
        sheet.addAction(UIAlertAction(title: "Delete", style: .destructive) { _ in Issue.record("was called") })
        sheet.popoverPresentationController?.sourceView = home.view
        home.present(sheet, animated: false)
        #expect(user.tapOutside() == (idiom == .pad))
        #expect((home.presentedViewController == nil) == (idiom == .pad))
    }

    @Test func `only an action sheet has a popover`() {
        #expect(UIViewController().popoverPresentationController == nil)
        #expect(
            UIAlertController(title: "", message: nil, preferredStyle: .alert).popoverPresentationController == nil
        )
        let sheet = UIAlertController(title: "", message: nil, preferredStyle: .actionSheet)
        #expect(sheet.popoverPresentationController != nil)
    }

    @Test func `where UIKit raises, the program stops`() async {
        await #expect(processExitsWith: .failure) { @MainActor in
            let alert = UIAlertController(title: "Title", message: nil, preferredStyle: .alert)
            alert.addAction(UIAlertAction(title: "A", style: .cancel))
            alert.addAction(UIAlertAction(title: "B", style: .cancel))
        }
        await #expect(processExitsWith: .failure) { @MainActor in
            let empty = UIAlertController(title: nil, message: nil, preferredStyle: .alert)
            let window = UIWindow(frame: .zero)
            window.rootViewController = UIViewController()
            window.makeKeyAndVisible()
            window.rootViewController?.present(empty, animated: false)
        }
        await #expect(processExitsWith: .failure) { @MainActor in
            let pad = UIWindow(frame: .zero)
            pad.makeKeyAndVisible()
            pad.traitOverrides.userInterfaceIdiom = .pad
            let home = UIViewController()
            pad.rootViewController = home
            home.present(UIAlertController(title: "", message: nil, preferredStyle: .actionSheet), animated: false)
        }
    }
}
