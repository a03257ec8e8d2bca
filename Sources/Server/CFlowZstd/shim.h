#ifndef FLOW_FUNNELS_CZSTD_SHIM_H
#define FLOW_FUNNELS_CZSTD_SHIM_H

#include <zstd.h>

#endif
