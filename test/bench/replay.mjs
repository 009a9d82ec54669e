// Replaying a scenario of a thousand steps against sending the same requests by hand, in this process.
import { createSimulator } from '../../dist/index.js'
import { atMost, line, summary } from './measure.mjs'

const list = '/api/projects/1/annotations/'
const rounds = 15

/** Five requests of an editor at work, two hundred times, each with what is expected of it. */
const steps = Array.from({ length: 200 }, (_, round) => [
  {
    as: 'all',
    method: 'POST',
    path: list,
    body: { content: `Launch ${round}`, date_marker: '2024-06-01T09:00:00Z' },
    expect: { status: 201, body: { id: { $match: 'id' }, content: `Launch ${round}` } },
    save: { id: '/id' },
  },
  { as: 'all', method: 'GET', path: `${list}{id}/`, expect: { body: { id: { $saved: 'id' } } } },
  {
    as: 'all',
    method: 'PATCH',
    path: `${list}{id}/`,
    body: { content: 'Launch day' },
    expect: { status: 200, body: { content: 'Launch day', updated_at: { $match: 'time' } } },
  },
  { as: 'all', method: 'GET', path: list, query: { limit: 10 }, expect: { status: 200 } },
  { as: 'all', method: 'DELETE', path: `${list}{id}/`, expect: { status: 405 } },
]).flat()

const scenario = { title: 'An editor at work', world: 'default', steps }

export async function replay() {
  console.log('\nReplay of 1,000 steps in-process')
  const ratios = []
  const overheads = []
  for (let round = -3; round < rounds; round++) {
    const hand = await millisecondsOf(byHand)
    const replayed = await millisecondsOf(replaying)
    if (round < 0) continue
    ratios.push(replayed / hand)
    overheads.push(replayed - hand)
  }
  return [
    line('against the same requests by hand', summary(ratios), '×', atMost(1.3)),
    line('our own overhead', summary(overheads), 'ms', atMost(300, ' ms')),
  ].every(Boolean)
}

async function millisecondsOf(run) {
  const start = performance.now()
  await run()
  return performance.now() - start
}

async function replaying() {
  const { passed } = await createSimulator().run(scenario)
  if (!passed) throw new Error('The scenario did not go as it is written.')
}

/** What a script does that sends them: it reads each answer, and looks at its status. */
async function byHand() {
  const simulator = createSimulator()
  let id
  for (const { method, path, query, body, expect } of steps) {
    const search = query ? `?${new URLSearchParams(query)}` : ''
    const response = await simulator.fetch(path.replace('{id}', id) + search, {
      method,
      headers: {
        authorization: 'Bearer phx_all',
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const answer = JSON.parse(await response.text())
    if (expect.status && response.status !== expect.status) throw new Error(`${method} ${path}`)
    id = answer.id ?? id
  }
}
