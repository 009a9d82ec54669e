import { expect, test } from 'vitest'
import type { ReplayHandlersOptions } from '../../../../src/replay.ts'
import { createReplayHandler } from '../../../../src/scenarios/replay-server/replay-handler.ts'
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

test('a simulation writes its own entry, and a journal without entries gets none', async () => {
  const fallback = await journalOf('GET', annotationsPath, { mode: 'fallback' })

  expect(fallback).toEqual([[1, 'listAnnotations', true, 200]])
  expect(await journalOf('GET', annotationsPath, { journal: { entries: 0 } })).toEqual([])
})
