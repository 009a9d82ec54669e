import { expect, test } from 'vitest'
import type { ReplayHandlersOptions } from '../../../../src/replay.ts'
import { createReplayHandler } from '../../../../src/scenarios/replay-server/replay-handler.ts'
import {
  formatNearest,
  parseReplayMode,
} from '../../../../src/scenarios/replay-server/replay-options.ts'
import { openStory } from '../../../support/scenarios/direct-replay.ts'
import { annotationsPath, createStep, listStep } from '../../../support/scenarios/story.ts'

const headers = new Headers({ authorization: 'Bearer phx_all' })
const head = { url: '/', headers }
const other = { ...listStep, path: '/api/other/{base_url}/' }

/** The handler of a recording of a list and of a path outside the API. */
function createHandler(handlesAll: boolean, options: ReplayHandlersOptions = {}) {
  const replay = openStory(
    [listStep, createStep, other, { ...listStep, path: '/elsewhere/' }],
    options,
  )
  return { replay, handler: createReplayHandler(() => replay, handlesAll) }
}

test('a handler serves every method of the paths below /api', () => {
  const { handler, replay } = createHandler(true)

  expect([handler.pattern, handler.methods, handler.base]).toEqual(['/api/*', ['*'], replay.base])
  for (const method of ['GET', 'POST', 'OPTIONS', 'X-OWN']) {
    expect(handler.match(method, annotationsPath, head)?.params).toEqual({
      target: annotationsPath,
    })
  }
})

const knownPaths = createHandler(false)
const allPaths = createHandler(true)

/** A URL, its part below the base URL if it is recorded or of the API, and that if it is below /api. */
test.each([
  ['/api/projects/1/annotations/', '/api/projects/1/annotations/', null],
  ['/api/projects/1/annotations?limit=1#part\nof/it', '/api/projects/1/annotations?limit=1', null],
  ['https://any.test/api/projects/1/annotations/', '/api/projects/1/annotations/', null],
  ['https://any.test?a/api/', null, null],
  ['/api/other/a/', '/api/other/a/', null],
  ['/api/other/a/?b', '/api/other/a/?b', null],
  ['/api/other/a/b/', null, '/api/other/a/b/'],
  ['/elsewhere', '/elsewhere', null],
  ['/elsewhere/a', null, null],
  ['/api', null, '/api'],
  ['/api/', null, '/api/'],
  ['/api?a', null, '/api?a'],
  ['/apis/', null, null],
  ['/v1/api/', null, null],
  ['/', null, null],
  ['', null, null],
  ['/__sandbox/a/api/projects/', null, null],
])('the URL %j is %j for the paths of the API, and %j for all', (url, known, more) => {
  const targets = [knownPaths, allPaths].map(
    ({ handler }) => handler.match('GET', url, head)?.params.target,
  )

  expect(targets.map((target) => target ?? null)).toEqual([known, known ?? more])
})

test.each([
  ['http://a.test:80/base', 'http://a.test/base/api/projects/', '/api/projects/'],
  ['http://a.test/base', '/base/api/projects/', '/api/projects/'],
  ['http://a.test/base', 'http://b.test/base/api/projects/', undefined],
  ['http://a.test/base', 'http://a.test/api/projects/', undefined],
  ['http://a.test/base', 'http://a.test/base2/api/projects/', undefined],
  ['http://a.test/base', 'http://axtest/base/api/projects/', undefined],
  ['http://a.test/b.se', 'http://a.test/base/api/projects/', undefined],
  ['/base', 'https://any.test/base/api/projects/', '/api/projects/'],
  ['/base', '/base', undefined],
  ['/base', 'x/base/api/projects/', undefined],
])('at the base URL %s, the URL %s is %s', (baseUrl, url, target) => {
  const { handler } = createHandler(true, { baseUrl })

  expect(handler.match('GET', url, head)?.params.target).toBe(target)
})

test('a request with the key of a sandbox belongs to another handler', () => {
  const { handler, replay } = createHandler(true)
  const { keys } = replay.simulator.sandboxes.create({ from: 'empty' })
  const own = new Headers({ authorization: `Bearer ${keys[0]?.value}` })

  expect(handler.match('GET', annotationsPath, { ...head, headers: own })).toBe(null)
})

/** Sends a request to a handler, and returns what the journal has of it. */
async function journalOf(method: string, target: string, options: ReplayHandlersOptions = {}) {
  const { handler, replay } = createHandler(true, options)
  const body = method === 'POST' ? new TextEncoder().encode('{"content": "Launch"}') : null
  const request = { method, url: `http://localhost${target}`, target, query: '', headers, body }
  await handler.match(method, target, request)?.handle(request)
  return replay.simulator.journal
    .find()
    .map(({ id, operation, ms, response }) => [
      id,
      operation,
      ms >= 0 && ms < 60_000,
      response.status,
    ])
}

test.each([
  ['GET', annotationsPath, 'listAnnotations', 200],
  ['POST', annotationsPath, 'createAnnotation', 201],
  ['PUT', annotationsPath, null, 500],
  ['GET', '/api/other/a/', null, 500],
  ['GET', `${annotationsPath}1/`, 'retrieveAnnotation', 500],
])(
  '%s %s is in the journal once, with the operation %j',
  async (method, target, operation, status) => {
    expect(await journalOf(method, target)).toEqual([[1, operation, true, status]])
  },
)

test('a simulation writes its own entry, and a journal without entries gets none', async () => {
  const fallback = await journalOf('GET', annotationsPath, { mode: 'fallback' })

  expect(fallback).toEqual([[1, 'listAnnotations', true, 200]])
  expect(await journalOf('GET', annotationsPath, { journal: { entries: 0 } })).toEqual([])
})

test.each(['strict', 'fallback', 'loose'])('%s is a mode', (mode) => {
  expect(parseReplayMode(mode)).toBe(mode)
})

test.each([
  ['strickt', 'got "strickt". Did you mean strict?'],
  [5, 'got 5.'],
  [undefined, 'got nothing.'],
])('%j is no mode', (mode, got) => {
  const field = 'mode'
  const expected = `expected one of strict, fallback, loose, ${got}`

  expect(() => parseReplayMode(mode)).toThrow(
    expect.objectContaining({ message: `Failed to choose a mode: ${expected}`, field }),
  )
  expect(() => parseReplayMode(mode, 'read --mode')).toThrow(`Failed to read --mode: ${expected}`)
})

test('the nearest request is named with its differences', () => {
  const nearest = { step: 3, title: 'read it', differences: ['a: b', 'c: d'] }

  expect(formatNearest(nearest)).toBe('step 3, read it (a: b; c: d)')
})
