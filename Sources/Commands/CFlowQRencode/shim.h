#ifndef FLOW_FUNNELS_CQRENCODE_SHIM_H
#define FLOW_FUNNELS_CQRENCODE_SHIM_H

#include <qrencode.h>

#endif
