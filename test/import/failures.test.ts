import { expect, test } from 'vitest'
import { titleOfFailures } from '../../src/import/incident.ts'
import { annotationsPath } from '../support/api/paths.ts'
import { createPage, createPart, createRow, type TrafficInput } from '../support/traffic.ts'
import { incidentOf, scenarioOf } from './derive.ts'

const url = `${annotationsPath}4/`
const timedOut = { error: 'net::ERR_TIMED_OUT' } as const
const notFound = { type: 'invalid_request', code: 'not_found', detail: 'Not found.', attr: null }
const before: TrafficInput = { url, received: createRow(4, 'Before') }
const after: TrafficInput = { url, received: createRow(4, 'After') }
const missing: TrafficInput = { url, status: 404, received: notFound }
const change = { method: 'PATCH', url, sent: { content: 'After' } }
const create = { method: 'POST', sent: { content: 'New' } }
const refused = { ...change, sent: { omitted: 9 }, status: 400 }
const lostChange: TrafficInput = { ...change, status: 0, lost: timedOut }
const hidden = createRow(4, 'Before', { deleted: true })
const hide: TrafficInput = { ...change, sent: { deleted: true }, received: hidden }
const restore: TrafficInput = { ...before, method: 'PATCH', sent: { deleted: false } }
const lost = 'Update annotation: response lost'

test('the row of a lost create has no spaces around its content', async () => {
  const create = { method: 'POST', sent: { content: ' Launch ' }, status: 0, lost: timedOut }
  const listed = { received: createPage(createRow(5, 'Launch')) }
  const { scenario } = await scenarioOf({ received: createPage() }, create, listed)

  const { test, broken } = await incidentOf(scenario)

  expect(broken).toEqual([])
  expect(test.expect).toMatchObject([
    { rows: { list: 'annotations', where: { content: 'Launch' } } },
  ])
})

test('a project whose id is masked gets one that no other has', async () => {
  const url = '/api/projects/p_8a1f/annotations/4/'
  const { scenario, warnings } = await scenarioOf(
    ...[before, missing].map((input) => ({ ...input, url })),
    { ...before, url: '/api/projects/1/annotations/5/', received: createRow(5, 'Other') },
  )

  expect(scenario.steps[0]).toMatchObject({ path: url.replace('p_8a1f', '2') })
  expect(warnings[1]).toBe('Made up, because the archive does not show it: the id of projects.')
})

test.each<[failure: string | undefined, title: string, inputs: readonly TrafficInput[]]>([
  [undefined, 'requests that succeed', [before, { ...change, received: createRow(4, 'After') }]],
  ['Retrieve annotation: response lost', 'a lost read', [{ ...before, status: 0, lost: timedOut }]],
  [`${lost} after the write`, 'a lost change that a read shows', [before, lostChange, after]],
  [lost, 'a lost change that no later read shows', [before, lostChange, before]],
  [
    'Update annotation: response lost after the write, retried',
    'a lost change that succeeds later',
    [before, lostChange, after, { ...change, received: createRow(4, 'After') }],
  ],
  [
    'Create annotation: redirected with 301, and not sent again',
    'a create whose redirect the client followed with a GET',
    [{ ...create, status: 301 }, { received: createPage() }],
  ],
  [
    undefined,
    'a create whose redirect the client followed',
    [
      { ...create, status: 307 },
      { ...create, status: 201, received: createRow(5, 'New') },
    ],
  ],
  ['Update annotation: throttled', 'a change beyond the limit', [{ ...change, status: 429 }]],
  [
    'Update annotation: failed with 502',
    'changes of two rows that failed',
    [4, 5].map((id) => ({ ...change, url: `${annotationsPath}${id}/`, status: 502 })),
  ],
  ['Retrieve annotation: refused with 404', 'a row that was never shown', [missing]],
  ['Update annotation: refused with 400', 'a body that was not recorded', [before, refused]],
  [
    'Update annotation: refused with 400, retried',
    'a body that was not recorded, and that the client corrected',
    [before, refused, { ...change, received: createRow(4, 'After') }],
  ],
  [undefined, 'a row that another client deleted', [before, missing]],
  [
    undefined,
    'a row whose id is masked, and that another client deleted',
    [before, missing].map((input) => ({ ...input, url: `${annotationsPath}h_4/` })),
  ],
  [
    'Retrieve annotation: refused with 404',
    'a row that a list lacked before',
    [before, { received: createPage() }, missing],
  ],
  [
    'Retrieve annotation: refused with 410 (404 in a simulator)',
    'a missing row that the service refuses with another status than a simulator',
    [{ ...missing, status: 410 }],
  ],
  [undefined, 'a row that the client itself deleted', [before, hide, missing]],
  [
    undefined,
    'a row that the client itself deleted, and that the service refuses with another status',
    [before, hide, { ...missing, status: 410 }],
  ],
  [
    undefined,
    'a change that the service accepts, and a simulator refuses',
    [{ ...change, sent: { scope: 'world' }, received: createRow(4, 'A', { scope: 'world' }) }],
  ],
  [
    undefined,
    'a client mistake',
    [4, 3].map((id, offset) => {
      const page = `${annotationsPath}?limit=2&offset=${offset}`
      return createPart(page, 3, createRow(id, 'A'), createRow(id - 1, 'A'))
    }),
  ],
  [
    'Delete annotation: refused with 405, retried',
    'a deletion that another request made good, and the user undid',
    [before, { method: 'DELETE', url, status: 405 }, hide, missing, restore],
  ],
  [
    'Retrieve annotation: refused with 404, and one more failure',
    'a failure that stays, before one that was retried',
    [{ received: createPage(), status: 500 }, { received: createPage() }, missing],
  ],
])('%s is the failure of %s', async (failure, _title, inputs) => {
  const { scenario } = await scenarioOf(...inputs)

  expect(titleOfFailures(await incidentOf(scenario))).toBe(failure)
})
