import * as z from 'zod'
import type { Parameter } from '../../http/parameters.ts'
import { type RowProvenance, resourceNames } from '../../sandbox/history/provenance.ts'
import { maskedKeySchema } from '../../sandbox/journal/entry-schema.ts'
import { unexpectedValue } from '../../utils/usage-error.ts'
import { type ControlEndpoints, controlEndpoints, found, operation } from './control-endpoint.ts'

const sourceSchema = z.union([
  z.object({
    entry: z.int(),
    operation: z.string().nullable(),
    at: z.string().nullable(),
    key: maskedKeySchema.nullable(),
  }),
  z.object({ actor: z.string() }),
  z.object({ edit: z.literal('world') }),
  z.literal(['initial', 'unknown']),
])

const provenanceSchema = z.object({
  list: z.string(),
  id: z.union([z.int(), z.string()]),
  row: z.record(z.string(), z.unknown()).nullable(),
  removed: sourceSchema.nullable(),
  fields: z.array(z.object({ field: z.string(), value: z.unknown(), since: sourceSchema })),
}) as unknown as z.ZodType<RowProvenance>

export const provenanceEndpoints: ControlEndpoints = controlEndpoints('/__admin/why', {
  explainRow: operation('GET', '', {
    summary: 'Show which request each field of a row comes from.',
    query: {
      resource: requiredParameter(
        'resource',
        'A list, or its singular, such as annotation.',
        resourceNames,
      ),
      id: requiredParameter('id', 'The id of the row. For a key, its value.'),
    },
    response: provenanceSchema,
    errors: ['validation_error', 'not_found'],
    handle: ({ query: { resource, id } }, simulator) =>
      found(
        simulator.why(resource, id),
        'id',
        `Row ${id} of ${resource}`,
        'no record of it exists',
      ),
  }),
})

function requiredParameter(
  name: string,
  description: string,
  values?: readonly string[],
): Parameter<string> {
  return {
    description,
    schema: { type: 'string', ...(values && { enum: [...values] }) },
    required: true,
    read(text) {
      if (text) return text
      const value = text ?? undefined
      throw unexpectedValue('explain a row', `${name} in the query`, value, undefined, name)
    },
  }
}
