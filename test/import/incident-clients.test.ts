import { expect, test } from 'vitest'
import { openRecording } from '../../src/import/scenario-simulator.ts'
import { createSimulator, type Step } from '../../src/index.ts'
import { acme, noon as clock, annotationsPath as list } from '../support/api/paths.ts'
import { incidentOf } from './derive.ts'
import {
  type Clients,
  createsIfMissing,
  judged,
  once,
  passes,
  type Request,
  sends,
} from './judge.ts'

// A test of an incident passes for each correct reaction, and fails for each mistake, whatever requests these send.

const row = `${list}1/`
const plugins = `/api/organizations/${acme}/plugins/`
const plugin = `${plugins}21/`
const create: Request = ['POST', list, { content: 'Launch' }]
const rename: Request = ['PATCH', row, { content: 'Renamed' }]
const uninstall: Request = ['DELETE', plugin]
const hide: Request = ['PATCH', row, { deleted: true }]
const look: Request = ['GET', list]
const search = `${list}?search=Launch`

const operations = { POST: 'createAnnotation', PATCH: 'updateAnnotation', DELETE: 'deletePlugin' }

interface Case extends Clients {
  /** What the recorded client sent, and each other client sends first */
  readonly request: Request
  /** When its connection was lost: before it was carried out, or after */
  readonly lost?: 'before' | 'after-commit'
  /** What the recorded client sent then */
  readonly reaction: readonly Request[]
}

const toStep = ([method, path, body]: Request) => ({ as: 'all', method, path, body }) as Step

const drop = (phase: string, operation = 'createAnnotation') =>
  ({ fault: { operation, phase, when: { times: 1 }, effect: { drop: true } } }) as Step

function importIncident({ request, lost, reaction }: Case) {
  const operation = operations[request[0] as keyof typeof operations]
  const steps = [...(lost ? [drop(lost, operation)] : []), ...[request, ...reaction].map(toStep)]
  return incidentOf({ title: 'An incident', world: 'default', clock, steps })
}

test('a create that failed after an equal one has succeeded wants a second row', async () => {
  const steps = [toStep(create), drop('before'), toStep(create)]

  const { broken } = await incidentOf({ title: 'An incident', world: 'default', steps })

  const where = { content: 'Launch', deleted: false }
  expect(broken).toMatchObject([{ rows: { list: 'annotations', where, count: 2 } }])
})

