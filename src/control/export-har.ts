import * as z from 'zod'
import type { Har } from '../har/archive.ts'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { filterIn, filterParameters } from './journal-filter.ts'
import type { World } from './world.ts'

const archive = z.object({
  log: z.object({
    version: z.literal('1.2'),
    creator: z.object({ name: z.string(), version: z.string() }),
    entries: z.array(z.record(z.string(), z.unknown())),
  }),
}) as unknown as z.ZodType<Har>

export const exportHar: Endpoint<World> = endpoint({
  id: 'exportHar',
  summary: 'Export the journal as a HAR 1.2 archive.',

  method: 'GET',
  path: '/__admin/journal/har',
  scope: 'operator',

  params: {},
  query: filterParameters,
  status: 200,
  response: archive,
  errors: ['validation_error'],

  handle({ url }, { simulator }) {
    return simulator.journal.toHar(filterIn(url))
  },
})
