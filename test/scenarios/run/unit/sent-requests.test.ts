import { expect, test } from 'vitest'
import { sendRequest } from '../../../../src/scenarios/run/run-steps.ts'
import {
  createHttpTarget,
  type ReceivedResponse,
  type SentRequest,
  type Target,
} from '../../../../src/scenarios/run/target.ts'
import type { AddedIds } from '../../../../src/world/edit/add-rows.ts'

const baseUrl = 'http://localhost:4010'
const ok: ReceivedResponse = { status: 200, headers: new Headers(), text: '', broken: false }

/** A target with one key, that collects requests and changes. */
function createTarget(response: Partial<ReceivedResponse> = {}, ids: AddedIds = {}) {
  const sent: SentRequest[] = []
  const changes: unknown[] = []
  const target: Target = {
    ...createHttpTarget(baseUrl, { keys: { mine: 'phx_1' } }),
    async send(request) {
      sent.push(request)
      return { ...ok, ...response }
    },
    async change(change) {
      changes.push(change)
      return ids
    },
  }
  return { target, sent, changes }
}

const at = (path: string, more: object = {}) => ({ method: 'POST', path, ...more })

test.each([
  [`${baseUrl}`, true],
  [`${baseUrl}/`, true],
  [`${baseUrl}1/api/`, false],
  ['http://localhost:4010.example.com/', false],
  ['https://localhost:4010/api/', false],
])('the saved URL %s is below the base URL: %j', async (url, isBelow) => {
  const { target, sent } = createTarget()

  const { request, response, differences } = await sendRequest(
    at('{next}'),
    target,
    new Map([['next', url]]),
  )

  expect([request, sent.length]).toEqual([{ method: 'POST', url }, Number(isBelow)])
  expect([response, differences]).toEqual(
    isBelow
      ? [{ status: 200, text: '' }, []]
      : [
          null,
          [
            {
              path: ['path'],
              where: 'path',
              expected: `a URL below ${baseUrl}`,
              got: url,
              inWords: true,
            },
          ],
        ],
  )
})

const text = JSON.stringify({ id: 0, 'a/b~c': [{ d: null }], '~1': 'e' })

test.each([
  ['/a', text],
  ['/a~1b~0c/1', text],
  ['/a~1b~0c/0/d/e', text],
  ['/id/toFixed', text],
  ['/toString', text],
  ['/length', '"text"'],
  ['', ''],
])(
  'a value at %j of %j that is missing is a difference, and others are saved',
  async (pointer, body) => {
    const { target } = createTarget({ text: body })
    const saved = new Map<string, unknown>()
    const step = at('/', { expect: { status: 201 }, save: { it: pointer, whole: '' } })

    const { response, differences } = await sendRequest(step, target, saved)

    const missing = (name: string, where: string) => ({
      path: ['save', name],
      where: `save.${name}`,
      expected: `a value at ${where}`,
      got: 'nothing',
      inWords: true,
    })
    expect(response).toEqual({ status: 200, text: body })
    expect(differences).toEqual([
      { path: ['expect', 'status'], where: 'status', expected: 201, got: 200 },
      missing('it', pointer),
      ...(body === '' ? [missing('whole', '')] : []),
    ])
    expect([...saved.keys()]).toEqual(body === '' ? [] : ['whole'])
  },
)
