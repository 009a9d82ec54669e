import { expect, test } from 'vitest'
import { findRoute, PastRequest } from '../../../../src/sandbox/journal/past-request.ts'
import type { JournalRecord } from '../../../../src/sandbox/journal/record.ts'
import { SimulatorBase } from '../../../../src/sandbox/simulator-base.ts'
import type { SimulatorOptions } from '../../../../src/sandbox/simulator-options.ts'
import { createSimulator } from '../../../../src/simulator.ts'
import { MemoryBudget } from '../../../../src/utils/bounded-queue.ts'
import { annotationsPath, noon } from '../../../support/api/paths.ts'
import { initOf, type RequestOptions } from '../../../support/lanes/client.ts'

/** Sends a request, and opens it again. */
async function reopen(
  [method, path, options = {}]: readonly [method: string, path: string, options?: RequestOptions],
  settings: SimulatorOptions = {},
  change: object = {},
) {
  const simulator = createSimulator({ clock: noon, ...settings })
  await simulator.fetch(path, initOf(method, options))
  const sandbox = SimulatorBase.sandboxOf(simulator)
  const record = { ...(sandbox.journal.records[0] as JournalRecord), ...change }
  return { simulator, sandbox, record }
}

const post = ['POST', annotationsPath, { body: { content: 'One' } }] as const

test('an accepted request is answered the same each time, and changes no rows', async () => {
  const { simulator, sandbox } = await reopen(post)
  const [record] = sandbox.journal.records as [JournalRecord]
  const before = simulator.world.toJSON()
  const past = PastRequest.open(record, sandbox)

  const answers = [past?.answer(), past?.answer(), past?.answer({ 'errors.body': 'list' })]

  expect(answers.map((answer) => answer?.status)).toEqual([201, 201, 201])
  expect(new Set(answers.map((answer) => answer?.text)).size).toBe(1)
  expect(past?.tables.annotations.get(9)).toBeUndefined()
  expect(past?.record).toBe(record)
  expect(simulator.world.toJSON()).toEqual(before)
})

test('the policies of a past request are those that the first answer read', async () => {
  const { sandbox } = await reopen(['GET', `${annotationsPath}6/`])
  const past = PastRequest.open(sandbox.journal.records[0] as JournalRecord, sandbox)
  const lists = [past?.readPolicies]

  past?.answer({ 'keys.places': 'header' })
  lists.push(past?.readPolicies)
  past?.answer({ 'annotations.deleted.visibility': 'listed' })
  lists.push(past?.readPolicies)

  expect(lists[0]).toEqual([])
  expect(lists[1]).toContain('annotations.deleted.visibility')
  expect(lists[2]).toBe(lists[1])
})

test.each<[title: string, request: Parameters<typeof reopen>, policies: object, status: number]>([
  ['a deleted row', [['GET', `${annotationsPath}6/`]], {}, 404],
  [
    'a deleted row, shown by a policy',
    [['GET', `${annotationsPath}6/`]],
    { 'annotations.deleted.visibility': 'listed' },
    200,
  ],
  ['an unknown path', [['GET', '/api/nowhere/']], {}, 404],
  ['a suffix', [['GET', '/api/projects/1/annotations.json']], {}, 404],
  [
    'a suffix, accepted by a policy',
    [['GET', '/api/projects/1/annotations.json']],
    { 'paths.format': 'on' },
    200,
  ],
  [
    'a key in the query',
    [['GET', `${annotationsPath}?personal_api_key=phx_all`, { key: null }]],
    { 'keys.places': 'header_body_query' },
    200,
  ],
  [
    'a text that is no JSON',
    [['POST', annotationsPath, { raw: '{', headers: { 'content-type': 'application/json' } }]],
    {},
    400,
  ],
  ['bytes', [post, {}, { requestBody: new TextEncoder().encode('{"deleted": "x"}') }], {}, 400],
  ['an omitted body', [post, {}, { requestBody: { omitted: 5 } }], {}, 413],
  [
    'a request over the rate limit',
    [
      ['GET', annotationsPath],
      { policies: { 'limits.rate': 'observed' } },
      { response: { status: 429 } },
    ],
    {},
    429,
  ],
  ['no rate limit', [['GET', annotationsPath], {}, { response: { status: 429 } }], {}, 200],
  [
    'a request below the rate limit',
    [['GET', annotationsPath], { policies: { 'limits.rate': 'observed' } }],
    {},
    200,
  ],
])('a past request is answered again: %s', async (_title, request, policies, status) => {
  const { sandbox, record } = await reopen(...request)

  expect(PastRequest.open(record, sandbox)?.answer(policies).status).toBe(status)
})

test('a past request is answered by another endpoint', async () => {
  const { sandbox } = await reopen(['GET', annotationsPath])
  const past = PastRequest.open(sandbox.journal.records[0] as JournalRecord, sandbox)
  const contexts: unknown[] = []

  past?.answer({}, (route) => {
    const handle = (context: { project: { id: number } }) => void contexts.push(context.project.id)
    return { ...route, endpoint: { ...route.endpoint, handle: handle as never } }
  })

  expect(contexts).toEqual([1])
})

test('without a journal, the rows of a request are the present ones, and otherwise they can be unknown', async () => {
  const off = await reopen(post, { journal: { entries: 0 } }, { at: 0 })
  const on = await reopen(post)
  const [record] = on.sandbox.journal.records as [JournalRecord]
  on.sandbox.history.share(new MemoryBudget(1))
  on.simulator.world.annotations.update(1, { content: 'Evicted at once' })

  expect(PastRequest.open(off.record, off.sandbox)?.tables.annotations.get(9)?.content).toBe('One')
  expect(PastRequest.open(record, on.sandbox)).toBeNull()
})

test.each([
  ['GET', annotationsPath, 'listAnnotations', { project_id: '1' }],
  ['GET', `${annotationsPath}?limit=1`, 'listAnnotations', { project_id: '1' }],
  ['PATCH', `${annotationsPath}5`, 'updateAnnotation', { project_id: '1', id: '5' }],
])('the route of %s %s is %s', async (method, target, id, params) => {
  const { record } = await reopen(['GET', annotationsPath])

  const route = findRoute({ method, target }, record.settings)

  expect([route?.endpoint.id, route?.params]).toEqual([id, params])
  expect(findRoute({ method, target: '/other/' }, record.settings)).toBeNull()
})
