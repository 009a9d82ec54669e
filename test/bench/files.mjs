// Large world files: the time until the first answer, and memory.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { atMost, line, one, summary } from './measure.mjs'
import { answers, cpuTime, idle, launch, memory, pin } from './processes.mjs'
import { shapes, writeWorld } from './worlds.mjs'
import { canLoad, load, operations } from './wrk.mjs'

const bin = fileURLToPath(new URL('../../dist/understudy.js', import.meta.url))
const port = 4812
const url = `http://127.0.0.1:${port}`

export async function files({ rounds }) {
  const folder = mkdtempSync(join(tmpdir(), 'understudy-bench-'))
  try {
    const few = { parses: 8, rest: 180, loaded: 250 }
    const results = [
      ...(await withFile(join(folder, 'few.json'), 100_000, few)),
      ...(await withShapes(folder, 100_000, rounds)),
    ]
    return results.every(Boolean)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function withFile(file, rows, goals) {
  writeWorld(file, rows)
  const size = (statSync(file).size / 1e6).toFixed(0)
  console.log(`\nunderstudy serve --world, a file of ${rows.toLocaleString('en')} rows, ${size} MB`)
  const parse = secondsToParse(file)
  line('JSON.parse of the file', one(parse), 's')
  const goal = (limit, unit) => limit && atMost(limit, unit)
  const command = [
    process.execPath,
    bin,
    'serve',
    '--world',
    file,
    '--port',
    String(port),
    '--quiet',
  ]
  const server = await launch(command, () => answers(`${url}/__admin/health`), { limit: 120_000 })
  try {
    await rest(server.pid)
    const { resident } = memory(server.pid)
    const results = [
      line(
        'first answer, against JSON.parse',
        one(server.milliseconds / 1000 / parse),
        '×',
        goal(goals.parses, ' ×'),
      ),
      line('resident memory at rest', one(resident), 'MiB', goal(goals.rest, ' MiB')),
    ]
    if (canLoad()) {
      pin(server.pid)
      for (const operation of operations) {
        load({ port, env: { ROWS: String(rows) } }, operation, { seconds: 2, connections: 20 })
      }
      // Only wrk needs a core of its own. The garbage collector has threads beside that of the requests.
      pin(server.pid, `0-${cpus().length - 1}`)
      await rest(server.pid)
      const after = memory(server.pid).resident
      results.push(
        line('resident memory after a load', one(after), 'MiB', goal(goals.loaded, ' MiB')),
      )
    }
    return results
  } finally {
    await server.stop()
  }
}

/** The CPU time of loading files of several shapes, against `JSON.parse`. Their rounds take turns. */
async function withShapes(folder, rows, rounds) {
  const paths = new Map()
  for (const [shape, rules] of Object.entries(shapes)) {
    paths.set(shape, join(folder, `shape-${paths.size}.json`))
    writeWorld(paths.get(shape), rows, rules)
  }
  const times = new Map([...paths.keys()].map((shape) => [shape, []]))
  const parsed = []
  for (let round = 0; round < rounds; round++) {
    const start = await cpuToServe('empty')
    parsed.push(cpuToParse(paths.get('own')))
    for (const [shape, path] of paths) times.get(shape).push((await cpuToServe(path)) - start)
  }
  console.log(
    `\nFiles of ${rows.toLocaleString('en')} rows by shape: CPU time of loading, against JSON.parse of the own shape`,
  )
  return [...times].map(([shape, all]) => {
    const ratios = summary(all.map((time, round) => time / parsed[round]))
    // The factories complete rows without ids.
    return line(shape, ratios, '×', shape === 'without ids' ? undefined : atMost(8, ' ×'))
  })
}

async function cpuToServe(world) {
  const command = [process.execPath, bin, 'serve', '--world', world, '--port', port, '--quiet']
  const server = await launch(command.map(String), () => answers(`${url}/__admin/health`), {
    limit: 120_000,
  })
  try {
    await idle(server.pid)
    return cpuTime(server.pid)
  } finally {
    await server.stop()
  }
}

function cpuToParse(file) {
  const code = `const before = process.cpuUsage()
    JSON.parse(require('node:fs').readFileSync(process.argv[1], 'utf8'))
    const { user, system } = process.cpuUsage(before)
    console.log(user + system)`
  return Number(execFileSync(process.execPath, ['-e', code, file], { encoding: 'utf8' }))
}

/** In a process of its own, whose garbage keeps no request of this one waiting. */
function secondsToParse(file) {
  const code = `const start = performance.now()
    JSON.parse(require('node:fs').readFileSync(process.argv[1], 'utf8'))
    console.log((performance.now() - start) / 1000)`
  return Number(execFileSync(process.execPath, ['-e', code, file], { encoding: 'utf8' }))
}

/** Memory that is free goes back to the system within seconds. */
async function rest(pid) {
  await sleep(2_000)
  await idle(pid)
}
