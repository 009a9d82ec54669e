// What a suite pays for its imports and its simulators, against handlers that people write by hand. CPU time, which other
// processes hardly change.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { atMost, line, summary } from './measure.mjs'
import { worldOf } from './worlds.mjs'

const own = (name) => fileURLToPath(new URL(name, import.meta.url))
const root = own('../..')
const [files, testsOfFile] = [40, 5]

export function use({ rounds, against }) {
  return [imports(Math.max(9, rounds), against), suites(rounds)].every(Boolean)
}

/** Each in a process of its own, all in turn. */
function imports(rounds, against) {
  console.log('\nImports, CPU time over msw/node alone, against msw with msw/node (= 1)')
  const library = (folder) => ({ folder, modules: ['understudy-api', 'msw/node'] })
  const variants = {
    alone: { folder: root, modules: ['msw/node'] },
    'by hand': { folder: root, modules: ['msw', 'msw/node'] },
    'this build': library(root),
    ...Object.fromEntries(against.map((folder) => [folder, library(folder)])),
  }
  const times = inTurn(rounds, variants, ({ folder, modules }) => {
    const imported = modules.map((name) => `import ${JSON.stringify(name)}`).join('\n')
    const script = `${imported}\nconst { user, system } = process.cpuUsage()\nconsole.log((user + system) / 1000)`
    const args = ['--input-type=module', '-e', script]
    return Number(run(process.execPath, args, folder).stdout)
  })
  const { alone, 'by hand': byHand, ...libraries } = times
  const base = summary(alone).median
  const unit = summary(byHand).median - base
  line('msw with msw/node, over msw/node', summary(byHand.map((time) => time - base)), 'ms')
  const lines = Object.entries(libraries).map(([name, values]) => {
    const goal = name === 'this build' ? atMost(0.9) : undefined
    return line(name, summary(values.map((time) => (time - base) / unit)), '×', goal)
  })
  return lines.every(Boolean)
}

const fixture = `import { test } from 'understudy-api/vitest'`
const withClient = `async ({ as }) => runSteps(as('all').headers)`

/** A test file each: what it imports and sets up, and a test of it. */
const suiteFiles = {
  empty: { setup: `import { test } from 'vitest'`, test: '() => {}' },
  'by hand, a Map': {
    setup: `import { test } from 'vitest'
      import { serveByHand } from '../../by-hand.mjs'
      serveByHand(() => {
        const rows = new Map([[1, { id: 1, content: 'Launch' }]])
        const put = (id, row) => rows.set(id, row).get(id)
        return {
          all: () => [...rows.values()],
          add: (row) => put(rows.size + 1, { id: rows.size + 1, ...row }),
          change: (id, row) => put(id, { ...rows.get(id), ...row }),
        }
      })`,
    test: '() => runSteps({})',
  },
  'by hand, @mswjs/data': {
    setup: `import { factory, primaryKey } from '@mswjs/data'
      import { test } from 'vitest'
      import { serveByHand } from '../../by-hand.mjs'
      serveByHand(() => {
        let lastId = 0
        const model = { id: primaryKey(() => ++lastId), content: String, date_marker: String }
        const { annotation } = factory({ annotation: model })
        annotation.create({ content: 'Launch' })
        return {
          all: () => annotation.getAll(),
          add: (row) => annotation.create(row),
          change: (id, data) => annotation.update({ where: { id: { equals: id } }, data }),
        }
      })`,
    test: '() => runSteps({})',
  },
  'the fixture of this package': { setup: fixture, test: withClient },
  'the fixture, 20,000 rows': {
    // Vitest makes a module of an imported JSON file, which costs more than the rest of the file.
    setup: `import { readFileSync } from 'node:fs'
      import { test as base } from 'understudy-api/vitest'
      const world = JSON.parse(readFileSync(new URL('world.json', import.meta.url), 'utf8'))
      const test = base.override('simulatorOptions', { world })`,
    test: withClient,
  },
  'its handlers in setupServer': {
    setup: `import { setupServer } from 'msw/node'
      import { createSimulator } from 'understudy-api'
      import { afterAll, afterEach, beforeAll, test } from 'vitest'
      const simulator = createSimulator()
      const server = setupServer(...simulator.handlers)
      beforeAll(() => server.listen())
      afterEach(() => simulator.reset())
      afterAll(() => server.close())`,
    test: `() => runSteps({ authorization: 'Bearer phx_all' })`,
  },
}

