import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sources, withoutComments } from '../support/sources.ts'
import { arrows } from './architecture.table.ts'

/** Files that may use Node: what serves, what reads files, and the command line. */
const nodeSide = [
  /^adapters\/(born-right|direct-lane|express|general-lane|node-.*|outbox|playwright)\.ts$/,
  /^cli(\/|\.ts)/,
  /^persistence\/(lock-file|persist-in-file|running|write-whole)\.ts$/,
  /^(server|server-layer|listen-on|node|express|dashboard-pages|scenario-library|read-scenario|read-world|playwright|token-check)\.ts$/,
]

test('dependencies point inwards', () => {
  const crossed = sources.flatMap(({ file, imports }) =>
    imports
      .filter((target) => /\.tsx?$/.test(target) && !allows(file, target))
      .map((target) => `${file} imports ${target}`),
  )

  expect(crossed).toEqual([])
})

test('of the simulator a page has the client alone, and types, which cost nothing', () => {
  const values = sources
    .filter(({ file }) => file.startsWith('dashboard/'))
    .flatMap(({ file, text }) =>
      [...text.matchAll(/^import (?!type )[^']*'(\.[^']*)'$/gm)].map(([, target = '']) => ({
        file,
        target: join(file, '..', target),
      })),
    )
    .filter(({ target }) => !/^(dashboard|remote)\/|^timers\.ts$/.test(target))

  expect(values).toEqual([])
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

test('MSW is known to the adapters, and to what starts them, in a page or a test', () => {
  const importing = sources.filter(({ imports }) => imports.some((name) => /^msw\b/.test(name)))

  expect(importing.map(({ file }) => file).sort()).toEqual([
    'adapters/express.ts',
    'adapters/general-lane.ts',
    'adapters/msw.ts',
    'adapters/playwright.ts',
    'adapters/service.ts',
    'browser/check-worker-file.ts',
    'browser/options.ts',
    'browser/start-in-browser.ts',
    'server-layer.ts',
    'service.ts',
    'simulator.ts',
    'testing/interception.ts',
    'testing/with-simulator.ts',
  ])
})

function allows(file: string, target: string): boolean {
  const allowed = arrows[file] ?? arrows[file.split('/')[0] as string]
  return (
    allowed === undefined ||
    allowed.some((part) => target === part || target.startsWith(`${part}/`))
  )
}
