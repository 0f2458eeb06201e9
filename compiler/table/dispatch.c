/* dispatch.c: a table's rows in the manifest. */
#include "table/dispatch.h"

#include <stdlib.h>
#include <string.h>

#include "support/manifest.h"

static void put(json_t *object, const char *key, json_t *value) {
  if (json_object_set_new(object, key, value) != 0) abort();
}

json_t *conditions_array(unsigned when) {
  json_t *array = json_array();
  for (int i = 0; i < ROW_CONDITIONS; i++)
    if (when & row_conditions[i].bit && json_array_append_new(array, json_string(row_conditions[i].word)) != 0) abort();
  return array;
}

unsigned conditions_of_array(const json_t *array) {
  unsigned when = 0;
  for (size_t i = 0; i < json_array_size(array); i++) {
    const char *word = json_string_value(json_array_get(array, i));
    const unsigned bit = word ? condition_by_word(word, strlen(word)) : 0;
    when |= bit ? bit : CONDITION_UNKNOWN;
  }
  return when;
}

json_t *table_dispatch(const Table *t, const Tunables *members) {
  json_t *array = json_array();
  for (int i = 0; i < t->rows.n; i++) {
    const TableRow *r = &t->rows.at[i];
    json_t *j = json_object();
    put(j, KEY_TYPE, json_string(r->type));
    put(j, KEY_UP_TO, r->up_to != UINT64_MAX ? json_integer((json_int_t)r->up_to) : json_null());
    if (r->count) put(j, KEY_COUNT, json_integer((json_int_t)r->count));
    if (r->when) put(j, KEY_WHEN, conditions_array(r->when));
    if (r->turn) put(j, KEY_TURN, json_integer((json_int_t)r->turn));
    put(j, KEY_VARIANT, json_string(r->variant));
    for (int k = 0; k < members->n; k++)
      put(j, members->at[k].name, json_integer(tunables_value(&r->set, members->at[k].name)));
    if (json_array_append_new(array, j) != 0) abort();
  }
  return array;
}
