import { expect, test } from 'vitest'
import { describeRows } from '../../src/import/failures.ts'
import type { Incident } from '../../src/import/incident.ts'
import type { Scenario, Simulator, Step, TestExpectation } from '../../src/index.ts'
import { acme, annotationsPath as list } from '../support/api/paths.ts'
import { incidentOf } from './derive.ts'
import { passes, type Request, sender, sends } from './judge.ts'

const first = `${list}1/`
const plugins = `/api/organizations/${acme}/plugins/`
const plugin = `${plugins}21/`
const send = (method: string, path: string, body?: object, as: string | null = 'all') =>
  ({ ...(as && { as }), method, path, ...(body && { body }) }) as Step
const drop = (operation: string, phase = 'before') =>
  ({ fault: { operation, when: { times: 1 }, phase, effect: { drop: true } } }) as Step
const fail = (status: number) => ({ fault: { when: { times: 1 }, effect: { status } } }) as Step
const moved = { fault: { when: { times: 1 }, effect: { status: 301 } } } as Step
const change = (body: object) => send('PATCH', first, body)
const edit = (row: object) => ({ update: { annotations: [{ id: 1, ...row }] } }) as Step
const by = (as: string | null, body?: object) => send(body ? 'POST' : 'GET', list, body, as)
const [launch, wrong] = [{ content: 'Launch' }, { content: 'Launch', scope: 'no' }]
const create = by('all', launch)
const read = (query: string) => send('GET', `${list}?${query}`)
const missing = send('GET', `${list}99/`)
const [lost, unsent] = [drop('createAnnotation', 'after-commit'), drop('createAnnotation')]

const incident = (...steps: readonly Step[]) =>
  incidentOf({ title: 'An incident', world: 'default', steps } as Scenario)

function textOf(expectation: TestExpectation): string {
  if ('no_mistake' in expectation) return expectation.no_mistake
  const { failure } = expectation
  return 'rows' in expectation
    ? `${failure}. ${describeRows(expectation.rows)}.`
    : `${failure}. ${JSON.stringify(expectation.received)}`
}

const unsentCreate = 'Create annotation: response lost. Expected'
const lostCreate = 'Create annotation: response lost after the write. Expected'
const launched = 'rows of annotations with content "Launch" and deleted false.'
const refusedDelete = (status: number) =>
  `Delete annotation: refused with ${status}. {"operation":"deleteAnnotation","status":${status},"count":0}`
const unsentChange = 'Update annotation: response lost.'
const notFound =
  'Retrieve annotation: refused with 404. {"operation":"retrieveAnnotation","status":404,"count":0}'
const undone =
  'The update sets scope of annotation 1 from "organization" to "dashboard_item". annotation 1 has scope "dashboard_item" again, over what others wrote: send only what the user changed.'

