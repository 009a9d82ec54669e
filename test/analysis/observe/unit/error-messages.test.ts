import { expect, test } from 'vitest'
import { observeProbe } from '../../../support/observe/observe-probe.ts'

type Setup = Parameters<typeof observeProbe>[1]
type Change = NonNullable<Setup['change']>

const error = (status: number, detail = 'No.'): Response =>
  Response.json({ type: 'a', code: 'b', detail, attr: null }, { status })
const missing = 'Not found.'

test.each([
  [404, missing, 404, missing, 'not_found'],
  [404, 'No such Project.', 404, missing, 'project_not_found'],
  [404, 'Gone.', 404, missing, 'The message is neither the usual one nor about a project.'],
  [404, null, 404, missing, 'Errors have no message.'],
  [404, missing, 404, null, 'Errors have no message.'],
  [404, null, 404, null, 'Errors have no message.'],
  [200, missing, 404, missing, 'The status was 200, and the values would show as 404.'],
  [404, missing, 403, missing, 'The status was 403, and the values would show as 404.'],
])(
  'a project that is no number, with %i %j, and a missing row, with %i %j, show: %s',
  async (status, message, rowStatus, rowMessage, value) => {
    const answer = (code: number, detail: string | null) =>
      detail === null ? new Response('', { status: code }) : error(code, detail)
    const forms = { 'errors.body': message === null ? 'empty' : 'envelope' } as const
    const change: Change = (response, _method, path) => {
      if (path.includes('understudy-1')) return answer(status, message)
      return path.includes('/0/') ? answer(rowStatus, rowMessage) : response
    }

    expect(await observeProbe('projects.id.not_a_number', { policies: forms, change })).toBe(value)
  },
)

/** A server with these messages for no key and for an unknown one, and with this answer to a key in the query. */
function withMessages(noKey: string | null, wrongKey: string | null, inQuery: Response): Setup {
  let count = 0
  const refuse = (detail: string | null) =>
    detail === null ? new Response('', { status: 401 }) : error(401, detail)
  const change: Change = (response) => {
    if (response.status !== 401) return response
    count += 1
    return count === 1 ? refuse(noKey) : count === 2 ? refuse(wrongKey) : inQuery
  }
  return { change, allowWrites: false }
}

const needsWrites =
  'The errors for a missing and an unknown key are the same. It needs --allow-writes.'

test.each([
  ['No key.', 'Wrong key.', error(401, 'No key.'), 'header'],
  ['No key.', 'Wrong key.', error(401, 'Wrong key.'), 'header_body_query'],
  [
    'No key.',
    'Wrong key.',
    error(403, 'Wrong key.'),
    'The status was 403, and the values would show as 401.',
  ],
  ['No key.', 'No key.', error(401), needsWrites],
  [null, 'Wrong key.', error(401), needsWrites],
  ['No key.', null, error(401), needsWrites],
])(
  'the messages %j and %j show where keys are read, or need writes',
  async (noKey, wrongKey, inQuery, value) => {
    expect(await observeProbe('keys.places', withMessages(noKey, wrongKey, inQuery))).toBe(value)
  },
)

test.each([
  [() => Response.json({ id: 9 }), 'header_body_query'],
  [() => error(401), 'header'],
  [() => Response.json([]), 'The status was 200, and the values would show as 401.'],
  [() => error(403), 'The status was 403, and the values would show as 401.'],
])('a change with the key in its body, answered with %#, shows: %s', async (answer, value) => {
  const change: Change = (response, method) => {
    if (method === 'PATCH') return answer()
    return response.status === 401 ? error(401) : response
  }

  expect(await observeProbe('keys.places', { change })).toBe(value)
})
