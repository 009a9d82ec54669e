import { createHash } from 'node:crypto'
import { createReadStream, readFileSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import http from 'node:http'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import defaultWorld from '../../../fixtures/default.json' with { type: 'json' }
import { startProcess, waitForExit } from '../../support/cli/process.ts'
import { temporaryFolder } from '../../support/files.ts'
import { freePort } from '../../support/free-port.ts'

// ROWS=100000 npm run slow -- test/cli/serve/large-world
const rows = Number(process.env.ROWS ?? 1_000_000)
const headers = { authorization: 'Bearer phx_all', 'content-type': 'application/json' }

/** In milliseconds of CPU time of the server. A world that is loaded in one piece takes seconds, a slice takes 10 ms. */
const maxWait = 400

/** In MiB: the goal is 700. The collector frees less in time if the machine is busy. */
const maxPeak = 850

test.runIf(process.platform === 'linux')(
  'a world of a million rows is served, read and replaced while other requests are answered',
  async () => {
    const file = await writeWorld()
    const port = await freePort()
    const server = startProcess(['--data', file, '--port', String(port), '--quiet'])
    const end = waitForExit(server)
    const pid = server.pid as number
    const url = `http://127.0.0.1:${port}`
    await expect.poll(() => get(url), { timeout: 300_000 }).toBe(true)
    const peak = peakOf(pid)

    const first = await whileGetting(url, pid, () => exchange(url, 'GET'))
    const replaced = await whileGetting(url, pid, () => exchange(url, 'PUT', file))
    const second = await whileGetting(url, pid, () => exchange(url, 'GET'))
    server.kill('SIGKILL')
    await end

    expect(peak).toBeLessThan(maxPeak)
    expect([first.status, replaced.status, second.status]).toEqual([200, 200, 200])
    expect(first.bytes).toBeGreaterThan(100 * rows)
    expect(second).toMatchObject({ hash: first.hash, bytes: first.bytes })
    for (const { gets, longestWait } of [first, replaced, second]) {
      expect(gets).toBeGreaterThan(20)
      expect(longestWait).toBeLessThan(maxWait)
    }
  },
  600_000,
)

async function writeWorld(): Promise<string> {
  const path = join(temporaryFolder(), 'large.json')
  const rest = { ...defaultWorld, next_ids: { annotations: rows + 1 }, annotations: [] }
  const [start, end] = JSON.stringify(rest).split('"annotations":[]')
  const file = await open(path, 'w')
  await file.write(`${start}"annotations":[`)
  for (let id = 1; id <= rows; id += 10_000) {
    const part = Array.from({ length: 10_000 }, (_, index) =>
      JSON.stringify({
        ...defaultWorld.annotations[1],
        id: id + index,
        content: `Release ${id + index}`,
        date_marker: new Date(1_500_000_000_000 + (id + index) * 60_000).toISOString(),
      }),
    )
    await file.write((id === 1 ? '' : ',') + part.join())
  }
  await file.write(`]${end}`)
  await file.close()
  return path
}

function get(url: string): Promise<boolean> {
  return fetch(`${url}/api/projects/1/annotations/5/`, { headers }).then(
    ({ ok }) => ok,
    () => false,
  )
}

/** Reads or replaces the world. @returns the status, and what the response contains */
function exchange(
  url: string,
  method: 'GET' | 'PUT',
  file?: string,
): Promise<{ status: number | undefined; hash: string; bytes: number }> {
  return new Promise((resolve, reject) => {
    const length = file === undefined ? {} : { 'content-length': statSync(file).size }
    const options = { method, headers: { ...headers, ...length } }
    const request = http.request(`${url}/__admin/world`, options, (response) => {
      const hash = createHash('sha256')
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        hash.update(chunk)
        bytes += chunk.length
      })
      response.on('error', reject)
      response.on('end', () =>
        resolve({ status: response.statusCode, hash: hash.digest('hex'), bytes }),
      )
    })
    request.on('error', reject)
    if (file === undefined) request.end()
    else createReadStream(file).pipe(request)
  })
}

/** @returns the result, the number of gets meanwhile, and the longest wait of one, in CPU time of the server */
async function whileGetting<T extends object>(
  url: string,
  pid: number,
  run: () => Promise<T>,
): Promise<T & { gets: number; longestWait: number }> {
  let isOver = false
  const result = run().finally(() => {
    isOver = true
  })
  let [gets, longestWait] = [0, 0]
  while (!isOver) {
    const before = cpuOf(pid)
    if (await get(url)) gets += 1
    longestWait = Math.max(longestWait, cpuOf(pid) - before)
  }
  return { ...(await result), gets, longestWait }
}

/** The CPU time of the main thread, in milliseconds. A busy machine hardly changes it. */
function cpuOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
}

/** The most resident memory that a process ever had, in MiB. */
function peakOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024
}
