import { expect, test } from 'vitest'
import { createSimulator, type OperationId, type Simulator, type Step } from '../../../src/index.ts'
import { findClientMistakes } from '../../../src/mistakes/mistake-finder.ts'
import { countRows } from '../../../src/scenarios/import/expected-rows.ts'
import { findIncident, type Incident } from '../../../src/scenarios/import/incident.ts'
import { acme, annotationsPath } from '../../support/api/paths.ts'
import { initOf } from '../../support/transports/client.ts'

// A test of an incident passes for each correct reaction, and fails for each mistake, whatever requests these send.

const list = annotationsPath
const row = `${list}1/`
const plugin = `/api/organizations/${acme}/plugins/21/`
const plugins = `/api/organizations/${acme}/plugins/`
const launch = { content: 'Launch' }
const renamed = { content: 'Renamed' }
const deleted = { deleted: true }
const clock = '2024-06-15T12:00:00Z'

/** Sends a request. Null for a broken connection. */
type Send = (method: string, path: string, body?: object) => Promise<Response | null>
type Client = (send: Send) => Promise<unknown>

function sender(simulator: Simulator): Send {
  return (method, path, body) => simulator.fetch(path, initOf(method, { body })).catch(() => null)
}

/** What is in a list or a row. */
async function read(send: Send, path: string): Promise<string> {
  return (await (await send('GET', path))?.text()) ?? ''
}

const run: Simulator['run'] = (...scenario) => createSimulator().run(...scenario)

async function incidentOf(
  request: { readonly method: string; readonly path: string; readonly body?: object },
  fault: { readonly operation: OperationId; readonly phase: 'before' | 'after-commit' } | null,
  reaction: readonly Step[],
): Promise<Incident> {
  const lost = { when: { times: 1 }, effect: { drop: true } } as const
  const steps: Step[] = [
    ...(fault ? [{ fault: { ...fault, ...lost } }] : []),
    { as: 'all', ...request },
    ...reaction,
  ]
  const scenario = { title: 'An incident', world: 'default', clock, steps }
  return findIncident(scenario, run, findClientMistakes)
}

/** Whether a test of an incident passes for a client, also if a create that failed was carried out. */
async function passes(incident: Incident, client: Client): Promise<boolean> {
  const { faults, faultsAfterCommit } = incident
  const isPassed = await passesWith(faults, incident, client)
  return isPassed && (!faultsAfterCommit || passesWith(faultsAfterCommit, incident, client))
}

async function passesWith(
  faults: Incident['faults'],
  { expectations, reached }: Incident,
  client: Client,
) {
  const simulator = createSimulator({ clock })
  for (const fault of faults) simulator.faults.add(fault)
  await client(sender(simulator))
  return [...expectations, ...reached].every((expectation) => {
    if ('rows' in expectation) {
      return countRows(expectation.rows, simulator.world) === expectation.rows.count
    }
    if ('received' in expectation) return simulator.journal.verify(expectation.received).passed
    return simulator.journal.mistakes().every(({ rule }) => rule !== expectation.no_mistake)
  })
}

interface Case {
  readonly incident: () => Promise<Incident>
  readonly request: readonly [method: string, path: string, body?: object]
  readonly correct: Readonly<Record<string, Client>>
  readonly wrong: Readonly<Record<string, Client>>
}

test('a create that failed after an equal one has succeeded wants a second row', async () => {
  const create = { as: 'all', method: 'POST', path: list, body: launch }
  const when = { times: 1 }
  const fault = { operation: 'createAnnotation', phase: 'before', when, effect: { drop: true } }
  const steps = [create, { fault }, create] as Step[]
  const scenario = { title: 'An incident', world: 'default', clock, steps }

  const { expectations } = await findIncident(scenario, run, findClientMistakes)

  const where = { content: 'Launch', deleted: false }
  expect(expectations).toMatchObject([{ rows: { list: 'annotations', where, count: 2 } }])
})

