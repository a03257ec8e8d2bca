/// What stands in one field of an event.
public enum FieldValue {
    /// Nothing, or `null`, or the empty string where the contract says that empty is absent.
    case absent
    /// Text, as UTF-8; the bytes belong to the ``EventFields`` that it came in.
    case string(UnsafeRawBufferPointer)
    /// A number, as a double; infinite where JSON writes one that is too big for a double.
    case number(Double)
    /// A truth value.
    case bool(Bool)
    /// Something else that equals nothing: an array, an object, or a string that is no Unicode text because it
    /// escapes half of a surrogate pair.
    case other
}
