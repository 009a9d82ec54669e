import { expect, test } from 'vitest'
import { createSimulator } from '../../../src/simulator.ts'
import { jsonHeaders } from '../../support/api/headers.ts'
import { annotationsPath, noon } from '../../support/api/paths.ts'

const row = `${annotationsPath}1/`

function startClient() {
  const simulator = createSimulator({ clock: noon })
  const headers = jsonHeaders()
  const send = (method: string, path: string, body?: object) =>
    simulator
      .fetch(path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
      .then((response) => response.text())
      .catch(() => null)
  const mistakes = (rule: string) =>
    simulator.journal
      .mistakes()
      .filter((mistake) => mistake.rule === rule)
      .map(({ message, entries }) => ({ message, entries }))
  return { simulator, send, mistakes }
}

test('an update of another field does not make up for a swallowed DELETE', async () => {
  const { send, mistakes } = startClient()
  await send('DELETE', row)
  await send('PATCH', row, { content: 'New' })

  expect(mistakes('swallowed-delete').map(({ entries }) => entries)).toEqual([[1]])
})

test('a client knows the fields that its own update showed', async () => {
  const { simulator, send, mistakes } = startClient()
  await send('GET', row)
  simulator.world.annotations.update(1, { scope: 'organization' })
  await send('PATCH', row, { content: 'New', date_marker: null })
  await send('PATCH', row, { content: 'Newer', scope: 'dashboard_item' })

  expect(mistakes('undone-change')).toEqual([])
})

test('a field that a client sent is its own from then on', async () => {
  const { simulator, send, mistakes } = startClient()
  await send('GET', row)
  await send('PATCH', row, { content: 'New', scope: 'project' })
  simulator.world.annotations.update(1, { scope: 'organization' })
  await send('PATCH', row, { content: 'Newer', scope: 'dashboard_item' })

  expect(mistakes('undone-change')).toEqual([])
})

test('a row that did not arrive was not read', async () => {
  const { simulator, send, mistakes } = startClient()
  const effect = { cut_bytes: 0 } as const
  simulator.faults.add({ method: 'GET', when: { times: 1 }, effect })
  await send('GET', row)
  simulator.world.annotations.update(1, { scope: 'organization' })
  await send('PATCH', row, { content: 'New', scope: 'dashboard_item' })

  expect(mistakes('undone-change')).toEqual([])
})

test('a page whose end did not arrive was not read', async () => {
  const { simulator, send, mistakes } = startClient()
  const effect = { cut_bytes: 100 } as const
  simulator.faults.add({ method: 'GET', when: { times: 1 }, effect })
  await send('GET', annotationsPath)
  simulator.world.annotations.update(1, { scope: 'organization' })
  await send('PATCH', row, { content: 'New', scope: 'dashboard_item' })

  expect(mistakes('undone-change')).toEqual([])
})

test('long values are shortened in a message', async () => {
  const { simulator, send, mistakes } = startClient()
  simulator.world.annotations.update(1, { content: 'a'.repeat(100) })
  await send('GET', row)
  simulator.world.annotations.update(1, { content: 'b'.repeat(58) })
  await send('PATCH', row, { content: 'a'.repeat(100), scope: 'project' })

  expect(mistakes('undone-change').map(({ message }) => message)).toEqual([
    `The update sets content from "${'b'.repeat(58)}" to "${'a'.repeat(59)}…, where the client had read "${'a'.repeat(59)}….`,
  ])
})

test('a read without a response that is repeated creates nothing twice', async () => {
  const { simulator, send, mistakes } = startClient()
  simulator.faults.add({ effect: { drop: true } })
  await send('GET', row)
  await send('GET', row)
  await send('PATCH', row, { content: 'New' })
  await send('PATCH', row, { content: 'New' })

  expect(mistakes('repeated-create')).toEqual([])
})