const none: Client = async () => {}
const cases: Readonly<Record<string, Case>> = {
  'a create that was carried out': {
    request: ['POST', list, launch],
    incident: () =>
      incidentOf(
        { method: 'POST', path: list, body: launch },
        { operation: 'createAnnotation', phase: 'after-commit' },
        [{ as: 'all', method: 'POST', path: list, body: launch }],
      ),
    correct: {
      'gives up': none,
      'looks at the list': (send) => read(send, list),
      'searches, and creates the row only if it is not there': async (send) => {
        const found = await read(send, `${list}?search=Launch`)
        if (!found.includes('Launch')) await send('POST', list, launch)
      },
      'changes the row that it finds': async (send) => {
        const { results } = JSON.parse(await read(send, `${list}?search=Launch`))
        await send('PATCH', `${list}${results[0].id}/`, { scope: 'project' })
      },
      'repeats the create, and removes the copy': async (send) => {
        const copy = await send('POST', list, launch)
        await send('PATCH', `${list}${JSON.parse((await copy?.text()) ?? '').id}/`, deleted)
      },
      'repeats the create, and removes the first one': async (send) => {
        await send('POST', list, launch)
        const { results } = JSON.parse(await read(send, `${list}?search=Launch`))
        await send('PATCH', `${list}${results.at(-1).id}/`, deleted)
      },
    },
    wrong: {
      'repeats the create': (send) => send('POST', list, launch),
      'looks, and repeats the create': async (send) => {
        await read(send, list)
        await send('POST', list, launch)
      },
      'repeats the create with another time': (send) =>
        send('POST', list, { ...launch, date_marker: clock }),
      'removes the row': async (send) => {
        const { results } = JSON.parse(await read(send, `${list}?search=Launch`))
        await send('PATCH', `${list}${results[0].id}/`, deleted)
      },
    },
  },
  'a create that was not carried out': {
    request: ['POST', list, launch],
    incident: () =>
      incidentOf(
        { method: 'POST', path: list, body: launch },
        { operation: 'createAnnotation', phase: 'before' },
        [{ as: 'all', method: 'GET', path: list }],
      ),
    correct: {
      'looks at the list, and creates the row if it is not there': async (send) => {
        if (!(await read(send, list)).includes('Launch')) await send('POST', list, launch)
      },
      'searches, and creates the row if it is not there': async (send) => {
        const found = await read(send, `${list}?search=Launch`)
        if (!found.includes('Launch')) await send('POST', list, launch)
      },
      'repeats the create, and removes the copy': async (send) => {
        const copy = await send('POST', list, launch)
        const { count } = JSON.parse(await read(send, `${list}?search=Launch`))
        const { id } = JSON.parse((await copy?.text()) ?? '')
        if (count > 1) await send('PATCH', `${list}${id}/`, deleted)
      },
    },
    wrong: {
      'gives up': none,
      'only looks': (send) => read(send, list),
      'repeats the create': (send) => send('POST', list, launch),
      'looks, and repeats the create': async (send) => {
        await read(send, list)
        await send('POST', list, launch)
      },
    },
  },
  'a create whose copy the recorded client removed': {
    request: ['POST', list, launch],
    incident: () =>
      incidentOf(
        { method: 'POST', path: list, body: launch },
        { operation: 'createAnnotation', phase: 'after-commit' },
        [
          { as: 'all', method: 'POST', path: list, body: launch },
          { as: 'all', method: 'PATCH', path: `${list}10/`, body: deleted },
        ],
      ),
    correct: { 'gives up': none },
    wrong: { 'repeats the create': (send) => send('POST', list, launch) },
  },
  'a change that was not carried out': {
    request: ['PATCH', row, renamed],
    incident: () =>
      incidentOf(
        { method: 'PATCH', path: row, body: renamed },
        { operation: 'updateAnnotation', phase: 'before' },
        [{ as: 'all', method: 'GET', path: list }],
      ),
    correct: {
      'repeats it': (send) => send('PATCH', row, renamed),
      'repeats it twice': async (send) => {
        await send('PATCH', row, renamed)
        await send('PATCH', row, renamed)
      },
      'looks, and repeats it': async (send) => {
        if (!(await read(send, row)).includes('Renamed')) await send('PATCH', row, renamed)
      },
      'looks at the list, and repeats it': async (send) => {
        if (!(await read(send, list)).includes('Renamed')) await send('PATCH', row, renamed)
      },
      'sends the whole row': async (send) => {
        const { content: _, created_by, ...whole } = JSON.parse(await read(send, row))
        await send('PATCH', row, { ...whole, ...renamed })
      },
      'changes more with it': (send) => send('PATCH', row, { ...renamed, scope: 'project' }),
    },
    wrong: {
      'gives up': none,
      'only looks': (send) => read(send, row),
      'changes another row': (send) => send('PATCH', `${list}2/`, renamed),
      'undoes it': async (send) => {
        await send('PATCH', row, renamed)
        await send('PATCH', row, { content: 'Release 1.0' })
      },
    },
  },
  'a deletion that was carried out': {
    request: ['DELETE', plugin],
    incident: () =>
      incidentOf(
        { method: 'DELETE', path: plugin },
        { operation: 'deletePlugin', phase: 'after-commit' },
        [{ as: 'all', method: 'DELETE', path: plugin }],
      ),
    correct: {
      'gives up': none,
      'repeats it, and takes a 404 for success': (send) => send('DELETE', plugin),
      'looks whether the row is there': (send) => read(send, plugin),
      'looks at the list': (send) => read(send, plugins),
      'repeats it twice': async (send) => {
        await send('DELETE', plugin)
        await send('DELETE', plugin)
      },
      'looks, and repeats it': async (send) => {
        await read(send, plugin)
        await send('DELETE', plugin)
      },
    },
    wrong: {},
  },
  'a deletion that was not carried out': {
    request: ['DELETE', plugin],
    incident: () =>
      incidentOf(
        { method: 'DELETE', path: plugin },
        { operation: 'deletePlugin', phase: 'before' },
        [{ as: 'all', method: 'GET', path: plugins }],
      ),
    correct: {
      'repeats it': (send) => send('DELETE', plugin),
      'looks, and repeats it': async (send) => {
        if ((await send('GET', plugin))?.status === 200) await send('DELETE', plugin)
      },
    },
    wrong: {
      'gives up': none,
      'only looks': (send) => read(send, plugins),
      'changes the row': (send) => send('PATCH', plugin, { name: 'Old' }),
      'deletes another row': (send) => send('DELETE', `${plugins}22/`),
    },
  },
  'a deletion that gets a 405': {
    request: ['DELETE', row],
    incident: () =>
      incidentOf({ method: 'DELETE', path: row }, null, [{ as: 'all', method: 'GET', path: list }]),
    correct: {
      'sets deleted instead': (send) => send('PATCH', row, deleted),
      'looks, and sets deleted': async (send) => {
        if ((await read(send, list)).includes('"id":1,')) await send('PATCH', row, deleted)
      },
      'sets deleted twice': async (send) => {
        await send('PATCH', row, deleted)
        await send('PATCH', row, deleted)
      },
    },
    wrong: {
      'hides it on the page only': none,
      'repeats it': (send) => send('DELETE', row),
      'empties the row': (send) => send('PATCH', row, { content: '' }),
      'deletes another row': (send) => send('PATCH', `${list}2/`, deleted),
    },
  },
}

const judged = Object.entries(cases).flatMap(([name, { correct, wrong, ...incident }]) => [
  ...Object.entries(correct).map(([how, client]) => ({ name, how, client, incident, right: true })),
  ...Object.entries(wrong).map(([how, client]) => ({ name, how, client, incident, right: false })),
])

test.each(judged)(
  'after $name, a client that $how: $right',
  async ({ incident, client, right }) => {
    const found = await incident.incident()

    const isPassed = await passes(found, async (send) => {
      await send(...incident.request)
      await client(send)
    })

    expect(isPassed).toBe(right)
  },
)
