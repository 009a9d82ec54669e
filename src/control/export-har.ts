import * as z from 'zod'
import type { Har } from '../har/archive.ts'
import { defineEndpoint, type Endpoint } from '../http/endpoint.ts'
import { journalFilterParameters, parseJournalFilter } from './journal-filter.ts'
import type { ControlContext } from './world.ts'

const harSchema = z.object({
  log: z.object({
    version: z.literal('1.2'),
    creator: z.object({ name: z.string(), version: z.string() }),
    entries: z.array(z.record(z.string(), z.unknown())),
  }),
}) as unknown as z.ZodType<Har>

export const exportHar: Endpoint<ControlContext> = defineEndpoint({
  id: 'exportHar',
  summary: 'Export the journal as a HAR 1.2 archive.',

  method: 'GET',
  path: '/__admin/journal/har',
  scope: 'operator',

  params: {},
  query: journalFilterParameters,
  status: 200,
  response: harSchema,
  errors: ['validation_error'],

  handle({ url }, { simulator }) {
    return simulator.journal.toHar(parseJournalFilter(url))
  },
})