function suites(rounds) {
  console.log(
    `\nSuites of ${files} files with ${testsOfFile} tests in Vitest: CPU time of a file over that of an empty one`,
  )
  const folder = own('use/suites')
  const folderOf = (name) => join(folder, name.replaceAll(/\W+/g, '-'))
  try {
    for (const [name, { setup, test }] of Object.entries(suiteFiles)) {
      mkdirSync(folderOf(name), { recursive: true })
      const steps = `import { runSteps } from '../../steps.mjs'`
      const tests = Array.from({ length: testsOfFile }, (_, index) => `test('${index}', ${test})`)
      const text = [steps, setup, ...tests].join('\n')
      for (let file = 0; file < files; file++)
        writeFileSync(join(folderOf(name), `${file}.test.mjs`), text)
    }
    writeFileSync(
      join(folderOf('the fixture, 20,000 rows'), 'world.json'),
      JSON.stringify(worldOf(20_000)),
    )
    install(folder)
    // Vitest looks for one in all folders above.
    writeFileSync(join(folder, 'vitest.config.mjs'), 'export default {}')
    return compare(inTurn(rounds, suiteFiles, (_, name) => suiteSeconds(folderOf(name))))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What a project has in node_modules, Vitest leaves to Node. It would transform the package at its own place for each file. */
function install(folder) {
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  for (const name of ['package.json', 'dist', 'src', 'fixtures', 'scenarios'])
    cpSync(join(root, name), join(folder, 'node_modules/understudy-api', name), { recursive: true })
}

/** CPU seconds of Vitest with its workers. */
function suiteSeconds(folder) {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const command = `TIMEFORMAT='%U %S'; time "${process.execPath}" "${vitest}" run --root "${folder}" --pool threads --maxWorkers 2 --reporter dot >&2`
  const { stderr } = run('bash', ['-c', command])
  const [user, system] = stderr.trim().split('\n').at(-1).split(' ').map(Number)
  return user + system
}

function compare({ empty, ...times }) {
  const base = summary(empty).median
  const perFile = Object.fromEntries(
    Object.entries(times).map(([name, seconds]) => [
      name,
      seconds.map((value) => ((value - base) / files) * 1000),
    ]),
  )
  for (const [name, values] of Object.entries(perFile)) line(name, summary(values), 'ms')
  const against = (name, other) => {
    const { median } = summary(perFile[other])
    return summary(perFile[name].map((value) => value / median))
  }
  const own = 'the fixture of this package'
  return [
    line('the fixture against a Map by hand', against(own, 'by hand, a Map'), '×', atMost(1.2)),
    line(
      'the fixture against @mswjs/data by hand',
      against(own, 'by hand, @mswjs/data'),
      '×',
      atMost(0.8),
    ),
    line(
      '20,000 rows against the default world',
      against('the fixture, 20,000 rows', own),
      '×',
      atMost(1.3),
    ),
  ].every(Boolean)
}

function inTurn(rounds, variants, measure) {
  const times = Object.fromEntries(Object.keys(variants).map((name) => [name, []]))
  for (let round = 0; round < rounds; round++)
    for (const [name, variant] of Object.entries(variants)) times[name].push(measure(variant, name))
  return times
}

function run(command, args, cwd = root) {
  const result = spawnSync(command, args, { cwd, encoding: 'utf8' })
  if (result.status !== 0) throw new Error(`${command} failed:\n${result.stdout}${result.stderr}`)
  return result
}
