import * as z from 'zod'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { journalEntry } from '../journal/schema.ts'
import { filterIn, filterParameters } from './journal-filter.ts'
import type { World } from './world.ts'

export const listJournal: Endpoint<World> = endpoint({
  id: 'listJournal',
  summary: 'List what was asked and answered, in the order of the requests.',

  method: 'GET',
  path: '/__admin/journal',
  scope: 'operator',

  params: {},
  query: filterParameters,
  status: 200,
  response: z.array(journalEntry),
  errors: ['validation_error'],

  handle({ url }, { simulator }) {
    return simulator.journal.find(filterIn(url))
  },
})
