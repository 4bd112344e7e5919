#ifndef WIRE_H
#define WIRE_H

/*
 * wire: the part of a JSON Schema that a provider's strict mode accepts.
 *
 * The whole schema stays at home for validation.  What a provider does not accept is taken out and
 * told to the model in "description"; names, order and meaning of what is left stay.
 */
#include <jv.h>

enum wire_subset { WIRE_WHOLE, WIRE_OPENAI, WIRE_ANTHROPIC, WIRE_GEMINI };

/* schema is not consumed; invalid when the subset cannot express it at all. */
jv wire_schema(jv schema, enum wire_subset subset);

/*
 * OpenAI's strict mode wants every property, and an absent one as null.  Take those nulls out of
 * value (consumed) where schema (not consumed) does not require the property.
 */
jv wire_drop_nulls(jv schema, jv value);

#endif
