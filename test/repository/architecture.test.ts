import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../support/root.ts'

const folder = join(root, 'src')

/** A file of the library. */
interface Source {
  /** The path in src, such as `http/answer.ts` */
  readonly file: string
  readonly lines: number
  /** Files of src by path, packages by name */
  readonly imports: readonly string[]
  readonly text: string
}

/** Every file of the library. */
const sources: readonly Source[] = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'))
  .map((file) => {
    const text = readFileSync(join(folder, file), 'utf8')
    return { file, text, lines: text.split('\n').length - 1, imports: importsOf(file, text) }
  })

function importsOf(file: string, text: string): string[] {
  const names = [...text.matchAll(/(?:from|import\(|^import)\s*'([^']+)'/gm)].map(
    ([, name]) => name as string,
  )
  return names.map((name) =>
    name.startsWith('.') ? relative(folder, join(folder, dirname(file), name)) : name,
  )
}

/** Removes the comments of a source. */
function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
}

/** Files that may use Node: servers, files and the command line. */
const nodeSide = [
  /^adapters\/(express\/|user-handlers\.ts)/,
  /^cli(\/|\.ts)/,
  /^exec\//,
  /^mcp\//,
  /^import\/(import-file|read-exchanges|test-files)\.ts$/,
  /^integrations\/(playwright\/|testing\/(interception|kept-fetch|msw-network|sent-requests)\.ts|vitest\/reporter\.ts)/,
  /^report\/run-reporter\.ts$/,
  /^scenarios\/(library|read-scenario)\.ts$/,
  /^server\/[\w-]+\.ts$/,
  /^sweep\/swept-run\.ts$/,
  /^utils\/(body-budget|decode-content|files|input|network|package-file)\.ts$/,
  /^world\/(load\/read-world|persistence\/(atomic-write|persist-in-file))\.ts$/,
]

test('only the node side imports from Node', () => {
  const crossed = sources.filter(
    ({ file, imports }) =>
      imports.some((name) => name.startsWith('node:')) && !nodeSide.some((side) => side.test(file)),
  )

  expect(crossed.map(({ file }) => file)).toEqual([])
})

test('files that run in a browser use no global of Node', () => {
  const used = sources.filter(
    ({ file, text }) =>
      /\b(Buffer|process|setImmediate|__dirname)\b/.test(withoutComments(text)) &&
      !nodeSide.some((side) => side.test(file)),
  )

  expect(used.map(({ file }) => file)).toEqual([])
})

test('only the factories import the libraries that generate rows', () => {
  const importing = sources.filter(({ imports }) =>
    imports.some((name) => name.startsWith('@mswjs/data') || name.startsWith('@faker-js')),
  )

  expect(importing.map(({ file }) => file).sort()).toEqual([
    'world/factories/columns.ts',
    'world/factories/row-generator.ts',
  ])
})

test('only adapters, and the code that starts them, import MSW', () => {
  const importing = sources.filter(({ imports }) => imports.some((name) => /^msw\b/.test(name)))

  expect(importing.map(({ file }) => file).sort()).toEqual([
    'adapters/express/express.ts',
    'adapters/msw-http.ts',
    'adapters/msw.ts',
    'adapters/user-handlers.ts',
    'integrations/browser/follow-aborts.ts',
    'integrations/browser/page-simulator.ts',
    'integrations/browser/start-in-browser.ts',
    'integrations/playwright/simulator-fixtures.ts',
    'integrations/testing/interception.ts',
    'integrations/testing/msw-network.ts',
    'integrations/testing/other-requests.ts',
    'integrations/vitest/in-page/interception.ts',
    'server/listen.ts',
    'simulator/options.ts',
    'simulator/simulator.ts',
  ])
})

/** Files that read messages of others, which have no codes: of Zod. Of messages of its own, the command line colours the start. */
const readsMessages = ['cli/program.ts', 'utils/schema-issues.ts']

test('no module compares, searches or cuts a sentence: sentences are for people, data is for code', () => {
  const methods = String.raw`\.(?:startsWith|endsWith|includes|indexOf|slice|match|replace|replaceAll|split(?!..\\n))\(`
  const sentence = String.raw`(['"\x60])(?:(?!\1).)*\w \w+ \w(?:(?!\1).)*\1`
  const message = String.raw`\b(?:message|sentence)\b`
  const patterns = [
    `[!=]== ${sentence}`,
    `${methods}${sentence}`,
    `${message}${methods}`,
    String.raw`\.(?:exec|test)\((?:\w+\.)*${message}\)`,
  ].map((pattern) => new RegExp(pattern))

  const reading = sources
    .filter(({ text }) => patterns.some((pattern) => pattern.test(withoutComments(text))))
    .map(({ file }) => file)

  expect(reading.sort()).toEqual(readsMessages)
})

