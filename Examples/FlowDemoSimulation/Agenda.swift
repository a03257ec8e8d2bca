import FlowEvents
import HeapModule

/// What is going to happen, earliest first: people who live side by side are one queue, ordered by time.
struct Agenda {
    struct Entry: Comparable {
        var time: Timestamp
        /// Who is first within a millisecond: whoever made the appointment first.
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

    /// Creates an empty agenda that forgets what would come at `end` or later.
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

/// What a person, or the shop for it, is going to do.
enum Appointment: Hashable {
    /// Takes the phone and opens the app.
    case visit
    /// Does the next thing in the app.
    case move
    /// The shop has an answer to an order.
    case settle(order: Int)
}
