// npm run bench [part …]: ratios in one run, each with its spread and its goal. Nothing else should run beside it.
import { spawnSync } from 'node:child_process'
import { cpus, loadavg } from 'node:os'
import { Argument, Command, InvalidArgumentError, Option } from 'commander'
import { files } from './files.mjs'
import { har } from './har.mjs'
import { inProcess } from './in-process.mjs'
import { journal } from './journal.mjs'
import { library } from './library.mjs'
import { missed } from './measure.mjs'
import { installNode } from './other-node.mjs'
import { peerNames } from './peers/servers.mjs'
import { expectedSeconds, peers } from './peers.mjs'
import { record } from './record.mjs'
import { replay } from './replay.mjs'
import { sandboxes } from './sandboxes.mjs'
import { stacks } from './stacks.mjs'
import { flatness, latency, standalone } from './standalone.mjs'
import { start } from './start.mjs'
import { terminal } from './terminal.mjs'
import { truth } from './truth.mjs'
import { use } from './use.mjs'

/** What a part measures, its seconds on a quiet machine without rounds and for each round, and a way to run it. */
const parts = {
  standalone: ['over HTTP against node:http and Express', 30, 24, standalone],
  latency: ['over HTTP at 50 connections', 15, 12, latency],
  flatness: ['over HTTP: 100,000 rows against 1,000', 15, 8, flatness],
  'in-process': ['through MSW against a static handler', 15, 7, inProcess],
  stacks: ['withSimulator with msw 2 and 3, on Node 24 too', 50, 8, stacks],
  terminal: ['serve: printing against --quiet, and memory', 40, 24, terminal],
  start: ['from spawning to the first answer', 1, 1, start],
  files: ['files of 100,000 rows, of several shapes', 75, 14, files],
  library: ['createSimulator, snapshots, search, without HTTP', 30, 0, library],
  sandboxes: ['sandboxes: time and memory', 30, 0, sandboxes],
  journal: ['what the journal costs, and its memory', 70, 10, journal],
  replay: ['replay of a scenario of 1,000 steps', 10, 0, replay],
  record: ['what recording adds to a request', 20, 0, record],
  har: ['import of HAR files: memory, and time for 10,000 requests', 90, 0, har],
  use: ['imports, and suites in Vitest, against handlers by hand', 15, 110, use],
  truth: ['reasons and sweeps', 40, 0, truth],
}
const names = Object.keys(parts)

const program = new Command('npm run bench --')
  .description('Compares the simulator with a bare node:http server and with other simulators.')
  .addArgument(new Argument('[parts...]', 'parts to run (default: all)').choices(names))
  .addOption(
    new Option('--peers [names]', 'other simulators: all, or some; without parts, no part runs')
      .preset(peerNames.join(','))
      .argParser(toPeers),
  )
  .option('--rounds <number>', 'rounds of each measurement (default: 5; of peers: 2)', toCount)
  .option('--rows <number>', 'annotations of the servers that are loaded', Number, 100_000)
  .option(
    '--against <folder>',
    'a checkout with another build, to load in turn with this one; can be repeated',
    (folder, others) => [...others, folder],
    [],
  )
  .option('--seconds <number>', 'length of a round of wrk', toCount, 1)
  .option(
    '--node <version>',
    'the Node to use, such as 24: it is installed from the registry',
    toCount,
  )
  .option('--quick', 'as --rounds 2: for a look, not for a decision')
  .addHelpText('after', helpText)
  .parse()

const { node, peers: chosenPeers, quick, ...given } = program.opts()
const { rounds = quick ? 2 : undefined, seconds, rows, against } = given
if (node && !process.version.startsWith(`v${node}.`)) {
  const { status } = spawnSync(installNode(node), process.argv.slice(1), { stdio: 'inherit' })
  process.exit(status ?? 1)
}
const options = { rounds: rounds ?? 5, seconds, rows, against }
const peerOptions = { rounds: rounds ?? 2, seconds }
const chosen = program.args.length > 0 ? program.args : chosenPeers ? [] : names
const expected = chosen.reduce((sum, name) => sum + secondsOf(name), 0)
const peerSeconds = chosenPeers ? expectedSeconds(chosenPeers, peerOptions) : 0

console.log(`Node ${process.version}, ${cpus().length} × ${cpus()[0].model}, load ${loadavg()[0]}.`)
const minutes = Math.ceil((expected + peerSeconds) / 60)
console.log(`It takes about ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`)
console.log('Medians, with the middle half of the rounds in brackets.')
const began = performance.now()
for (const name of chosen) await timed(name, () => parts[name].at(-1)(options))
if (chosenPeers) await timed('peers', () => peers(chosenPeers, peerOptions))
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
  return `\nParts:\n${rows.join('\n')}\n\nPeers: ${peerNames.join(', ')}\n`
}

function toCount(text) {
  if (/^[1-9]\d?$/.test(text)) return Number(text)
  throw new InvalidArgumentError(`Expected a whole number from 1 to 99, got ${text}.`)
}

function toPeers(text) {
  const all = text.split(',')
  const unknown = all.find((name) => !peerNames.includes(name))
  if (unknown === undefined) return all
  throw new InvalidArgumentError(`Expected ${peerNames.join(', ')}, got "${unknown}".`)
}
