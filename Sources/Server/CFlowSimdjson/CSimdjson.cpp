#include "CSimdjson.h"

#include <cstring>
// A class template of simdjson 3.6, which Ubuntu 24.04 has, calls print_newline and two more functions that only its
// subclasses have: an error from clang 19 on. With these names the template has them itself. Nothing here calls them.
#define print_newline call_print_newline
#define print_indents call_print_indents
#define print_space call_print_space
#include <simdjson.h>
#include <string>
#include <string_view>
#include <vector>

namespace dom = simdjson::dom;

namespace {

struct requested {
    std::string name;
    size_t index;
};

/// The fields that are asked for in one object.
struct request {
    std::vector<requested> fields;
    /// Bit n is set where a name has n bytes, modulo 64: most keys are passed over by it alone.
    uint64_t lengths = 0;

    void add(std::string_view name, size_t index) {
        fields.push_back({std::string(name), index});
        lengths |= uint64_t(1) << (name.size() & 63);
    }
};

/// simdjson 3.0.1 writes the second half of a surrogate pair without its first as if it were a character. The document
/// itself is valid UTF-8, so that such bytes can only come from an escape.
bool has_surrogate(std::string_view text) {
    for (size_t i = 0; i + 1 < text.size(); i++) {
        if (uint8_t(text[i]) == 0xED && uint8_t(text[i + 1]) >= 0xA0) { return true; }
    }
    return false;
}

void set(csimdjson_value &value, dom::element element, bool has_escapes) {
    value = {};
    switch (element.type()) {
    case dom::element_type::STRING: {
        std::string_view text = element.get_string().value_unsafe();
        if (has_escapes && has_surrogate(text)) {
            value.kind = CSIMDJSON_MALFORMED_STRING;
        } else {
            value.kind = CSIMDJSON_STRING;
            value.bytes = reinterpret_cast<const uint8_t *>(text.data());
            value.length = text.size();
        }
        break;
    }
    case dom::element_type::INT64:
        value.kind = CSIMDJSON_INTEGER;
        value.bits = uint64_t(element.get_int64().value_unsafe());
        break;
    case dom::element_type::UINT64:
        value.kind = CSIMDJSON_UNSIGNED;
        value.bits = element.get_uint64().value_unsafe();
        break;
    case dom::element_type::DOUBLE: {
        const double number = element.get_double().value_unsafe();
        value.kind = CSIMDJSON_DOUBLE;
        std::memcpy(&value.bits, &number, sizeof number);
        break;
    }
    case dom::element_type::BOOL:
        value.kind = element.get_bool().value_unsafe() ? CSIMDJSON_TRUE : CSIMDJSON_FALSE;
        break;
    case dom::element_type::ARRAY: value.kind = CSIMDJSON_ARRAY; break;
    case dom::element_type::OBJECT: value.kind = CSIMDJSON_OBJECT; break;
    default: value.kind = CSIMDJSON_ABSENT; break;
    }
}

csimdjson_value *attribute(csimdjson_event &event, std::string_view key) {
    switch (key.size()) {
    case 2: return key == "id" ? &event.id : nullptr;
    case 4: return key == "type" ? &event.type : key == "time" ? &event.time : key == "data" ? &event.data : nullptr;
    case 6: return key == "source" ? &event.source : nullptr;
    case 11: return key == "specversion" ? &event.specversion : nullptr;
    default: return nullptr;
    }
}

csimdjson_value *data_field(csimdjson_event &event, std::string_view key) {
    switch (key.size()) {
    case 6: return key == "screen" ? &event.screen : nullptr;
    case 7: return key == "user_id" ? &event.user_id : nullptr;
    case 8: return key == "sequence" ? &event.sequence : nullptr;
    case 10:
        return key == "install_id"   ? &event.install_id
               : key == "session_id" ? &event.session_id
               : key == "transition" ? &event.transition
               : key == "properties" ? &event.properties
                                     : nullptr;
    case 14: return key == "paywall_source" ? &event.paywall_source : nullptr;
    case 15:
        return key == "previous_screen"   ? &event.previous_screen
               : key == "presentation_id" ? &event.presentation_id
                                          : nullptr;
    default: return nullptr;
    }
}

void set_requested(
    const request &request, csimdjson_value *values, std::string_view key, dom::element element, bool has_escapes) {
    if ((request.lengths >> (key.size() & 63) & 1) == 0) { return; }
    for (const requested &field : request.fields) {
        if (key == field.name) { set(values[field.index], element, has_escapes); }
    }
}

} // namespace

struct csimdjson_reader {
    dom::parser parser;
    request data;
    request properties;
    size_t count = 0;
    /// The value with the bytes behind it that simdjson may read.
    std::vector<uint8_t> padded;
};

csimdjson_reader *csimdjson_reader_create(const csimdjson_field *fields, size_t count) {
    auto *reader = new csimdjson_reader();
    reader->count = count;
    for (size_t i = 0; i < count; i++) {
        std::string_view name(reinterpret_cast<const char *>(fields[i].name), fields[i].length);
        (fields[i].is_property ? reader->properties : reader->data).add(name, i);
    }
    return reader;
}

void csimdjson_reader_destroy(csimdjson_reader *reader) { delete reader; }

bool csimdjson_reader_read(
    csimdjson_reader *reader, const void *bytes, size_t length, csimdjson_event *event, csimdjson_value *values) {
    *event = {};
    for (size_t i = 0; i < reader->count; i++) { values[i] = {}; }
    // Newer versions of simdjson skip a byte order mark, which is not JSON.
    if (length == 0 || *static_cast<const uint8_t *>(bytes) == 0xEF) { return false; }
    if (reader->padded.size() < length + simdjson::SIMDJSON_PADDING) {
        reader->padded.resize(2 * length + simdjson::SIMDJSON_PADDING);
    }
    std::memcpy(reader->padded.data(), bytes, length);

    dom::element document;
    // Not simdjson's own copy: it allocates anew for every larger document.
    if (reader->parser.parse(reader->padded.data(), length, false).get(document)) { return false; }
    dom::object object;
    if (document.get_object().get(object)) { return true; }
    const bool has_escapes = std::memchr(bytes, '\\', length) != nullptr;

    dom::element data;
    for (dom::key_value_pair member : object) {
        if (csimdjson_value *value = attribute(*event, member.key)) {
            set(*value, member.value, has_escapes);
            if (value == &event->data) { data = member.value; }
        }
    }
    if (event->data.kind != CSIMDJSON_OBJECT) { return true; }

    // Named, because a loop over the temporary result would outlive it.
    dom::element properties;
    const dom::object data_object = data.get_object().value_unsafe();
    for (dom::key_value_pair member : data_object) {
        if (csimdjson_value *value = data_field(*event, member.key)) {
            set(*value, member.value, has_escapes);
            if (value == &event->properties) { properties = member.value; }
        }
        set_requested(reader->data, values, member.key, member.value, has_escapes);
    }
    if (event->properties.kind != CSIMDJSON_OBJECT || reader->properties.fields.empty()) { return true; }

    const dom::object properties_object = properties.get_object().value_unsafe();
    for (dom::key_value_pair member : properties_object) {
        set_requested(reader->properties, values, member.key, member.value, has_escapes);
    }
    return true;
}
