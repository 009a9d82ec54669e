// npm run bench [part …]: ratios in one run, each with its spread and its goal. Nothing else should run beside it.
import { cpus, loadavg } from 'node:os'
import { Argument, Command, InvalidArgumentError } from 'commander'
import { inProcess } from './in-process.mjs'
import { library } from './library.mjs'
import { missed } from './measure.mjs'
import { peers } from './peers.mjs'
import { flatness, latency, standalone } from './standalone.mjs'
import { start } from './start.mjs'
import { use } from './use.mjs'

/** What a part measures, its seconds on a quiet machine without rounds and for each round, and a way to run it. */
const parts = {
  standalone: ['over HTTP against node:http and Express', 30, 24, standalone],
  latency: ['over HTTP at 50 connections', 15, 12, latency],
  flatness: ['over HTTP: 100,000 rows against 1,000', 15, 8, flatness],
  'in-process': ['through MSW against a static handler', 15, 7, inProcess],
  start: ['from spawning to the first answer', 1, 1, start],
  library: ['createSimulator, snapshots, search, worlds in turn, without HTTP', 35, 0, library],
  use: ['imports, and suites in Vitest, against handlers by hand', 15, 110, use],
  peers: ['other simulators over HTTP, which it installs', 290, 120, peers],
}
const names = Object.keys(parts)
/** What runs by default. Of other simulators a user asks, not who changes this one. */
const own = names.filter((name) => name !== 'peers')

const program = new Command('npm run bench --')
  .description('Compares the simulator with servers of prepared bytes, and with other simulators.')
  .addArgument(new Argument('[parts...]', 'parts to run (default: all but peers)').choices(names))
  .option('--rounds <number>', 'rounds of each measurement (default: 5)', toCount)
  .option('--rows <number>', 'annotations of the servers that are loaded', Number, 100_000)
  .option(
    '--against <folder>',
    'a checkout with another build, to load in turn with this one; can be repeated',
    (folder, others) => [...others, folder],
    [],
  )
  .option('--seconds <number>', 'length of a round of wrk', toCount, 1)
  .option('--quick', 'as --rounds 2: for a look, not for a decision')
  .addHelpText('after', helpText)
  .parse()

const { quick, rounds = quick ? 2 : 5, seconds, rows, against } = program.opts()
const options = { rounds, seconds, rows, against }
const chosen = program.args.length > 0 ? program.args : own
const expected = chosen.reduce((sum, name) => sum + secondsOf(name), 0)

console.log(`Node ${process.version}, ${cpus().length} × ${cpus()[0].model}, load ${loadavg()[0]}.`)
const minutes = Math.ceil(expected / 60)
console.log(`It takes about ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`)
console.log('Medians, with the middle half of the rounds in brackets.')
const began = performance.now()
for (const name of chosen) await timed(name, () => parts[name].at(-1)(options))
console.log(missed.length === 0 ? '\nNo goal was missed.' : `\nMissed goals (${missed.length}):`)
for (const goal of missed) console.log(`  ${goal}`)
console.log(`All in ${secondsSince(began)} s.`)
process.exit(missed.length === 0 ? 0 : 1)

async function timed(name, run) {
  const start = performance.now()
  await run()
  console.log(`  (${name}: ${secondsSince(start)} s)`)
}

function secondsSince(start) {
  return ((performance.now() - start) / 1000).toFixed(0)
}

function secondsOf(name, { rounds, seconds } = options) {
  const [, fixed, perRound] = parts[name]
  return fixed + perRound * rounds * seconds
}

function helpText() {
  const defaults = { rounds: 5, seconds: 1 }
  const rows = names.map(
    (name) =>
      `  ${name.padEnd(12)} ${String(secondsOf(name, defaults)).padStart(4)} s  ${parts[name][0]}`,
  )
  return `\nParts:\n${rows.join('\n')}\n`
}

function toCount(text) {
  if (/^[1-9]\d?$/.test(text)) return Number(text)
  throw new InvalidArgumentError(`Expected a whole number from 1 to 99, got ${text}.`)
}
