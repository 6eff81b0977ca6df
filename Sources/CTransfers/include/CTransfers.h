#ifndef C_TRANSFERS_H
#define C_TRANSFERS_H

#include "Fetch.h"
#include "Transfers.h"

#endif
