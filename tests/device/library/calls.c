/* The functions that users call: each goes to its range's variant, and says why it failed.
 *
 * variant: -DBY_SHAPE=0
 * variant: -DBY_SHAPE=1
 * variant: -DBY_SHAPE=0 -DCONDITIONS=1
 * variant: -DBY_SHAPE=1 -DCONDITIONS=1
 * mutant: unchecked: ERROR error = NAME(arguments)("FUNCTION", workspace, workspace_bytes, LOOKED_AT);\n => ERROR error = 0;\n
 * mutant: another variant: error = range_->variant->RUN(&range_->c, workspace => error = NAME(variants)[0].RUN(&range_->c, workspace
 * mutant: whatever the call is like: const int like_ = LIKE; => const int like_ = 0;
 * mutant: bytes of these pointers alone: && bytes_ > *workspace_bytes) => && false)
 * mutant: no error: if (error == 0) return 0; => return 0;
 * mutant: a workspace that is not ready: memset(workspace, 0, BYTES); => ;
 */
#include "calls.h"

#include "library.h"

bool test(void) {
  char workspace[16] = "not ready";
  size_t bytes = sizeof workspace;
  float in[4] = {0}, out = 0;
#if CONDITIONS
  _Alignas(16) float rows[8] = {0};
  size_t need = 0;
  if (!table_is("TYPE 2,aligned a 8 1 0\nTYPE inf b 0 5 0\n") || NAME(load_table)("table") != 0) return false;
  if (FUNCTION(workspace, &bytes, rows, 2, &out) != 0 || out != 1) return false;
  if (FUNCTION(workspace, &bytes, rows + 1, 2, &out) != 0 || out != 7) return false;
  if (FUNCTION(NULL, &need, rows, 2, &out) != 0 || need != 3 || FUNCTION(NULL, &need, rows + 1, 2, &out) != 0 || need != 3)
    return false;
#endif
  if (!table_is("TYPE 2 a 8 1 0\nTYPE inf b 0 5 0\n") || NAME(load_table)("table") != 0) return false;
  if (NAME(workspace_init)(workspace, bytes) != 0 || workspace[0] != 0 || NAME(workspace_init)(NULL, 0) != EINVAL) return false;
  if (FUNCTION(workspace, &bytes, in, 2, &out) != 0 || out != 1) return false;
  if (FUNCTION(workspace, &bytes, in, 3, &out) != 0 || out != 7) return false;
  if (FUNCTION(workspace, NULL, in, 3, &out) != EINVAL || !strstr(NAME(error_text)(EINVAL), ": wrong")) return false;
  refuse_above = 3;
  const int error = FUNCTION(workspace, &bytes, in, 4, &out);
  refuse_above = 1 << 30;
  return error == EINVAL && strstr(NAME(error_text)(EINVAL), "too large");
}
