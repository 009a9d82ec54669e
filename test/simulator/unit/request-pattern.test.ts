import { expect, test } from 'vitest'
import type { FaultRequest } from '../../../src/simulator/faults/schema.ts'
import { matchesPath } from '../../../src/simulator/request-pattern.ts'
import { createSimulator } from '../../../src/simulator/simulator.ts'
import { annotationsPath } from '../../support/api/paths.ts'
import { initOf } from '../../support/transports/client.ts'

test.each([
  ['/a/{id}/', { id: '7' }, true],
  ['/a/:name', {}, true],
  ['/a/*', { id: '7' }, true],
  ['/a/7/', { id: '7' }, true],
  ['/a/8', { id: '7' }, false],
  ['/a/8', {}, true],
  ['/*/7', { id: '7' }, true],
  ['/a', { id: '7' }, false],
  ['/a/7/c', { id: '7' }, false],
  ['/a/*x', { id: '7' }, false],
  ['/a/x:y', { id: '7' }, false],
  ['/a/x{y', { id: '7' }, false],
  ['/a/7//', { id: '7' }, false],
  ['a/7', { id: '7' }, false],
  ['/:a/7', { id: '7' }, false],
])('%s matches /a/:id with %j: %s', (path, params, expected) => {
  expect(matchesPath(path, '/a/:id', params)).toBe(expected)
})

const annotationsOf = '/api/projects/:project_id/annotations/:id'
const request = (key: string | null) => initOf('PATCH', { key, body: { content: 'x' } })

test.each([
  [{}, true],
  [{ operation: 'updateAnnotation' }, true],
  [{ operation: 'listAnnotations' }, false],
  [{ method: 'PATCH' }, true],
  [{ method: ['GET', 'PATCH'] }, true],
  [{ path: annotationsOf }, true],
  [{ path: '/api/projects/1/annotations/2' }, true],
  [{ path: '/api/projects/2/annotations/2/' }, false],
  [{ key: 'phx_annotations' }, true],
  [{ key: 'annotations' }, true],
  [{ key: 'all' }, false],
  [{ query: { limit: 2, offset: null } }, true],
  [{ query: { limit: '2' }, body: { content: 'x' } }, true],
  [{ query: { limit: 3 } }, false],
  [{ query: { limit: null } }, false],
  [{ body: { content: 'y' } }, false],
  [{ body: { scope: 'project' } }, false],
])('a PATCH of an annotation matches %j: %s', async (pattern, expected) => {
  const simulator = createSimulator()
  simulator.faults.add({ ...pattern, effect: { status: 599 } } as FaultRequest)

  const path = `${annotationsPath}2/?limit=1&limit=2`
  const { status } = await simulator.fetch(path, request('phx_annotations'))

  expect(status).toBe(expected ? 599 : 200)
})

test.each([
  ['phx_unknown', 'phx_unknown', 599],
  ['phx_unknown', 'phx_other', 401],
  ['all', null, 401],
])('a pattern of the key %s and a request with %s: %i', async (key, sent, expected) => {
  const simulator = createSimulator()
  simulator.faults.add({ key, effect: { status: 599 } })

  const { status } = await simulator.fetch(`${annotationsPath}2/`, request(sent))

  expect(status).toBe(expected)
})
