import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../src', import.meta.url))

interface Source {
  /** Below src, such as `http/answer.ts` */
  readonly file: string
  readonly lines: number
  /** Modules of ours by file, others by name */
  readonly imports: readonly string[]
  readonly text: string
}

const sources: readonly Source[] = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))
  .map((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    return { file, text, lines: text.split('\n').length - 1, imports: importsOf(file, text) }
  })

/** Files that may use Node: what serves, what reads files, and the command line. */
const nodeSide = [
  /^adapters\/(born-right|express|general-lane|node-.*)\.ts$/,
  /^cli(\/|\.ts)/,
  /^persistence\/(persist-in-file|write-whole)\.ts$/,
  /^(server|node|express|read-world)\.ts$/,
]

/** For each part of src, the parts it may import from. What is not listed may import anything. */
const arrows: Readonly<Record<string, readonly string[]>> = {
  'errors.ts': [],
  'usage-error.ts': [],
  'wire.ts': [],
  python: ['python'],
  policies: ['policies', 'usage-error.ts'],
  fields: ['fields', 'errors.ts', 'policies', 'python', 'world'],
  world: ['world', 'errors.ts', 'usage-error.ts', 'version.ts', 'wire.ts', 'python'],
  http: [
    'http',
    'errors.ts',
    'usage-error.ts',
    'wire.ts',
    'fields',
    'policies',
    'python',
    'world/rows.ts',
    'world/directory.ts',
  ],
  annotations: [
    'annotations',
    'errors.ts',
    'wire.ts',
    'fields',
    'http',
    'policies',
    'python',
    'world',
  ],
  plugins: ['plugins', 'errors.ts', 'wire.ts', 'fields', 'http', 'policies', 'python', 'world'],
  projects: ['projects', 'errors.ts', 'wire.ts', 'http', 'policies', 'world'],
  'differences.ts': [],
  journal: [
    'journal',
    'differences.ts',
    'endpoints.ts',
    'history/history.ts',
    'http',
    'policies',
    'python',
    'usage-error.ts',
    'version.ts',
    'world',
  ],
  history: ['history', 'journal', 'usage-error.ts', 'world'],
  persistence: ['persistence', 'simulator.ts', 'timers.ts', 'usage-error.ts', 'world'],
  adapters: ['adapters', 'errors.ts', 'report.ts', 'http', 'policies'],
}

test('dependencies point inwards', () => {
  const crossed = sources.flatMap(({ file, imports }) =>
    imports
      .filter((target) => target.endsWith('.ts') && !allows(file, target))
      .map((target) => `${file} imports ${target}`),
  )

  expect(crossed).toEqual([])
})

test('only the node side imports from Node', () => {
  const crossed = sources.filter(
    ({ file, imports }) =>
      imports.some((name) => name.startsWith('node:')) && !nodeSide.some((side) => side.test(file)),
  )

  expect(crossed.map(({ file }) => file)).toEqual([])
})

test('what runs in a browser uses no global of Node', () => {
  const used = sources.filter(
    ({ file, text }) =>
      /\b(Buffer|process|setImmediate|__dirname)\b/.test(withoutComments(text)) &&
      !nodeSide.some((side) => side.test(file)),
  )

  expect(used.map(({ file }) => file)).toEqual([])
})

test('one file imports the generators, and only when rows are generated', () => {
  const importing = sources.filter(({ imports }) =>
    imports.some((name) => name.startsWith('@mswjs/data') || name.startsWith('@faker-js')),
  )

  expect(importing).toHaveLength(1)
})

test('MSW is known to the adapters alone', () => {
  const importing = sources.filter(({ imports }) => imports.some((name) => /^msw\b/.test(name)))

  expect(importing.map(({ file }) => file).sort()).toEqual([
    'adapters/express.ts',
    'adapters/general-lane.ts',
    'adapters/msw.ts',
    'adapters/service.ts',
    'server.ts',
    'simulator.ts',
  ])
})

test('no module keeps state, reads the clock or rolls dice', () => {
  const found = sources.flatMap(({ file, text }) => {
    const code = withoutComments(text)
    const stateful = /^(let|var) /m.test(code) || /Math\.random|new Date\(\)|randomUUID/.test(code)
    const ticking = /Date\.now/.test(code)
    return stateful || ticking ? [file] : []
  })

  // The clock is where the real time comes from; an id of a request has to differ between servers.
  expect(found).toEqual(['adapters/general-lane.ts', 'world/clock.ts'])
})

test('one file waits on timers, which fake ones do not reach', () => {
  const waiting = sources.filter(({ text }) =>
    /\bset(Timeout|Interval)\b/.test(withoutComments(text)),
  )

  expect(waiting.map(({ file }) => file)).toEqual(['timers.ts'])
})

test('a file is one idea', () => {
  const sizes = sources.map(({ lines }) => lines).sort((a, b) => a - b)
  const long = sources.filter(({ lines }) => lines > 140).map(({ file }) => file)

  expect(sizes[Math.floor(sizes.length / 2)]).toBeLessThanOrEqual(70)
  expect(long.sort()).toEqual(Object.keys(reasonedLongFiles).sort())
})

test('all that is public says what it is', () => {
  const entrances = ['index.ts', 'node.ts', 'express.ts', 'factories.ts']
  const silent = sources
    .filter(({ file }) => entrances.includes(file))
    .flatMap(({ text }) => [
      ...text.matchAll(/export (?:type )?(\*|\{[^}]*\}) from '\.\/([^']+)'/g),
    ])
    .flatMap(([, names = '', file = '']) => {
      const { text } = sources.find((source) => source.file === file) as Source
      const wanted = names.match(/\w+/g)
      return [...text.matchAll(/(\*\/)?\nexport (?:async )?\w+ (\w+)/g)]
        .filter(([, comment, name]) => !comment && (wanted?.includes(name as string) ?? true))
        .map(([, , name]) => `${name} in ${file}`)
    })

  expect(silent).toEqual([])
})

/** Files of more than 140 lines, each with its reason. */
const reasonedLongFiles: Readonly<Record<string, string>> = {
  'policies/annotations.ts': 'data: one entry after the other',
  'policies/keys.ts': 'data: one entry after the other',
  'policies/plugin-extras.ts': 'data: one entry after the other',
  'policies/plugins.ts': 'data: one entry after the other',
  'policies/service.ts': 'data: one entry after the other',
  'simulator.ts': 'the composition root: every member that a user holds, each of a line or two',
  'world/rows.ts': 'types only: every row of the world format in one place',
}

function allows(file: string, target: string): boolean {
  const allowed = arrows[file] ?? arrows[file.split('/')[0] as string]
  return (
    allowed === undefined ||
    allowed.some((part) => target === part || target.startsWith(`${part}/`))
  )
}

function importsOf(file: string, text: string): string[] {
  const names = [...text.matchAll(/(?:from|import\(|^import)\s*'([^']+)'/gm)].map(
    ([, name]) => name as string,
  )
  return names.map((name) =>
    name.startsWith('.') ? relative(root, join(root, dirname(file), name)) : name,
  )
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
}
