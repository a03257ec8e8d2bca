import FlowEvents

/// A screen view of a time in milliseconds after some day.
func screenView(_ screen: String, _ install: String, at milliseconds: Int64) -> Event {
    Event(
        id: "\(screen)-\(milliseconds)",
        source: "app://test",
        type: "screen_view",
        time: Timestamp(milliseconds: 1_772_323_200_000 + milliseconds),
        installID: install,
        screen: screen
    )
}
