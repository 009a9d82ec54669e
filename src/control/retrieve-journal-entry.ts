import { defineEndpoint, type Endpoint } from '../http/endpoint.ts'
import { integerIdParameter } from '../http/parameters.ts'
import { journalEntrySchema } from '../journal/schema.ts'
import { resourceNotFound } from './absent.ts'
import type { ControlContext } from './world.ts'

export const retrieveJournalEntry: Endpoint<ControlContext> = defineEndpoint({
  id: 'retrieveJournalEntry',
  summary: 'Show one request, its answer, and what it changed.',

  method: 'GET',
  path: '/__admin/journal/:id',
  scope: 'operator',

  params: { id: integerIdParameter('The id of an entry.') },
  status: 200,
  response: journalEntrySchema,
  errors: ['not_found'],

  handle({ params }, { simulator }) {
    const entry = simulator.journal.get(params.id)
    if (entry) return entry
    throw resourceNotFound('id', `Entry ${params.id}`, 'it never was, or is no longer kept')
  },
})
