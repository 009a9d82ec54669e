import * as z from 'zod'
import { addedIdsSchema, newRowsSchema } from '../../world/edit/add-rows.ts'
import { generatedLists, generateRows, type RowCounts } from '../../world/edit/generate-rows.ts'
import { worldSchema } from '../../world/schema/world-schema.ts'
import { type ControlEndpoints, controlEndpoints, operation } from './control-endpoint.ts'
import { jsonBody, rowsBodyLimit, withGeneratedRows, worldBody } from './request-body.ts'

const rowCount = z.int().min(0).max(100_000).exactOptional()
const rowCountsSchema: z.ZodType<RowCounts> = z.strictObject(
  Object.fromEntries(generatedLists.map((list) => [list, rowCount])),
)

export const worldEndpoints: ControlEndpoints = [
  ...controlEndpoints('/__admin/world', {
    readWorld: operation('GET', '', {
      summary: 'Read the whole world, in the format of fixtures.',
      response: worldSchema,
      handle: (_, { world }) => world.toJSON(),
    }),

    // An invalid world changes nothing.
    replaceWorld: operation('PUT', '', {
      summary: 'Replace the whole world. A reset returns to the new one.',
      body: worldBody,
      bodyLimit: rowsBodyLimit,
      response: z.record(z.string(), z.int()),
      async handle({ body }, simulator) {
        simulator.replaceWorld(await withGeneratedRows(body))
        return simulator.world.counts
      },
    }),

    // An invalid row adds nothing.
    addRows: operation('PATCH', '', {
      summary: 'Add rows to lists of the world. Missing fields get defaults. Returns the ids.',
      body: jsonBody(newRowsSchema),
      bodyLimit: rowsBodyLimit,
      response: addedIdsSchema,
      handle: ({ body }, simulator) => simulator.addRows(body),
    }),
  }),

  ...controlEndpoints('/__admin', {
    addGenerated: operation('POST', '/generate', {
      summary: 'Add generated rows, by the number for each list. Returns the ids.',
      body: jsonBody(rowCountsSchema),
      response: addedIdsSchema,
      async handle({ body }, simulator) {
        const { generate } = await import('../../world/factories/generate.ts')
        return generateRows(simulator, body, generate)
      },
    }),

    resetWorld: operation('POST', '/reset', {
      summary: 'Reset the rows to those the simulator started with.',
      handle: (_, simulator) => simulator.reset(),
    }),
  }),
]
