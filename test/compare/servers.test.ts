import { expect, test } from 'vitest'
import defaultWorld from '../../fixtures/default.json' with { type: 'json' }
import type { ComparedSetting, Comparison } from '../../src/compare/comparison.ts'
import { describeNotCompared, describeUnexplained } from '../../src/compare/comparison.ts'
import type { SettingOverrides } from '../../src/settings/resolve.ts'
import type { SettingId } from '../../src/settings/setting.ts'
import type { WorldJson } from '../../src/world/world-json.ts'
import {
  allKeys,
  changing,
  compareServer,
  createServer,
  type Fetch,
  foundIn,
  observe,
  ownRows,
  wrongIn,
} from './own-server.ts'

function settingOf({ settings }: Comparison, id: SettingId): ComparedSetting {
  return settings.find((setting) => setting.id === id) as ComparedSetting
}

const oneKey = { all: 'phx_all' }
const readsOnly = { allowWrites: false }
/** What a comparison needs to see how a scope that is missing is refused. */
const twoKeys = { all: 'phx_all', 'annotation:write': 'phx_annotation_write' }

test('a comparison with all keys finds the settings of a server, and leaves no row', async () => {
  const settings: SettingOverrides = {
    'annotations.delete.status': '404',
    'annotations.deleted.visibility': 'retrievable',
    'errors.body': 'list',
    'keys.missing.status': '403',
    'keys.write_implies_read': 'yes',
    'plugins.delete.global': 'refused',
    'plugins.list.limit.default': 7,
  }
  const server = createServer(settings)

  const comparison = await compareServer(server, allKeys)

  expect(foundIn(comparison)).toMatchObject(settings)
  expect(wrongIn(comparison, server.settings.values)).toEqual({})
  expect([ownRows(server), comparison.left]).toEqual([[], []])
  expect(comparison.notes.filter((note) => note.startsWith('A comparison with'))).toEqual([])
})

test('the requests that remove the rows come after the last one', async () => {
  const server = createServer()
  const maxRequests = 50

  const { ended, requests, left } = await observe(server, oneKey, { maxRequests })

  expect(ended).toBe('The 50 requests of --max-requests are used up.')
  expect(server.journal.find({ limit: 1000 }).length).toBe(requests)
  expect([ownRows(server), left]).toEqual([[], []])
})

test('reads say what they leave open: another organization, a key in the body, and which flags may show more', async () => {
  const server = createServer({}, defaultWorld as WorldJson)

  const comparison = await compareServer(server, oneKey, readsOnly)

  const notSent = comparison.not_compared.find(({ why }) => why === 'not_sent')?.requests
  expect(notSent).toContain('GET /api/organizations/{other_organization_id}/plugins/?limit=1')
  expect(settingOf(comparison, 'keys.places').open?.word).toBe('key_in_body')
  expect(comparison.notes).toContain(
    'A comparison with --allow-writes, --key old=KEY, --key none=KEY, --key plugin:read=KEY or --key annotation:write=KEY may show what stays open.',
  )
})

test('nothing is concluded from a row that a refused write left as it was', async () => {
  const server = createServer()
  const refusing: Fetch = async (url, init) => {
    const isRefused = init?.method === 'PATCH' && `${init.body}`.includes('"is_global":true')
    return isRefused ? new Response(null, { status: 403 }) : server.fetch(url, init)
  }

  const comparison = await compareServer(refusing, oneKey)

  const settings = foundIn(comparison)
  expect(wrongIn(comparison, server.settings.values)).toEqual({})
  expect(settings).toMatchObject({ 'annotations.delete.status': '405' })
  expect(settings).not.toHaveProperty('plugins.delete.global')
})

test('a maximum that no value has is one difference, whatever limit was asked for, and hides a default that is as large', async () => {
  const defaults = { 'annotations.list.limit.default': 50, 'plugins.list.limit.default': 20 }
  const server = createServer(defaults)
  const withMaximum: Fetch = (url, init) =>
    server.fetch(String(url).replace(/limit=\d{3,}/, 'limit=50'), init)

  const comparison = await compareServer(withMaximum, oneKey, readsOnly)

  expect(comparison.unexplained.map(describeUnexplained)).toEqual([
    '50, and that of the request in a simulator',
  ])
  const { open } = settingOf(comparison, 'annotations.list.limit.default')
  expect(open?.word).toBe('maximum_hides')
  const smaller = settingOf(comparison, 'plugins.list.limit.default')
  expect(smaller).toMatchObject({ value: 20, open: null })
})

