#ifndef FLOW_FUNNELS_CZLIB_SHIM_H
#define FLOW_FUNNELS_CZLIB_SHIM_H

#include <zlib.h>

// zlib's own names for these are macros, which Swift does not see. 31: the largest window, with a gzip header.
static inline int flow_deflate_init_gzip(z_streamp stream, int level) {
    return deflateInit2(stream, level, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY);
}

static inline int flow_inflate_init_gzip(z_streamp stream) {
    return inflateInit2(stream, 31);
}

#endif
