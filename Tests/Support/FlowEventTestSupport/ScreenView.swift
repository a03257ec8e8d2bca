import FlowEvents

/// A screen view after the start of 1 March 2026.
///
/// - Parameters:
///   - second: the seconds after it.
///   - milliseconds: the milliseconds after that second.
///   - id: the event's id; by default the same for equal events only.
package func screenView(
    _ screen: String,
    _ install: String,
    second: Int64 = 0,
    at milliseconds: Int64 = 0,
    id: String? = nil
) -> Event {
    let time = second * 1000 + milliseconds
    return Event(
        id: id ?? "\(screen)-\(time)",
        source: "app://test",
        type: "screen_view",
        time: Timestamp(milliseconds: 1_772_323_200_000 + time),
        installID: install,
        screen: screen
    )
}
