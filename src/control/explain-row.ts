import * as z from 'zod'
import { resourceNames } from '../history/resources.ts'
import type { Explanation } from '../history/why.ts'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import type { Parameter } from '../http/parameters.ts'
import { shownKey } from '../journal/schema.ts'
import { unexpected } from '../usage-error.ts'
import { absent } from './absent.ts'
import type { World } from './world.ts'

const since = z.union([
  z.object({
    entry: z.int(),
    operation: z.string().nullable(),
    at: z.string().nullable(),
    key: shownKey.nullable(),
  }),
  z.object({ actor: z.string() }),
  z.object({ edit: z.literal('world') }),
  z.literal(['the beginning', 'no longer known']),
])

const explanation = z.object({
  list: z.string(),
  id: z.union([z.int(), z.string()]),
  row: z.record(z.string(), z.unknown()).nullable(),
  removed: since.nullable(),
  fields: z.array(z.object({ field: z.string(), value: z.unknown(), since })),
}) as unknown as z.ZodType<Explanation>

export const explainRow: Endpoint<World> = endpoint({
  id: 'explainRow',
  summary: 'Tell which request each field of a row comes from.',

  method: 'GET',
  path: '/__admin/why',
  scope: 'operator',

  params: {},
  query: {
    resource: required(
      'resource',
      'A list, or what one row of it is called: annotation.',
      resourceNames,
    ),
    id: required('id', 'The id of the row; of a key its value.'),
  },
  status: 200,
  response: explanation,
  errors: ['validation_error', 'not_found'],

  handle({ query: { resource, id } }, { simulator }) {
    const explanation = simulator.why(resource, id)
    if (explanation) return explanation
    throw absent('id', `Row ${id} of ${resource}`, 'it never was, as far as is known')
  },
})

function required(name: string, description: string, words?: readonly string[]): Parameter<string> {
  return {
    description,
    schema: { type: 'string', ...(words && { enum: [...words] }) },
    required: true,
    read(text) {
      if (text !== null && text !== '') return text
      throw unexpected('explain a row', `${name} in the query`, text ?? undefined, undefined, name)
    },
  }
}
