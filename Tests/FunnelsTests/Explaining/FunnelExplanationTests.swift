import FlowEvents
import Funnels
import Testing

@Suite struct FunnelExplanationTests {
    @Test func `every key of a definition is said in words`() throws {
        let funnel = try Funnel(
            name: "paywall-revenue",
            count: .by("presentation_id"),
            entry: .first,
            window: .seconds(3 * 86_400),
            breakdown: "paywall_source",
            timeZone: FunnelTimeZone("Europe/Berlin")
        ) {
            Step(name: "paywall", event: "screen_view").where("screen", .is("paywall"))
            Step(name: "purchase", event: "purchase")
                .where("properties.plan", .isNot("trial", "promo"))
                .where("properties.price", .atLeast(1), .lessThan(100))
                .where("properties.sku", .hasPrefix("com.example."))
                .where("properties.coupon", .isAbsent)
                .summing("properties.price", decimals: 2, unit: "properties.currency")
            Exclusion(event: "paywall_close", from: "paywall", to: "purchase")
                .where("transition", .is("swipe_dismiss"))
        }
        #expect(
            funnel.explanation == """
                Of each presentation of a paywall with a screen_view where screen is "paywall" (paywall):
                  how many went on to a purchase where properties.plan is not "trial" or "promo" and \
                properties.price is at least 1 and properties.price is less than 100 and properties.sku begins with \
                "com.example." and properties.coupon is absent (purchase) within 3 days,
                  unless a paywall_close where transition is "swipe_dismiss" came after paywall and before purchase.
                Only the first paywall of each presentation of a paywall counts, on whatever day it was.
                Counts also for each value that paywall_source has in the first step's event.
                Adds up properties.price of purchase, with 2 decimals, separately for each properties.currency.
                Events without presentation_id do not take part.
                The days are those of Europe/Berlin.
                """
        )
    }

    @Test func `several steps are said in their order`() throws {
        let funnel = try Funnel(name: "f", count: .sessions, window: .seconds(5400)) {
            Step(name: "a", event: "open")
            Step(name: "b", event: "view").where("n", .greaterThan(0.5), .atMost(7)).where("x", .contains("y"))
            Step(name: "c", event: "view").where("n", .is(1, true, "z")).summing("n")
        }
        #expect(
            funnel.explanation == """
                Of each session with an open (a):
                  how many went on to a view where n is more than 0.5 and n is at most 7 and x contains "y" (b),
                  then a view where n is 1, true or "z" (c),
                  within 1 hour 30 minutes.
                Adds up n of c, as whole numbers.
                Events without a session do not take part.
                """
        )
    }

    @Test func `one step is a count`() throws {
        let funnel = try Funnel(name: "f", window: .milliseconds(1)) { Step(name: "a", event: "view") }
        #expect(funnel.explanation == "How many installs have a view (a).")
    }

    @Test func `a summary names what is not the default`() throws {
        let funnel = try Funnel(name: "f", count: .by("k"), entry: .first, window: .seconds(60)) {
            Step(name: "a", event: "view").where("n", .isNot(1), .atLeast(2))
            Step(name: "b", event: "buy").summing("n", decimals: 2, unit: "u")
            Exclusion(event: "close")
        }
        #expect(
            funnel.summary == "by k within 1m, first entries, without close from a to b: "
                + "a (view where n is not 1 and n is at least 2) > b (buy, sum of n with 2 decimals in u)"
        )
    }
}

extension FunnelExplanationTests {
    @Test func `what people ask is said in words`() throws {
        let funnel = try Funnel(
            name: "f",
            window: .seconds(3600),
            breakdown: Breakdown(list: [.init("paywall_source"), .init("properties.plan", ofStep: "paid")]),
            next: NextEvent("screen_view", field: "screen")
        ) {
            Step(name: "paywall", event: "screen_view").where("screen", .is("paywall"))
            Step(name: "tour", event: "tour").optional()
            Step(name: "paid", any: [EventPattern(event: "purchase"), EventPattern(event: "store_renewal")])
        }
        #expect(
            funnel.explanation == """
                Of each install with a screen_view where screen is "paywall" (paywall):
                  how many went on to a purchase, or a store_renewal (paid) within 1 hour.
                Counts on the way who had a tour (tour), and compares whether they went on.
                Counts also for each combination of the values that paywall_source has in the first step's event and \
                properties.plan has in the event of paid.
                Says of those who came no further where they went: to the screen of the next screen_view of the install.
                """
        )
    }

    @Test func `a test of variants is said in words`() throws {
        let funnel = try Funnel(
            name: "f",
            window: .seconds(3600),
            breakdown: "properties.variant",
            experiment: Experiment(control: "plain", shares: ["plain": 1, "video": 2])
        ) {
            Step(name: "paywall", event: "screen_view")
        }
        #expect(
            funnel.explanation == """
                How many installs have a screen_view (paywall).
                Counts also for each value that properties.variant has in the first step's event.
                Compares the variants with "plain", on days that are settled.
                """
        )
    }
}