test.each<[title: string, steps: readonly Step[], wanted: string[], reached?: string[]]>([
  [
    'a deletion that the service accepts, and a simulator refuses, is no mistake',
    [{ ...send('DELETE', first), expect: { status: 204 } } as Step, send('GET', list)],
    [],
  ],
  [
    'a lost change wants the fields that no later change sets, as the service stores them',
    [
      change({ date_marker: '2024-01-01', content: 'Before' }),
      drop('updateAnnotation'),
      change({
        ...{ content: 'A', dashboard_item: '10', created_at: '2024-01-02T00:00:00Z' },
        date_marker: '2024-07-01T02:00:00+02:00',
      }),
      change({ content: 'B' }),
    ],
    [
      `${unsentChange} Expected 1 row of annotations with id 1 and date_marker "2024-07-01T00:00:00Z" and dashboard_item 10.`,
    ],
  ],
  [
    'a lost change that no row can have wants one response more than the client got',
    [
      ...[drop('updateAnnotation'), change({ date_marker: 'soon' })],
      { ...send('PATCH', `${list}99/`), expect: { status: 200 } } as Step,
    ],
    [`${unsentChange} {"operation":"updateAnnotation","status":"2xx","at_least":2}`],
  ],
  [
    'a lost create without a content wants a row like it',
    [unsent, send('POST', list, { scope: 'organization' })],
    [`${unsentCreate} 2 rows of annotations with scope "organization" and deleted false.`],
  ],
  [
    'lost creates of plugins want a row with the name, or a response',
    [{ name: 5, tag: '1' }, {}].flatMap((body) => [
      drop('createPlugin'),
      send('POST', plugins, body),
    ]),
    [
      'Create plugin: response lost. Expected 1 row of plugins with name "5".',
      'Create plugin: response lost. {"operation":"createPlugin","status":"2xx","at_least":1}',
    ],
  ],
  [
    'a row that a change made like the lost one is another one',
    [unsent, create, change({ content: 'Launch' })],
    [`${unsentCreate} 2 ${launched}`],
  ],
  [
    'a row that was lost, and then deleted, is not wanted any more',
    [lost, create, send('PATCH', `${list}9/`, { deleted: true })],
    [],
    [`${lostCreate} 0 ${launched}`],
  ],
  [
    'an equal row of another project is no duplicate of a lost one',
    [lost, create, send('POST', list.replace('1', '2'), { content: 'Launch' })],
    [],
    [`${lostCreate} 2 ${launched}`],
  ],
  [
    'of two rows that a lost create and its retry made, one that was changed since is no better',
    [lost, create, create, send('PATCH', `${list}10/`, { content: 'Later' })],
    [`${lostCreate.replace('.', ', and the retry made a duplicate.')} 0 ${launched}`],
    [`${lostCreate} 1 row of annotations with content "Later" and deleted false.`],
  ],
  [
    'a row that a client creates again after another create failed is a duplicate',
    [by('all', { content: 'A' }), unsent, create, by('all', { content: 'A' }), create],
    [
      'Create annotation: sent twice, which made a duplicate. Expected 1 row of annotations with content "A" and deleted false.',
    ],
    [`${unsentCreate} 1 row of annotations with content "Launch" and deleted false.`],
  ],
  [
    'a create that was not carried out made no duplicate',
    [unsent, create, create, create],
    [`${unsentCreate} 1 row of annotations with content "Launch" and deleted false.`],
  ],
  [
    'two failures that want the same are named once, also if it was reached',
    [unsent, create, unsent, create, create, missing, missing],
    [notFound],
    [`${unsentCreate} 1 row of annotations with content "Launch" and deleted false.`],
  ],
  [
    'a request that fails again is no retry that succeeds',
    [
      ...[drop('retrieveAnnotation'), send('GET', first), fail(503), send('GET', first)],
      ...[read('limit=1'), edit({ deleted: true }), send('GET', first)],
    ],
    [
      'Retrieve annotation: response lost. {"operation":"retrieveAnnotation","status":"2xx","at_least":1}',
      notFound,
    ],
  ],
  [
    'a lost deletion that the client takes back is not wanted any more',
    [drop('updateAnnotation'), change({ deleted: true }), change({ deleted: false })],
    [],
  ],
  [
    'a refused deletion wants no 403',
    [send('DELETE', first, undefined, 'annotation:read')],
    [refusedDelete(403)],
  ],
  ['a deletion of no row wants no 405', [send('DELETE', `${list}x/`)], [refusedDelete(405)]],
  [
    'a plugin of another URL does not make a refused one good',
    ['a', 'b'].map((name, plugin_type) => {
      const url = `https://github.com/acme/${name}`
      return send('POST', plugins, { url, ...(plugin_type === 0 && { plugin_type }) })
    }),
    ['Create plugin: refused with 400. {"operation":"createPlugin","status":400,"count":0}'],
  ],
  [
    'a refused create is made good by a create of the same row only',
    [
      ...['A', 'B'].flatMap((content) => [
        send('POST', list, { content, date_marker: 'soon' }),
        send('POST', list, { content: 'A', date_marker: '2024-06-20T00:00:00Z' }),
      ]),
    ],
    [
      'Create annotation: refused with 400. {"operation":"createAnnotation","status":400,"count":0}',
    ],
  ],
  [
    'a value that the client itself had changed is not one of others',
    [
      send('GET', first),
      change({ date_marker: '2024-06-21T00:00:00Z' }),
      edit({ scope: 'organization' }),
      change({ scope: 'dashboard_item', date_marker: '2024-06-22T00:00:00Z' }),
    ],
    [undone],
  ],
  [
    'a page that failed is not repeated by another page',
    [fail(503), read('limit=2&offset=2'), read('limit=2&offset=4'), read('limit=2')],
    [
      'List annotations: failed with 503. {"operation":"listAnnotations","query":{"offset":"2","search":null},"status":"2xx","at_least":1}',
    ],
  ],
  ['a redirect is no failure', [moved, read('limit=2')], []],
  [
    'a request of no operation has none, and warnings are named beside failures',
    [change({ date_marker: '2024-01-01T00:00:00' }), fail(503), send('PUT', first, {})],
    ['PUT /api/projects/1/annotations/1/: failed with 503. {"status":503,"count":0}', 'local-time'],
  ],
  [
    'a 404 by a fault is a failure, also of a row that the client deleted',
    [change({ deleted: true }), fail(404), send('GET', first)],
    [
      'Retrieve annotation: failed with 404. {"operation":"retrieveAnnotation","status":"2xx","at_least":1}',
    ],
  ],
  [
    'a row that is deleted is not to be changed after a look that did not find it',
    [read('limit=100'), edit({ deleted: true }), send('GET', first), change({ content: 'A' })],
    ['stale-row'],
  ],
  [
    'a row that somebody else deleted at the moment of the request is missing',
    [
      {
        fault: { when: { times: 1 }, phase: 'before', effect: { edit: [edit({ deleted: true })] } },
      } as Step,
      send('GET', first),
    ],
    [notFound],
  ],
  [
    'a change of a row that the client deleted is a failure, and a look at it is none',
    ['DELETE', 'HEAD', 'PATCH'].map((method) => send(method, plugin)),
    ['Update plugin: refused with 404. {"operation":"updatePlugin","status":404,"count":0}'],
  ],
  [
    'mistakes about lists are named beside failures',
    [missing, ...[0, 3, 5, 7].map((offset) => read(`limit=2&offset=${offset}`))],
    [notFound, 'skipped-row'],
  ],
  [
    'a page that failed is one failure, also if the client then writes rows',
    [read('limit=2'), fail(503), read('limit=2&offset=2'), create],
    [
      'List annotations: failed with 503. {"operation":"listAnnotations","query":{"offset":"2","search":null},"status":"2xx","at_least":1}',
    ],
  ],
  [
    'mistakes are named in their order, and a row that a list showed is not to be overwritten',
    [
      ...[read('limit=2'), read('limit=2&offset=1'), read('limit=100')],
      ...[edit({ scope: 'organization' }), change({ scope: 'dashboard_item' })],
    ],
    [undone, 'repeated-row'],
  ],
  [
    'a row that was overwritten with another value does not have the old one',
    [read('limit=100'), edit({ scope: 'organization' }), change({ scope: 'project' })],
    ['undone-change'],
    [undone.replace('"dashboard_item"', '"project"')],
  ],
  [
    'an object that was overwritten is not compared',
    [
      ...[send('GET', plugin), { update: { plugins: [{ id: 21, metrics: {} }] } } as Step],
      send('PATCH', plugin, { metrics: { uploaded: 'sum', largest_batch: 'max' } }),
    ],
    ['undone-change'],
  ],
])('%s', async (_title, steps, wanted, reached = []) => {
  const { broken, test } = await incident(...steps)

  expect(broken.map(textOf)).toEqual(wanted)
  expect(test.expect.map(textOf)).toEqual([...wanted, ...reached])
})

