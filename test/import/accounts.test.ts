import { expect, test } from 'vitest'
import { importExchanges } from '../../src/import/import-exchanges.ts'
import { journalExchange } from '../../src/import/read-journal.ts'
import {
  createSimulator,
  type Exchange,
  type SettingOverrides,
  type WorldJson,
} from '../../src/index.ts'
import { acme, initech } from '../support/api/paths.ts'
import { elsewhere } from '../support/api/plugins.ts'
import { createPage, createRow, createTraffic, type TrafficInput } from '../support/traffic.ts'
import { initOf } from '../support/transports/client.ts'
import { scenarioFromTraffic, scenarioOf } from './derive.ts'

/** The organization of projects that a key could not use. */
const other = '00000000-0000-4000-8000-000000000002'

const refused = (detail: string, status = 403): TrafficInput => ({
  status,
  received: { type: 'authentication_error', code: 'permission_denied', detail, attr: null },
})
const listOf = (project: number, bearer: string): TrafficInput => ({
  url: `/api/projects/${project}/annotations/`,
  bearer,
  received: createPage(),
})

/** Derives the accounts of the world. */
async function accountsOf(...inputs: readonly TrafficInput[]) {
  const { scenario } = await scenarioOf(...inputs)
  const { organizations, projects, users, keys } = scenario.world as WorldJson
  return { organizations, projects, users, keys }
}

test('a project that one key cannot use is in an organization that only the user of the other key has', async () => {
  expect(
    await accountsOf(
      {
        url: '/api/projects/',
        bearer: 'one',
        received: createPage({ id: 1, organization: acme, name: 'Web' }),
      },
      {
        method: 'POST',
        bearer: 'one',
        sent: { content: 'New' },
        status: 201,
        received: createRow(9, 'New'),
      },
      listOf(1, 'one'),
      { ...listOf(3, 'one'), ...refused("You don't have access to the project.") },
      { ...listOf(3, 'two'), received: createPage(createRow(5, 'Of the other one')) },
      { ...listOf(99, 'two'), ...refused('Project not found.', 404) },
      { url: elsewhere, bearer: 'two', ...refused('Organization not found.', 404) },
    ),
  ).toEqual({
    organizations: [
      { id: acme, name: `Organization ${acme}` },
      { id: other, name: 'Other organization' },
    ],
    projects: [
      { id: 1, organization: acme, name: 'Web' },
      { id: 3, organization: other },
    ],
    users: [
      expect.objectContaining({ id: 7, is_email_verified: true, organizations: [acme] }),
      expect.objectContaining({ id: 8, is_email_verified: null, organizations: [acme, other] }),
    ],
    keys: [
      { value: 'replaced-key-1', label: 'key-1', user: 7, scopes: ['*'] },
      { value: 'replaced-key-2', label: 'key-2', user: 8, scopes: ['*'] },
    ],
  })
})

const [web, plugins] = ['/api/projects/1/annotations/', `/api/organizations/${acme}/plugins/`]

test.each<[title: string, key: object, settings: SettingOverrides, ...paths: string[]]>([
  ['the scope of reads', { scopes: ['annotation:read'] }, {}, web, `POST ${web}`, plugins],
  ['no scopes', { scopes: null }, { 'plugins.other.scope': 'refused' }, `${plugins}unused`, web],
  ['a user of one organization', {}, {}, web, '/api/projects/3/annotations/', plugins],
])(
  'a key with %s is found by the statuses of refusals, whatever their words are',
  async (...row) => {
    const [title, key, settings, ...paths] = row
    const service = createSimulator({ settings })
    service.world.edit({ rows: { organizations: [{ id: initech, name: 'Initech' }] } })
    service.world.edit({ rows: { projects: [{ id: 3, organization: initech }] } })
    service.keys.issue({ value: 'phx_tried', label: 'tried', scopes: ['*'], ...key })
    for (const path of paths)
      for (const bearer of ['phx_tried', 'phx_all']) {
        const [target = '', method = 'GET'] = path.split(' ').reverse()
        const body = { content: 'New' }
        await service.fetch(
          target,
          initOf(method, { key: bearer, ...(method === 'POST' && { body }) }),
        )
      }
    const exchanges = service.journal.find().map(journalExchange)
    const otherWords = exchanges.map(({ response, ...exchange }) =>
      response.status < 400
        ? { ...exchange, response }
        : {
            ...exchange,
            response: { ...response, body: { text: '{"fehler":"Das geht nicht."}' } },
          },
    )

    const { scenario } = await scenarioFromTraffic(otherWords, { profile: 'documented', settings })
    const same = await scenarioFromTraffic(exchanges, { profile: 'documented', settings })

    const { steps } = await createSimulator().run(scenario)
    expect(steps.map(({ response }) => response?.status)).toEqual(
      exchanges.map(({ response }) => response.status),
    )
    expect((scenario.world as WorldJson).keys, title).toEqual(
      (same.scenario.world as WorldJson).keys,
    )
  },
)

const unknown = ['phx_wrong', 'phx_annotation_read', '', 'phx_all']
const refused403 = { 'keys.missing.status': '403' } as const

test.each<[string, SettingOverrides, scopes: string[][], keys: string[], ...paths: string[]]>([
  ['no unknown one', refused403, [['annotation:read'], ['*']], unknown, web, `POST ${web}`],
])('the keys of traffic have %s, by the settings that it shows', async (...row) => {
  const [, settings, scopes, keys, ...paths] = row
  const service = createSimulator({ settings })
  for (const path of paths)
    for (const key of keys) {
      const [target = '', method = 'GET'] = path.split(' ').reverse()
      const body = method === 'POST' ? { body: { content: 'New' } } : {}
      await service.fetch(target, initOf(method, { key: key || null, ...body }))
    }
  const exchanges = service.journal.find().map(journalExchange)

  const imported = await importExchanges(exchanges, {})
  const inOtherWords = await importExchanges(JSON.parse(reversed(exchanges)), { profile: 'live' })

  for (const { scenario } of [imported, inOtherWords]) {
    const world = scenario.world as WorldJson
    expect(world.keys?.map((key) => key.scopes)).toEqual(scopes)
  }
})

/** The same exchanges, with the words of refusals reversed. */
function reversed(exchanges: readonly Exchange[]): string {
  const text = JSON.stringify(exchanges)
  return text.replace(/(\\"detail\\":\\")([^"]*)(?=\\")/g, (_, name, words) => {
    return name + [...words].reverse().join('').replaceAll('\\', '')
  })
}

test('the value of a key is not the label of another one', async () => {
  const labels = ['replaced-key-2', 'other', 'third']
  const page = { received: createPage() }
  const create = { method: 'POST', status: 201, received: createRow(9, 'A') }
  const traffic = createTraffic(page, page, create)
  const { scenario } = await scenarioFromTraffic(
    traffic.map((exchange, index) => ({ ...exchange, key: labels[index] as string })),
  )
  const { keys } = scenario.world as WorldJson

  expect(keys?.map(({ label, value, user }) => [label, value, user])).toEqual([
    ['replaced-key-2', 'replaced-key-1', 8],
    ['other', 'replaced-key-3', 8],
    ['third', 'replaced-key-4', 7],
  ])
})
