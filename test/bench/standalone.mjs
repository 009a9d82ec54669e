// Over HTTP with wrk: server on one core, wrk on the other, rounds of all servers in turn.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { atLeast, line, summary } from './measure.mjs'

const file = (name) => fileURLToPath(new URL(name, import.meta.url))
const rows = 100_000
const rounds = 5
const operations = ['list', 'get', 'patch', 'create']
const gates = { list: atLeast(0.3), get: atLeast(0.6), patch: atLeast(0.4), create: atLeast(0.35) }
const ports = { bare: 4801, ours: 4802, stock: 4803, mounted: 4804 }

export async function standalone() {
  if (!has('wrk') || !has('taskset')) {
    console.log(
      '\nStandalone: skipped, since wrk and taskset are needed (apt-get install wrk util-linux)',
    )
    return true
  }
  const servers = await Promise.all(Object.keys(ports).map(serve))
  try {
    const rates = measure()
    return report(rates)
  } finally {
    for (const server of servers) server.kill()
  }
}

async function serve(kind) {
  const server = spawn('taskset', [
    '-c',
    '0',
    process.execPath,
    file('serve.mjs'),
    kind,
    String(rows),
    String(ports[kind]),
  ])
  server.stderr.pipe(process.stderr)
  await once(server.stdout, 'data')
  return server
}

/** Requests a second of each server, by operation, one number a round. */
function measure() {
  const rates = {}
  for (const operation of operations) {
    for (const kind of Object.keys(ports)) load(kind, operation, 3)
    for (let round = 0; round < rounds; round++) {
      for (const kind of Object.keys(ports)) {
        rates[kind] ??= {}
        rates[kind][operation] ??= []
        rates[kind][operation].push(load(kind, operation, 2))
      }
    }
  }
  return rates
}

function load(kind, operation, seconds) {
  const printed = execFileSync(
    'taskset',
    [
      '-c',
      '1',
      'wrk',
      '-t1',
      '-c50',
      `-d${seconds}s`,
      '-s',
      file('wrk.lua'),
      `http://127.0.0.1:${ports[kind]}`,
    ],
    { encoding: 'utf8', env: { ...process.env, ROWS: String(rows), OPERATION: operation } },
  )
  if (/Non-2xx/.test(printed)) throw new Error(`${kind} ${operation}: ${printed}`)
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(printed)[1])
}

function report(rates) {
  const ratios = (ours, other, operation) =>
    summary(rates[ours][operation].map((rate, round) => rate / rates[other][operation][round]))
  const bare = (operation) =>
    `${operation} (bare: ${Math.round(summary(rates.bare[operation]).median)}/s)`
  console.log(
    `\nStandalone at ${rows} annotations, against a bare node:http server with prepared bytes`,
  )
  const alone = operations.map((name) =>
    line(bare(name), ratios('ours', 'bare', name), '×', gates[name]),
  )
  console.log('\ntoExpress in a stock application, against stock Express with the same bytes')
  const mounted = operations.map((name) =>
    line(name, ratios('mounted', 'stock', name), '×', atLeast(0.7)),
  )
  return [...alone, ...mounted].every(Boolean)
}

function has(command) {
  try {
    execFileSync('which', [command])
    return true
  } catch {
    return false
  }
}
