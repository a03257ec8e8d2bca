import FlowEvents
import Foundation
import FunnelStore
import FunnelStoreSQLite
import FunnelStoreTestSupport
import Funnels

/// A process for the tests of the SQLite store.
///
/// `commit PATH` commits until it is killed. `hold PATH` opens the store and waits for the end of its input.
/// `open PATH` and `report PATH` print the result of opening. `--unprivileged` gives up a superuser's rights first,
/// because a superuser can write every file.
@main struct StoreHelper {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        if arguments.contains("--unprivileged"), geteuid() == 0, setuid(65_534) != 0 { exit(2) }
        let words = arguments.filter { !$0.hasPrefix("--") }
        guard words.count == 2, let command = words.first, let path = words.last else { exit(64) }
        do {
            switch command {
            case "commit": try commitForever(path)
            case "hold": try hold(path)
            case "open": try SQLiteFunnelStore(path: path, busyTimeout: .zero).close()
            case "report": try report(path)
            default: exit(64)
            }
            say("done")
        } catch let error as StoreError {
            say("\(error.code.rawValue): \(error)")
        }
    }

    /// Commits again and again. Commit n sets each install's version to n and its state to n, and adds one attempt to
    /// the summary.
    private static func commitForever(_ path: String) throws {
        let store = try SQLiteFunnelStore(path: path)
        var number = try store.open(StoreFixtures.identity()).first?.nextOffset ?? 0
        while true {
            let offset = number
            number += 1
            let state = Array(repeating: UInt8(truncatingIfNeeded: number), count: 900)
            let outcome = try store.commit(
                StoreCommit(
                    partitions: [
                        StoreFixtures.advance(
                            0,
                            from: offset == 0 ? nil : offset,
                            to: number,
                            quality: Quality(events: 1)
                        )
                    ],
                    installs: (0..<200).map { index in
                        InstallWrite(install: Array("install-\(index)".utf8), expectedVersion: offset, state: state)
                    },
                    summary: [
                        SummaryDelta.numbered(StoreFixtures.key(0, nil, day: 1), [Int(number % 50): 1])
                    ]
                )
            )
            guard case .committed = outcome else { exit(1) }
            say("\(number)")
        }
    }

    private static func hold(_ path: String) throws {
        let store = try SQLiteFunnelStore(path: path)
        say("open")
        _ = FileHandle.standardInput.readDataToEndOfFile()
        try store.close()
    }

    private static func report(_ path: String) throws {
        let reader = try SQLiteFunnelReader(path: path, busyTimeout: .zero)
        try reader.withSnapshot { _ = try $0.quality() }
    }

    private static func say(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }
}