test('a default limit that all lists have is found', async () => {
  const limits: SettingOverrides = {
    'annotations.list.limit.default': 25,
    'plugins.list.limit.default': 25,
    'projects.list.limit.default': 25,
  }

  const comparison = await compareServer(createServer(limits), oneKey, readsOnly)

  expect(foundIn(comparison)).toMatchObject(limits)
})

test('a status is named as it came, and what another setting hides is not said to be shown by no request', async () => {
  const server = createServer({ 'keys.www_authenticate': 'present' })
  // As FastAPI answers: 403 without a key, 401 for a wrong one, 422 for a limit that is too high.
  const like: Fetch = async (url, init) => {
    const hasKey = new Headers(init?.headers).has('authorization')
    if (/limit=\d{4}/.test(String(url)) && hasKey) return Response.json({}, { status: 422 })
    return hasKey ? server.fetch(url, init) : Response.json({}, { status: 403 })
  }

  const comparison = await compareServer(like, oneKey, readsOnly)

  const { unexplained } = comparison
  const statuses = unexplained.filter(({ part }) => part === 'status').map(describeUnexplained)
  expect(statuses).toContain('422, and 200 in a simulator')
  expect(settingOf(comparison, 'keys.www_authenticate').open?.word).toBe('not_shown')
})

test('of a server that differs in each operation, each setting stays open only where its own responses fit no value', async () => {
  // A PUT resets what it does not send, a 404 stands for a 405, a URL is kept, nothing is restored, and nothing crashes.
  const server = createServer({ 'methods.put': 'on', 'plugins.other.body': 'specific' })
  const like = changing(server, (answered) => {
    const { method, url, sent, fields } = answered
    const isCrash = answered.status === 500 && url.includes('check_for_updates')
    if (isCrash) Object.assign(answered, { status: 200, body: { plugin: {} } })
    if (answered.status === 405) Object.assign(answered, { status: 404, body: {} })
    if (answered.status >= 300) return
    if (method === 'PUT') Object.assign(fields, { content: null, name: null })
    if (sent.url) fields.url = sent.url
    if (sent.deleted === false) fields.deleted = true
  })

  const comparison = await compareServer(like, twoKeys)

  const ids = ['methods.put', 'methods.undocumented', 'annotations.restore'] as const
  expect(ids.map((id) => settingOf(comparison, id).open?.word)).toEqual(ids.map(() => 'none_fits'))
  expect(foundIn(comparison)).toMatchObject({
    'keys.insufficient.status': '403',
    'plugins.create.required': 'none',
    'plugins.other.body': 'specific',
  })
  expect(comparison.unexplained.map(describeUnexplained)).toContain('200, and 500 in a simulator')
})

