import { expect, test } from 'vitest'
import { bodyText, sentHeaders } from '../../../../src/http/messages.ts'
import type { Step } from '../../../../src/index.ts'
import { askReplay, openStory } from '../../../support/scenarios/direct-replay.ts'
import { annotationsPath, clock, readStep } from '../../../support/scenarios/story.ts'

const path = `${annotationsPath}1/`
const answering = (expect: object, more: object = {}) => ({ ...readStep, expect, ...more }) as Step

test.each([
  [{ status: 200, text: 'a' }, 200, 'a', '1'],
  [{ status: 200, text: 'ä' }, 200, 'ä', '2'],
  [{ status: 204, text: '' }, 204, '', undefined],
  [{ status: 304, text: '' }, 304, '', undefined],
  [{ status: 205, text: '' }, 205, '', '0'],
] as const)('the recorded response %j has a length', async (recorded, status, text, length) => {
  const headers = { 'content-length': '999', 'x-mark': 'seen' }

  const response = await askReplay(openStory([answering({ headers, ...recorded })]), path)

  const sent = sentHeaders(response)
  expect([response.status, response.body]).toEqual([status, text])
  expect([sent['content-length'], sent['x-mark']]).toEqual([length, 'seen'])
})

test('recorded bytes are sent, and a broken connection has no response', async () => {
  const replay = openStory([answering({ base64: '/2E=' }), answering({ broken: true })])

  const bytes = await askReplay(replay, path)
  const broken = await askReplay(replay, path)

  expect(bytes).toMatchObject({ status: 200, body: Uint8Array.of(0xff, 0x61) })
  expect(broken).toEqual({ status: 0, headers: {}, body: null })
})

test('matchers without a simulated value get the same placeholders in each run', async () => {
  const names = [
    'any',
    'id',
    'uuid',
    'time',
    'text',
    'number',
    'boolean',
    'list',
    'object',
    'absent',
  ]
  const body = Object.fromEntries(names.map((name) => [name, { $match: name }]))
  const step = { as: 'all', method: 'GET', path: '/api/a/', expect: { status: 200, body } }
  const bodies = async (seed: number) => {
    const replay = openStory([step, step], {}, { seed })
    return [await askReplay(replay, '/api/a/'), await askReplay(replay, '/api/a/')].map(
      (response) => JSON.parse(bodyText(response.body)),
    )
  }

  const [first, second] = await bodies(1)
  const placeholders = (from: number) => ({
    any: null,
    id: 1_000_003 + from,
    uuid: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/),
    time: clock,
    text: `Text ${from + 5}`,
    number: from + 6,
    boolean: false,
    list: [],
    object: {},
  })
  expect([first, second]).toEqual([placeholders(0), placeholders(9)])
  expect(await bodies(1)).toEqual([first, second])
  expect(new Set([first.uuid, second.uuid, (await bodies(2))[0].uuid]).size).toBe(3)
})
