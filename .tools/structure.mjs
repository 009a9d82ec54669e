// Measures the structure of the sources: limits that npm run check enforces, figures of what a reader has to carry beside
// their goals, and the lines of each room beside those of the last tag. Only an exceeded limit exits with 1.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const source = join(root, 'src')

const files = filesBelow(source).filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'))
const texts = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]))
const entries = readdirSync(source, { withFileTypes: true })
const markdown = readdirSync(root).filter((name) => name.endsWith('.md'))

// The first one completes the rows of the world, too.
const { first, next } = await filesOfTwoPatches()

const phrasesOfSource = phrases([...documents('src'), ...markdown])
const phrasesOfTests = phrases(documents('test'))
const limits = [
  ['folders in src', entries.filter((entry) => entry.isDirectory()).length, 13],
  ['files at the root of src', entries.filter((entry) => entry.isFile()).length, 10],
  ['circles of imports', circles(), 0],
  ['lines of README.md', lines([readFileSync(join(root, 'README.md'), 'utf8')]), 250],
  ['unusual phrases in src and Markdown', phrasesOfSource.length, 140],
  ['unusual phrases in test', phrasesOfTests.length, 140],
  ['files that run for the first PATCH', first.length, 34],
  ['files that run for the next PATCH', next.length, 30],
]
printTable('Limits', 'at most', limits)
printExcess()
printTable('What a reader has to carry', 'goal', figures())
printRooms()
if (process.argv.includes('--list')) console.log(first.join('\n'))
process.exitCode = limits.every(([, value, limit]) => value <= limit) ? 0 : 1

/** Lists the phrases where there are too many. */
function printExcess() {
  for (const list of [phrasesOfSource, phrasesOfTests]) {
    if (list.length > 140) console.log(`\n${list.join('\n')}`)
  }
}

function printTable(title, word, rows) {
  console.log(`\n${title}`)
  for (const [name, value, limit] of rows) {
    console.log(`${name.padEnd(52)} ${String(value).padStart(6)}  (${word} ${limit})`)
  }
}

/** Figures that no change must keep, each with the value that a newcomer can carry. */
function figures() {
  const tests = filesBelow(join(root, 'test')).filter(
    (file) => /\.(tsx?|mjs)$/.test(file) && !/\/test\/(bench|consumers)\//.test(file),
  )
  const linesOf = (names) => lines(names.map((name) => readFileSync(name, 'utf8')))
  const core = /^(utils|policies|world|http|api|adapters|sandbox)\/|^simulator\.ts$/
  const all = [...texts.values()].join('\n')
  const count = (pattern) => all.match(pattern)?.length ?? 0
  const messages = all.matchAll(
    /^(?:export )?(?:interface|type|class) ([A-Za-z]*(?:Request|Response|Exchange|Entry|Record|Answer|Trace))\b/gm,
  )
  return [
    ['lines of src', linesOf(files), 46_000],
    [
      'lines of its core',
      linesOf(files.filter((file) => core.test(relative(source, file)))),
      20_500,
    ],
    ['lines of test, without bench and consumers', linesOf(tests), 62_000],
    ['lines of unit tests', linesOf(tests.filter((file) => file.includes('/unit/'))), 18_000],
    [
      'types that are named after a message',
      new Set([...messages].map(([, name]) => name)).size,
      30,
    ],
    ['exports that at most one other file uses', rarelyUsedExports(), 450],
    ['schemas with a type by hand (z.ZodType<X>)', count(/: z\.ZodType</g), 10],
    ['double casts (as never, as unknown as)', count(/\bas never\b|\bas unknown as\b/g), 25],
  ]
}

/** Counts exports. Those that only a package entry uses count, too. */
function rarelyUsedExports() {
  const pattern =
    /^export (?:async )?(?:abstract )?(?:const|function\*?|class|interface|type|let|enum) ([A-Za-z_$][\w$]*)/gm
  const words = files
    .filter((file) => dirname(file) !== source)
    .map((file) => [file, new Set(texts.get(file).match(/[A-Za-z_$][\w$]*/g))])
  return files.flatMap((file) =>
    [...texts.get(file).matchAll(pattern)].filter(
      ([, name]) => words.filter(([other, used]) => other !== file && used.has(name)).length <= 1,
    ),
  ).length
}

/** Prints the lines of each room, and those at the last tag. */
function printRooms() {
  const tag = git('describe', '--tags', '--abbrev=0')?.trim()
  const before = new Map(tag ? roomsAt(tag) : [])
  const now = roomsOf(files.map((file) => [relative(source, file), texts.get(file)]))
  console.log(`\nLines of each room${tag ? `, and at ${tag}` : ''}`)
  for (const name of new Set([...now.keys(), ...before.keys()])) {
    const then = tag ? String(before.get(name) ?? 0).padStart(8) : ''
    console.log(`${name.padEnd(52)} ${String(now.get(name) ?? 0).padStart(6)}${then}`)
  }
}

