// `npm run mutants`: plants faults in a copy of the sources, one at a time, and says which of them `npm test` notices.
// Stryker's instrumenter finds the places; they are chosen by the lines of each file, and always the same ones of a seed.
// One run of all tests says which files of tests reach each fault: only those run against it, the nearest first.
// An interrupted run says what is judged, and the next one goes on.
import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Command, InvalidArgumentError } from 'commander'

const root = fileURLToPath(new URL('..', import.meta.url))
const cache = join(root, 'node_modules', '.cache', 'understudy-mutants')
const instrumenter = '@stryker-mutator/instrumenter@9.6.1'
/** At least so many tests run: what runs as a file loads is reached by more of them than the one that loaded it first. */
const nearest = 60

const toCount = (text) => {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('Expected a whole number.')
  return Number(text)
}
const options = new Command('npm run mutants --')
  .description('Plants faults, one at a time, and says which of them npm test notices.')
  .option('--count <number>', 'how many faults', toCount, 250)
  .option('--seed <number>', 'selects other faults', toCount, 1)
  .option('--only <folder>', 'faults in a folder of src only, such as src/compare', 'src')
  .option('--again', 'judge again those that were not noticed')
  .parse()
  .opts()

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: root })
  .toString()
  .split('\0')
  .filter((file) => file !== '' && existsSync(join(root, file)))
const mutants = await chooseMutants()
const sources = hashOf(...files.filter((file) => file.startsWith('src/')).map(read))
const results = join(cache, `${sources}-${options.seed}.jsonl`)
const reaches = join(
  cache,
  `${hashOf(...files.filter((file) => /^(?:src|test)\//.test(file)).map(read), JSON.stringify([options.count, options.seed, options.only]))}-reached.json`,
)
const judged = readResults()
const open = mutants.filter(({ id }) => !judged.has(id) || (options.again && !judged.get(id).by))
console.error(`${mutants.length} faults, ${mutants.length - open.length} judged in earlier runs.`)
let endTests = () => {}
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130))

if (open.length > 0) {
  const copy = copySources()
  process.on('exit', () => {
    endTests()
    rmSync(copy, { recursive: true, force: true })
    summarize()
  })
  const reached = await findReached(copy)
  for (const mutant of open) {
    const result = await judge(copy, mutant, reached[mutant.id] ?? [])
    judged.set(mutant.id, result)
    appendFileSync(results, `${JSON.stringify(result)}\n`)
    console.error(`${judged.size} of ${mutants.length}: ${describe(result)}`)
  }
} else summarize()

function read(file) {
  return readFileSync(join(root, file), 'utf8')
}

function hashOf(...texts) {
  const hash = createHash('sha256')
  for (const text of texts) hash.update(text)
  return hash.digest('hex').slice(0, 12)
}

/** Chooses a file by its lines, and then one of its faults, until there are enough. */
async function chooseMutants() {
  const code = files.filter((file) => /\.tsx?$/.test(file) && file.startsWith(options.only))
  const modules = code.filter((file) => file.startsWith('src/') && !file.endsWith('.d.ts'))
  /** Each file as often as it has lines. */
  const lines = modules.flatMap((file) =>
    read(file)
      .split('\n')
      .map(() => file),
  )
  const find = await loadInstrumenter()
  const found = new Map()
  const random = randomOf(options.seed)
  const chosen = new Map()
  for (let attempt = 0; chosen.size < options.count && attempt < 50 * options.count; attempt += 1) {
    const file = lines[Math.floor(random() * lines.length)]
    if (!found.has(file)) found.set(file, await find(file))
    const { all } = found.get(file)
    const mutant = all[Math.floor(random() * all.length)]
    if (mutant) chosen.set(mutant.id, mutant)
  }
  return [...chosen.values()].map((mutant) => ({ ...mutant, noted: found.get(mutant.file).noted }))
}

