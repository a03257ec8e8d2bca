/// A person's request to be forgotten: an event of the type ``eventType`` of the person's install.
///
/// ```json
/// {"type":"erasure_request","data":{"install_id":"5b0c…"}}
/// ```
///
/// The consumer takes the install out of all funnels, with all its events, earlier and later ones. It needs no other field than
/// the install.
public enum ErasureRequest {
    /// The event type of a request.
    public static let eventType = "erasure_request"

    /// Whether `type`, in UTF-8, is ``eventType``.
    @inlinable
    public static func isType(_ type: UnsafeRawBufferPointer) -> Bool {
        // For nearly all events the length differs, which is the cheaper test.
        type.count == eventType.utf8.count && type.elementsEqual(eventType.utf8)
    }
}
