import { expect, test } from 'vitest'
import type { RequestStep } from '../../../src/index.ts'
import { annotationsPath, createStory } from '../../support/scenarios/story.ts'
import type { RequestOptions } from '../../support/transports/client.ts'
import { startPlayback, startStory } from '../../support/transports/playback-server.ts'

const get = { as: 'all', method: 'GET', path: annotationsPath } as const
const post = { as: 'all', method: 'POST', path: annotationsPath } as const
const hiddenKey = 'replaced-key-1'
const bearer = { authorization: `Bearer ${hiddenKey}` }
const text = { 'content-type': 'text/plain' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }

const one = { ...get, headers: { 'X-Team': 'one' } }
const withKey = { method: 'GET', path: annotationsPath, headers: bearer } as const
const read = (rest: string) => ({ ...get, path: `${annotationsPath}${rest}` })

/** A request as it is sent: to the recorded path, if it names no other one. */
type Sent = RequestOptions & { readonly path?: string }

/** A recorded request, a request that differs from it, and how. */
const differing: readonly [RequestStep, Sent, ...differences: string[]][] = [
  [get, { key: null }, 'key: expected all, got no key'],
  [get, { key: 'phx_nobody' }, 'key: expected all, got an unknown key'],
  [get, { key: 'phx_none' }, 'key: expected all, got none'],
  [one, {}, 'headers.x-team: expected "one", got nothing'],
  [one, { headers: { 'x-team': 'two' } }, 'headers.x-team: expected "one", got "two"'],
  [
    read('?order=a&order=b&limit=1'),
    read('?order=c&limit=2&order=a'),
    'query.limit: expected "1", got "2"',
    'query.order[1]: expected "b", got "c"',
  ],
  [
    withKey,
    { ...read('?limit=1'), key: null },
    'query.limit: expected nothing, got "1"',
    'headers.authorization: expected "…", got nothing',
  ],
  [read('?search=a?b'), read('?search=a?c'), 'query.search: expected "a?b", got "a?c"'],
  [
    { ...post, body: {} },
    { path: '/api/projects/phx_all/', body: { phx_all: 1 } },
    'path: expected /api/projects/1/annotations, got /api/projects/phx_…',
    'body.phx_…: expected nothing, got 1',
  ],
  [
    read('1/'),
    read('2/'),
    'path: expected /api/projects/1/annotations/1, got /api/projects/1/annotations/2',
  ],
  [
    get,
    read('%zz/'),
    'path: expected /api/projects/1/annotations, got /api/projects/1/annotations/%zz',
  ],
  [
    { ...post, text: 'One', headers: text },
    { raw: 'Two', headers: text },
    'body: expected "One", got "Two"',
  ],
  [
    { ...post, body: { at: '2024-06-01T00:00:00Z' } },
    { body: { at: '2024-06-01T00:00:01Z' } },
    'body.at: expected "2024-06-01T00:00:00Z", got "2024-06-01T00:00:01Z"',
  ],
  [
    { ...post, body: { content: 'One', deleted: true } },
    { body: { content: 'Two', scope: 'project' } },
    'body.content: expected "One", got "Two"',
    'body.deleted: expected true, got nothing',
    'body.scope: expected nothing, got "project"',
  ],
]

test.each(differing)('recorded: %o; %o differs', async (step, sent, ...differences) => {
  const { ask, playback } = await startStory([step])

  await ask(step.method, sent.path ?? step.path, sent)

  expect(playback.unexpected.map(({ nearest }) => nearest?.differences)).toEqual([differences])
})

/** A recorded request, and an equal one. */
const equal: readonly [RequestStep, Sent][] = [
  [read('?order=b&order=a&limit=1'), read('?limit=1&order=a&order=b')],
  [get, { path: annotationsPath.replace(/\/$/, ''), headers: { 'x-team': 'two' } }],
  [get, { path: annotationsPath.replace('annotations', '%61nnotations') }],
  [one, { headers: { 'x-team': 'one' } }],
  [post, {}],
  [
    { ...read('?personal_api_key=phx_q'), method: 'POST', body: { personal_api_key: hiddenKey } },
    { key: 'phx_nobody', body: { personal_api_key: 'phx_b' } },
  ],
  [read(`?personal_api_key=${hiddenKey}`), { ...read('?personal_api_key=phx_b'), key: null }],
  [withKey, { key: 'phx_nobody' }],
  [
    { ...post, body: { date_marker: '2024-06-01T00:00:00Z' } },
    { body: { date_marker: '2024-06-01T02:00:00.000+02:00' } },
  ],
  [read('?from=2024-06-01T00:00:00Z'), read('?from=2024-06-01T00%3A00%3A00.000%2B00%3A00')],
  [
    { ...post, text: 'a=1&b=2', headers: form },
    { raw: 'b=2&a=1', headers: { 'content-type': `${form['content-type']}; charset=utf-8` } },
  ],
  [{ ...post, body: { a: 1, b: [2] } }, { body: { b: [2], a: 1 } }],
]

test.each(equal)('recorded: %o; %o is equal', async (step, sent) => {
  const { ask, playback } = await startStory([step])

  await ask(step.method, sent.path ?? step.path, sent)

  expect([playback.unexpected, playback.unused]).toEqual([[], []])
})

test('of several recorded requests, the most similar one is the nearest', async () => {
  const plugins = { ...get, path: '/api/organizations/1/plugins/' }
  const { ask, playback } = await startStory([
    { ...plugins, query: { limit: 2 } },
    { ...get, method: 'DELETE', path: `${annotationsPath}1/` },
    { ...get, path: `${annotationsPath}1/` },
    { ...plugins, query: { limit: 1 } },
    { ...get, method: 'PUT', path: `${annotationsPath}1/`, body: { a: 1, b: 1, c: 1 } },
  ])
  const nearestTo = async (method: string, path: string, body?: object) => {
    await ask(method, path, { body })
    return playback.unexpected.at(-1)?.nearest?.step
  }

  // Each step differs in one thing: path, method or query.
  expect(await nearestTo('DELETE', `${annotationsPath}2/`)).toBe(2)
  expect(await nearestTo('PATCH', `${annotationsPath}2/`)).toBe(2)
  expect(await nearestTo('GET', `${annotationsPath}2/`)).toBe(3)
  expect(await nearestTo('GET', plugins.path)).toBe(1)
  expect(await nearestTo('PUT', `${annotationsPath}1/`, { a: 2, b: 2, c: 2 })).toBe(5)
})

test('a body that is too large differs from every recorded one', async () => {
  const settings = { 'limits.body': 10 }
  const { ask, playback } = await startPlayback(
    createStory([{ ...post, text: 'short' }], { settings }),
  )

  await ask('POST', annotationsPath, { raw: 'x'.repeat(11), headers: text })

  expect(playback.unexpected[0]?.nearest?.differences).toEqual([
    'body: expected "short", got "a body that is too large"',
  ])
})
