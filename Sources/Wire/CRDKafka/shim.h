#ifndef FLOW_FUNNELS_CRDKAFKA_SHIM_H
#define FLOW_FUNNELS_CRDKAFKA_SHIM_H

#include <librdkafka/rdkafka.h>
// The mock cluster is no stable interface of librdkafka; EmbeddedBroker uses only what every version since 2.0 has.
#include <librdkafka/rdkafka_mock.h>
#include <stdlib.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

// Returns freed memory to the system. Swift's module of glibc does not have malloc.h.
static inline void crdkafka_return_freed_memory(void) {
#if defined(__GLIBC__)
    malloc_trim(0);
#endif
}

// Limits the process to two arenas, from which all threads allocate.
static inline void crdkafka_share_memory(void) {
#if defined(__GLIBC__)
    mallopt(M_ARENA_MAX, 2);
#endif
}

#endif
