import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { rowId } from '../http/parameters.ts'
import { journalEntry } from '../journal/schema.ts'
import { absent } from './absent.ts'
import type { World } from './world.ts'

export const retrieveJournalEntry: Endpoint<World> = endpoint({
  id: 'retrieveJournalEntry',
  summary: 'Show one request, its answer, and what it changed.',

  method: 'GET',
  path: '/__admin/journal/:id',
  scope: 'operator',

  params: { id: rowId('The id of an entry.') },
  status: 200,
  response: journalEntry,
  errors: ['not_found'],

  handle({ params }, { simulator }) {
    const entry = simulator.journal.get(params.id)
    if (entry) return entry
    throw absent('id', `Entry ${params.id}`, 'it never was, or is no longer kept')
  },
})
