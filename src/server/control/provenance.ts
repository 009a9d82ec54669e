import * as z from 'zod'
import { defineEndpoint, type Endpoint } from '../../http/endpoint.ts'
import type { Parameter } from '../../http/parameters.ts'
import type { RowProvenance } from '../../sandbox/history/provenance.ts'
import { resourceNames } from '../../sandbox/history/provenance.ts'
import { maskedKeySchema } from '../../sandbox/journal/entry-schema.ts'
import { unexpectedValue } from '../../utils/usage-error.ts'
import type { ControlContext } from './control-endpoint.ts'
import { resourceNotFound } from './control-endpoint.ts'

const sinceSchema = z.union([
  z.object({
    entry: z.int(),
    operation: z.string().nullable(),
    at: z.string().nullable(),
    key: maskedKeySchema.nullable(),
  }),
  z.object({ actor: z.string() }),
  z.object({ edit: z.literal('world') }),
  z.literal(['the beginning', 'no longer known']),
])

const explanationSchema = z.object({
  list: z.string(),
  id: z.union([z.int(), z.string()]),
  row: z.record(z.string(), z.unknown()).nullable(),
  removed: sinceSchema.nullable(),
  fields: z.array(z.object({ field: z.string(), value: z.unknown(), since: sinceSchema })),
}) as unknown as z.ZodType<RowProvenance>

export const explainRow: Endpoint<ControlContext> = defineEndpoint({
  id: 'explainRow',
  summary: 'Tell which request each field of a row comes from.',

  method: 'GET',
  path: '/__admin/why',
  scope: 'operator',

  params: {},
  query: {
    resource: requiredParameter(
      'resource',
      'A list, or what one row of it is called: annotation.',
      resourceNames,
    ),
    id: requiredParameter('id', 'The id of the row; of a key its value.'),
  },
  status: 200,
  response: explanationSchema,
  errors: ['validation_error', 'not_found'],

  handle({ query: { resource, id } }, { simulator }) {
    const explanation = simulator.why(resource, id)
    if (explanation) return explanation
    throw resourceNotFound('id', `Row ${id} of ${resource}`, 'it never was, as far as is known')
  },
})

function requiredParameter(
  name: string,
  description: string,
  words?: readonly string[],
): Parameter<string> {
  return {
    description,
    schema: { type: 'string', ...(words && { enum: [...words] }) },
    required: true,
    read(text) {
      if (text !== null && text !== '') return text
      throw unexpectedValue(
        'explain a row',
        `${name} in the query`,
        text ?? undefined,
        undefined,
        name,
      )
    },
  }
}
