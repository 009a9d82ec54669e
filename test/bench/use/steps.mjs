// What each test of a measured suite does: lists, creates, changes, and lists again.
import { expect } from 'vitest'

const list = 'https://api.example.com/api/projects/1/annotations/'
const json = { 'content-type': 'application/json' }

/** @param headers those of a client that may read and write annotations */
export async function runSteps(headers) {
  const { count } = await (await fetch(list, { headers })).json()
  const body = JSON.stringify({ content: 'Launch', date_marker: '2024-06-01T09:00:00Z' })
  const created = await fetch(list, { method: 'POST', headers: { ...headers, ...json }, body })
  expect(created.status).toBe(201)
  const { id } = await created.json()
  const change = { method: 'PATCH', headers: { ...headers, ...json }, body: '{"content":"Later"}' }
  expect(await (await fetch(`${list}${id}/`, change)).json()).toMatchObject({ content: 'Later' })
  expect((await (await fetch(list, { headers })).json()).count).toBe(count + 1)
}
