// Servers in processes of their own on one core, and wrk on the other.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const file = (name) => fileURLToPath(new URL(name, import.meta.url))
export const rows = 100_000
export const operations = ['list', 'get', 'patch', 'create']

/** Whether there is what it takes; says so where there is not. */
export function canLoad() {
  if (has('wrk') && has('taskset')) return true
  console.log('  skipped, since wrk and taskset are needed (apt-get install wrk util-linux)')
  return false
}

/** Starts servers by kind, and gives a way to end them. */
export async function serving(ports) {
  const servers = await Promise.all(Object.entries(ports).map(([kind, port]) => serve(kind, port)))
  return () => {
    for (const server of servers) server.kill()
  }
}

/**
 * Requests a second of each server, by operation, one number a round: every round asks all of them, each time
 * another one first.
 */
export function measure(ports, { rounds, seconds }) {
  const kinds = Object.keys(ports)
  const rates = Object.fromEntries(kinds.map((kind) => [kind, {}]))
  for (const operation of operations) {
    for (const kind of kinds) {
      rates[kind][operation] = []
      load(ports[kind], operation, seconds)
    }
    for (let round = 0; round < rounds; round++) {
      const first = round % kinds.length
      for (const kind of [...kinds.slice(first), ...kinds.slice(0, first)]) {
        rates[kind][operation].push(load(ports[kind], operation, seconds))
      }
    }
  }
  return rates
}

async function serve(kind, port) {
  const node = [process.execPath, file('serve.mjs'), kind, String(rows), String(port)]
  const server = spawn('taskset', ['-c', '0', ...node])
  server.stderr.pipe(process.stderr)
  await once(server.stdout, 'data')
  return server
}

function load(port, operation, seconds) {
  const script = ['-s', file('wrk.lua'), `http://127.0.0.1:${port}`]
  const printed = execFileSync(
    'taskset',
    ['-c', '1', 'wrk', '-t1', '-c50', `-d${seconds}s`, ...script],
    { encoding: 'utf8', env: { ...process.env, ROWS: String(rows), OPERATION: operation } },
  )
  if (/Non-2xx/.test(printed)) throw new Error(`port ${port} ${operation}: ${printed}`)
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(printed)[1])
}

function has(command) {
  try {
    execFileSync('which', [command])
    return true
  } catch {
    return false
  }
}
