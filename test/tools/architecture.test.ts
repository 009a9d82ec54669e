import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sources, withoutComments } from '../support/sources.ts'

/** Files that may use Node: what serves, what reads files, and the command line. */
const nodeSide = [
  /^adapters\/express\//,
  /^cli(\/|\.ts)/,
  /^integrations\/playwright\//,
  /^scenarios\/(library|read-scenario)\.ts$/,
  /^server\/([\w-]+|control\/guard)\.ts$/,
  /^utils\/package-file\.ts$/,
  /^world\/(load\/read-world|persistence\/(lock-file|persist-in-file|atomic-write))\.ts$/,
]

test('of the simulator a page has the client alone, and types, which cost nothing', () => {
  const values = sources
    .filter(({ file }) => file.startsWith('server/dashboard/'))
    .flatMap(({ file, text }) =>
      [...text.matchAll(/^import (?!type )[^']*'(\.[^']*)'$/gm)].map(([, target = '']) => ({
        file,
        target: join(file, '..', target),
      })),
    )
    .filter(({ target }) => !/^(server\/dashboard|remote)\/|^utils\/wait\.ts$/.test(target))

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
    'adapters/express/express.ts',
    'adapters/express/run-msw-handlers.ts',
    'adapters/handlers.ts',
    'adapters/msw.ts',
    'integrations/browser/check-worker-file.ts',
    'integrations/browser/options.ts',
    'integrations/browser/start-in-browser.ts',
    'integrations/playwright/answer-pages.ts',
    'integrations/testing/interception.ts',
    'integrations/testing/with-simulator.ts',
    'sandbox/router.ts',
    'sandbox/simulator-base.ts',
    'server/middleware.ts',
  ])
})
