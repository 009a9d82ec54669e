import type { Har } from 'har-format'
import * as z from 'zod'
import { bodyFailures } from '../../http/body.ts'
import { defineEndpoint, type Endpoint } from '../../http/endpoint.ts'
import { integerIdParameter, type Parameter } from '../../http/parameters.ts'
import { StreamedBody } from '../../http/responses.ts'
import { journalEntrySchema } from '../../sandbox/journal/entry-schema.ts'
import { type Expectation, expectationSchema } from '../../sandbox/journal/expectation.ts'
import type { JournalFilter } from '../../sandbox/journal/filter.ts'
import type { VerifyResult } from '../../sandbox/journal/verify.ts'
import type { RecordOptions } from '../../scenarios/recording/journal-span.ts'
import type { Recording } from '../../scenarios/recording/write-scenario.ts'
import { unexpectedValue } from '../../utils/usage-error.ts'
import {
  type ControlContext,
  parseQuery,
  resourceNotFound,
  textParameter,
  uncheckedBody,
} from './control-endpoint.ts'

/** The parameters of a query that is a filter of the journal. */
const journalFilterParameters: Readonly<Record<keyof JournalFilter, Parameter<string | null>>> = {
  operation: textParameter('The id of an operation.'),
  key: textParameter('The label or the value of a key.'),
  status: textParameter('A status such as 404, or a hundred of them such as 4xx.'),
  since: textParameter('ISO 8601: entries from this time on.'),
  until: textParameter('ISO 8601: entries up to this time.'),
  unmatched: textParameter('true for requests that nothing describes, false for the others.'),
  limit: textParameter('The latest ones, so many at most.'),
}

/** The filter in an address, unchecked: a name that is none is for the journal to refuse. */
function parseJournalFilter(url: string): JournalFilter {
  return parseQuery(url, { limit: 'number', unmatched: 'boolean' })
}

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

export const clearJournal: Endpoint<ControlContext> = defineEndpoint({
  id: 'clearJournal',
  summary: 'Forget every entry of the journal; their numbers go on.',

  method: 'DELETE',
  path: '/__admin/journal',
  scope: 'operator',

  params: {},
  status: 204,
  response: z.undefined(),
  errors: [],

  handle(_input, { simulator }): undefined {
    simulator.journal.clear()
  },
})

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

/** As the HTML standard has server-sent events: `new EventSource(url)` in a page, `curl -N` in a terminal. */
export const followJournal: Endpoint<ControlContext> = defineEndpoint({
  id: 'followJournal',
  summary: 'Follow the journal by server-sent events; Last-Event-ID goes on after an entry.',

  method: 'GET',
  path: '/__admin/journal/events',
  scope: 'operator',

  params: {},
  status: 200,
  mediaType: 'text/event-stream',
  response: z.string(),
  errors: ['validation_error'],

  handle(input, { simulator }) {
    const text = input.header('last-event-id')
    if (text !== null && !/^\d{1,15}$/.test(text)) {
      const expected = 'Last-Event-ID to be the id of an entry'
      throw unexpectedValue('follow the journal', expected, text, undefined, 'last-event-id')
    }
    const after = text === null ? null : Number(text)
    return new StreamedBody<string>('text/event-stream', simulator.journal.events(after))
  },
})

const verdictSchema: z.ZodType<VerifyResult> = z.object({
  held: z.boolean(),
  found: z.int(),
  nearest: z.array(z.object({ entry: z.int(), differences: z.array(z.string()) })),
  message: z.string(),
})

/** An expectation that does not hold is an answer like any other: 200, with `held` false. */
export const verifyRequests: Endpoint<ControlContext> = defineEndpoint({
  id: 'verifyRequests',
  summary: 'Tell whether expected requests came, and which came nearest.',

  method: 'POST',
  path: '/__admin/verify',
  scope: 'operator',

  params: {},
  body: uncheckedBody<Expectation>(expectationSchema),
  status: 200,
  response: verdictSchema,
  errors: bodyFailures,

  handle({ body = {} }, { simulator }) {
    return simulator.journal.verify(body)
  },
})

const recordingSchema = z.object({
  scenario: z.looseObject({ title: z.string(), steps: z.array(z.record(z.string(), z.unknown())) }),
  warnings: z.array(z.string()),
}) as unknown as z.ZodType<Recording>

/** What is not in it is told in its warnings. */
export const recordJournal: Endpoint<ControlContext> = defineEndpoint({
  id: 'recordJournal',
  summary: 'Tell what was asked as a scenario that can be replayed.',

  method: 'POST',
  path: '/__admin/record',
  scope: 'operator',

  params: {},
  body: uncheckedBody<RecordOptions>(),
  status: 200,
  response: recordingSchema,
  errors: bodyFailures,

  handle({ body = {} }, { simulator }) {
    return simulator.record(body)
  },
})
