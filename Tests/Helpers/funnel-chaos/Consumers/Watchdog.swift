import Foundation
import FlowProcessTestSupport

/// Kills the consumers when this process ends for any reason. It is a shell that waits for the end of its input.
///
/// `PostgresServer` does the same for PostgreSQL.
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
        let (process, pipe) = (Process(), Pipe.notInherited())
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", script]
        process.standardInput = pipe
        // The shell may end a moment after this process, and nothing should wait for its output.
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.start()
        input = pipe.fileHandleForWriting
    }

    deinit {
        // Foundation keeps the pipe while the shell runs.
        try? input.close()
    }

    func begin(_ pid: Int32) throws { try input.write(contentsOf: Data("begin \(pid)\n".utf8)) }

    /// Removes a process that has ended: another process may get its id.
    func end(_ pid: Int32) throws { try input.write(contentsOf: Data("end \(pid)\n".utf8)) }
}
