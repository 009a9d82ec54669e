import { expect, test } from 'vitest'
import { observeProbe } from '../../support/observe/observe-probe.ts'

type Setup = Parameters<typeof observeProbe>[1]
type Change = NonNullable<Setup['change']>

const error = (status: number, detail = 'No.'): Response =>
  Response.json({ type: 'a', code: 'b', detail, attr: null }, { status })

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
