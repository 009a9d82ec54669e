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
  /^(server|node|express|read-scenario|read-world)\.ts$/,
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
  har: [
    'har',
    'recordings/exchange.ts',
    'usage-error.ts',
    'version.ts',
    'wire.ts',
    'world/faults.ts',
  ],
  journal: [
    'journal',
    'differences.ts',
    'endpoints.ts',
    'har',
    'history/history.ts',
    'http',
    'policies',
    'python',
    'recordings/exchange.ts',
    'usage-error.ts',
    'wire.ts',
    'version.ts',
    'world',
  ],
  history: ['history', 'journal', 'usage-error.ts', 'world'],
  persistence: ['persistence', 'simulator.ts', 'timers.ts', 'usage-error.ts', 'world'],
  adapters: ['adapters', 'errors.ts', 'report.ts', 'http', 'policies'],
  rows: ['rows', 'defaults.ts', 'keys.ts', 'usage-error.ts', 'world'],
  snapshots: ['free-words.ts', 'snapshots', 'sandbox.ts', 'usage-error.ts', 'world'],
  faults: [
    'faults',
    'adapters/markdown.ts',
    'beginning.ts',
    'endpoints.ts',
    'errors.ts',
    'history/history.ts',
    'http',
    'policies',
    'sandbox.ts',
    'timers.ts',
    'usage-error.ts',
    'wire.ts',
    'world',
  ],
  actors: [
    'actors',
    'annotations/visibility.ts',
    'beginning.ts',
    'defaults.ts',
    'endpoints.ts',
    'faults/no-match.ts',
    'faults/paths.ts',
    'history/history.ts',
    'http',
    'policies',
    'sandbox.ts',
    'usage-error.ts',
    'world',
  ],
  sandboxes: [
    'sandboxes',
    'http',
    'journal/budget.ts',
    'key-value.ts',
    'policies',
    'sandbox.ts',
    'simulator.ts',
    'usage-error.ts',
    'world',
  ],
  control: [
    'control',
    'actors',
    'adapters/msw.ts',
    'adapters/openapi.ts',
    'adapters/service.ts',
    'errors.ts',
    'faults',
    'fields',
    'har/archive.ts',
    'history',
    'http',
    'journal',
    'keys.ts',
    'policies',
    'rows',
    'sandboxes',
    'simulator.ts',
    'snapshots',
    'usage-error.ts',
    'version.ts',
    'world',
  ],
  remote: [
    'remote',
    'actors/actors.ts',
    'faults/faults.ts',
    'history/why.ts',
    'journal',
    'keys.ts',
    'policies',
    'rows/new-rows.ts',
    'sandboxes',
    'snapshots/snapshots.ts',
    'usage-error.ts',
    'world',
  ],
  cli: [
    'cli',
    'adapters/markdown.ts',
    'annotations/list.ts',
    'errors.ts',
    'faults',
    'http',
    'persistence',
    'policies',
    'read-scenario.ts',
    'read-world.ts',
    'scenarios',
    'server.ts',
    'simulator-options.ts',
    'simulator.ts',
    'usage-error.ts',
    'version.ts',
    'world/rows.ts',
  ],
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
    return stateful || ticking || writesToModule(code) ? [file] : []
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
  'sandbox.ts': 'the composition of one world: what belongs to it, each part in a line or two',
  'simulator.ts': 'the composition root: every member that a user holds, each of a line or two',
  'world/rows.ts': 'types only: every row of the world format in one place',
}

/** Whether something at the top of a module, or of a class, can be written to, or is. */
function writesToModule(code: string): boolean {
  const isOpen = /^(export )?const \w+\b(?!: Readonly)[^=]*= new (Weak)?(Map|Set)\b/m.test(code)
  const isStatic = /^ +static (readonly )?#?\w+(: .*)?( =|;)/m.test(code)
  const names = [...code.matchAll(/^(?:export )?const (\w+)/gm)].map(([, name]) => name as string)
  return isOpen || isStatic || names.some((name) => writesTo(name).test(code))
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
