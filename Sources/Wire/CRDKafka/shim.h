#ifndef FLOW_FUNNELS_CRDKAFKA_SHIM_H
#define FLOW_FUNNELS_CRDKAFKA_SHIM_H

#include <librdkafka/rdkafka.h>
// The mock cluster is no stable interface of librdkafka; EmbeddedBroker uses only what every version since 2.0 has.
#include <librdkafka/rdkafka_mock.h>

#endif
