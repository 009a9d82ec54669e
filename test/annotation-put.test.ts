import { expect, test } from 'vitest'
import { forbidden, invalid, notAllowed, notFound } from './support/refusals.ts'
import { start } from './support/start.ts'

const list = '/api/projects/1/annotations/'

test('live, PUT changes what is given and leaves the rest, as PATCH does [§4.5:put]', async () => {
  const { ask } = await start({ profile: 'live' })
  const { body: before } = await ask('GET', `${list}1/`)

  const answer = await ask('PUT', `${list}1/`, { body: { content: 'Put' } })

  const body = { ...(before as object), content: 'Put', updated_at: '2024-06-15T12:00:00Z' }
  expect(answer).toEqual({ status: 200, body })
  expect(await ask('GET', `${list}1/`)).toEqual({ status: 200, body })
})

test('live, PUT of an empty body touches updated_at, and moves as PATCH does [§4.5:put] [§4.4:move]', async () => {
  const { ask, simulator } = await start({ profile: 'live' })

  const answer = await ask('PUT', `${list}3/`, { body: {} })

  expect(answer).toMatchObject({ status: 200, body: { id: 3, updated_at: '2024-06-15T12:00:00Z' } })
  expect(simulator.world.annotations.get(3)?.project).toBe(1)
})

test('live, PUT does not find deleted annotations, but can delete one [§4.5:put] [§4:soft-delete]', async () => {
  const { ask } = await start({ profile: 'live' })

  expect(await ask('PUT', `${list}6/`, { body: { deleted: false } })).toEqual(notFound())
  expect(await ask('PUT', `${list}1/`, { body: { deleted: true } })).toMatchObject({ status: 200 })
  expect(await ask('PUT', `${list}1/`, { body: { deleted: false } })).toEqual(notFound())
})

test('live, PUT asks for the write scope and checks bodies [§4.5:put] [§1:scope-missing]', async () => {
  const { ask } = await start({ profile: 'live' })

  expect(await ask('PUT', `${list}1/`, { key: 'phx_annotation_read', body: {} })).toEqual(
    forbidden("API key missing required scope 'annotation:write'"),
  )
  expect(await ask('PUT', `${list}1/`, { body: { scope: 'team' } })).toEqual(
    invalid('scope', 'invalid_choice', '"team" is not a valid choice.'),
  )
  expect(await ask('PUT', `${list}999/`, { body: {} })).toEqual(notFound())
})

test('by the document there is no PUT [§1:method]', async () => {
  const client = await start()
  const before = client.simulator.world.annotations.get(1)

  expect(await client.ask('PUT', `${list}1/`, { body: { content: 'Put' } })).toEqual(
    notAllowed('PUT'),
  )
  expect(client.simulator.world.annotations.get(1)).toEqual(before)
})
