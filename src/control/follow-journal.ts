import * as z from 'zod'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { Streamed } from '../http/streamed.ts'
import { unexpected } from '../usage-error.ts'
import type { World } from './world.ts'

/** As the HTML standard has server-sent events: `new EventSource(url)` in a page, `curl -N` in a terminal. */
export const followJournal: Endpoint<World> = endpoint({
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
      throw unexpected('follow the journal', expected, text, undefined, 'last-event-id')
    }
    const after = text === null ? null : Number(text)
    return new Streamed<string>('text/event-stream', simulator.journal.events(after))
  },
})
