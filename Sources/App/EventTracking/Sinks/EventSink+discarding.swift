extension EventSink {
    /// Takes every event and keeps none: for previews, and for apps whose user does not want to be counted.
    public static let discarding = EventSink(send: { batch in batch.map { _ in .delivered } })
}