test('every public declaration has a comment', () => {
  const entrances = [
    'index.ts',
    'node.ts',
    'browser.ts',
    'express.ts',
    'factories.ts',
    'playwright.ts',
    'types.ts',
    'vitest.ts',
  ]
  const silent = sources
    .filter(({ file }) => entrances.includes(file))
    .flatMap(({ text }) => [
      ...text.matchAll(/export (?:type )?(\*|\{[^}]*\}) from '\.\/([^']+)'/g),
    ])
    .flatMap(([, names = '', file = '']) => {
      const { text } = sources.find((source) => source.file === file) as Source
      const exported = names.match(/\w+/g)
      return [...text.matchAll(/(\*\/)?\nexport (?:async )?\w+ (\w+)/g)]
        .filter(([, comment, name]) => !comment && (exported?.includes(name as string) ?? true))
        .map(([, , name]) => `${name} in ${file}`)
    })

  expect(silent).toEqual([])
})

test('a file has at most 400 lines', () => {
  const long = sources.filter(({ lines }) => lines > 400).map(({ file }) => file)

  expect(long).toEqual([])
})

const classes = new Set(
  sources.flatMap(({ text }) =>
    [...text.matchAll(/^(?:export )?class (\w+)/gm)].map(([, name]) => name),
  ),
)

test('no value is an instance of a global: jsdom, Jest and node:vm have globals of their own', () => {
  // Those of libraries are one class for all.
  const known = new Set([...classes, 'CommanderError', 'RequestHandler'])
  const compared = sources.flatMap(({ file, text }) =>
    [...withoutComments(text).matchAll(/\binstanceof ([\w.]+)/g)]
      .filter(([, name]) => !known.has(name))
      .map(([code]) => `${file}: ${code}`),
  )

  expect(compared).toEqual([])
})

test('no module has state, reads the clock or uses random numbers', () => {
  const problems = sources.flatMap(({ file, text }) => {
    const code = withoutComments(text)
    const found =
      code.match(/^(let|var) \w+|Math\.random|new Date\(\)|randomUUID|Date\.now/gm) ?? []
    const all = writesToModule(code) ? [...found, 'a value of the module that changes'] : found
    return [...new Set(all)].map((name) => `${file}: ${name}`)
  })

  // The clock reads the real time. The ids of requests differ between servers, and those of simulators and temporary files
  // between processes.
  // A process and a page each have one network to intercept, and one fetch.
  // A handler can run in several simulators at once.
  expect(problems.sort()).toEqual([
    'adapters/express/express.ts: randomUUID',
    'adapters/user-handlers.ts: a value of the module that changes',
    'integrations/testing/interception.ts: a value of the module that changes',
    'integrations/testing/kept-fetch.ts: a value of the module that changes',
    'integrations/vitest/in-page/interception.ts: a value of the module that changes',
    'sweep/swept-run.ts: randomUUID',
    'world/clock/clock.ts: Date.now',
    'world/persistence/atomic-write.ts: randomUUID',
  ])
})

test('no module looks for files of the package when it is loaded: a bundle may have none', () => {
  const early = sources.filter(({ text }) =>
    /^(?:export )?const \w+[^=\n]*= packageFile\(/m.test(text),
  )

  expect(early.map(({ file }) => file)).toEqual([])
})

test('one file uses timers, so that fake timers do not affect the others', () => {
  const waiting = sources.filter(({ text }) =>
    /\bset(Timeout|Interval)\b/.test(withoutComments(text)),
  )

  expect(waiting.map(({ file }) => file)).toEqual(['utils/wait.ts'])
})

/** Whether a module or a class has a value at its top that can be changed. */
function writesToModule(code: string): boolean {
  const isOpen = /^(export )?const \w+\b(?!: Readonly)[^=]*= new (Weak)?(Map|Set)\b/m.test(code)
  const isStatic = /^ +static (readonly )?#?\w+(: .*)?( =|;)/m.test(code)
  const names = [...code.matchAll(/^(?:export )?const (\w+)/gm)].map(([, name]) => name as string)
  return isOpen || isStatic || holdsObject(code) || names.some((name) => writesTo(name).test(code))
}

/** Whether a module creates an object of a class of src at its top: all simulators would share it. */
function holdsObject(code: string): boolean {
  const made = [...code.matchAll(/^(?:export )?const \w+[^=]*= new (\w+)\(/gm)]
  return made.some(([, name = '']) => classes.has(name))
}

function writesTo(name: string): RegExp {
  const inside = String.raw`(?<![\w.#])${name}(\.\w+|\[[^\]]*\])`
  const methods = 'push|pop|shift|unshift|splice|sort|reverse|fill|set|add|delete|clear'
  return new RegExp(
    [
      String.raw`(?<![\w.#])${name}(\.\w+|\[[^\]]*\])*\.(${methods})\(`,
      String.raw`${inside}+(\+\+|--| [-+*/|&?]*= )`,
      String.raw`\b(Object\.(assign|definePropert(y|ies))|Reflect\.set)\(${name}\b`,
      String.raw`\bdelete ${inside}`,
    ].join('|'),
  )
}