const cases: Readonly<Record<string, Case>> = {
  'a create that was carried out': {
    request: create,
    lost: 'after-commit',
    reaction: [create],
    correct: {
      'gives up': sends(),
      'looks at the list': sends(look),
      'searches, and creates the row only if it is not there': createsIfMissing(search, create),
      'changes the row that it finds': async (send) => {
        const { results } = await send('GET', search)
        await send('PATCH', `${list}${results[0]?.id}/`, { scope: 'project' })
      },
      'repeats the create, and removes the copy': async (send) => {
        const { id } = await send(...create)
        await send('PATCH', `${list}${id}/`, { deleted: true })
      },
      'repeats the create, and removes the first one': async (send) => {
        await send(...create)
        const { results } = await send('GET', search)
        await send('PATCH', `${list}${results.at(-1)?.id}/`, { deleted: true })
      },
    },
    wrong: {
      'repeats the create': sends(create),
      'looks, and repeats the create': sends(look, create),
      'repeats the create with another time': sends([
        ...(['POST', list] as const),
        { content: 'Launch', date_marker: clock },
      ]),
      'removes the row': async (send) => {
        const { results } = await send('GET', search)
        await send('PATCH', `${list}${results[0]?.id}/`, { deleted: true })
      },
    },
  },
  'a create that was not carried out': {
    request: create,
    lost: 'before',
    reaction: [look],
    correct: {
      'looks at the list, and creates the row if it is not there': createsIfMissing(list, create),
      'searches, and creates the row if it is not there': createsIfMissing(search, create),
      'repeats the create, and removes the copy': async (send) => {
        const { id } = await send(...create)
        const { count } = await send('GET', search)
        if (count > 1) await send('PATCH', `${list}${id}/`, { deleted: true })
      },
    },
    wrong: {
      'gives up': sends(),
      'only looks': sends(look),
      'repeats the create': sends(create),
      'looks, and repeats the create': sends(look, create),
    },
  },
  'a create whose copy the recorded client changed': {
    request: create,
    lost: 'after-commit',
    reaction: [create, ['PATCH', `${list}10/`, { content: 'Later' }]],
    correct: { 'changes the row': sends(['PATCH', `${list}9/`, { content: 'Later' }]) },
    wrong: { 'removes the row': sends(['PATCH', `${list}9/`, { deleted: true }]) },
  },
  'a create whose copy the recorded client removed': {
    request: create,
    lost: 'after-commit',
    reaction: [create, ['PATCH', `${list}10/`, { deleted: true }]],
    correct: { 'gives up': sends() },
    wrong: { 'repeats the create': sends(create) },
  },
  'a change that was not carried out': {
    request: rename,
    lost: 'before',
    reaction: [look],
    correct: {
      'repeats it': sends(rename),
      'repeats it twice': sends(rename, rename),
      'looks at the list, and repeats it': sends(look, rename),
      'sends the whole row': async (send) => {
        const { status: _, wait: __, ...whole } = await send('GET', row)
        await send('PATCH', row, { ...whole, created_by: undefined, content: 'Renamed' })
      },
      'changes more with it': sends(['PATCH', row, { content: 'Renamed', scope: 'project' }]),
    },
    wrong: {
      'gives up': sends(),
      'only looks': sends(['GET', row]),
      'changes another row': sends(['PATCH', `${list}2/`, { content: 'Renamed' }]),
      'undoes it': sends(rename, ['PATCH', row, { content: 'Release 1.0' }]),
    },
  },
  'a deletion that was carried out': {
    request: uninstall,
    lost: 'after-commit',
    reaction: [uninstall],
    correct: {
      'gives up': sends(),
      'repeats it, and takes a 404 for success': sends(uninstall),
      'looks whether the row is there': sends(['GET', plugin]),
      'looks at the list': sends(['GET', plugins]),
      'looks, and repeats it twice': sends(['GET', plugin], uninstall, uninstall),
    },
    wrong: {},
  },
  'a deletion that was not carried out': {
    request: uninstall,
    lost: 'before',
    reaction: [['GET', plugins]],
    correct: {
      'repeats it': sends(uninstall),
      'looks, and repeats it': sends(['GET', plugin], uninstall),
    },
    wrong: {
      'gives up': sends(),
      'only looks': sends(['GET', plugins]),
      'changes the row': sends(['PATCH', plugin, { name: 'Old' }]),
      'deletes another row': sends(['DELETE', `${plugins}22/`]),
    },
  },
  'a deletion that gets a 405': {
    request: ['DELETE', row],
    reaction: [look],
    correct: {
      'sets deleted instead': sends(hide),
      'looks, and sets deleted': sends(look, hide),
      'sets deleted twice': sends(hide, hide),
    },
    wrong: {
      'hides it on the page only': sends(),
      'repeats it': sends(['DELETE', row]),
      'empties the row': sends(['PATCH', row, { content: '' }]),
      'deletes another row': sends(['PATCH', `${list}2/`, { deleted: true }]),
    },
  },
}

const imported = once(importIncident)

test.each(judged(cases))(
  'after $name, a client that $how: $right',
  async ({ incident, client, right }) => {
    const isPassed = await passes(await imported(incident), async (send, simulator) => {
      await send(...incident.request)
      await client(send, simulator)
    })

    expect(isPassed).toBe(right)
  },
)

test.each(['REDACTED', '***'])(
  'a client in a test gets the recorded response where ids were replaced by %s',
  async (id) => {
    const path = `/api/projects/${id}/annotations/9/`
    const step = {
      as: 'all',
      method: 'GET',
      path,
      expect: { status: 200, body: { content: 'Launch' } },
    } as const
    const scenario = { title: 'An incident', world: 'default', steps: [step] }
    const { test } = await incidentOf(scenario)
    const simulator = createSimulator()
    await openRecording(simulator, { ...scenario, test }, 'recorded')

    const response = await simulator.fetch(path, { headers: { authorization: 'Bearer phx_all' } })

    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ content: 'Launch' })
  },
)

test('a test of two clients is about the one that lost or doubled rows', async () => {
  const refused = { as: 'plugins', method: 'GET', path: list } as Step
  const steps = [refused, drop('after-commit'), toStep(create), toStep(create)]

  const { title, others } = await incidentOf({ title: 'An incident', world: 'default', steps })

  expect(title).toMatch(/^Create annotation: response lost/)
  expect(others.failures).toHaveLength(1)
})