function roomsAt(tag) {
  const names = git('ls-tree', '-r', '--name-only', tag, 'src/').split('\n')
  const sources = names.filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts'))
  return roomsOf(sources.map((name) => [name.replace(/^src\//, ''), git('show', `${tag}:${name}`)]))
}

/** Returns undefined outside a repository, and without a tag. */
function git(...args) {
  try {
    const options = {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
      stdio: ['ignore', 'pipe', 'ignore'],
    }
    return execFileSync('git', args, options)
  } catch {
    return undefined
  }
}

function roomsOf(named) {
  const rooms = new Map()
  for (const [name, text] of named) {
    const room = name.includes('/') ? name.split('/')[0] : 'at the root'
    rooms.set(room, (rooms.get(room) ?? 0) + lines([text]))
  }
  return rooms
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => !/\/(node_modules|dist)\//.test(file))
}

function documents(folder) {
  return filesBelow(join(root, folder))
    .filter((file) => /\.(tsx?|md)$/.test(file))
    .map((file) => relative(root, file))
}

function lines(contents) {
  return contents.reduce((sum, text) => sum + text.split('\n').length - 1, 0)
}

/** Groups of files that import each other, type imports and dynamic imports included (Tarjan's algorithm). */
function circles() {
  const imports = (file) =>
    [...(texts.get(file) ?? '').matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)]
      .map(([, name]) => resolve(dirname(file), name))
      .filter((target) => texts.has(target))
  const order = new Map()
  const lowest = new Map()
  const stack = []
  let count = 0
  const visit = (file) => {
    const start = stack.push(file) - 1
    order.set(file, order.size)
    lowest.set(file, order.get(file))
    for (const target of imports(file)) {
      if (!order.has(target)) visit(target)
      if (stack.includes(target)) lowest.set(file, Math.min(lowest.get(file), lowest.get(target)))
    }
    if (lowest.get(file) === order.get(file) && stack.splice(start).length > 1) count += 1
  }
  for (const file of files) if (!order.has(file)) visit(file)
  return count
}

/** Turns of phrase that other projects of this field do not use, such as "is told" or `asked` as a name. */
function phrases(names) {
  const patterns = [
    /\b(?:for|by|to|of|from|than) who\b|\bwho(?:ever)? (?:asks?|wants?|reads?|comes?|generates?|looks?|knows?|changes?|waits?)\b/gi,
    /\b(?:is|are|was|were|be|been) told\b|\btells? (?:what|which|where|whether|of|how|who|when)\b/gi,
    /\bthat (?:is|are) none\b|\b(?:where|if|when) there (?:is|are|was) none\b|\bgot none\b/gi,
    /\bof (?:ours|yours|theirs|others)\b/gi,
    /\bstands? (?:in|at|for itself|beside|by|before|there|where|still|as)\b|\bmakes? way\b|\bbegins? anew\b|\bgoes? before\b/gi,
    /\b(?:nobody|somebody|anybody)\b/gi,
    /\b(?:asked|given|kept|told|heard|taken)\b(?=\s*[=:,)}.])/g,
    /\bwhat (?:is|was|comes?|came|stands?|answers?|asks?|follows?|has|had)\b/gi,
  ]
  return names.flatMap((name) =>
    readFileSync(join(root, name), 'utf8')
      .split('\n')
      .flatMap((text, index) =>
        patterns.flatMap((pattern) =>
          [...text.matchAll(pattern)].map(([phrase]) => `${name}:${index + 1}  ${phrase}`),
        ),
      ),
  )
}

/** The files of the built library in which a function runs for a PATCH through MSW, and for another one. */
async function filesOfTwoPatches() {
  const library = pathToFileURL(join(root, 'dist/'))
  const { createSimulator } = await import(new URL('index.js', library).href)
  const { getResponse } = await import('msw')
  const { handlers } = createSimulator()
  const patch = () =>
    getResponse(
      handlers,
      new Request('http://localhost/api/projects/1/annotations/1/', {
        method: 'PATCH',
        headers: { authorization: 'Bearer phx_all', 'content-type': 'application/json' },
        body: '{"content":"Launch"}',
      }),
    )
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  const filesOf = async (run) => {
    await session.post('Profiler.takePreciseCoverage')
    const { status } = await run()
    const { result } = await session.post('Profiler.takePreciseCoverage')
    if (status !== 200) throw new Error(`Expected the PATCH to succeed, got ${status}.`)
    return result
      .filter(({ url }) => url.startsWith(library.href))
      .filter(({ functions }) => functions.some(({ ranges }) => ranges[0].count > 0))
      .map(({ url }) => url.slice(library.href.length))
      .sort()
  }
  return { first: await filesOf(patch), next: await filesOf(patch) }
}
