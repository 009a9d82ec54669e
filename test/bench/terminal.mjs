// The command serve in a process of its own: what printing costs, and what memory many rows take under load.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { atLeast, atMost, line, number, one, summary } from './measure.mjs'
import { answers, launch, memory, pin, resume } from './processes.mjs'
import { writeWorld } from './worlds.mjs'
import { canLoad, load, measure, operations, ratios } from './wrk.mjs'

const bin = fileURLToPath(new URL('../../dist/understudy.js', import.meta.url))

export async function terminal({ rounds, seconds, rows }) {
  console.log('\nThe command serve: throughput when it prints against --quiet')
  if (!canLoad()) return true
  const folder = mkdtempSync(join(tmpdir(), 'understudy-bench-'))
  const servers = {}
  const serve = async (count, port, ...flags) => {
    const world = join(folder, `${count}.json`)
    writeWorld(world, count)
    // Into a file: nothing reads a pipe of this process while wrk runs, and a full one stops the server.
    const toFile = ['sh', '-c', `exec "$0" "$@" > "${join(folder, String(port))}" 2>&1`]
    const options = ['--world', world, '--port', port, ...flags]
    const command = [...toFile, process.execPath, bin, 'serve', ...options]
    const url = `http://127.0.0.1:${port}/api/projects/1/annotations/5/`
    const server = await launch(command.map(String), () => answers(url), { limit: 120_000 })
    pin(server.pid)
    return { ...server, port, env: { ROWS: String(count) } }
  }
  try {
    servers.quiet = await serve(1_000, 4821, '--quiet')
    servers.printing = await serve(1_000, 4822)
    const { quiet, printing } = await measure(servers, { rounds, seconds })
    const reached = operations.map((name) => {
      const cpu = number(summary(ratios(quiet[name], printing[name], 'time')).median)
      const compared = summary(ratios(printing[name], quiet[name]))
      return line(`${name} (CPU time ${cpu} ×)`, compared, '×', atLeast(0.75))
    })
    servers.many = await serve(rows, 4823, '--quiet')
    const before = memory(servers.many.pid).resident
    for (const name of operations) load(servers.many, name, { seconds: 2, connections: 20 })
    const { resident } = memory(servers.many.pid)
    line(`MiB of ${rows.toLocaleString('en')} rows at the start`, one(before), 'MiB')
    const goal = atMost(250, ' MiB')
    return [...reached, line('after 10 s of all traffic', one(resident), 'MiB', goal)].every(
      Boolean,
    )
  } finally {
    for (const { pid } of Object.values(servers)) resume(pid)
    await Promise.all(Object.values(servers).map((server) => server.stop()))
    rmSync(folder, { recursive: true, force: true })
  }
}
