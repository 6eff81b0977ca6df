#include <ev.h>
#include <libwebsockets.h>
