import { expect, test } from 'vitest'
import { profiles } from '../../../src/settings/profiles.ts'
import type { SettingOverrides } from '../../../src/settings/resolve.ts'
import { acme, annotationsPath } from '../../support/api/paths.ts'
import type { RequestOptions } from '../../support/transports/client.ts'
import { start } from '../../support/transports/start.ts'

const plugins = `/api/organizations/${acme}/plugins/`
const form = { 'content-type': 'application/x-www-form-urlencoded' }

interface Ignored {
  readonly request: readonly [method: string, path: string, options?: RequestOptions]
  readonly settings?: SettingOverrides
  /** In both profiles, or in the profile documented. */
  readonly ignored: readonly string[]
  readonly live?: readonly string[]
}

const table: Readonly<Record<string, Ignored>> = {
  'a misspelt field': {
    request: ['POST', annotationsPath, { body: { contnt: 'x' } }],
    ignored: ['body.contnt, did you mean content?'],
  },
  'a field beside the one that it resembles': {
    request: ['POST', annotationsPath, { body: { contnt: 'x', content: 'y' } }],
    ignored: ['body.contnt'],
  },
  'fields of responses': {
    request: [
      'PATCH',
      `${annotationsPath}1/`,
      { body: { id: 1, created_by: null, scope: 'project' } },
    ],
    ignored: ['body.id, which only responses have', 'body.created_by, which only responses have'],
  },
  'a format in a body': {
    request: ['POST', annotationsPath, { body: { content: 'x', format: 'json' } }],
    ignored: ['body.format'],
  },
  'the url of a plugin': {
    request: ['POST', plugins, { body: { plugin_type: 'source', url: null } }],
    ignored: ['body.url, which only responses have'],
    live: [],
  },
  'a field of a refused body': {
    settings: { 'plugins.create.required': 'name' },
    request: ['POST', plugins, { body: { nmae: 'x' } }],
    ignored: ['body.nmae, did you mean name?'],
  },
  'source files, whose names are free': {
    settings: { 'plugins.other.scope': 'any_key' },
    request: ['PATCH', `${plugins}23/update_source/`, { body: { 'index.ts': 'x' } }],
    ignored: ['body["index.ts"]'],
    live: [],
  },
  'a misspelt parameter': {
    request: ['GET', `${annotationsPath}?serch=x&limit=1`],
    ignored: ['?serch, did you mean search?'],
  },
  'a parameter that a setting turns on': {
    request: ['GET', `${annotationsPath}1/?search=release&format=json`],
    ignored: ['?search'],
    live: [],
  },
  'parameters of a list that has no pages': {
    settings: { 'plugins.other.scope': 'any_key', 'plugins.other.body': 'plugin' },
    request: ['GET', `${plugins}unused/?limit=1`],
    ignored: ['?limit'],
  },
  'a body that is not read': {
    request: ['POST', `${plugins}21/upgrade/`, { body: { name: 'x' } }],
    settings: { 'plugins.other.scope': 'any_key', 'plugins.other.body': 'specific' },
    ignored: ['the body, which this operation does not read'],
  },
  'fields of a form': {
    settings: { 'bodies.form': 'accepted' },
    request: ['POST', annotationsPath, { raw: 'contnt=x&token=phc_web_shop', headers: form }],
    ignored: ['body.contnt, did you mean content?', 'body.token'],
  },
  'input of a request that was refused before it was read': {
    request: ['POST', `${annotationsPath}?x=1`, { key: 'phx_none', body: { contnt: 'x' } }],
    settings: { 'keys.empty_scopes': 'nothing' },
    ignored: [],
  },
}

test.each(Object.entries(table))('the journal names ignored input: %s', async (_, row) => {
  for (const profile of profiles) {
    const client = await start({ profile, settings: row.settings ?? {}, explain: true })
    const { headers } = await client.send(...row.request)

    const ignored = profile === 'live' ? (row.live ?? row.ignored) : row.ignored
    const [entry] = client.simulator.journal.find()
    expect.soft(entry?.ignored, profile).toEqual(ignored)
    const why = headers.get('understudy-why')?.match(/ignored: .*/)?.[0] ?? ''
    expect.soft(why).toBe(ignored.map((text) => `ignored: ${text}`).join('; '))
  }
})

const hostileNames = [
  'x\r\nset-cookie: a=b',
  '\u001b[31mred',
  '\u202efdp.exe',
  'ü🦔',
  '"quoted", `ticked`',
  '',
  'x'.repeat(10_000),
  '__proto__',
]

test('hostile names are escaped and shortened', async () => {
  const client = await start({ explain: true })
  const raw = `{${hostileNames.map((name) => `${JSON.stringify(name)}:1`).join(',')}}`
  const headers = { 'content-type': 'application/json' }

  const response = await client.send('POST', annotationsPath, { raw, headers })

  const [entry] = client.simulator.journal.find()
  expect(entry?.ignored).toEqual([
    String.raw`body["x\r\nset-cookie: a=b"]`,
    String.raw`body["\u001b[31mred"]`,
    String.raw`body["\u202efdp.exe"]`,
    'body["ü🦔"]',
    String.raw`body["\"quoted\", ${'`ticked`'}"]`,
    'body[""]',
    `body.${'x'.repeat(294)}…`,
    'body.__proto__',
  ])
  const why = response.headers.get('understudy-why') ?? ''
  expect(why).toMatch(/^[ -~]+$/)
  expect(why).toContain(String.raw`body["\u00fc\ud83e\udd94"]`)
  expect(response.headers.has('set-cookie')).toBe(false)
})

test('hostile parameters are escaped, and the header is never longer than 1,000 characters', async () => {
  const client = await start({ explain: true })
  const query = new URLSearchParams(hostileNames.map((name) => [`${name} `, '1']))
  for (let count = 0; count < 9; count++) query.append(`${'ü'.repeat(60)}${count}`, '1')

  const { headers } = await client.send('GET', `${annotationsPath}?${query}`)

  const why = headers.get('understudy-why') ?? ''
  expect(why).toMatch(/^[ -~]+$/)
  expect(why).toHaveLength(1_000)
  expect(why.endsWith('...')).toBe(true)
})

test('neither sentence nor header contains a key', async () => {
  const client = await start({ explain: true })
  const unknown = `phx_${'Ab3'.repeat(14)}`
  const { simulator } = client

  await client.send('GET', `${annotationsPath}?phx_all=1&${unknown}=1&limit=phx_all`)
  await client.send('GET', annotationsPath, { key: unknown })
  await client.send('GET', annotationsPath, { key: null, headers: { authorization: unknown } })
  await client.send('GET', `/api/projects/phx_all/annotations/`)
  await client.send('GET', `/api/projects/1/phx_annotations/`)
  await client.send('POST', annotationsPath, { body: { scope: 'phx_all', [unknown]: 1 } })

  const texts = simulator.journal.find().flatMap(({ reason, ignored }) => [reason, ...ignored])
  expect(texts).toHaveLength(10)
  expect(texts.join('\n')).not.toMatch(/phx_(?:all|annotations|Ab)/)
})
