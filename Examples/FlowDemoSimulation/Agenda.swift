import FlowEvents
import HeapModule

/// The future appointments of all people, earliest first.
struct Agenda {
    struct Entry: Comparable {
        var time: Timestamp
        /// The order within a millisecond: the appointment that was made first comes first.
        var ordinal: Int
        var person: Int
        var appointment: Appointment

        static func < (lhs: Entry, rhs: Entry) -> Bool {
            (lhs.time, lhs.ordinal) < (rhs.time, rhs.ordinal)
        }

        static func == (lhs: Entry, rhs: Entry) -> Bool {
            lhs.ordinal == rhs.ordinal
        }
    }

    private var entries = Heap<Entry>()
    private var nextOrdinal = 0
    private let end: Timestamp

    /// Creates an empty agenda that ignores appointments at `end` or later.
    init(end: Timestamp) {
        self.end = end
    }

    mutating func add(_ appointment: Appointment, of person: Int, at time: Timestamp) {
        guard time < end else { return }
        entries.insert(Entry(time: time, ordinal: nextOrdinal, person: person, appointment: appointment))
        nextOrdinal += 1
    }

    mutating func next() -> Entry? {
        entries.popMin()
    }
}

/// A future action of a person, or of the shop for the person.
enum Appointment: Hashable {
    /// The person opens the app.
    case visit
    /// The person does something in the app.
    case move
    /// The shop answers an order.
    case settle(order: Int)
}
