import { expect, test } from 'vitest'
import { CreatedRows } from '../../../../src/analysis/observe/created-rows.ts'
import type { ReceivedResponse, SentRequest, Target } from '../../../../src/scenarios/run/target.ts'

type Reply = Partial<ReceivedResponse> | 'unreachable'

const json = (status: number, body: object): Reply => ({ status, text: JSON.stringify(body) })

/** A target that gives the responses in turn to each method and URL, then 404. */
function createTarget(replies: Readonly<Record<string, readonly Reply[]>>) {
  const left = Object.entries(replies).map(([name, each]): [string, Reply[]] => [name, [...each]])
  const sent: string[] = []
  const target = {
    async send({ method, url, body }: SentRequest): Promise<ReceivedResponse> {
      const name = `${method} ${url}`
      sent.push(body === undefined ? name : `${name} ${body}`)
      const reply = left.find(([each]) => each === name)?.[1].shift() ?? { status: 404 }
      if (reply === 'unreachable') throw new TypeError('fetch failed')
      return { status: 200, headers: new Headers(), text: '', broken: false, ...reply }
    },
  } as unknown as Target
  return { target, sent }
}

const annotations = 'http://localhost/api/projects/1/annotations/'
const plugins = 'http://localhost/api/organizations/2/plugins/'
const headers = { authorization: 'Bearer k', 'content-type': 'application/json' }

/** Creates rows in a target, then removes them. @returns what may be left, and the requests that removed rows */
async function createAndRemove(
  replies: Readonly<Record<string, readonly Reply[]>>,
  ...requests: readonly (readonly [method: string, url: string, body: object])[]
) {
  const { target, sent } = createTarget(replies)
  const rows = new CreatedRows('k2j4')
  const watched = rows.watch(target)
  for (const [method, url, body] of requests) {
    await watched.send({ method, url, headers, body: JSON.stringify(body) }).catch(() => {})
  }
  const count = sent.length
  const { left, softDeleted } = await rows.remove()
  return { left, softDeleted, sent: sent.slice(count).filter((line) => !line.startsWith('GET')) }
}

const launch = { content: 'Launch' }
const softDeletion = 'Remove it with PATCH and {"deleted": true}.'

test('rows that a scenario creates are removed, each in its way', async () => {
  const replies = {
    [`POST ${annotations}`]: [json(201, { id: 7 })],
    [`GET ${annotations}7/`]: [json(200, { id: 7, ...launch, deleted: false })],
    [`PATCH ${annotations}7/`]: [json(200, { id: 7, deleted: true })],
    [`POST ${plugins}`]: [json(201, { id: 8 }), { status: 400 }],
    [`GET ${plugins}8/`]: [json(200, { id: 8, name: 'Geo' })],
    [`DELETE ${plugins}8/`]: [{ status: 204 }],
  }

  const result = await createAndRemove(
    replies,
    ['POST', annotations, launch],
    ['POST', plugins, { name: 'Geo' }],
    ['POST', plugins, { name: 'Geo' }],
  )

  expect(result).toEqual({
    left: [],
    softDeleted: [],
    sent: [`PATCH ${annotations}7/ {"deleted": true}`, `DELETE ${plugins}8/`],
  })
})

test('a row that the scenario changed is removed, too', async () => {
  const replies = {
    [`POST ${annotations}`]: [json(201, { id: 7 })],
    [`PATCH ${annotations}7/`]: [json(200, { id: 7 }), json(200, { id: 7, deleted: true })],
    [`GET ${annotations}7/`]: [
      json(200, { id: 7, ...launch }),
      json(200, { id: 7, content: 'Later' }),
    ],
  }

  const { left, sent } = await createAndRemove(
    replies,
    ['POST', annotations, launch],
    ['PATCH', `${annotations}7/`, { content: 'Later' }],
  )

  expect({ left, sent }).toEqual({ left: [], sent: [`PATCH ${annotations}7/ {"deleted": true}`] })
})

