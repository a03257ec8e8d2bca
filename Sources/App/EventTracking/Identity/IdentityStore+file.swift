#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import FlowEvents

extension IdentityStore {
    /// Saves the identity in a small JSON file that only its owner may read.
    ///
    /// A save writes a second file, flushes it to the disk, and renames it to the path. A crash leaves either the old
    /// identity or the new one. A damaged file is renamed to `PATH.damaged-UUID`, in place of an earlier one, reported,
    /// and then left unchanged. A separate thread does the I/O.
    ///
    /// A second file, `PATH.opted-out`, exists while the user has opted out. So the choice holds also where the identity
    /// is damaged or cannot be read, as on a phone before it is first unlocked.
    ///
    /// A third one, `PATH.purchases`, keeps what is remembered of purchases; see ``PurchaseStorage``.
    ///
    /// Others, `PATH.erasure-ID`, are requests to erase that are not delivered yet; see ``ErasureStorage``.
    ///
    /// A new install id, as after an opt-out or a request to erase, also deletes a damaged file.
    ///
    /// Only one store in one process may use a file at a time. Two would use the same sequence numbers.
    ///
    /// - Parameter path: the path of the file. Its folder must exist.
    public static func file(path: String) -> IdentityStore {
        let file = IdentityFile(path: path)
        var store = IdentityStore(load: { try await file.load() }, save: { try await file.save($0) })
        store.purchases = .file(path: path + ".purchases")
        store.erasures = .files(prefix: path + ".erasure-")
        return store
    }
}

private actor IdentityFile {
    private let path: String
    private var hasMark: Bool?
    private var installID: String?
    private let executor = BlockingExecutor(label: "flow-funnels.identity")

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(path: String) {
        self.path = path
    }

    func load() throws(IdentityStoreError) -> Identity? {
        let isOut = FileManager.default.fileExists(atPath: mark)
        hasMark = isOut
        do throws(IdentityStoreError) {
            let identity = try loadFile()
            guard var identity else { return isOut ? Self.optedOut : nil }
            installID = identity.installID
            // An earlier version has left no mark.
            if identity.hasOptedOut, !isOut { try? setMark(true) }
            identity.hasOptedOut = identity.hasOptedOut || isOut
            return identity
        } catch {
            guard isOut else { throw error }
            return Self.optedOut
        }
    }

    /// No event has the install id of a user who has opted out, so it may be a new one.
    private static var optedOut: Identity { Identity(installID: UUID().uuidString.lowercased(), hasOptedOut: true) }

    private var mark: String { path + ".opted-out" }

    private func setMark(_ isOut: Bool) throws(IdentityStoreError) {
        guard isOut != (hasMark ?? FileManager.default.fileExists(atPath: mark)) else { return }
        do {
            if isOut {
                try SystemFile.replace(fileAt: mark, with: [])
            } else {
                try FileManager.default.removeItem(atPath: mark)
            }
        } catch {
            throw IdentityStoreError(.notSaved, path: mark, detail: "\(error)")
        }
        hasMark = isOut
    }

    private func loadFile() throws(IdentityStoreError) -> Identity? {
        let bytes: [UInt8]?
        do {
            bytes = try SystemFile.contents(ofFileAt: path, limit: 65_536)
        } catch {
            throw IdentityStoreError(.unreadable, path: path, detail: error.description)
        }
        guard let bytes else { return nil }
        do {
            return try JSONDecoder().decode(StoredIdentity.self, from: Data(bytes)).identity()
        } catch let error as NewerVersion {
            throw IdentityStoreError(.unreadable, path: path, detail: error.description)
        } catch {
            throw moveAway("\(error)")
        }
    }

    func save(_ identity: Identity) throws(IdentityStoreError) {
        // In this order, so that whoever has opted out stays out if the app is killed in between.
        if identity.hasOptedOut { try setMark(true) }
        do {
            try SystemFile.replace(fileAt: path, with: [UInt8](JSONEncoder().encode(StoredIdentity(identity))))
        } catch {
            throw IdentityStoreError(.notSaved, path: path, detail: "\(error)")
        }
        SystemFile.excludeFromBackup(path)
        // A damaged file can hold the id that is given up.
        if let installID, installID != identity.installID { removeDamaged() }
        installID = identity.installID
        if !identity.hasOptedOut { try setMark(false) }
    }

    // One damaged file is kept for whoever looks into it.
    private func removeDamaged() {
        let url = URL(fileURLWithPath: path)
        let folder = url.deletingLastPathComponent()
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for name in names where name.hasPrefix(url.lastPathComponent + ".damaged-") {
            try? FileManager.default.removeItem(at: folder.appendingPathComponent(name))
        }
    }

    private func moveAway(_ detail: String) -> IdentityStoreError {
        removeDamaged()
        let destination = "\(path).damaged-\(UUID().uuidString.lowercased())"
        do {
            try SystemFile.rename(path, to: destination)
            return IdentityStoreError(.damaged, path: path, movedTo: destination, detail: detail)
        } catch {
            return IdentityStoreError(
                .unreadable,
                path: path,
                detail: "\(detail), and the file cannot be moved: \(error)"
            )
        }
    }
}

/// The content of the file.
private struct StoredIdentity: Codable {
    var version = 1
    var installID: String?
    var nextSequence: Int64?
    var sessionID: String?
    var sessionStartMilliseconds: Int64?
    var lastEventMilliseconds: Int64?
    var userID: String?
    var hasOptedOut: Bool?
    var hasConsented: Bool?

    private enum CodingKeys: String, CodingKey {
        case version
        case installID = "install_id"
        case nextSequence = "next_sequence"
        case sessionID = "session_id"
        case sessionStartMilliseconds = "session_start_ms"
        case lastEventMilliseconds = "last_event_ms"
        case userID = "user_id"
        case hasOptedOut = "opted_out"
        case hasConsented = "consented"
    }

    init(_ identity: Identity) {
        installID = identity.installID
        nextSequence = identity.nextSequence
        sessionID = identity.session?.id
        sessionStartMilliseconds = identity.session?.start.milliseconds
        lastEventMilliseconds = identity.session?.lastEvent.milliseconds
        userID = identity.userID
        hasOptedOut = identity.hasOptedOut ? true : nil
        hasConsented = identity.hasConsented ? true : nil
    }

    func identity() throws -> Identity {
        guard version <= 1 else { throw NewerVersion(found: version, known: 1) }
        guard let installID, !installID.isEmpty else { throw Flaw(detail: "install_id is missing") }
        guard let nextSequence, nextSequence >= 0 else { throw Flaw(detail: "next_sequence is missing or negative") }
        var identity = Identity(installID: installID, nextSequence: nextSequence)
        identity.userID = userID
        identity.hasOptedOut = hasOptedOut ?? false
        identity.hasConsented = hasConsented ?? false
        if let sessionID, !sessionID.isEmpty, let lastEventMilliseconds {
            identity.session = Session(
                id: sessionID,
                start: sessionStartMilliseconds.map(Timestamp.init(milliseconds:)),
                lastEvent: Timestamp(milliseconds: lastEventMilliseconds)
            )
        }
        return identity
    }
}

private struct Flaw: Error, CustomStringConvertible {
    let detail: String
    var description: String { detail }
}
