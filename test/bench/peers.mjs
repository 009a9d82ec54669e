// Other simulators and a server written by hand, under the same load as Understudy and a bare node:http server.
import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createSimulator } from '../../dist/index.js'
import { atLeast, line, one, summary } from './measure.mjs'
import { printAnswers } from './peers/answers.mjs'
import { createClient, findWrongAnswers } from './peers/check.mjs'
import { writeReport } from './peers/report.mjs'
import { installed, servers, versionOf } from './peers/servers.mjs'
import { answers, idle, launch, memory, pin } from './processes.mjs'
import { worldOf } from './worlds.mjs'
import { canLoad, measure, operations, ratios } from './wrk.mjs'

const at = (name) => fileURLToPath(new URL(name, import.meta.url))
const sizes = [1_000, 100_000]
const connections = 20

/** Replaces the table in `README.md` where the machine is quiet enough. */
export async function peers({ rounds, seconds }) {
  install()
  await printAnswers()
  if (!canLoad()) return
  // This run adds about 1 in the end. More at the start means that other processes changed the rates.
  const [before] = loadavg()
  const load = `The load before the run was ${before.toFixed(1)}.`
  const results = []
  for (const rows of sizes) {
    results.push(...(await atSize(rows, { rounds, seconds })))
  }
  compare(results)
  const reasons = [
    before > 0.5 && 'the machine was busy',
    rounds < 3 && 'fewer than three rounds',
  ].filter(Boolean)
  writeReport(results, { rounds, seconds, load, reasons })
}

/** Once, and again when the lock file changes. */
function install() {
  mkdirSync(installed, { recursive: true })
  const [lock, copy] = [at('peers/package-lock.json'), join(installed, 'installed.json')]
  const isInstalled = existsSync(copy) && readFileSync(copy).equals(readFileSync(lock))
  // The copies of our own servers import what is installed beside them.
  for (const name of [
    '.npmrc',
    'package.json',
    'package-lock.json',
    'hono.mjs',
    'mswjs-data.mjs',
  ]) {
    copyFileSync(at(`peers/${name}`), join(installed, name))
  }
  if (isInstalled) return
  console.log('\nInstalling the peers into node_modules/.cache (about a minute, 400 MB) …')
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: installed, stdio: 'inherit' })
  copyFileSync(lock, copy)
}

async function atSize(rows, options) {
  console.log(`\nPeers at ${rows.toLocaleString('en')} annotations`)
  const folder = mkdtempSync(join(tmpdir(), 'understudy-peers-'))
  const running = {}
  try {
    const files = await writeFiles(folder, rows)
    const results = []
    for (const [index, name] of Object.keys(servers).entries()) {
      const result = { name, rows, title: titleOf(name), wrong: {}, numbers: {} }
      results.push(result)
      try {
        running[name] = await begin(result, { ...files, port: String(4821 + index) })
        console.log(`  ${result.title}: started in ${result.start.toFixed(0)} ms and checked`)
      } catch (error) {
        result.failure = error.message
        console.log(`  ${result.title}: not available: ${error.message}`)
      }
    }
    const measured = await measure(running, { ...options, connections, tolerant: true })
    for (const result of results.filter(({ name }) => name in running)) {
      await finish(result, running[result.name], measured, options)
    }
    return results
  } finally {
    await Promise.all(Object.values(running).map(({ stop }) => stop()))
    rmSync(folder, { recursive: true, force: true })
  }
}

function titleOf(name) {
  const { title, package: of } = servers[name]
  return of ? title.replace('{version}', versionOf(of)) : title
}

/** The world as a file, its rows as the API shows them, a page and a row. */
async function writeFiles(folder, count) {
  const world = worldOf(count)
  const simulator = createSimulator({ world })
  const headers = { authorization: 'Bearer phx_all' }
  const get = async (path) => {
    const response = await simulator.fetch(`/api/projects/1/annotations/${path}`, { headers })
    return response.text()
  }
  const all = []
  for (let offset = 0; offset < count; offset += 1_000) {
    all.push(...JSON.parse(await get(`?limit=1000&offset=${offset}`)).results)
  }
  const files = { folder, all, world: join(folder, 'world.json') }
  writeFileSync(files.world, JSON.stringify(world))
  const texts = { rows: JSON.stringify(all), page: await get('?limit=100'), row: await get('5/') }
  for (const [name, text] of Object.entries(texts)) {
    files[name] = join(folder, `${name}.json`)
    writeFileSync(files[name], text)
  }
  return files
}