test('a row is looked at before its first change, and another row stays', async () => {
  const { target, sent } = createTarget({
    [`POST ${annotations}`]: [json(201, { id: 7 })],
    [`GET ${annotations}7/`]: [json(200, { id: 7, content: 'Of another user' })],
  })
  const watched = new CreatedRows('k2j4').watch(target)
  const body = JSON.stringify(launch)
  await watched.send({ method: 'POST', url: annotations, headers, body })

  const changed = watched.send({ method: 'PATCH', url: `${annotations}7/`, headers, body: '{}' })

  await expect(changed).rejects.toThrow(
    `PATCH ${annotations}7/ was not sent: the server says that the scenario created this row, but it is another one.`,
  )
  expect(sent).toEqual([`POST ${annotations} ${body}`, `GET ${annotations}7/`])
})

test('a row that is changed through another project is removed, too', async () => {
  const other = annotations.replace('projects/1', 'projects/2')
  const replies = {
    [`POST ${annotations}`]: [json(201, { id: 7 })],
    [`GET ${other}7/`]: [{ status: 404 }],
    [`PATCH ${other}7/`]: [json(200, { id: 7 })],
    [`GET ${annotations}7/`]: [json(200, { id: 7, content: 'Later' })],
    [`PATCH ${annotations}7/`]: [json(200, { id: 7, deleted: true })],
  }

  const { left, sent } = await createAndRemove(
    replies,
    ['POST', annotations, launch],
    ['PATCH', `${other}7/`, { content: 'Later' }],
  )

  expect({ left, sent }).toEqual({ left: [], sent: [`PATCH ${annotations}7/ {"deleted": true}`] })
})

test('another key removes a row if its own may not', async () => {
  const sent: string[] = []
  const target = {
    async send({ method, headers }: SentRequest): Promise<ReceivedResponse> {
      sent.push(`${method} ${headers.authorization}`)
      const isAllowed = method === 'POST' || headers.authorization === 'Bearer all'
      const text = JSON.stringify({ id: 7, ...launch, deleted: method === 'PATCH' })
      return { status: isAllowed ? 200 : 403, headers: new Headers(), text, broken: false }
    },
  } as unknown as Target
  const rows = new CreatedRows('k2j4', { label: 'all', value: 'all', scopes: ['*'] })
  const body = JSON.stringify(launch)
  await rows.watch(target).send({ method: 'POST', url: annotations, headers, body })

  const { left } = await rows.remove()

  expect({ left, sent }).toEqual({
    left: [],
    sent: [
      'POST Bearer k',
      ...['GET', 'PATCH', 'GET', 'DELETE', 'GET'].flatMap((method) => [
        `${method} Bearer k`,
        `${method} Bearer all`,
      ]),
    ],
  })
})

const unconfirmed = `A row may be left, which was not confirmed: ${annotations} with the text "Launch". If the list has it: Remove it with PATCH and {"deleted": true}.`

test.each([
  ['breaks the connection', ['unreachable']],
  ['cuts the response', [{ status: 0, broken: true }]],
  ['fails', [{ status: 500 }]],
  ['returns no id', [json(201, { id: 'x' })]],
  ['returns HTML', [{ status: 201, text: '<p>' }]],
] as const)('a row is named if a server %s', async (_title, replies) => {
  const result = await createAndRemove({ [`POST ${annotations}`]: replies }, [
    'POST',
    annotations,
    launch,
  ])

  expect(result).toEqual({ softDeleted: [], left: [unconfirmed], sent: [] })
})

test('a row without a text is named by its list', async () => {
  const result = await createAndRemove({ [`POST ${annotations}`]: [{ status: 500 }] }, [
    'POST',
    annotations,
    {},
  ])

  const left = `A row may be left, which was not confirmed: ${annotations}. If the list has it: ${softDeletion}`
  expect(result).toEqual({ softDeleted: [], left: [left], sent: [] })
})

