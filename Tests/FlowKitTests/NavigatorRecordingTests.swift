import FlowKit
import Foundation
import HeadlessUIKit
import Testing

@MainActor
@Suite struct NavigatorRecordingTests {
    @Test func `a recording navigator writes down the steps and their screens`() throws {
        let recorder = NavigationRecorder()
        let recording = Navigator.recording(in: recorder)
        var calls = 0
        try recording.handle(navigations: [.root(.detail(id: 1)), .pop]) { calls += 1 }
        try recording.handle(navigation: .push(.detail(id: 7))) { calls += 1 }
        #expect(recorder.descriptions == ["root detail(id:)", "pop", "push detail(id:)"])
        #expect(recorder.lastScreen?.build().title == "7")
        #expect(calls == 2)
        recorder.refusal = .noRoot
        #expect(throws: NavigationError(.noRoot, .dismiss)) {
            try recording.handle(navigation: .dismiss) { calls += 1 }
        }
        #expect(calls == 3)
    }
}