/** Starts a server and checks its answers. Notes its start, its memory and what is wrong in `result`. */
async function begin(result, { all, ...files }) {
  const server = servers[result.name]
  const folder = join(files.folder, result.name)
  mkdirSync(folder)
  const url = `http://127.0.0.1:${files.port}`
  const command = server.command({ ...files, folder })
  const isReady = readiness(server, { ...files, url })
  const { pid, milliseconds, stop } = await launch(command, isReady, { limit: 20_000, cwd: folder })
  const { id, ...row } = all[0]
  const client = () => createClient(url, server)
  const expected = { rows: all, least: all.length, row, clients: connections, ids: all.length }
  Object.assign(expected, { hasKeys: server.hasKeys })
  if (result.name !== 'bare') result.wrong = await findWrongAnswers(client(), expected)
  // Slow writes of the check must not delay the reads under load.
  await idle(pid, 20_000)
  Object.assign(result, { start: milliseconds, atRest: memory(pid) })
  pin(pid)
  const env = {
    ROWS: String(all.length),
    ALL: server.all,
    ONE: server.one,
    PAGE: server.page,
    EDIT: server.edit ?? 'PATCH',
    // A generic server stores and returns what it gets, so it gets a whole row.
    ...(!server.hasKeys && { ROW: JSON.stringify(row) }),
  }
  const skips = Object.keys(result.wrong).filter((name) => result.wrong[name])
  return { pid, stop, port: files.port, env, skips, warmUp: server.warmUp, client, row }
}

function readiness({ setUp, one }, { url, rows }) {
  let isSetUp = setUp === undefined
  return async () => {
    isSetUp ||= await setUp({ url, rows })
    return isSetUp && answers(url + one.replace('{id}', 5))
  }
}

/** Checks the answers again, and keeps the numbers of operations that were always answered rightly. */
async function finish(result, { pid, client, row }, measured, { rounds }) {
  await idle(pid)
  result.afterLoad = memory(pid)
  const mine = measured[result.name]
  for (const name of operations) result.wrong[name] ??= mine[name].failure
  const isWritten = mine.patch.length + mine.create.length > 0
  if (result.name !== 'bare' && isWritten) {
    // Those of the first check, and at most those in flight at the end of each round.
    const least = result.rows + (result.wrong.create ? 0 : connections) + mine.create.requests
    const most = least + connections * (rounds + 2)
    const wrong = await findWrongAnswers(client(), {
      ...{ least, most, row, clients: connections, ids: result.rows },
      hasGet: !result.wrong.get,
    })
    for (const name of operations) {
      result.wrong[name] ??= wrong[name] && `after the load: ${wrong[name]}`
    }
  }
  for (const name of operations.filter((operation) => !result.wrong[operation])) {
    const median = (what) => summary(mine[name].map((result) => result[what])).median
    const ratio = summary(ratios(mine[name], measured.bare[name])).median
    result.numbers[name] = { ratio, cpu: median('time'), p99: median('p99') }
  }
}

/** No other simulator is ahead of Understudy. The bare server and the one written by hand are none. */
function compare(results) {
  for (const rows of sizes) {
    const measured = results.filter((result) => result.rows === rows)
    const ours = measured.find(({ name }) => name === 'understudy')
    const others = measured.filter(({ name }) => !['bare', 'understudy', 'hono'].includes(name))
    console.log(
      `\nUnderstudy against the fastest other at ${rows.toLocaleString('en')} annotations`,
    )
    for (const name of operations) {
      const [fastest] = others
        .filter(({ numbers }) => numbers[name])
        .sort((a, b) => b.numbers[name].ratio - a.numbers[name].ratio)
      if (!fastest) continue
      // Without a number of its own, Understudy is not ahead.
      const { ratio } = ours.numbers[name] ?? { ratio: 0 }
      const compared = one(ratio / fastest.numbers[name].ratio)
      line(`${name} (${fastest.title})`, compared, '×', atLeast(1))
    }
  }
}
