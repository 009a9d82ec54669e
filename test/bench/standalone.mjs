// Over HTTP with wrk: server on one core, wrk on the other, rounds of all servers in turn.
import { atLeast, atMost, line, one, summary } from './measure.mjs'
import { memory } from './processes.mjs'
import { canLoad, measure, operations, ratios, serving } from './wrk.mjs'

/** The servers with prepared bytes, and the goals of throughput against them. */
const floors = {
  bare: ['node:http, one page and one row', {}],
  bareEach: ['node:http, a buffer for each page and row', {}],
  expressEach: [
    'Express, a buffer for each page and row',
    { list: 1, pages: 0.6, get: 1.4, patch: 0.9, create: 0.9 },
  ],
}

/** @param against folders with other builds of the simulator */
export async function standalone({ rounds, seconds, rows, against: folders }) {
  console.log(
    `\nStandalone at ${rows.toLocaleString('en')} annotations and 20 connections, against servers with prepared bytes`,
  )
  if (!canLoad()) return true
  const checkouts = Object.fromEntries(folders.map((folder) => [folder, folder]))
  const { servers, stop } = await serving([...Object.keys(floors), 'ours'], rows, { checkouts })
  try {
    const results = await measure(servers, { rounds, seconds })
    return [...Object.keys(floors), ...folders]
      .flatMap((name) => against(name, results))
      .every(Boolean)
  } finally {
    await stop()
  }
}

function against(floor, { [floor]: other, ours }) {
  const [title, goals] = floors[floor] ?? [floor, {}]
  const median = (results, what) => summary(results.map((result) => result[what])).median
  console.log(`\nThroughput against ${title}`)
  const rates = operations.map((name) => {
    const what = `${name} (${Math.round(median(other[name], 'rate'))}/s)`
    const goal = goals[name] && atLeast(goals[name])
    return line(what, summary(ratios(ours[name], other[name])), '×', goal)
  })
  console.log('The same, as CPU time per request: its time against that of the simulator')
  for (const name of operations) {
    const [its, own] = [other, ours].map((results) => median(results[name], 'time').toFixed(1))
    line(`${name} (${its} and ${own} µs)`, summary(ratios(other[name], ours[name], 'time')), '×')
  }
  console.log('The same, as bytes per response against its bytes')
  const bytes = operations.map((name) =>
    line(name, summary(ratios(ours[name], other[name], 'bytes')), '×', atLeast(0.85)),
  )
  return [...rates, ...bytes]
}

export async function latency({ rounds, seconds, rows }) {
  console.log('\nLatency at 50 connections')
  if (!canLoad()) return true
  const { servers, stop } = await serving(['bareEach', 'ours'], rows)
  const { ours, bareEach } = await measure(servers, { rounds, seconds, connections: 50 }).finally(
    stop,
  )
  const results = operations.map((name) => {
    const [p50, p99] = ['p50', 'p99'].map((what) =>
      summary(ours[name].map((result) => result[what])).median.toFixed(2),
    )
    const spreads = (results) => results.map((result) => result.p99 / result.p50)
    line(`${name} of the bare server`, summary(spreads(bareEach[name])), '×')
    line(`${name}, p99 against p50 (${p99} and ${p50} ms)`, summary(spreads(ours[name])), '×')
    const others = spreads(bareEach[name])
    const compared = summary(spreads(ours[name]).map((own, round) => own / others[round]))
    return line(`${name}, against the bare server`, compared, '×', atMost(1.3))
  })
  return results.every(Boolean)
}

/** What a request costs with many rows, against the same one with few, and the memory after all of them: 10 s in two rounds. */
export async function flatness({ rounds: asked, seconds }) {
  const options = { rounds: Math.ceil(asked / 2), seconds }
  console.log('\n100,000 annotations against 1,000: CPU time per request, and seconds per request')
  if (!canLoad()) return true
  const few = await serving(['ours'], 1_000, { firstPort: 4811 })
  const many = await serving(['ours'], 100_000, { firstPort: 4812 })
  try {
    const results = await measure({ few: few.servers.ours, many: many.servers.ours }, options)
    line(
      'memory of 100,000 rows afterwards',
      one(memory(many.servers.ours.pid)),
      'MiB',
      atMost(250),
    )
    const reached = operations.flatMap((name) => [
      line(`${name}, CPU`, summary(ratios(results.many[name], results.few[name], 'time')), '×'),
      line(name, summary(ratios(results.few[name], results.many[name])), '×', atMost(1.2)),
    ])
    return reached.every(Boolean)
  } finally {
    await Promise.all([few.stop(), many.stop()])
  }
}
