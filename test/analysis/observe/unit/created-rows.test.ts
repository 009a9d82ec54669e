import { expect, test } from 'vitest'
import { CreatedRows } from '../../../../src/analysis/observe/created-rows.ts'
import type { ReceivedResponse, SentRequest, Target } from '../../../../src/scenarios/run/target.ts'

type Reply = Partial<ReceivedResponse> | 'unreachable'

/** A target that gives these responses in turn, then 200. */
function createTarget(...replies: readonly Reply[]) {
  const left = [...replies]
  const sent: SentRequest[] = []
  const target = {
    async send(request: SentRequest): Promise<ReceivedResponse> {
      sent.push(request)
      const reply = left.shift() ?? {}
      if (reply === 'unreachable') throw new TypeError('fetch failed')
      return { status: 200, headers: new Headers(), text: '', broken: false, ...reply }
    },
  } as unknown as Target
  return { target, sent }
}

const annotations = 'http://localhost/api/projects/1/annotations'
const plugins = 'http://localhost/api/organizations/2/plugins/'
const headers = { authorization: 'Bearer k', accept: '*/*' }
const post = (url: string): SentRequest => ({ method: 'POST', url, headers })
const created = (id: unknown): Reply => ({ status: 201, text: JSON.stringify({ id }) })
const json = { authorization: 'Bearer k', 'content-type': 'application/json' }

test('rows that a scenario creates are removed, each in its way', async () => {
  const { target, sent } = createTarget(created(7), created(8), { status: 400 })
  const rows = new CreatedRows()
  const watched = rows.watch(target)
  const urls = [`${annotations}?a=1`, plugins, plugins]
  for (const url of urls) await watched.send(post(url))
  await watched.send({ method: 'GET', url: annotations, headers })

  expect(await rows.remove()).toEqual([])
  expect(sent.slice(4)).toEqual([
    { method: 'PATCH', url: `${annotations}/7/`, headers: json, body: '{"deleted": true}' },
    { method: 'DELETE', url: `${plugins}8/`, headers: json },
  ])
})

test('a row whose creation was not confirmed is named', async () => {
  const rows = new CreatedRows()
  const html = { status: 201, text: '<p>' }
  const broken = { status: 0, broken: true }
  const { target } = createTarget('unreachable', broken, 'unreachable', html, created('x'))
  const watched = rows.watch(target)
  const failed = await watched.send(post(`${plugins}?a=1`)).catch(({ message }) => message)
  await watched.send(post(annotations))
  await watched.send({ method: 'GET', url: plugins, headers }).catch(() => {})
  for (const url of [annotations, plugins]) await watched.send(post(url))

  expect(failed).toBe('fetch failed')
  expect(await rows.remove()).toEqual([
    `A row may be left, which was not confirmed: ${plugins}`,
    `A row may be left, which was not confirmed: ${annotations}`,
    `A row may be left, which was not confirmed: ${annotations}`,
    `A row may be left, which was not confirmed: ${plugins}`,
  ])
})
