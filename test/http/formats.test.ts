import { expect, test } from 'vitest'
import { profiles } from '../../src/settings/profiles.ts'
import { notAcceptable, notFound } from '../support/api/errors.ts'
import { start } from '../support/transports/start.ts'

const list = '/api/projects/1/annotations'
const accepted = [
  ...['*/*', 'application/*', 'application/json', 'application/json; charset=utf-8'],
  ...['text/html, application/json;q=0.5', 'text/html,*/*;q=0.1', 'application/json;indent=4'],
  ...['Application/JSON', 'TEXT/HTML, APPLICATION/*'],
]
const refused = [
  ...['text/html', 'text/*', 'application/xml', 'application/vnd.api+json', 'application/jsonp'],
  ...['text/html, image/png', 'text/event-stream'],
]

test('a request must accept JSON', async () => {
  for (const profile of ['documented', 'live'] as const) {
    const { ask } = await start({ profile })
    const before = await ask('GET', `${list}/1/`)
    for (const accept of accepted) {
      expect.soft(await ask('GET', `${list}/1/`, { headers: { accept } }), accept).toEqual(before)
    }
    for (const accept of refused) {
      expect
        .soft(await ask('GET', `${list}/1/`, { headers: { accept } }), accept)
        .toEqual(notAcceptable())
      const body = { content: 'Never written' }
      expect.soft(await ask('POST', list, { headers: { accept }, body })).toEqual(notAcceptable())
    }
    expect.soft(await ask('GET', list)).toMatchObject({ body: { count: 6 } })
  }
})

test.each(profiles)('in %s .json and ?format=json change nothing', async (profile) => {
  const { ask } = await start({ profile })
  const row = await ask('GET', `${list}/1/`)
  const all = await ask('GET', `${list}/`)

  const ofOne =
    '1.json 1.json/ 1/.json 1/.json/ 1%2Ejson 1/?format=json 1?format= 1.json?format=json 1.json?format=xml'
  for (const path of ofOne.split(' ')) {
    expect.soft(await ask('GET', `${list}/${path}`), path).toEqual(row)
  }
  const ofAll = '.json .json/ /.json /.json/ /?format=json ?format=xml&format=json'
  for (const path of ofAll.split(' ')) {
    expect.soft(await ask('GET', `${list}${path}`), path).toEqual(all)
  }
  expect(await ask('GET', '/api/projects.json')).toMatchObject({ status: 200, body: { count: 2 } })
  expect(await ask('POST', `${list}.json`, { body: {} })).toMatchObject({ status: 201 })
  expect(await ask('PATCH', `${list}/1.json`, { body: {} })).toMatchObject({ status: 200 })
  expect((await ask('DELETE', `${list}/1.json`)).status).toBe(405)
})

test.each(profiles)(
  'in %s other formats are not found, and the format is checked before the key',
  async (profile) => {
    const { ask } = await start({ profile })

    const paths =
      '.xml /1.xml /1.xml?format=json /1.5 /.1 /1.api/ /?format=xml /1/?format=JSON /?format=json&format=api'
    for (const path of paths.split(' ')) {
      for (const key of ['phx_all', 'phx_nobody', null]) {
        expect.soft(await ask('GET', `${list}${path}`, { key }), path).toEqual(notFound())
      }
    }
  },
)

test.each(profiles)('in %s any other id with a dot is an unknown path', async (profile) => {
  const { ask } = await start({ profile })

  for (const path of ['/1.', '/1.x-y', '/1.json.json', '//.json', '/1.JSON', '/1/./json']) {
    expect.soft(await ask('GET', `${list}${path}`), path).toEqual(notFound('Endpoint not found.'))
  }
})
