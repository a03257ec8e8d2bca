import EventTracking
import EventTrackingTestKit
import FlowEvents
import FlowTestSupport
import Foundation
import Testing

@Suite struct IdentityStoreFileTests {
    private let folder: TemporaryDirectory
    private var path: String { folder.file("identity.json") }

    init() throws {
        folder = try TemporaryDirectory()
    }

    @Test func `without a file there is no identity`() async throws {
        #expect(try await IdentityStore.file(path: path).load() == nil)
    }

    @Test func `what was saved is there after a restart, readable by its owner only`() async throws {
        let session = Session(id: "s", lastEvent: Timestamp(milliseconds: -7))
        let identity = Identity(installID: "i", nextSequence: 9_007_199_254_740_991, session: session)
        try await IdentityStore.file(path: path).save(Identity(installID: "i"))
        try await IdentityStore.file(path: path).save(identity)
        #expect(try await IdentityStore.file(path: path).load() == identity)
        let rights = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
        #expect(rights?.intValue == 0o600)
    }

    /// An app reads what the release before it has kept. If it could not, each user would be a new install.
    @Test func `the form of the file stays the same`() async throws {
        var identity = Identity(installID: "i", nextSequence: 5, hasOptedOut: true)
        identity.session = Session(id: "s", start: Timestamp(milliseconds: 1), lastEvent: Timestamp(milliseconds: 2))
        identity.userID = "u"
        identity.hasConsented = true
        let file = URL(fileURLWithPath: path)
        let kept = [
            #"{"consented":true,"install_id":"i","last_event_ms":2,"next_sequence":5,"opted_out":true,"session_id":"s","#,
            #""session_start_ms":1,"user_id":"u","version":1}"#,
        ].joined()
        try Data(kept.utf8).write(to: file)
        #expect(try await IdentityStore.file(path: path).load() == identity)
        try await IdentityStore.file(path: path).save(identity)
        let written = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
        let sorted = try JSONSerialization.data(withJSONObject: written, options: .sortedKeys)
        #expect(String(decoding: sorted, as: UTF8.self) == kept)
    }

    @Test(arguments: ["{", #"{"version":9}"#])
    func `who has opted out stays out when the file is damaged or cannot be read`(content: String) async throws {
        try await IdentityStore.file(path: path).save(Identity(installID: "i", hasOptedOut: true))
        try Data(content.utf8).write(to: URL(fileURLWithPath: path))
        let store = IdentityStore.file(path: path)
        let identity = try #require(try await store.load())
        #expect(identity.hasOptedOut && identity.installID != "i")
        try await store.save(Identity(installID: "new"))
        #expect(try await IdentityStore.file(path: path).load() == Identity(installID: "new"))
    }

    @Test func `who has opted out with an earlier version gets the mark at the next launch`() async throws {
        let saved = #"{"version":1,"install_id":"i","next_sequence":0,"opted_out":true}"#
        try Data(saved.utf8).write(to: URL(fileURLWithPath: path))
        #expect(try await IdentityStore.file(path: path).load() == Identity(installID: "i", hasOptedOut: true))
        try Data("{".utf8).write(to: URL(fileURLWithPath: path))
        #expect(try await IdentityStore.file(path: path).load()?.hasOptedOut == true)
    }

    @Test(arguments: [
        "", "{", "null", #"{"version":1}"#, #"{"version":1,"install_id":"","next_sequence":1}"#,
        #"{"version":1,"install_id":"i","next_sequence":-1}"#, #"{"version":1,"install_id":7,"next_sequence":1}"#,
    ])
    func `a damaged file is set aside and kept`(content: String) async throws {
        try Data(content.utf8).write(to: URL(fileURLWithPath: path))
        let store = IdentityStore.file(path: path)
        let error = await #expect(throws: IdentityStoreError.self) { try await store.load() }
        #expect(error?.code == .damaged)
        #expect(error?.path == path)
        let setAside = try #require(error?.movedTo)
        #expect(try Data(contentsOf: URL(fileURLWithPath: setAside)) == Data(content.utf8))
        #expect(try await store.load() == nil)
    }

    @Test func `a file of a newer release is left as it is`() async throws {
        let content = Data(#"{"version":2,"install_id":"i","next_sequence":1}"#.utf8)
        try content.write(to: URL(fileURLWithPath: path))
        let error = await #expect(throws: IdentityStoreError.self) { try await IdentityStore.file(path: path).load() }
        #expect("\(try #require(error))".contains("version 2 of a newer release"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == content)
    }

    @Test func `a folder in the file's place cannot be read`() async throws {
        let error = await #expect(throws: IdentityStoreError.self) {
            try await IdentityStore.file(path: folder.path).load()
        }
        #expect(error?.code == .unreadable)
    }

    @Test func `a missing folder is named in the error`() async throws {
        let missing = folder.file("no/identity.json")
        let error = await #expect(throws: IdentityStoreError.self) {
            try await IdentityStore.file(path: missing).save(Identity(installID: "i"))
        }
        #expect("\(try #require(error))".contains("open \(missing).new: No such file or directory"))
    }

    @Test func `what a crash left of an unfinished save changes nothing`() async throws {
        let store = IdentityStore.file(path: path)
        try await store.save(Identity(installID: "i", nextSequence: 5))
        try Data(#"{"version":1,"insta"#.utf8).write(to: URL(fileURLWithPath: path + ".new"))
        #expect(try await IdentityStore.file(path: path).load() == Identity(installID: "i", nextSequence: 5))
        try await store.save(Identity(installID: "i", nextSequence: 6))
        #expect(try await IdentityStore.file(path: path).load() == Identity(installID: "i", nextSequence: 6))
    }
}
