import { expect, test } from 'vitest'
import { LiveMistakes, MistakeFollower } from '../../src/mistakes/follow-mistakes.ts'
import { createSimulator } from '../../src/simulator/simulator.ts'
import { jsonHeaders } from '../support/api/headers.ts'
import { annotationsPath, annotationPath as row } from '../support/api/paths.ts'

function startRun() {
  const simulator = createSimulator({ journal: { entries: 1 } })
  const follower = new MistakeFollower(simulator)
  const send = (method: string, path: string, body?: object) =>
    simulator.fetch(path, {
      method,
      headers: jsonHeaders(),
      ...(body && { body: JSON.stringify(body) }),
    })
  const mistakes = () => follower.finish().map(({ rule, times, entries }) => [rule, times, entries])
  return { simulator, send, mistakes }
}

test('a mistake is found in more requests than the journal stores, unless a later one corrects it', async () => {
  const { send, mistakes } = startRun()
  await send('DELETE', row)
  await send('DELETE', `${annotationsPath}2/`)
  await send('PATCH', row, { deleted: true })

  expect(mistakes()).toEqual([['swallowed-delete', 1, [2]]])
})

test('each mistake is told when it happens, and the first note of each rule', async () => {
  const simulator = createSimulator()
  const told: string[] = []
  const live = new LiveMistakes(simulator, ({ rule }) => void told.push(rule))
  const headers = jsonHeaders()
  await simulator.fetch(`${annotationsPath}?page=2&pag=3`, { headers })
  await simulator.fetch(row, { method: 'DELETE', headers })
  await simulator.fetch(row, { method: 'PUT', headers })

  live.finish()
  await simulator.fetch(`${annotationsPath}?pag=3`, { headers })
  await simulator.fetch(`${annotationsPath}2/`, { method: 'PUT', headers })
  const rules = live.finish().map(({ rule }) => rule)

  const first = ['ignored-input', 'ignored-input', 'swallowed-delete', 'unhandled-refusal']
  expect(rules).toEqual(first)
  expect(told).toEqual([...first, 'ignored-input'])
})

test('mistakes before 1,100 other requests are found, and counted once', async () => {
  const { send, mistakes } = startRun()
  await send('DELETE', row)
  await send('POST', annotationsPath, { contnt: 'Launch' })
  for (let sent = 0; sent < 1_100; sent += 1) await send('GET', `/api/projects/?limit=${sent + 1}`)

  expect(mistakes()).toEqual([
    ['swallowed-delete', 1, [1]],
    ['ignored-input', 1, [2]],
  ])
})

test('the requests of a sandbox are a client of their own, also after its end', async () => {
  const { simulator, mistakes } = startRun()
  const sandbox = simulator.sandboxes.create({ name: 'of a worker' })
  const headers = { authorization: `Bearer ${sandbox.key}` }
  await simulator.fetch(row, { method: 'DELETE', headers })
  simulator.sandboxes.delete(sandbox.id)
  simulator.sandboxes.create()

  expect(mistakes()).toEqual([['swallowed-delete', 1, [1]]])
})

test('requests are judged in the order in which they arrive, also if a later one is answered first', async () => {
  const { simulator, send, mistakes } = startRun()
  simulator.faults.add({
    operation: 'createAnnotation',
    phase: 'after-commit',
    when: { times: 1 },
    effect: { hold: true },
  })
  const end = new AbortController()
  const lost = simulator.fetch(annotationsPath, {
    method: 'POST',
    headers: jsonHeaders(),
    body: '{"content":"Launch"}',
    signal: end.signal,
  })
  await expect.poll(() => simulator.journal.waiting()).not.toEqual([])
  await send('POST', annotationsPath, { content: 'Launch' })
  end.abort()
  await lost.catch(() => {})

  await expect.poll(mistakes).toEqual([['repeated-create', 1, [1, 2]]])
})
