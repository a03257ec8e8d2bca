import ArgumentParser
import FlowEvents
import Foundation

/// Writes the events to a file, one per line.
struct WriteFile: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "write",
        abstract: "Writes the events to a file, one per line."
    )

    @OptionGroup var options: EventOptions

    @Argument(help: "The file.")
    var path: String

    @Flag(help: "Write the key and a tab before each event, for kcat -K.")
    var keyed = false

    func run() throws {
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let file = FileHandle(forWritingAtPath: path)
        else { throw ValidationError("\(path): cannot be written") }
        var bytes: [UInt8] = []
        for event in options.all {
            if keyed {
                bytes += Array(event.installID.utf8)
                bytes.append(UInt8(ascii: "\t"))
            }
            try event.encode(into: &bytes)
            bytes.append(UInt8(ascii: "\n"))
            if bytes.count > 1 << 20 {
                try file.write(contentsOf: bytes)
                bytes.removeAll(keepingCapacity: true)
            }
        }
        try file.write(contentsOf: bytes)
        try file.close()
    }
}
