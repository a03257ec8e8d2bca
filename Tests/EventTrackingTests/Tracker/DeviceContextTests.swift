import EventTracking
import EventTrackingTestKit
import FlowEvents
import Testing

@Suite struct DeviceContextTests {
    private static let context = DeviceContext(
        appVersion: "3.1.0",
        appBuild: "412",
        os: "iOS",
        osVersion: "26.1",
        model: "iPhone17,2",
        locale: "de_CH"
    )

    @Test func `one line adds app, system, model and locale to every event, and what an event says itself stays`()
        async throws
    {
        let recorder = EventRecorder()
        let tracker = Tracker(
            source: "app://test",
            identity: .memory(),
            sink: .recording(recorder),
            filter: .adding(Self.context)
        )
        tracker.track(EventDraft(type: "a", properties: ["n": 1]))
        tracker.track(EventDraft(type: "b", properties: ["locale": "fr_CH"]))
        await tracker.flush()
        let all: [String: PropertyValue] = [
            "app_version": "3.1.0", "app_build": "412", "os": "iOS", "os_version": "26.1", "device_model": "iPhone17,2",
            "locale": "de_CH",
        ]
        let properties = try recorder.events.map(\.properties)
        #expect(properties[0] == all.merging(["n": 1]) { $1 })
        #expect(properties[1] == all.merging(["locale": "fr_CH"]) { $1 })
    }

    @Test func `in tests nothing is added`() {
        #expect(DeviceContext.current.properties.isEmpty)
    }

    @Test func `the device tells its system, and leaves out what it does not know`() {
        let properties = DeviceContext.read().properties
        #expect(properties["os"] != nil && properties["os_version"] != nil)
        #expect(properties.values.allSatisfy { $0 != "" })
        #expect(DeviceContext(appVersion: "", os: "iOS").properties == ["os": "iOS"])
    }

    @Test func `an app's own filter comes first, and can be followed by an allow-list`() async throws {
        let recorder = EventRecorder()
        let filter = EventFilter { $0.type == "secret" ? nil : $0 }
        let tracker = Tracker(
            source: "app://test",
            identity: .memory(),
            sink: .recording(recorder),
            filter: filter.adding(Self.context).allowing(properties: ["locale"])
        )
        tracker.track(EventDraft(type: "secret"))
        tracker.track(EventDraft(type: "a"))
        await tracker.flush()
        #expect(try recorder.events.map(\.properties) == [["locale": "de_CH"]])
    }
}
