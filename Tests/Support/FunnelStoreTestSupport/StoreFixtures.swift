internal import FlowEvents
import Foundation
package import FunnelStore
package import Funnels

/// Data for the tests of stores.
package enum StoreFixtures {
    package static func funnel(
        _ name: String,
        description: String? = nil,
        minutes: Int = 30
    ) throws -> Funnel {
        try Funnel(
            name: name,
            description: description,
            window: .seconds(minutes * 60),
            breakdown: "properties.platform",
            steps: [
                Step(name: "home", event: "screen_view", where: ["screen": "home"]),
                Step(name: "paywall", event: "screen_view", where: ["screen": "paywall", "properties.level": 2]),
            ]
        )
    }

    package static func identity(
        cluster: String = "cluster-1",
        topic: String = "app-events",
        funnels: [Funnel]? = nil
    ) throws -> StoreIdentity {
        try StoreIdentity(
            clusterID: cluster,
            topic: topic,
            funnels: funnels ?? [funnel("first"), funnel("second")]
        )
    }

    package static func bytes(_ text: String) -> [UInt8] {
        Array(text.utf8)
    }

    package static func write(_ install: String, after version: Int64, _ state: String) -> InstallWrite {
        InstallWrite(install: bytes(install), expectedVersion: version, state: bytes(state))
    }

    package static func row(_ install: String, _ version: Int64, _ state: String) -> StoredInstall {
        StoredInstall(install: bytes(install), version: version, state: bytes(state))
    }

    package static func advance(
        _ partition: Int32,
        from old: Int64?,
        to new: Int64,
        watermark: Int64? = nil,
        quality: Quality = Quality()
    ) -> PartitionAdvance {
        PartitionAdvance(
            partition: partition,
            expectedOffset: old,
            nextOffset: new,
            watermark: watermark.map { Timestamp(milliseconds: $0) },
            quality: quality
        )
    }

    package static func key(_ funnel: Int, _ value: String?, day: Int32) -> SummaryKey {
        SummaryKey(funnel: funnel, value: value.map(bytes), day: Day(number: day))
    }
}
