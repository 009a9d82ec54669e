import { expect, test } from 'vitest'
import { parseKeys } from '../../../../src/analysis/observe/keys.ts'
import type { Finding } from '../../../../src/analysis/observe/observe.ts'
import type { PolicyId } from '../../../../src/policies/policies.ts'
import { observeOddServer } from '../../../support/observe/odd-server.ts'

const error = (status: number) => () =>
  Response.json({ type: 'a', code: 'b', detail: 'No.', attr: null }, { status })
const find = (findings: readonly Finding[], wanted: PolicyId) =>
  findings.find(({ id }) => id === wanted)
const keys = parseKeys({ all: 'phx_all' })
const whole = { allowWrites: false, keys }

test.each([
  ['once', (count: number) => count === 1, undefined],
  ['in both rounds', () => true, true],
])('an unexpected status that a server returns %s is seen, or not', async (_, isReturned, seen) => {
  let count = 0
  const { findings } = await observeOddServer((_number, url) => {
    if (!/limit=many|offset=none/.test(url)) return null
    count += 1
    return isReturned(count) ? error(422)() : null
  }, whole)

  expect(find(findings, 'lists.limit.invalid')).toEqual({
    id: 'lists.limit.invalid',
    value: null,
    open: 'The status was 422, and the values would show as 200 or 400.',
    ...(seen && { seen }),
    evidence: [
      'GET /api/projects/:project_id/annotations/?limit=many&offset=1000000000 → 422',
      `GET /api/projects/:project_id/annotations/?offset=none&limit=1 → ${seen ? 422 : 200}`,
    ],
  })
})

test.each([302, 500])('a server whose DELETE returns %i shows no value', async (status) => {
  const { findings } = await observeOddServer(
    (_number, _url, { method }) => (method === 'DELETE' ? error(status)() : null),
    { allowWrites: true, keys },
  )

  expect(find(findings, 'annotations.delete.status')).toEqual({
    id: 'annotations.delete.status',
    value: null,
    open: `The status was ${status}, and the values would show as 403, 404 or 405.`,
    evidence: expect.arrayContaining([
      `DELETE /api/projects/:project_id/annotations/:id/ → ${status}`,
    ]),
  })
})
