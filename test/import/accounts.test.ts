import { expect, test } from 'vitest'
import { importExchanges } from '../../src/import/import-exchanges.ts'
import { readHar } from '../../src/import/read-har.ts'
import {
  createSimulator,
  type Exchange,
  type SettingOverrides,
  type WorldJson,
} from '../../src/index.ts'
import { acme } from '../support/api/paths.ts'
import { initOf } from '../support/transports/client.ts'
import { scenarioFromTraffic } from './derive.ts'

const [web, plugins] = ['/api/projects/1/annotations/', `/api/organizations/${acme}/plugins/`]

test.each<[title: string, key: object, settings: SettingOverrides, ...paths: string[]]>([
  ['the scope of reads', { scopes: ['annotation:read'] }, {}, web, `POST ${web}`, plugins],
  ['no scopes', { scopes: null }, { 'plugins.other.scope': 'refused' }, `${plugins}unused`, web],
])(
  'a key with %s is found by the statuses of refusals, whatever their words are',
  async (...row) => {
    const [title, key, settings, ...paths] = row
    const service = createSimulator({ settings })
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
    const { exchanges } = readHar(service.journal.toHar(), 'a.har', undefined, {})
    const otherWords = exchanges.map(({ response, ...exchange }) =>
      response.status < 400
        ? { ...exchange, response }
        : {
            ...exchange,
            response: { ...response, body: { text: '{"fehler":"Das geht nicht."}' } },
          },
    )

    const { scenario } = await scenarioFromTraffic(otherWords)
    const same = await scenarioFromTraffic(exchanges)

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
  const { exchanges } = readHar(service.journal.toHar(), 'a.har', undefined, {})

  const imported = await importExchanges(exchanges)
  const inOtherWords = await importExchanges(JSON.parse(reversed(exchanges)))

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
