import Testing

@testable import EventCollector

@Suite struct LimitsTests {
    @Test func `a budget has a limit for all keys, and one for each key`() throws {
        let budget = MemoryBudget(limit: 10, limitPerKey: 6, requestsPerKey: 2)
        let first = try #require(budget.admit("a"))
        let second = try #require(budget.admit("a"))
        #expect(budget.admit("a") == nil)
        #expect(first.resize(to: 4) && second.resize(to: 2))
        #expect(!second.resize(to: 3))
        let other = try #require(budget.admit("b"))
        #expect(other.resize(to: 4))
        #expect(!other.resize(to: 5))
        #expect(budget.used == 10 && [first.size, second.size, other.size] == [4, 2, 4])
    }

    @Test func `a reservation ends with its object`() throws {
        let budget = MemoryBudget(limit: 10, limitPerKey: 10, requestsPerKey: 1)
        for _ in 0..<3 {
            let reservation = try #require(budget.admit("a"))
            #expect(reservation.resize(to: 10) && reservation.resize(to: 7))
            #expect(budget.used == 7)
        }
        #expect(budget.used == 0)
    }

    @Test func `a smaller size is always possible`() throws {
        let budget = MemoryBudget(limit: 10, limitPerKey: 10, requestsPerKey: 1)
        let reservation = try #require(budget.admit("a"))
        #expect(reservation.resize(to: 10) && reservation.resize(to: 0))
        #expect(budget.used == 0)
    }

    @Test func `a limiter remembers a bounded number of names`() {
        let limiter = RateLimiter(perSecond: 1, maximumCount: 2)
        let start = ContinuousClock.now
        limiter.spend(20, by: "a", now: start)
        limiter.spend(1, by: "b", now: start)
        #expect(limiter.wait("a", now: start) != nil)
        // The full bucket of `b` is forgotten, the empty one of `a` is not.
        #expect(limiter.wait("c", now: start + .seconds(2)) == nil)
        #expect(limiter.wait("a", now: start + .seconds(2)) != nil)
        limiter.spend(20, by: "c", now: start + .seconds(2))
        #expect(limiter.wait("d", now: start + .seconds(2)) == nil)
        #expect(limiter.wait("a", now: start + .seconds(2)) == nil)
    }

    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2"), ("2001:db8::1", "2001:db8:0:0"),
        ("::1", "0:0:0:0"), ("::ffff:192.0.2.1", "::ffff:192.0.2.1"), ("", ""),
    ])
    func `an address is limited with its network`(address: String, network: String) {
        #expect(CollectorContext.network(of: address) == network)
    }
}
