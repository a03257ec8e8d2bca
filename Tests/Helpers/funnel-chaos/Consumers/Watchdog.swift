import Foundation
import FlowProcessTestSupport

/// Kills the consumers when this process is gone, however it went: a shell that sees the end of its input.
///
/// PostgreSQL has such a keeper of its own; see `PostgresServer`.
final class Watchdog: Sendable {
    private let input: FileHandle

    init() throws {
        let script = #"""
            trap : INT TERM HUP; pids=' '
            while read -r word pid; do
                case $word in
                begin) pids="$pids$pid " ;;
                end) pids="${pids%% "$pid" *} ${pids#* "$pid" }" ;;
                esac
            done
            for pid in $pids; do kill -KILL "$pid"; done
            """#
        let (process, pipe) = (Process(), Pipe())
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", script]
        process.standardInput = pipe
        // It may outlive this process by a moment, and nobody is to wait for its output.
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.start()
        input = pipe.fileHandleForWriting
    }

    deinit {
        // Foundation keeps the pipe for as long as the shell runs.
        try? input.close()
    }

    func begin(_ pid: Int32) throws { try input.write(contentsOf: Data("begin \(pid)\n".utf8)) }

    /// It has ended; its number may soon be somebody else's.
    func end(_ pid: Int32) throws { try input.write(contentsOf: Data("end \(pid)\n".utf8)) }
}
