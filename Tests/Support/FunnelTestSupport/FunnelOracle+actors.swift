import FlowEvents
import Funnels

extension FunnelOracle {
    /// The actors behind a figure, in order of the bytes of the install and the actor.
    ///
    /// - Parameters:
    ///   - funnel: the index of the funnel.
    ///   - step: the index of the step.
    ///   - isDropped: whether they are those of the required step before that did not meet the step.
    ///   - value: the breakdown value; `nil` for all actors.
    package func actors(
        funnel index: Int,
        step: Int,
        isDropped: Bool,
        value: [String]?,
        from: Day?,
        to: Day?
    ) -> [FunnelActor] {
        let funnel = funnels[index]
        let attempts = attempts[index].filter { attempt in
            from.map { $0 <= attempt.day } ?? true && to.map { attempt.day <= $0 } ?? true
                && value.map { Self.areEqual($0, attempt.values) } ?? true
        }
        let before = funnel.steps.indices.last { $0 < step && !funnel.steps[$0].isOptional }
        return Self.best(attempts)
            .filter { best in
                guard isDropped else { return best.events[step] != nil }
                return best.events[step] == nil && before.map { best.events[$0] != nil } ?? false
            }
            .map { best in
                FunnelActor(
                    install: best.actor[0],
                    actor: best.actor.count > 1 ? best.actor[1] : nil,
                    day: best.day,
                    startedAt: best.events[0]?.time,
                    stepsMet: best.depth,
                    value: funnel.breakdown.map { $0.isList ? .list(best.values) : .text(best.values[0]) }
                )
            }
            .sorted { left, right in
                let keys = [left, right].map { [Array($0.install.utf8), Array(($0.actor ?? "").utf8)] }
                return keys[0][0] != keys[1][0]
                    ? keys[0][0].lexicographicallyPrecedes(keys[1][0])
                    : keys[0][1].lexicographicallyPrecedes(keys[1][1])
            }
    }

    private static func areEqual(_ lhs: [String], _ rhs: [String]) -> Bool {
        lhs.map { Array($0.utf8) } == rhs.map { Array($0.utf8) }
    }
}