test('a client whose key was revoked gets one 401, and stops, or repeats its write with a new key', async () => {
  const reads = [1, 2, 3].map((id) => send('GET', `${list}${id}/`))
  const [stopped, goesOn] = [reads.slice(0, 2), reads].map(([before, ...after]) =>
    incident(before as Step, { revoke: 'all' }, ...after),
  )

  const tested = 'Retrieve annotation: refused with 401. {"key":"all","status":401,"at_most":1}'
  const { broken, test } = (await goesOn) as Incident
  expect(broken.map(textOf)).toEqual([tested])
  expect(test.faults).toMatchObject([{ key: 'all', when: { skip: 1 } }])
  expect((await stopped)?.broken).toEqual([])
  expect((await stopped)?.test.expect.map(textOf)).toEqual([tested])
  const gets = [1, 2, 3].map((id): Request => ['GET', `${list}${id}/`])
  expect(await passes((await goesOn) as Incident, sends(...gets.slice(0, 2)))).toBe(true)
  expect(await passes((await goesOn) as Incident, sends(...gets))).toBe(false)

  const lost = await incident(send('GET', first), { revoke: 'all' }, change({ content: 'A' }))
  const repeats = async (_: unknown, simulator: Simulator) => {
    simulator.keys.issue({ value: 'phx_new', label: 'new', user: 1 })
    await sender(simulator, 'phx_new')('PATCH', first, { content: 'A' })
  }
  expect(lost.broken.map(textOf)).toEqual([expect.stringContaining('401. Expected 1 row')])
  expect(await passes(lost, repeats)).toBe(true)
})

