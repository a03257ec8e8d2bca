import FlowEvents
import Funnels

/// Writes actors one row after another, so that a list of any length takes the memory of a row.
package enum ActorRows: String, Sendable, Hashable, CaseIterable {
    /// CSV with a header; see ``CSVReport`` for its cells.
    case csv
    /// One JSON object a line.
    case json

    /// The first line: the names of the columns, or nothing.
    package var header: String {
        self == .csv ? "install_id,actor,day,started_at,steps_met,value\n" : ""
    }

    /// Returns an actor as a line, with its line feed.
    package func line(_ actor: FunnelActor) -> String {
        switch self {
        case .csv:
            let value = actor.value?.description
            // As in the report: quotes tell the empty text from no value.
            let cell = value.map { $0.isEmpty ? "\"\"" : CSVReport.text($0) } ?? ""
            let cells = [
                CSVReport.text(actor.install), actor.actor.map { $0.isEmpty ? "\"\"" : CSVReport.text($0) } ?? "",
                "\(actor.day)", actor.startedAt?.description ?? "", "\(actor.stepsMet)", cell,
            ]
            return cells.joined(separator: ",") + "\n"
        case .json:
            var line = ""
            JSONNode.object([
                ("install_id", .string(actor.install)), ("actor", .optional(actor.actor)),
                ("day", .string("\(actor.day)")), ("started_at", .optional(actor.startedAt?.description)),
                ("steps_met", .integer(actor.stepsMet)),
                ("value", actor.value.map(JSONNode.value) ?? .literal("null")),
            ]).writeLine(to: &line)
            return line + "\n"
        }
    }
}
