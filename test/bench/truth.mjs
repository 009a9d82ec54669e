// What knowing the truth costs: reasons until they are asked for, and sweeps against the suite's own time.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createSimulator } from '../../dist/index.js'
import { atLeast, atMost, line, one, summary, timesOf } from './measure.mjs'

const own = (name) => fileURLToPath(new URL(name, import.meta.url))
const bin = own('../../dist/understudy.js')

export async function truth() {
  const results = [await reasons(), processes(), inProcess()]
  return results.every(Boolean)
}

/** Gets of a simulator that has explained a response, and so has loaded the reasons, against one that never has. */
async function reasons() {
  console.log('\nReasons, until they are asked for')
  const path = '/api/projects/1/annotations/1/'
  const get = async (simulator, count) => {
    const init = { headers: { authorization: `Bearer ${simulator.defaults.key}` } }
    const start = performance.now()
    for (let index = 0; index < count; index++) await simulator.fetch(path, init)
    return ((performance.now() - start) * 1000) / count
  }
  const [never, explained] = [createSimulator(), createSimulator()]
  const before = []
  for (let round = 0; round < 5; round++) await get(never, 4_000)
  for (let round = 0; round < 9; round++) before.push(await get(never, 4_000))
  await get(explained, 20_000)
  await explained.explain(explained.journal.find({ limit: 1 })[0].id)
  const ratios = []
  for (let round = 0; round < 25; round++) {
    // In turns, so that quick and slow minutes of the machine count for both.
    const pair = round % 2 === 0 ? [never, explained] : [explained, never]
    const times = new Map()
    for (const simulator of pair) times.set(simulator, await get(simulator, 4_000))
    ratios.push(times.get(explained) / times.get(never))
  }
  line('a get, before the reasons are loaded', summary(before), 'µs')
  return line('a get after an explanation, against without', summary(ratios), '×', atMost(1.01))
}

/** A sweep of the command line, each run in a process, two at once. */
function processes() {
  console.log('\nA sweep with processes, two at once')
  const client = [process.execPath, own('truth/client.mjs')]
  const sweep = [bin, 'sweep', '--jobs', '2', '--fail-on', 'none', '--json', '--', ...client]
  const start = performance.now()
  const { runs, settings } = JSON.parse(
    execFileSync(process.execPath, sweep, { encoding: 'utf8', maxBuffer: 2 ** 26 }),
  )
  const total = performance.now() - start
  const suites = timesOf(5, () => execFileSync(client[0], client.slice(1)))
  const suite = summary(suites)
  line('the suite alone', suite, 'ms')
  line('settings that the suite depends on', one(Object.keys(settings).length), '', atLeast(20))
  line('values', one(runs.length), '')
  const ratio = total / ((runs.length * suite.median) / 2)
  return line('the sweep against values × suite ÷ jobs', one(ratio), '×', atMost(1.15))
}

/** A sweep in Vitest's workers: each test runs against each plausible service. */
function inProcess() {
  console.log('\nA sweep of 50 tests in Vitest')
  const vitest = own('../../node_modules/vitest/vitest.mjs')
  const flags = [
    '--config',
    own('truth/vitest.config.mjs'),
    '--reporter=understudy-api/vitest/sweep',
  ]
  const start = performance.now()
  const output = execFileSync(process.execPath, [vitest, 'run', ...flags], { encoding: 'utf8' })
  const seconds = (performance.now() - start) / 1000
  console.log(`  ${output.trim()}`)
  return line('the whole run', one(seconds), 's', atMost(10))
}
