// Servers in processes of their own on one core, and wrk on the other.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { answers, cpuTime, idle, launch, pause, pin, resume } from './processes.mjs'

const file = (name) => fileURLToPath(new URL(name, import.meta.url))
/** `list` requests the same page again and again, `pages` another one each time. */
export const operations = ['list', 'pages', 'get', 'patch', 'create']
let loads = 0

/** Whether there is what it takes; says so where there is not. */
export function canLoad() {
  if (has('wrk') && has('taskset')) return true
  console.log('  skipped, since wrk and taskset are needed (apt-get install wrk util-linux)')
  return false
}

/**
 * Starts servers of `serve.mjs` with so many rows. @returns them by kind, and a way to end them
 *
 * @param checkouts folders with other builds of the simulator, by the names of their servers
 */
export async function serving(kinds, rows, { firstPort = 4801, checkouts = {} } = {}) {
  const servers = {}
  const stop = () => Promise.all(Object.values(servers).map((server) => server.stop()))
  try {
    for (const [index, name] of [...kinds, ...Object.keys(checkouts)].entries()) {
      const port = firstPort + index
      const kind = name in checkouts ? 'ours' : name
      const command = [process.execPath, file('serve.mjs'), kind, String(rows), String(port)]
      const url = `http://127.0.0.1:${port}/api/projects/1/annotations/5/`
      const env = name in checkouts ? { CHECKOUT: checkouts[name] } : {}
      const server = await launch(command, () => answers(url), { limit: 120_000, env })
      pin(server.pid)
      servers[name] = { ...server, port, env: { ROWS: String(rows) } }
    }
  } catch (error) {
    await stop()
    throw error
  }
  return { servers, stop }
}

/**
 * What each server does under load, by server and operation, one entry a round, and the number of all
 * responses as `requests`: every round loads all of them, each time
 * another one first, while the others are paused. A busy machine changes the rates, and hardly the CPU times.
 * A server that answers fewer requests in its warm-up than there are connections gets no other round.
 * Operations in `skips` of a server are left out. With `tolerant`, a server that refuses requests has a `failure` instead of numbers; without it, this throws.
 * @returns for each server and operation a list of `{ rate, time, requests, bytes, p50, p99 }`: requests per second, CPU
 * time per request in microseconds, requests, bytes per response, milliseconds
 */
export async function measure(
  servers,
  { rounds, seconds, connections = 20, of = operations, tolerant = false },
) {
  const entries = Object.entries(servers)
  const empty = () => of.map((name) => [name, Object.assign([], { isSlow: false, requests: 0 })])
  const results = Object.fromEntries(entries.map(([name]) => [name, Object.fromEntries(empty())]))
  for (const { pid } of Object.values(servers)) pause(pid)
  for (const operation of of) {
    for (let round = -1; round < rounds; round++) {
      const first = (round + 1) % entries.length
      for (const [name, server] of [...entries.slice(first), ...entries.slice(0, first)]) {
        const all = results[name][operation]
        if (all.isSlow || all.failure || server.skips?.includes(operation)) continue
        const length = round < 0 ? (server.warmUp ?? 1) : seconds
        try {
          const result = await measureOnce(server, operation, length, connections)
          all.isSlow = round < 0 && result.requests < connections
          all.requests += result.requests
          if (round >= 0 || all.isSlow) all.push(result)
        } catch (error) {
          if (!tolerant) throw error
          all.failure = error.message
        }
      }
    }
  }
  for (const { pid } of Object.values(servers)) resume(pid)
  return results
}

async function measureOnce(server, operation, seconds, connections) {
  resume(server.pid)
  try {
    const before = cpuTime(server.pid)
    const result = load(server, operation, { seconds, connections })
    // What it still works on belongs to this operation.
    await idle(server.pid)
    return { ...result, time: (cpuTime(server.pid) - before) / result.requests }
  } finally {
    pause(server.pid)
  }
}

/** Ratios of what two servers do, round by round. */
export function ratios(ours, other, what = 'rate') {
  return ours.map((result, round) => result[what] / other[round % other.length][what])
}

/** One run of wrk. @throws if a response has another status than 2xx */
export function load({ port, env }, operation, { seconds, connections }) {
  const options = ['-t1', `-c${connections}`, `-d${seconds}s`, '-s', file('wrk.lua')]
  const printed = execFileSync(
    'taskset',
    ['-c', '1', 'wrk', ...options, `http://127.0.0.1:${port}`],
    {
      encoding: 'utf8',
      env: { ...process.env, ...env, OPERATION: operation, START: String(loads++ * 1_000_003) },
    },
  )
  const { requests, bytes, refused, broken, ...rest } = JSON.parse(
    printed.trim().split('\n').at(-1),
  )
  if (refused > 0 || broken > 0) {
    throw new Error(`of ${requests} requests, ${refused} were refused and ${broken} broke off`)
  }
  return { ...rest, requests, rate: requests / rest.seconds, bytes: bytes / requests }
}

function has(command) {
  try {
    execFileSync('which', [command])
    return true
  } catch {
    return false
  }
}
