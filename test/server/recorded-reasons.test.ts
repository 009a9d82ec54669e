import { expect, test } from 'vitest'
import { playbackHandlers } from '../../src/index.ts'
import { authorization } from '../support/api/headers.ts'
import { serve } from '../support/forwarding.ts'

test.each([
  ['an error', 400, { detail: 'No such thing.' }, '400: No such thing'],
  ['an error of a field', 400, { detail: 'Wrong.', attr: 'limit' }, '400: body.limit: Wrong'],
  ['a list of errors', 422, [{ detail: 'Wrong' }, { detail: 'Other' }], '422: Wrong'],
  ['another detail', 400, { detail: 5 }, '400: the request was refused'],
  ['another format', 502, '<html>', '502: the request was refused'],
  ['a success', 200, { detail: 'Done.' }, null],
  ['a redirect', 399, { detail: 'Moved.' }, null],
])(
  'a response from outside the service is explained by its body: %s',
  async (_title, status, body, reason) => {
    const expected = { status, ...(body !== undefined && { body }) }
    const step = { title: 'A', as: 'all', method: 'GET' as const, path: '/other', expect: expected }
    const recording = playbackHandlers({ title: 'A', steps: [step] })
    const { simulator } = recording.playback
    const { url } = await serve({ recording }, simulator)

    await fetch(`${url}/other`, { headers: authorization('phx_all') })

    expect(simulator.journal.find()[0]?.reason).toBe(reason)
  },
)
