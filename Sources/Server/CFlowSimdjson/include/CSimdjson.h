// A C interface to simdjson for one thing: from the bytes of one event to the fields that are asked for, in one call
// that allocates nothing once its buffers have grown to the largest value seen.
#ifndef CSIMDJSON_H
#define CSIMDJSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma clang assume_nonnull begin

/// What a field contains.
typedef enum csimdjson_kind : uint8_t {
    /// Nothing, or null.
    CSIMDJSON_ABSENT = 0,
    CSIMDJSON_STRING,
    /// A string that escapes half of a surrogate pair; it has no bytes here.
    CSIMDJSON_MALFORMED_STRING,
    /// An integer of 64 bits with a sign.
    CSIMDJSON_INTEGER,
    /// A greater integer, of 64 bits without a sign.
    CSIMDJSON_UNSIGNED,
    /// A number that is written with a fraction or an exponent.
    CSIMDJSON_DOUBLE,
    CSIMDJSON_FALSE,
    CSIMDJSON_TRUE,
    CSIMDJSON_ARRAY,
    CSIMDJSON_OBJECT,
} csimdjson_kind;

/// A field's value. Its bytes belong to the reader and live until its next call.
typedef struct csimdjson_value {
    /// A string's UTF-8, unescaped, not terminated; null for every other kind.
    const uint8_t *_Nullable bytes;
    /// The number of those bytes.
    size_t length;
    /// A number: an integer, in two's complement, or the bits of the nearest double; 0 for every other kind.
    uint64_t bits;
    csimdjson_kind kind;
} csimdjson_value;

/// The fields that the event format names.
typedef struct csimdjson_event {
    csimdjson_value specversion, id, source, type, time, data;
    csimdjson_value install_id, session_id, user_id, sequence;
    csimdjson_value screen, previous_screen, transition, presentation_id, paywall_source, properties;
} csimdjson_event;

/// A field of data that is asked for besides those, or one of data.properties.
typedef struct csimdjson_field {
    /// The name's UTF-8, unescaped, not terminated.
    const uint8_t *_Nullable name;
    size_t length;
    bool is_property;
} csimdjson_field;

/// A parser with its buffers, for one thread at a time.
typedef struct csimdjson_reader csimdjson_reader;

/// Creates a reader that looks for `fields`; the names are copied. Lack of memory ends the process, as in Swift.
csimdjson_reader *csimdjson_reader_create(const csimdjson_field *_Nullable fields, size_t count);

/// Frees a reader and all that it handed out.
void csimdjson_reader_destroy(csimdjson_reader *reader);

/// Parses `length` bytes as one JSON document, all of it, and fills in `event` and, in the order of the fields asked
/// for, `values`. If a name occurs twice, the last one counts, with all its contents.
///
/// Returns false where simdjson refuses the document. It may still be valid JSON: simdjson has limits for nesting and
/// for numbers, and refuses some strings that escape half of a surrogate pair. What is filled in then says nothing.
bool csimdjson_reader_read(
    csimdjson_reader *reader, const void *_Nullable bytes, size_t length, csimdjson_event *event,
    csimdjson_value *_Nullable values);

#pragma clang assume_nonnull end

#ifdef __cplusplus
}
#endif

#endif
