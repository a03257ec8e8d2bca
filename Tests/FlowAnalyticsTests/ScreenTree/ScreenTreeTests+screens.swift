/// Stacks, sheets and tabs.
extension ScreenTreeTests {
    static let stacks = [
        Case(
            "onAppear is called twice, onDisappear once",
            "+home +home , +detail +detail , -home , +home , -detail ~detail",
            [
                "home < -: root", "detail < home: present", "home < detail: back",
            ]
        ),
        Case(
            "a pushed view appears, disappears and appears again in one turn",
            "+home , +detail -detail +detail , -home",
            [
                "home < -: root", "detail < home: present",
            ]
        ),
        Case(
            "the revealed view appears before the popped one goes",
            "+home , +detail , -home , +home , , -detail , ~detail",
            [
                "home < -: root", "detail < home: present", "home < detail: back",
            ]
        ),
        Case(
            "a swipe back is canceled",
            "+home , +detail , -home , +home , -home , +detail",
            [
                "home < -: root", "detail < home: present",
            ]
        ),
        Case(
            "pop to root",
            "+a , +b , -a , +c , -b , +a , -c , ~b ~c",
            [
                "a < -: root", "b < a: present", "c < b: present", "a < c: back",
            ]
        ),
        Case(
            "a deep link passes two views in one turn",
            "+home , +list +detail -list -home , +list -detail",
            [
                "home < -: root", "detail < home: present", "list < detail: back",
            ]
        ),
        Case(
            "a popped view whose state is kept is pushed again",
            "+a , +b , -a , +a , -b , +c , -a , +a -c , +b , -a",
            [
                "a < -: root", "b < a: present", "a < b: back", "c < a: present", "a < c: back", "b < a: present",
            ]
        ),
        Case(
            "two views of one name",
            "+home , +p#1 , -home , +p#2 , -p#1 , +p#1 , -p#2 ~p#2",
            [
                "home < -: root", "p < home: present", "p < p: present", "p < p: back",
            ]
        ),
        Case(
            "another view in its place",
            "+login , -login +home ~login",
            ["login < -: root", "home < login: replace"]
        ),
        Case(
            "the root of a stack that is removed appears once more",
            "+root@s , +next@s -root , +root@s -next +login , ~root ~next",
            [
                "root < -: root", "next < root: present", "login < next: present",
            ]
        ),
        Case(
            "a destination that is used again for another item",
            "path:0 +home@s , path:1 +p/1@s , -home , path:1 =p/2@s",
            [
                "home < -: root", "p/1 < home: present", "p/2 < p: replace",
            ]
        ),
        Case(
            "a destination that is used again, without items",
            "path:0 +home@s , path:1 +p@s , -home , path:1 ,",
            [
                "home < -: root", "p < home: present", "p < p: replace",
            ]
        ),
        Case(
            "a path that changes beneath a sheet",
            "path:0 +home@s , path:1 +p@s , -home , +sheet@s , path:1 , -sheet",
            [
                "home < -: root", "p < home: present", "sheet < p: present", "p < sheet: dismiss",
            ]
        ),
        Case(
            "a path that is shorter",
            "path:0 +home@s , path:1 +p@s , path:0 -p",
            [
                "home < -: root", "p < home: present", "home < p: back",
            ]
        ),
        Case(
            "a path that ends in another view",
            "path:0 +home@s , path:1 +p@s -home , path:1 +q@s -p",
            [
                "home < -: root", "p < home: present", "q < p: replace",
            ]
        ),
        Case(
            "a view that SwiftUI makes anew",
            "+home , +detail#1 , -home , +detail#2 -detail#1 ~detail#1",
            [
                "home < -: root", "detail < home: present",
            ]
        ),
        Case("a view that is no screen covers one", "+home , -home , +home", ["home < -: root"]),
    ]

    static let sheets = [
        Case(
            "a sheet leaves what is beneath it",
            "+home , +sheet , -sheet ~sheet",
            [
                "home < -: root", "sheet < home: present", "home < sheet: dismiss",
            ]
        ),
        Case(
            "a cover makes what is beneath it disappear",
            "+home , +cover -home , +home , -cover ~cover",
            [
                "home < -: root", "cover < home: present", "home < cover: back",
            ]
        ),
        Case(
            "a sheet in a sheet, and both go at once",
            "+home , +a , +b , -b -a ~a ~b",
            [
                "home < -: root", "a < home: present", "b < a: present", "home < b: dismiss",
            ]
        ),
        Case(
            "a sheet goes as another one comes",
            "+home , +a , -a +b ~a",
            [
                "home < -: root", "a < home: present", "b < a: replace",
            ]
        ),
        Case(
            "a lazy list makes the content of a sheet anew",
            "+home , +a#1 , +a#2 ~a#1 , -home +home , -a#2",
            [
                "home < -: root", "a < home: present", "home < a: back",
            ]
        ),
    ]

    static let tabs = [
        Case(
            "tabs keep their views",
            "tab:0 +home@t , tab:1 +shop@t -home , tab:0 +home@t -shop",
            [
                "home < -: root", "shop < home: tab", "home < shop: tab",
            ]
        ),
        Case(
            "a view stays visible in another tab",
            "tab:0 +home@t , tab:1 +shop@t , tab:0 , tab:1",
            [
                "home < -: root", "shop < home: tab", "home < shop: tab", "shop < home: tab",
            ]
        ),
        Case(
            "the view of a tab appears before the selection changes",
            "tab:0 +home@t , +shop@t tab:1 , -home , +home@t tab:0 , -shop",
            [
                "home < -: root", "shop < home: tab", "home < shop: tab",
            ]
        ),
        Case(
            "all tabs appear at the launch",
            "tab:0 +home@t0 +shop@t1 +me@t2 , tab:2 , tab:0",
            [
                "home < -: root", "me < home: tab", "home < me: tab",
            ]
        ),
        Case(
            "a pushed view in a tab is there again",
            "tab:0 +a@t , +b@t -a , tab:1 +c@t -b , tab:0 +b@t -c , +a@t -b",
            [
                "a < -: root", "b < a: present", "c < b: tab", "b < c: tab", "a < b: back",
            ]
        ),
        Case(
            "tabs that nobody tracks",
            "+home , +shop -home , +home -shop , +shop -home",
            [
                "home < -: root", "shop < home: present", "home < shop: back", "shop < home: present",
            ]
        ),
    ]
}
