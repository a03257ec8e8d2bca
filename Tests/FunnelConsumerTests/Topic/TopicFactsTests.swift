import Testing

@testable import FunnelConsumer

@Suite struct TopicFactsTests {
    @Test(arguments: [
        ("compact", true), ("compact,delete", true), ("delete, compact", true), ("delete", false), ("", false),
        ("none", false),
    ])
    func `a topic is compacted where its cleanup policy has it`(policy: String, isCompacted: Bool) {
        var facts = TopicFacts()
        let configuration = ["cleanup.policy": policy, "message.timestamp.type": "LogAppendTime"]
        #expect(TopicFacts.isCompacted(configuration) == isCompacted)
        #expect(facts.learn(configuration) == (isCompacted ? [.compaction] : []))
        #expect(facts.isConfigurationKnown)
    }

    @Test func `producers' timestamps are warned of once, by the configuration or else by the first record`() {
        var facts = TopicFacts()
        #expect(facts.learn(isCreateTime: true) == [.producersTimestamps])
        #expect(facts.learn(["message.timestamp.type": "CreateTime"]) == [])
        var configured = TopicFacts()
        #expect(configured.learn(["message.timestamp.type": "CreateTime"]) == [.producersTimestamps])
        #expect(configured.learn(isCreateTime: true) == [])
        var appended = TopicFacts()
        #expect(appended.learn(["message.timestamp.type": "LogAppendTime"]) == [])
        #expect(appended.learn(isCreateTime: true) == [])
    }

    @Test func `a configuration without the properties tells nothing`() {
        var facts = TopicFacts()
        #expect(facts.learn([:]) == [] && !TopicFacts.isCompacted([:]))
        #expect(!facts.isTimestampTypeKnown)
    }

    @Test(
        arguments: [
            (["message.timestamp.after.max.ms": "3600000"], true),
            (["message.timestamp.difference.max.ms": "86400000"], true),
            (["message.timestamp.after.max.ms": "9223372036854775807"], false),
            (["message.timestamp.before.max.ms": "1"], false), ([:], false),
        ] as [([String: String], Bool)]
    )
    func `producers' timestamps that the broker bounds by its own clock are not warned of`(
        bounds: [String: String],
        isBounded: Bool
    ) {
        var facts = TopicFacts()
        let configuration = bounds.merging(["message.timestamp.type": "CreateTime"]) { $1 }
        #expect(facts.learn(configuration) == (isBounded ? [] : [.producersTimestamps]))
        #expect(facts.learn(isCreateTime: true) == [])
    }
}
