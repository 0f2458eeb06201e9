// compare_operation.cu: of an operator of the user's, what data.cc has to know: does it round?
#include "check/harness.h"
#include "check/types.h"

const char *const check::operation = CHECK_OPERATION;
const bool check::zeros_have_signs = false;
const bool check::numbers_alone = false;