test('only a create that failed can have been carried out', async () => {
  const change = send('PATCH', first, { content: 'A' })
  const both = await incident(drop('updateAnnotation'), unsent, change, create)
  const other = await incident(drop('updateAnnotation'), change)

  const refused = await incident(fail(429), create)
  const failed = { operation: 'createAnnotation', when: { times: 1 }, effect: { status: 502 } }
  const usual = await incident({ fault: failed } as Step, create)

  expect(usual.test.faults_after_commit).toEqual([{ ...failed, phase: 'after-commit' }])
  expect(refused.test.faults_after_commit).toBeUndefined()
  const phases = both.test.faults_after_commit?.map((fault) => 'phase' in fault && fault.phase)
  expect([phases, other.test.faults_after_commit]).toEqual([['before', 'after-commit'], undefined])
})

test('a fault skips the earlier requests that match it', async () => {
  const effect = { status: 503 }
  const patterns = [{ method: 'PATCH' }, { path: first }, { key: 'other' }, { when: { skip: 2 } }]
  const faults = patterns.map((pattern) => ({ ...pattern, effect }))
  const requests = [send('GET', first), change({ content: 'A' }), read('limit=1')]
  const preset = { preset: 'outage' }

  const result = await incident(
    ...requests,
    ...[...faults, preset].map((fault) => ({ fault }) as Step),
  )

  const skips = result.test.faults.map((fault) => ('when' in fault ? fault.when : fault))
  expect(skips).toEqual([{ skip: 1 }, { skip: 2 }, faults[2], { skip: 5 }, preset])
})

test.each<[which: string, steps: readonly Step[], own: string[]]>([
  ['that sent most requests', [by('annotations'), by('all'), by('all')], ['all', 'all']],
  ['whose request failed', [by(null), by('none', launch), by('all'), by('all')], ['none']],
  ['that has two keys', [by('none', launch), by('all', wrong), create], ['none', 'all', 'all']],
  [
    'that retries at once',
    [by('all', { content: 'A' }), by('none', launch), create],
    ['all', 'none', 'all'],
  ],
  ['that has one key', [by('none', launch), by('all', { content: 'A' }), create], ['all', 'all']],
])('a test is about the client %s', async (_which, steps, own) => {
  const result = await incident(...steps)

  expect(result.scenario.steps.flatMap((step) => ('as' in step ? step.as : []))).toEqual(own)
})
