import { explainEntry } from '../explain/explain.ts'
import type { RecordOptions } from '../scenarios/recording/capture-journal.ts'
import {
  entryQuerySchema,
  journalFilterSchema,
  streamQuerySchema,
} from '../simulator/journal/filter.ts'
import type { Expectation } from '../simulator/journal/verify.ts'
import { unexpectedValue } from '../utils/errors.ts'
import { found, operation, queryOperation, toId, unchecked } from './operation.ts'

export const journalOperations = {
  'GET /journal': queryOperation(
    'List the requests with their responses, the oldest first: operation, method, path, key, status, unmatched, limit. The parameter bodies=false leaves out headers and bodies.',
    entryQuerySchema,
    ({ simulator, query }) => simulator.journal.find(query),
  ),

  'DELETE /journal': operation(
    'Remove all entries, and what is known of sandboxes that ended. The numbering continues.',
    ({ simulator, server, run }) => {
      simulator.journal.clear()
      if (simulator === server) run.clear()
    },
  ),

  'GET /journal/events': queryOperation(
    'Follow the journal as server-sent events. Last-Event-ID continues after an entry. The parameter bodies=false leaves out headers and bodies.',
    streamQuerySchema,
    ({ simulator, query, ...call }) => {
      const { lastEventId: last, closed } = call
      if (last !== null && !/^\d{1,15}$/.test(last)) {
        const expected = 'the id of an entry in Last-Event-ID'
        throw unexpectedValue('follow the journal', expected, last, undefined, 'last-event-id')
      }
      return simulator.journal.events(last === null ? null : Number(last), closed, query)
    },
  ),

  'GET /journal/har': queryOperation(
    'Export the journal as a HAR 1.2 archive, with the filter of the list.',
    journalFilterSchema,
    ({ simulator, query }) => simulator.journal.toHar(query),
  ),

  'GET /journal/mistakes': operation(
    'List the client mistakes that the journal shows, and those in all sandboxes, by their names.',
    ({ simulator, server, run }) =>
      simulator === server ? run.mistakes() : simulator.journal.mistakes(),
  ),

  'GET /journal/:id': operation(
    'Read one request with its response, and the changes that it made.',
    ({ simulator }, id: string) => foundEntry(simulator.journal.get(toId(id)), id),
  ),

  'GET /journal/:id/reasons': operation(
    'Explain a response: the rule of each part, its evidence, and a request that succeeds.',
    ({ simulator }, id: string) => foundEntry(explainEntry(toId(id), simulator.state), id),
  ),

  'POST /verify': operation(
    'Verify that the expected requests were received, and list the nearest ones. A failed verification is a result.',
    unchecked<Expectation>(),
    ({ simulator, body }) => simulator.journal.verify(body),
  ),

  'POST /record': operation(
    'Convert the journal to a scenario that can be run again.',
    unchecked<RecordOptions>(),
    ({ simulator, body }) => simulator.record(body),
  ),

  'GET /report': operation(
    'Report the client mistakes, the settings that responses depend on, and the scopes that keys used.',
    ({ simulator, server, run }) => (simulator === server ? run.report() : simulator.report()),
  ),
}

function foundEntry<T>(entry: T | undefined, id: string): T {
  return found(entry, 'id', `Entry ${id}`)
}