test.each([
  ['one form, and words of its own for a wrong key', true, 'list', undefined],
  ['two forms', false, undefined, 'several_forms'],
])('only the form of errors says which form they have: %s', async (_what, isOne, form, word) => {
  const settings: SettingOverrides = { 'errors.body': 'list', 'keys.places': 'header_body_query' }
  const server = createServer(settings)
  const like: Fetch = async (url, init) => {
    const response = await server.fetch(url, init)
    if (response.status < 400) return response
    const text = await response.text()
    const changed = isOne
      ? text.replace(/Personal API key found[^"]*/, 'Personal API key is invalid.')
      : text.replace(/^\[(.*"not_found".*)\]$/, '$1')
    return new Response(changed, response)
  }

  const comparison = await compareServer(like, oneKey, readsOnly)

  const { value, open } = settingOf(comparison, 'errors.body')
  expect([value ?? undefined, open?.word]).toEqual([form, word])
  if (isOne) {
    expect(comparison.unexplained).toEqual([])
    expect(settingOf(comparison, 'keys.places').open?.word).toBe('key_in_body')
  }
})

test.each([
  [[], /^(?!The server has a limit)/, undefined],
  [[20], /^The server has a limit: 1 response had the status 429\./, undefined],
  [[20, 40], /^The server has a limit: 2 responses had the status 429\./, 'present'],
  [[20, 40], /^The server has a limit: 2/, undefined, 'Sat, 15 Jun 2024 12:00:00 GMT'],
])('that the requests %j get a 429 shows a limit', async (limited, sentence, found, wait = '1') => {
  const server = createServer()
  let requests = 0
  const like: Fetch = async (url, init) => {
    requests += 1
    return limited.includes(requests)
      ? new Response('{}', { status: 429, headers: { 'retry-after': wait } })
      : server.fetch(url, init)
  }

  const comparison = await compareServer(like, oneKey, readsOnly)

  expect(settingOf(comparison, 'limits.rate').open?.sentence).toMatch(sentence)
  expect(foundIn(comparison)['limits.retry_after']).toBe(found)
})

test('operations that return 404 to each key say nothing of a key that lacks a scope', async () => {
  const like = changing(createServer(), (answered) => {
    const isBuilt = !/activity|repository|unused|exports|source|upgrade/.test(answered.url)
    if (!isBuilt) Object.assign(answered, { status: 404, body: {} })
  })

  const comparison = await compareServer(like, twoKeys, readsOnly)

  expect(foundIn(comparison)).toMatchObject({ 'keys.insufficient.status': '403' })
})

test('each response that is not compared is counted, and what a refusal hides is not said to fit', async () => {
  const like = changing(createServer(), (answered) => {
    const isLarge = /limit=\d{4}/.test(answered.url)
    if (isLarge) Object.assign(answered, { status: 400, body: {} })
    if (answered.url.includes('/plugins/activity/'))
      Object.assign(answered, { status: 403, body: {} })
  })

  const comparison = await compareServer(like, oneKey, readsOnly)

  expect(comparison.not_compared).toContainEqual({
    why: 'unbelieved',
    got: '403',
    requests: [
      'GET /api/organizations/{organization_id}/plugins/activity/',
      'GET /api/organizations/{other_organization_id}/plugins/activity/',
    ],
  })
  expect(settingOf(comparison, 'lists.limit.maximum').open?.word).toBe('not_shown')
  expect(foundIn(comparison)).toMatchObject({ 'annotations.list.limit.default': 1000 })
})

test('nothing is concluded from the requests around one that fails although it worked before', async () => {
  const server = createServer()
  let requests = 0
  const like: Fetch = async (url, init) => {
    requests += 1
    return requests > 20 ? Response.json({}, { status: 404 }) : server.fetch(url, init)
  }

  expect(foundIn(await compareServer(like, oneKey, readsOnly))).toEqual({})
})

test('a write that the server fails once is named, and a later request that got two answers for it', async () => {
  const server = createServer({ 'plugins.delete.global': 'refused' })
  let updates = 0
  const like: Fetch = async (url, init) => {
    const isUpdate = init?.method === 'PATCH' && `${init.body}`.includes('"is_global":true')
    if (isUpdate) updates += 1
    return isUpdate && updates === 1 ? new Response('', { status: 500 }) : server.fetch(url, init)
  }

  const { not_compared } = await compareServer(like, oneKey)

  const sentences = not_compared.map(describeNotCompared)
  expect(sentences).toContain(
    '1 request got a 500 while the server failed, or the comparison ended. Compare again.',
  )
  expect(sentences).toContain(
    '1 request got two answers, a 404, then a 200. Compare while nothing else changes the server.',
  )
})

test('requests from which nothing is concluded are named: an unstable one, a page, and one without a response', async () => {
  const server = createServer()
  let times = 0
  const like: Fetch = async (url, init) => {
    const path = String(url).replace('http://localhost', '')
    const isAsked = path.endsWith('/annotations/?offset=1')
    if (isAsked) times += 1
    if (isAsked && times > 1) return Response.json({}, { status: 404 })
    if (path.endsWith('/annotations/?offset=1000000000'))
      return new Response('<h1>Oops</h1>', { status: 404 })
    if (path.endsWith('/projects/?offset=1000000000')) throw new TypeError('fetch failed')
    return server.fetch(url, init)
  }

  const { not_compared } = await compareServer(like, oneKey, readsOnly)

  expect(not_compared.map(describeNotCompared)).toEqual(
    expect.arrayContaining([
      '1 request got two answers, a 200, then a 404. Compare while nothing else changes the server.',
      '1 request got an HTML page with the status 404, unlike other errors. Check whether a proxy in front of the API sent it.',
      '1 request got no response: the request failed (fetch failed). Look into the log of the server, or of a proxy in front of it.',
    ]),
  )
})
