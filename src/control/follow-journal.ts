import * as z from 'zod'
import { defineEndpoint, type Endpoint } from '../http/endpoint.ts'
import { StreamedBody } from '../http/streamed.ts'
import { unexpectedValue } from '../usage-error.ts'
import type { ControlContext } from './world.ts'

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