test('a row that is gone before it is removed is not left', async () => {
  const replies = {
    [`POST ${annotations}`]: [json(201, { id: 7 })],
    [`GET ${annotations}7/`]: [json(200, { id: 7, ...launch })],
    [`PATCH ${annotations}7/`]: [{ status: 404 }],
  }

  const result = await createAndRemove(replies, ['POST', annotations, launch])

  const sent = [`PATCH ${annotations}7/ {"deleted": true}`]
  expect(result).toEqual({ softDeleted: [], left: [], sent })
})

test('the row of another user, whose id a server returns, stays', async () => {
  const replies = {
    [`POST ${annotations}`]: [json(201, { id: 1, ...launch })],
    [`GET ${annotations}1/`]: [json(200, { id: 1, content: 'of another user' })],
  }

  const result = await createAndRemove(replies, ['POST', annotations, launch])

  const left = `A row may be left: ${annotations}1/. It has other texts than the scenario sent, so it was not changed. If nobody else created it: ${softDeletion}`
  expect(result).toEqual({ softDeleted: [], left: [left], sent: [] })
})

test('a row with the marker is found and removed, although the server denied its creation', async () => {
  const marked = { id: 9, content: 'Launchk2j4', deleted: false }
  const replies = {
    [`POST ${annotations}`]: [{ status: 400 }],
    [`GET ${annotations}?limit=100&search=k2j4`]: [
      json(200, {
        results: [marked, { ...marked, id: 8, deleted: true }, { id: 1, content: 'Launch' }],
      }),
    ],
    [`GET ${annotations}8/`]: [json(200, { ...marked, id: 8, deleted: true })],
    [`PATCH ${annotations}9/`]: [json(200, { ...marked, deleted: true })],
  }

  const result = await createAndRemove(replies, ['POST', annotations, { content: 'Launchk2j4' }])

  expect(result).toEqual({
    softDeleted: [],
    left: [],
    sent: [`PATCH ${annotations}9/ {"deleted": true}`],
  })
})

test('a removal that the server confirms and does not make is named', async () => {
  const geo = json(200, { id: 8, name: 'Geo' })
  const replies = {
    [`POST ${annotations}`]: [json(201, { id: 7 })],
    [`GET ${annotations}7/`]: [json(200, { id: 7, ...launch })],
    [`PATCH ${annotations}7/`]: [json(200, { id: 7, deleted: false })],
    [`POST ${plugins}`]: [json(201, { id: 8 })],
    [`GET ${plugins}8/`]: [geo, geo],
    [`DELETE ${plugins}8/`]: [{ status: 204 }],
  }

  const { left } = await createAndRemove(
    replies,
    ['POST', annotations, launch],
    ['POST', plugins, { name: 'Geo' }],
  )

  expect(left).toEqual([
    `A row may be left: ${annotations}7/. ${softDeletion}`,
    `A row may be left: ${plugins}8/. Remove it with DELETE.`,
  ])
})

test('a soft-deleted annotation that the server still shows is deleted, or named if it stays', async () => {
  const [shown, deleted] = [
    { id: 7, ...launch },
    { id: 7, ...launch, deleted: true },
  ]
  const replies = {
    [`POST ${annotations}`]: [json(201, shown), json(201, { id: 8, content: [5] })],
    [`GET ${annotations}7/`]: [json(200, shown), json(200, deleted)],
    [`PATCH ${annotations}7/`]: [json(200, deleted)],
    [`DELETE ${annotations}7/`]: [{ status: 204 }],
    [`GET ${annotations}8/`]: Array.from({ length: 3 }, () => json(200, { id: 8, content: [5] })),
    [`PATCH ${annotations}8/`]: [json(200, { id: 8, deleted: true })],
    [`DELETE ${annotations}8/`]: [{ status: 405 }],
  }

  const result = await createAndRemove(
    replies,
    ['POST', annotations, launch],
    ['POST', annotations, { content: [5] }],
  )

  expect(result).toEqual({
    left: [],
    softDeleted: [{ url: `${annotations}8/`, list: annotations, id: 8 }],
    sent: [7, 8].flatMap((id) => [
      `PATCH ${annotations}${id}/ {"deleted": true}`,
      `DELETE ${annotations}${id}/`,
    ]),
  })
})
