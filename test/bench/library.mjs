// What a test pays: making a simulator, going back, and one answer, at any size of the world.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createSimulator } from '../../dist/index.js'
import { createDirectClient } from './direct-requests.mjs'
import { atMost, line, perCall, summary, timesOf } from './measure.mjs'
import { worldOf } from './worlds.mjs'

const list = '/api/projects/1/annotations/'

export function library() {
  console.log('\nLibrary')
  const results = [
    line('createSimulator, the first after import', summary(firstCalls()), 'ms', atMost(2, ' ms')),
    line(
      'createSimulator, once warm',
      summary(timesOf(200, () => createSimulator())),
      'ms',
      atMost(2, ' ms'),
    ),
    ...going(),
    ...answering(),
    ...searching(),
    ...inTurn(),
  ]
  return results.every(Boolean)
}

/** In processes of their own, since only one call in each is the first. */
function firstCalls() {
  const index = fileURLToPath(new URL('../../dist/index.js', import.meta.url))
  const script = `import { createSimulator } from ${JSON.stringify(index)}
    const start = performance.now(); createSimulator(); console.log(performance.now() - start)`
  return Array.from({ length: 9 }, () =>
    Number(
      execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }),
    ),
  )
}

function going() {
  const simulator = createSimulator({ world: worldOf(100_000) })
  const snapshots = timesOf(200, () => simulator.snapshot())
  const before = simulator.snapshot()
  const write = () => simulator.world.annotations.update(500, { content: 'changed' })
  const afterWrite = (run) => timesOf(200, run)
  return [
    line('snapshot of 100,000 annotations', summary(snapshots), 'ms', atMost(1, ' ms')),
    line(
      'restore',
      summary(afterWrite((round) => round % 2 || simulator.restore(before))),
      'ms',
      atMost(1, ' ms'),
    ),
    line('reset', summary(timesOf(200, () => simulator.reset())), 'ms', atMost(1, ' ms')),
    line(
      'first write after a restore',
      summary(
        timesOf(200, () => {
          simulator.restore(before)
          write()
        }),
      ),
      'ms',
    ),
  ]
}

function answering() {
  const small = costs(1_000)
  const large = costs(100_000)
  return Object.keys(small).map((operation) => {
    const { median: few } = summary(small[operation])
    const ratio = summary(large[operation].map((many) => many / few))
    return line(
      `${operation}: 100,000 rows against 1,000 (${few.toFixed(1)} µs)`,
      ratio,
      '×',
      atMost(3),
    )
  })
}

/** Microseconds of an answer without fetch objects, in rounds. */
function costs(count) {
  const ask = createDirectClient(createSimulator({ world: worldOf(count) }))
  const id = (index) => ((index * 7919) % count) + 1
  const operations = {
    list: (index) =>
      ask('GET', list, { query: `limit=100&offset=${id(index) % Math.max(1, count - 100)}` }),
    get: (index) => ask('GET', `${list}${id(index)}/`),
    patch: (index) =>
      ask('PATCH', `${list}${id(index)}/`, { body: { content: `changed ${index}` } }),
    create: () =>
      ask('POST', list, { body: { content: 'Launch', date_marker: '2024-06-01T09:00:00Z' } }),
  }
  return Object.fromEntries(
    Object.entries(operations).map(([name, run]) => {
      perCall(5_000, run)
      return [name, Array.from({ length: 9 }, () => perCall(2_000, run))]
    }),
  )
}

function searching() {
  const simulator = createSimulator({ world: worldOf(100_000) })
  const search = createDirectClient(simulator)
  const checkout = () => search('GET', list, { query: 'limit=100&search=checkout' })
  checkout()
  const afterWrite = timesOf(50, (round) => {
    simulator.world.annotations.update(round + 1, { content: `Written ${round}` })
    search('GET', list, { query: `limit=100&search=release ${round}99` })
  })
  const again = timesOf(50, checkout)
  return [
    line('search of 100,000, first after a write', summary(afterWrite), 'ms', atMost(10, ' ms')),
    line('search of 100,000, again', summary(again), 'ms'),
  ]
}

/** Two worlds, of which one has changed a user, and two entities of one world: in turn they cost what each costs alone. */
function inTurn() {
  const first = createSimulator({ world: worldOf(1_000) })
  const second = first.fork()
  second.world.users.update(1, { first_name: 'Changed' })
  const pageOf = (simulator) => {
    const ask = createDirectClient(simulator)
    return (index) => ask('GET', list, { query: `limit=100&offset=${(index * 7919) % 900}` })
  }
  const ask = createDirectClient(first)
  const [{ id: organization }] = first.world.organizations.list()
  const [{ id: plugin }] = first.world.plugins.list()
  const plugins = `/api/organizations/${organization}/plugins/`
  const pairs = {
    'pages of two worlds': [pageOf(first), pageOf(second)],
    'an annotation and a plugin': [
      () => ask('GET', `${list}1/`),
      () => ask('GET', `${plugins}${plugin}/`),
    ],
  }
  return Object.entries(pairs).map(([what, [one, other]]) => {
    const inTurn = (index) => (index % 2 ? one(index) : other(index))
    perCall(5_000, inTurn)
    const ratios = Array.from({ length: 9 }, () => {
      const alone = (perCall(1_000, one) + perCall(1_000, other)) / 2
      return perCall(2_000, inTurn) / alone
    })
    return line(`${what} in turn, against each alone`, summary(ratios), '×', atMost(1.3))
  })
}
