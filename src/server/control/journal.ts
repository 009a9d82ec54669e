import * as z from 'zod'
import { explainEntry } from '../../analysis/reasons/explain.ts'
import { reasonsSchema } from '../../analysis/reasons/response-reasons.ts'
import { clientMistakeSchema, reportSchema } from '../../analysis/report/report-schema.ts'
import { StreamedBody } from '../../http/messages.ts'
import { integerIdParameter, type Parameter } from '../../http/parameters.ts'
import type { JournalFilter } from '../../sandbox/journal/filter.ts'
import { journalEntrySchema } from '../../sandbox/journal/journal-schemas.ts'
import { type Expectation, expectationSchema } from '../../sandbox/journal/verify.ts'
import type { RecordOptions } from '../../scenarios/recording/capture-journal.ts'
import { parseInteger } from '../../utils/python/text.ts'
import { typed } from '../../utils/schema-issues.ts'
import { inspectValue, unexpectedValue } from '../../utils/usage-error.ts'
import {
  anyObject,
  found,
  operation,
  parseQuery,
  textParameter,
  uncheckedBody,
} from './operation.ts'
import { scenarioSchema } from './scenarios.ts'

const entryId: Parameter<number> = {
  ...integerIdParameter('The id of an entry.'),
  read(text) {
    const id = parseInteger(text ?? '')
    return found(id, { id: text }, `Entry ${inspectValue(text)}`, 'expected the number of an entry')
  },
}

const filterParameters: Readonly<Record<keyof JournalFilter, Parameter<string | null>>> = {
  operation: textParameter('The id of an operation.'),
  key: textParameter('The label or the value of a key.'),
  status: textParameter('A status such as 404, or a class of statuses such as 4xx.'),
  since: textParameter('ISO 8601: entries from this time on.'),
  until: textParameter('ISO 8601: entries up to this time.'),
  row: textParameter('A row that the request changed, as its list and id: annotations/5.'),
  unmatched: textParameter('true for requests that no operation matches, false for the others.'),
  limit: textParameter('The largest number of entries, counted from the latest.'),
}

const harSchema = z.object({
  log: z.object({
    version: typed<string>(z.literal('1.2')),
    creator: z.object({ name: z.string(), version: z.string() }),
    entries: z.array(anyObject),
  }),
})

const verifyResultSchema = z.object({
  passed: z.boolean(),
  found: z.int(),
  nearest: z.array(z.object({ entry: z.int(), differences: z.array(z.string()) })),
  message: z.string(),
})

const recordingSchema = z.object({ scenario: scenarioSchema, warnings: z.array(z.string()) })

export const journalOperations = {
  listJournal: operation('GET', '/__admin/journal', {
    summary: 'List the requests with their responses, the oldest first.',
    query: filterParameters,
    response: z.array(journalEntrySchema),
    errors: ['validation_error'],
    handle: ({ url }, { journal }) => journal.find(parseFilter(url)),
  }),

  clearJournal: operation('DELETE', '/__admin/journal', {
    summary: 'Remove all entries. The numbering of entries continues.',
    handle: (_, { journal }) => journal.clear(),
  }),

  retrieveJournalEntry: operation('GET', '/__admin/journal/:id', {
    summary: 'Read one request with its response, and the changes that it made.',
    params: { id: entryId },
    response: journalEntrySchema,
    errors: ['not_found'],
    handle: ({ params: { id } }, { journal }) => foundEntry(journal.get(id), id),
  }),

  explainEntry: operation('GET', '/__admin/journal/:id/reasons', {
    summary:
      'Explain a response: the rule of each part, its evidence, and a request that succeeds.',
    params: { id: entryId },
    response: reasonsSchema,
    errors: ['not_found'],
    handle: ({ params: { id } }, { sandbox }) => foundEntry(explainEntry(id, sandbox), id),
  }),

  exportHar: operation('GET', '/__admin/journal/har', {
    summary: 'Export the journal as a HAR 1.2 archive.',
    query: filterParameters,
    response: harSchema,
    errors: ['validation_error'],
    handle: ({ url }, { journal }) => journal.toHar(parseFilter(url)),
  }),

  listMistakes: operation('GET', '/__admin/journal/mistakes', {
    summary: 'List the mistakes of clients that the journal shows.',
    response: z.array(clientMistakeSchema),
    handle: (_, { journal }) => journal.mistakes(),
  }),

  followJournal: operation('GET', '/__admin/journal/events', {
    summary: 'Follow the journal as server-sent events. Last-Event-ID continues after an entry.',
    mediaType: 'text/event-stream',
    response: z.string(),
    errors: ['validation_error'],
    handle(input, { journal }) {
      const lastId = input.header('last-event-id')
      if (lastId !== null && !/^\d{1,15}$/.test(lastId)) {
        const expected = 'the id of an entry in Last-Event-ID'
        throw unexpectedValue('follow the journal', expected, lastId, undefined, 'last-event-id')
      }
      const after = lastId === null ? null : Number(lastId)
      return new StreamedBody('text/event-stream', journal.events(after))
    },
  }),

  // A failed verification is a result, not an error: 200, with `passed` false.
  verifyRequests: operation('POST', '/__admin/verify', {
    summary: 'Verify that the expected requests were received, and list the nearest ones.',
    body: uncheckedBody<Expectation>(expectationSchema),
    response: verifyResultSchema,
    handle: ({ body = {} }, { journal }) => journal.verify(body),
  }),

  recordJournal: operation('POST', '/__admin/record', {
    summary: 'Convert the journal to a scenario that can be replayed.',
    body: uncheckedBody<RecordOptions>(),
    response: recordingSchema,
    handle: ({ body = {} }, simulator) => simulator.record(body),
  }),

  readReport: operation('GET', '/__admin/report', {
    summary: 'Report what the requests in the journal exercised of the API, and on which evidence.',
    response: reportSchema,
    errors: ['validation_error'],
    handle: (_input, simulator) => simulator.report(),
  }),
}

function foundEntry<T>(entry: T | undefined, id: number): T {
  return found(entry, { id }, `Entry ${id}`, 'it never existed, or is no longer stored')
}

/** Parses the filter without checking it. The journal rejects unknown names. */
function parseFilter(url: string): JournalFilter {
  return parseQuery(url, { limit: 'number', unmatched: 'boolean' })
}
