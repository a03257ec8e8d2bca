/// Paywalls, and the background.
extension ScreenTreeTests {
    static let paywalls = [
        Case(
            "the app dismisses a paywall",
            "+home , open:p , +_^p , 3s closing:p , 1s -_^p over:p",
            [
                "home < -: root", "paywall < home: present [from_p p]", "close p paywall: dismiss, 4 s",
                "home < paywall: dismiss",
            ]
        ),
        Case(
            "the user swipes a paywall away",
            "+home , open:p +_^p , 3s -_^p closing:p over:p ~_^p",
            [
                "home < -: root", "paywall < home: present [from_p p]", "close p paywall: swipe_dismiss, 3 s",
                "home < paywall: swipe_dismiss",
            ]
        ),
        Case(
            "a swipe is canceled, and the next one is not",
            "+home , open:p +_^p , 1s +_^p , 1s -_^p , closing:p over:p",
            [
                "home < -: root", "paywall < home: present [from_p p]", "close p paywall: swipe_dismiss, 2 s",
                "home < paywall: swipe_dismiss",
            ]
        ),
        Case(
            "a cover is never swiped away",
            "+home , cover:p +_^p -home , 1s +home -_^p closing:p over:p",
            [
                "home < -: root", "paywall < home: present [from_p p]", "close p paywall: dismiss, 1 s",
                "home < paywall: dismiss",
            ]
        ),
        Case(
            "SwiftUI makes the content of a paywall anew",
            "+home , open:p +_^p , 1s +_#2^p ~_^p , 1s closing:p -_#2^p over:p",
            [
                "home < -: root", "paywall < home: present [from_p p]", "close p paywall: dismiss, 2 s",
                "home < paywall: dismiss",
            ]
        ),
        Case(
            "the content names the paywall",
            "+home , open:p +_^p +offer^p , +plans^p -offer^p , +offer^p -plans^p , closing:p -offer^p -_^p",
            [
                "home < -: root", "offer < home: present [from_p p]", "plans < offer: present",
                "offer < plans: back [from_p p]", "close p offer: dismiss, 0 s", "home < offer: dismiss",
            ]
        ),
        Case(
            "the view beneath appears late",
            "open:p +_^p , +home , closing:p -_^p over:p",
            [
                "paywall < -: root [from_p p]", "close p paywall: dismiss, 0 s", "home < paywall: dismiss",
            ]
        ),
        Case(
            "one paywall in place of another",
            "+home , open:p +_^p , 1s closing:p open:q , -_^p over:p +_^q , 2s closing:q -_^q",
            [
                "home < -: root", "paywall < home: present [from_p p]", "close p paywall: dismiss, 1 s",
                "paywall < paywall: replace [from_q q]", "close q paywall: dismiss, 2 s", "home < paywall: dismiss",
            ]
        ),
        Case(
            "the view that presents a paywall goes with it",
            "+home , open:p +_^p , 1s ~_^p gone:p ~home +login",
            [
                "home < -: root", "paywall < home: present [from_p p]", "close p paywall: dismiss, 1 s",
                "login < paywall: present",
            ]
        ),
        Case("the source is removed before anything is shown", "+home , open:p closing:p , over:p", ["home < -: root"]),
        Case(
            "the view beneath is no screen",
            "open:p +_^p , 2s -_^p closing:p over:p",
            [
                "paywall < -: root [from_p p]", "close p paywall: swipe_dismiss, 2 s",
            ]
        ),
        Case(
            "what covers a paywall does not end it",
            "+home , open:p +_^p +main^p , 1s +faq^p -main^p , 5s +main^p -faq^p , 1s closing:p -main^p -_^p",
            [
                "home < -: root", "main < home: present [from_p p]", "faq < main: present",
                "main < faq: back [from_p p]",
                "close p main: dismiss, 2 s", "home < main: dismiss",
            ]
        ),
        Case(
            "SwiftUI says that a paywall is over before its view disappears",
            "+home , open:p +_^p , 1s closing:p over:p , -_^p",
            [
                "home < -: root", "paywall < home: present [from_p p]", "close p paywall: dismiss, 1 s",
                "home < paywall: dismiss",
            ]
        ),
        Case(
            "a cover and the paywall beneath it go at once",
            "+home , open:p +_^p , 1s +x^p -_^p , closing:p -x^p over:p",
            [
                "home < -: root", "paywall < home: present [from_p p]", "x < paywall: present",
                "close p paywall: dismiss, 1 s",
                "home < x: dismiss",
            ]
        ),
        Case(
            "a paywall that is no screen of its own leads on",
            "+home , open:p +_^p , 1s +faq^p , 5s -faq^p , 1s closing:p -_^p",
            [
                "home < -: root", "paywall < home: present [from_p p]", "faq < paywall: present",
                "paywall < faq: back [from_p p]", "close p paywall: dismiss, 2 s", "home < paywall: dismiss",
            ]
        ),
        Case(
            "the content of a paywall is loaded",
            "+home , open:p +_^p , 1s +paywall^p , 1s closing:p -paywall^p -_^p",
            [
                "home < -: root", "paywall < home: present [from_p p]", "close p paywall: dismiss, 2 s",
                "home < paywall: dismiss",
            ]
        ),
        Case(
            "a paywall leads to another screen and goes",
            "+home , open:p +_^p , closing:p +thanks -home , -_^p over:p",
            [
                "home < -: root", "paywall < home: present [from_p p]", "close p paywall: dismiss, 0 s",
                "thanks < paywall: dismiss",
            ]
        ),
        Case(
            "a pushed paywall",
            "+home , push:p +offer&p -home , 2s +faq -offer&p , 9s +offer&p -faq , 1s +home -offer&p , ~offer&p",
            [
                "home < -: root", "offer < home: present [from_p p]", "faq < offer: present",
                "offer < faq: back [from_p p]", "close p offer: back, 3 s", "home < offer: back",
            ]
        ),
        Case(
            "a pushed paywall beneath another view, and pop to root",
            "+home , push:p +offer&p -home , 2s +faq -offer&p , +home -faq",
            [
                "home < -: root", "offer < home: present [from_p p]", "faq < offer: present",
                "close p offer: back, 2 s",
                "home < faq: back",
            ]
        ),
        Case(
            "another tab does not end a pushed paywall",
            "tab:0 +a@t , push:p +b@t&p -a , 1s tab:1 +c@t -b&p , 9s tab:0 +b@t&p -c , 1s +a@t -b&p",
            [
                "a < -: root", "b < a: present [from_p p]", "c < b: tab", "b < c: tab [from_p p]",
                "close p b: back, 2 s",
                "a < b: back",
            ]
        ),
        Case(
            "a pushed paywall that is replaced",
            "push:p +offer&p , 2s +home -offer&p ~offer&p",
            [
                "offer < -: root [from_p p]", "close p offer: replace, 2 s", "home < offer: replace",
            ]
        ),
    ]

    static let lifecycle = [
        Case(
            "what appears and goes in the background was not seen",
            "+home , back +offer , -offer ~offer , front",
            [
                "home < -: root"
            ]
        ),
        Case("a launch in the background", "back +home , +detail -home , front", ["detail < -: root"]),
        Case(
            "a return in a new session",
            "+home , +detail -home , back , new",
            [
                "home < -: root", "detail < home: present", "detail < -: resume",
            ]
        ),
        Case(
            "a return in a new session to another screen",
            "+home , back +detail -home , new",
            [
                "home < -: root", "detail < home: present",
            ]
        ),
        Case(
            "the time in the background is left out",
            "open:p +_^p , 2s back 60s front 1s closing:p -_^p",
            [
                "paywall < -: root [from_p p]", "close p paywall: dismiss, 3 s",
            ]
        ),
        Case(
            "a paywall ends in the background",
            "+home , open:p +_^p , 2s back , closing:p -_^p over:p , 9s front",
            [
                "home < -: root", "paywall < home: present [from_p p]", "close p paywall: dismiss, 2 s",
                "home < paywall: dismiss",
            ]
        ),
    ]
}
