public import EventTracking

extension Tracker {
    /// Deletes the visits on the device, and then asks for everything else that is known of this install to be erased; see
    /// ``Tracker/requestErasure()``.
    ///
    /// ```swift
    /// try await tracker.requestErasure(erasing: journeys)  // "Delete my data" was tapped
    /// ```
    ///
    /// - Parameter journeys: the visits of the person who asks.
    /// - Throws: ``JourneysError`` if a file cannot be deleted; nothing else has changed then. Otherwise the errors of
    ///   ``Tracker/requestErasure()``; the visits are gone then.
    public func requestErasure(erasing journeys: Journeys) async throws {
        try await journeys.erase()
        try await requestErasure()
    }
}
