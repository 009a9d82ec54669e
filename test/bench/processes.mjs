// Servers in processes of their own: how they start, what they cost, and how they stay out of the way.
import { execFileSync, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

const running = new Set()
process.on('exit', () => running.forEach(kill))
// Only the event loop runs it, so the bench ends after the round that is running.
for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => process.exit(130))

/**
 * Starts a server and waits until it responds.
 * @param command a program and its arguments
 * @param isReady resolves to whether the server responds; called every two milliseconds
 * @returns its process id, the milliseconds until it responded, and `stop()`
 * @throws an error with what it printed, if it ends or does not respond within `limit` milliseconds
 */
export async function launch([program, ...args], isReady, { limit = 20_000, cwd, env } = {}) {
  const start = performance.now()
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child.pid)
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data) => {
      printed = (printed + data).slice(-2_000)
    })
  }
  const ended = new Promise((resolve) => child.once('close', resolve))
  const stop = async () => {
    kill(child.pid)
    await ended
  }
  try {
    while (!(await isReady())) {
      const hasEnded = child.exitCode !== null || child.signalCode !== null
      if (hasEnded || performance.now() - start > limit) {
        const what = hasEnded ? 'it ended' : `it does not respond within ${limit / 1000} s`
        throw new Error([what, printed.trim().split('\n').at(-1)].filter(Boolean).join(': '))
      }
      await sleep(2)
    }
  } catch (error) {
    await stop()
    throw error
  }
  return { pid: child.pid, milliseconds: performance.now() - start, stop }
}

/** Whether a GET of a URL succeeds. A new connection each time: a stopped server would break a kept one. */
export function answers(url) {
  return new Promise((resolve) => {
    const headers = { authorization: 'Bearer phx_all' }
    const request = http.get(url, { agent: false, headers, timeout: 10_000 }, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    })
    request.on('error', () => resolve(false))
    request.on('timeout', () => request.destroy())
  })
}

/** The CPU time of a process and its children in microseconds. The system counts ticks of 10 ms. */
export function cpuTime(pid) {
  const ticks = tree(pid).map((pid) => {
    const [user, system] = statusFields(pid).slice(11, 13)
    return Number(user) + Number(system)
  })
  return ticks.reduce((sum, tick) => sum + tick, 0) * 10_000
}

/** The resident memory of a process and its children in MiB. */
export function memory(pid) {
  const texts = tree(pid).map((pid) => readFileSync(`/proc/${pid}/status`, 'utf8'))
  const sizes = texts.map((text) => Number(/VmRSS:\s+(\d+)/.exec(text)[1]))
  return sizes.reduce((sum, size) => sum + size, 0) / 1024
}

/** Waits until a process hardly uses a core, for example once it has answered what is queued. */
export async function idle(pid, limit = 5_000) {
  const start = performance.now()
  for (let before = -Infinity; performance.now() - start < limit; ) {
    const now = cpuTime(pid)
    if (now - before <= 10_000) return
    before = now
    await sleep(50)
  }
}

/** Only these cores run the process and its children from now on. wrk has the second one. */
export function pin(pid, cores = '0') {
  for (const member of tree(pid)) execFileSync('taskset', ['-a', '-c', '-p', cores, String(member)])
}

/** A paused server takes no time from the one that is measured. */
export const pause = (pid) => signal(pid, 'SIGSTOP')
export const resume = (pid) => signal(pid, 'SIGCONT')

function kill(pid) {
  running.delete(pid)
  signal(pid, 'SIGKILL')
}

function signal(pid, name) {
  for (const member of tree(pid)) {
    try {
      process.kill(member, name)
    } catch (error) {
      if (error.code !== 'ESRCH') throw error
    }
  }
}

/** A process and its children, and theirs. */
function tree(pid) {
  const parents = new Map()
  for (const name of readdirSync('/proc').filter((folder) => /^\d+$/.test(folder))) {
    try {
      parents.set(Number(name), Number(statusFields(name)[1]))
    } catch (error) {
      // It has ended since.
      if (!['ENOENT', 'ESRCH'].includes(error.code)) throw error
    }
  }
  const all = parents.has(pid) ? [pid] : []
  for (const member of all) {
    for (const [child, parent] of parents) if (parent === member) all.push(child)
  }
  return all
}

/** What is behind the name of a process: its state, its parent and so on, as in proc(5). */
function statusFields(pid) {
  return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ')
}
