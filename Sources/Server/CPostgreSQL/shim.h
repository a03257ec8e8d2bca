#ifndef FLOW_FUNNELS_CPOSTGRESQL_SHIM_H
#define FLOW_FUNNELS_CPOSTGRESQL_SHIM_H

#include <libpq-fe.h>

#endif
