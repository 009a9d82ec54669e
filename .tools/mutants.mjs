// `npm run mutants`: plants faults in a copy of the sources, one at a time, and says which of them `npm test` notices.
// Stryker's instrumenter finds the places; they are chosen by the lines of each file, and always the same ones of a seed.
// An interrupted run says what is judged, and the next one goes on. Nothing else should run beside it.
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
  console.error('The tests without a fault …')
  const start = performance.now()
  const { by } = await runTests(copy, [], 1_800_000)
  if (by) throw new Error(`Failed to judge faults: expected green tests, got a failure of ${by}.`)
  const limit = 5 * (performance.now() - start) + 60_000
  for (const mutant of open) {
    const result = await judge(copy, mutant, limit)
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
  const find = await finder()
  const found = new Map()
  const random = randomOf(options.seed)
  const chosen = new Map()
  for (let attempt = 0; chosen.size < options.count && attempt < 50 * options.count; attempt += 1) {
    const file = lines[Math.floor(random() * lines.length)]
    if (!found.has(file)) found.set(file, await find(file))
    const all = found.get(file)
    const mutant = all[Math.floor(random() * all.length)]
    if (mutant) chosen.set(mutant.id, mutant)
  }
  return [...chosen.values()]
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

/** Loads the instrumenter, which is no dependency: it is installed when faults are planted. */
async function finder() {
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
    const { mutants: all } = await new Instrumenter(silent).instrument(input, settings)
    const starts = [0]
    for (const { index } of content.matchAll(/\n/g)) starts.push(index + 1)
    return all.map(({ location, replacement, mutatorName }) => {
      const [from, to] = [location.start, location.end].map(
        ({ line, column }) => starts[line] + column,
      )
      const id = hashOf(file, String(from), String(to), replacement)
      return { id, file, line: location.start.line + 1, from, to, replacement, mutatorName }
    })
  }
}

function copySources() {
  const copy = mkdtempSync(join(tmpdir(), 'understudy-mutants-'))
  for (const file of files) cpSync(join(root, file), join(copy, file))
  cpSync(join(root, 'dist'), join(copy, 'dist'), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  return copy
}

/** Runs the tests of the same folder first: most faults are noticed there. */
async function judge(copy, { id, file, line, from, to, replacement, mutatorName }, limit) {
  const content = read(file)
  const mutated = `${content.slice(0, from)}${replacement}${content.slice(to)}`
  const start = performance.now()
  writeFileSync(join(copy, file), mutated)
  try {
    const near = nearTests(file)
    const first = near.length > 0 ? await runTests(copy, near, limit) : { by: null }
    const { by } = first.by ? first : await runTests(copy, [], limit)
    const seconds = Math.round((performance.now() - start) / 1_000)
    return {
      id,
      file,
      line,
      mutatorName,
      original: content.slice(from, to),
      replacement,
      by,
      seconds,
    }
  } finally {
    writeFileSync(join(copy, file), content)
  }
}

/** The folders of tests that are named like the folder of a file, the nearest one. */
function nearTests(file) {
  for (let folder = dirname(file); folder !== '.'; folder = dirname(folder)) {
    const tests = folder.replace(/^src\b/, 'test')
    const isThere = files.some((name) => name.startsWith(`${tests}/`) && name.endsWith('.test.ts'))
    if (tests !== 'test' && isThere) return [`${tests}/`]
  }
  return []
}

/** Runs tests until one fails. @returns its name, or null if all pass */
async function runTests(copy, filters, limit) {
  const report = join(copy, 'mutants-report.json')
  rmSync(report, { force: true })
  const vitest = join(copy, 'node_modules', 'vitest', 'vitest.mjs')
  const flags = ['--config', 'test/vitest.config.ts', '--bail', '1', '--reporter', 'json']
  const args = [vitest, 'run', ...flags, '--outputFile', report, ...filters]
  const env = { ...process.env, CI: '1' }
  const child = spawn(process.execPath, args, { cwd: copy, env, stdio: 'ignore', detached: true })
  // Without the processes that tests have started, the next run would meet them.
  endTests = () => {
    try {
      process.kill(-child.pid, 'SIGKILL')
    } catch {
      // All of them have ended.
    }
  }
  const timer = setTimeout(endTests, limit)
  const [code, signal] = await new Promise((resolve) => {
    child.once('exit', (...ends) => resolve(ends))
  })
  clearTimeout(timer)
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

function describe({ file, line, mutatorName, original, replacement, by, seconds }) {
  const short = (text) => (text.length > 70 ? `${text.slice(0, 69)}…` : text).replace(/\s+/g, ' ')
  const fault = `${file}:${line} ${mutatorName}: ${short(original)} → ${short(replacement)}`
  return by ? `${fault}; noticed by ${by} (${seconds} s)` : `${fault}; NOT NOTICED (${seconds} s)`
}

function summarize() {
  const all = [...judged.values()]
  const missed = all.filter(({ by }) => !by)
  for (const result of missed) console.log(describe(result))
  console.log(
    `${all.length} of ${mutants.length} faults are judged: ${all.length - missed.length} noticed, ${missed.length} not.`,
  )
}