/** Mulberry32. */
function randomOf(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/**
 * Loads the instrumenter, which is no dependency: it is installed when faults are planted.
 * @returns what finds the faults of a file, and the file with a note at each of them
 */
async function loadInstrumenter() {
  const installed = join(cache, 'node_modules', '@stryker-mutator', 'instrumenter')
  if (!existsSync(installed)) {
    console.error(`Installing ${instrumenter} …`)
    mkdirSync(cache, { recursive: true })
    writeFileSync(join(cache, 'package.json'), '{"private":true,"type":"module"}')
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock']
    execFileSync('npm', ['install', instrumenter, ...flags], {
      cwd: cache,
      stdio: ['ignore', 2, 2],
    })
  }
  const { Instrumenter } = await import(pathToFileURL(join(installed, 'dist/src/index.js')).href)
  const silent = new Proxy({}, { get: () => () => false })
  const settings = { plugins: null, excludedMutations: [], ignorers: [] }
  return async (file) => {
    const content = read(file)
    const input = [{ name: file, content, mutate: true }]
    const instrumented = await new Instrumenter(silent).instrument(input, settings)
    const starts = [0]
    for (const { index } of content.matchAll(/\n/g)) starts.push(index + 1)
    const all = instrumented.mutants.map(({ id: number, location, replacement, mutatorName }) => {
      const [from, to] = [location.start, location.end].map(
        ({ line, column }) => starts[line] + column,
      )
      const id = hashOf(file, String(from), String(to), replacement)
      return { id, number, file, line: location.start.line + 1, from, to, replacement, mutatorName }
    })
    return { all, noted: instrumented.files[0].content }
  }
}

function copySources() {
  const copy = mkdtempSync(join(tmpdir(), 'understudy-mutants-'))
  for (const file of files) cpSync(join(root, file), join(copy, file))
  cpSync(join(root, 'dist'), join(copy, 'dist'), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  return copy
}

/** @returns by the id of a fault, the files of tests that reach it, the nearest first */
async function findReached(copy) {
  if (existsSync(reaches)) return JSON.parse(readFileSync(reaches, 'utf8'))
  console.error('The tests without a fault …')
  const { by } = await runTests(copy, [], 1_200)
  if (by) throw new Error(`Failed to judge faults: expected green tests, got a failure of ${by}.`)
  console.error('The tests that say which faults they reach …')
  const noted = new Map(mutants.map((mutant) => [mutant.file, mutant.noted]))
  const numbers = [...noted.keys()].map((file, index) => [file, index * 100_000])
  const firsts = new Map(numbers)
  for (const [file, content] of noted) {
    // Stryker counts the faults of each file from 0.
    const apart = content.replace(
      /(stryCov_9fa48\()((?:"\d+"(?:, )?)+)\)/g,
      (_call, name, ids) => `${name}${ids.replace(/\d+/g, (id) => Number(id) + firsts.get(file))})`,
    )
    writeFileSync(join(copy, file), apart)
  }
  const lines = join(copy, 'mutants-reached.jsonl')
  writeFileSync(
    join(copy, 'test/mutants-setup.ts'),
    `import { appendFileSync } from 'node:fs'
import { afterAll, beforeAll, expect } from 'vitest'
const notes = ((globalThis as any).__stryker__ ??= {})
beforeAll(() => { notes.currentTestId = expect.getState().testPath })
afterAll(() => {
  const { perTest = {} } = notes.mutantCoverage ?? {}
  const reached = Object.keys(perTest[notes.currentTestId] ?? {})
  const line = { test: notes.currentTestId, reached }
  appendFileSync(${JSON.stringify(lines)}, JSON.stringify(line) + '\\n')
  notes.currentTestId = undefined
})
`,
  )
  writeFileSync(
    join(copy, 'test/mutants.config.ts'),
    `import config from './vitest.config.ts'
const setupFiles = ['test/mutants-setup.ts']
export default { ...config, test: { ...config.test, setupFiles } }
`,
  )
  await runTests(copy, [], 2_400, { config: 'test/mutants.config.ts', bail: false })
  for (const file of noted.keys()) writeFileSync(join(copy, file), read(file))
  const tests = readFileSync(lines, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const isTest = (file) => /^test\/.*(?<!\.slow)\.test\.ts$/.test(file)
  const all = files.filter((file) => isTest(file) && !file.startsWith('test/repository/'))
  // These read the sources.
  const reading = files.filter((file) => isTest(file) && file.startsWith('test/repository/'))
  const entries = mutants.map(({ id, number, file }) => {
    const key = String(Number(number) + firsts.get(file))
    const reaching = tests
      .filter(({ reached }) => reached.includes(key))
      .map(({ test }) => test.slice(test.indexOf('/test/') + 1))
    const near = all.toSorted(byNearness(file, reaching))
    return [id, [...near.slice(0, Math.max(reaching.length, nearest)), ...reading]]
  })
  writeFileSync(reaches, JSON.stringify(Object.fromEntries(entries)))
  return Object.fromEntries(entries)
}

/** Tests below the folder that is named like the one of the file come first. */
function byNearness(file, reaching) {
  const names = dirname(file).split('/').slice(1)
  const distance = (test) => {
    const others = dirname(test).split('/').slice(1)
    const same = names.findIndex((name, index) => name !== others[index])
    const shared = same === -1 ? names.length : same
    return (reaching.includes(test) ? 0 : 1_000) - 10 * shared + others.length
  }
  return (first, second) => distance(first) - distance(second) || first.localeCompare(second)
}

/** Runs the nearest tests first: most faults are noticed there. */
async function judge(copy, { id, file, line, from, to, replacement, mutatorName }, tests) {
  const content = read(file)
  const start = performance.now()
  writeFileSync(join(copy, file), `${content.slice(0, from)}${replacement}${content.slice(to)}`)
  try {
    const parts = [tests.slice(0, 8), tests.slice(8, 60), tests.slice(60)]
    let by = null
    for (const [index, part] of parts.entries()) {
      if (!by && part.length > 0) ({ by } = await runTests(copy, part, [60, 200, 600][index]))
    }
    const seconds = Math.round((performance.now() - start) / 1_000)
    const original = content.slice(from, to)
    return { id, file, line, mutatorName, original, replacement, by, tests: tests.length, seconds }
  } finally {
    writeFileSync(join(copy, file), content)
  }
}

/**
 * Runs tests until one fails. On a busy machine only seconds of CPU tell an endless loop.
 * @returns its name, or null if all pass
 */
async function runTests(
  copy,
  filters,
  limit,
  { config = 'test/vitest.config.ts', bail = true } = {},
) {
  const report = join(copy, 'mutants-report.json')
  rmSync(report, { force: true })
  const vitest = join(copy, 'node_modules', 'vitest', 'vitest.mjs')
  const flags = ['--config', config, '--bail', bail ? '1' : '0', '--maxWorkers', '1']
  const output = ['--reporter', 'json', '--outputFile', report, '--testTimeout', '120000']
  const args = [process.execPath, vitest, 'run', ...flags, ...output, ...filters]
  const env = { ...process.env, CI: '1', NODE_OPTIONS: '--max-old-space-size=2000' }
  const limited = ['-c', `ulimit -t ${limit}; exec "$@"`, 'sh', ...args]
  const child = spawn('sh', limited, { cwd: copy, env, stdio: 'ignore', detached: true })
  // Without the processes that tests have started, the next run would meet them.
  endTests = () => {
    try {
      process.kill(-child.pid, 'SIGKILL')
    } catch {
      // All of them have ended.
    }
  }
  const [code, signal] = await new Promise((resolve) => {
    child.once('exit', (...ends) => resolve(ends))
  })
  endTests()
  if (code === 0) return { by: null }
  if (signal) return { by: 'no end' }
  const { testResults = [] } = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : {}
  const failed = testResults.find(({ status }) => status === 'failed')
  const test = failed?.assertionResults.find(({ status }) => status === 'failed')
  const name = failed?.name.replace(`${copy}/`, '').replace(/^.*?(?=test\/)/, '') ?? 'a crash'
  return { by: test ? `${name}: ${test.fullName}` : name }
}

function readResults() {
  mkdirSync(cache, { recursive: true })
  const lines = existsSync(results) ? readFileSync(results, 'utf8').split('\n').filter(Boolean) : []
  const known = new Set(mutants.map(({ id }) => id))
  return new Map(
    lines
      .map((line) => JSON.parse(line))
      .filter(({ id }) => known.has(id))
      .map((result) => [result.id, result]),
  )
}

function describe({ file, line, mutatorName, original, replacement, by, tests, seconds }) {
  const short = (text) => (text.length > 70 ? `${text.slice(0, 69)}…` : text).replace(/\s+/g, ' ')
  const fault = `${file}:${line} ${mutatorName}: ${short(original)} → ${short(replacement)}`
  return by
    ? `${fault}; noticed by ${by} (${seconds} s)`
    : `${fault}; NOT NOTICED by ${tests} files (${seconds} s)`
}

function summarize() {
  const all = [...judged.values()]
  const missed = all.filter(({ by }) => !by)
  for (const result of missed) console.log(describe(result))
  console.log(
    `${all.length} of ${mutants.length} faults are judged: ${all.length - missed.length} noticed, ${missed.length} not.`,
  )
}
