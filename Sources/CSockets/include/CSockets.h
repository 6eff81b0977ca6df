#ifndef C_SOCKETS_H
#define C_SOCKETS_H
#endif
