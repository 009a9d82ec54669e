import * as z from 'zod'
import { defineEndpoint, type Endpoint } from '../http/endpoint.ts'
import { journalEntrySchema } from '../journal/schema.ts'
import { journalFilterParameters, parseJournalFilter } from './journal-filter.ts'
import type { ControlContext } from './world.ts'

export const listJournal: Endpoint<ControlContext> = defineEndpoint({
  id: 'listJournal',
  summary: 'List what was asked and answered, in the order of the requests.',

  method: 'GET',
  path: '/__admin/journal',
  scope: 'operator',

  params: {},
  query: journalFilterParameters,
  status: 200,
  response: z.array(journalEntrySchema),
  errors: ['validation_error'],

  handle({ url }, { simulator }) {
    return simulator.journal.find(parseJournalFilter(url))
  },
})
