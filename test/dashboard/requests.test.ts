import { expect, test, vi } from 'vitest'
import { nextTurn } from '../../src/utils/wait.ts'
import { sendRequests } from '../browser/dashboard-views.ts'
import { annotationsPath as list } from '../support/api/paths.ts'
import { initOf } from '../support/transports/client.ts'
import { openDashboard } from './page.ts'

test('what went wrong comes first, the latest above, with the requests that show it', async () => {
  const { hash, press, texts, until, follow } = await openDashboard('', {
    async arrange(simulator) {
      await sendRequests(simulator)
      for (let index = 0; index < 5; index += 1) await simulator.fetch('/api/nowhere/')
      simulator.faults.add({ operation: 'listProjects', effect: { hold: true } })
      void simulator.fetch('/api/projects/')
      await expect.poll(() => simulator.journal.waiting()).not.toEqual([])
    },
  })
  await until('Requests 8 problems')
  await press('Show all')
  await until('ignored-input')
  const lines = texts('li')
  await press('Clear requests')
  await until('No requests here')
  const left = texts('li')
  await follow('fault-2')

  expect(lines.map((line) => /^(\S+).* (Requests? \d+.*|for \d+ s)/.exec(line)?.slice(1))).toEqual([
    ['waiting', expect.stringMatching(/^for \d+ s$/)],
    ['unhandled-refusal', 'Requests 11, 12, 13, 14, and 1 more'],
    ['dropped', 'Request 9'],
    ['403', 'Request 8'],
    ['unhandled-refusal', 'Request 7'],
    ['swallowed-delete', 'Requests 5, 6'],
    ['unhandled-refusal', 'Request 4'],
    ['ignored-input', 'Request 3'],
  ])
  expect(left).toEqual([expect.stringMatching(/^waiting /)])
  expect(hash()).toBe('#/faults/fault-2')
  await until('matched 1, applied 1, 1 request waiting')
})

test('each problem has the requests of its latest occasions, and failures that a mistake explains stand in it', async () => {
  const { texts, until, press } = await openDashboard('', {
    async arrange(simulator) {
      const remove = () => simulator.fetch(`${list}1/`, initOf('DELETE', {}))
      for (let index = 0; index < 24; index += 1) await remove()
      for (let index = 0; index < 10; index += 1) await simulator.fetch('/api/nowhere/')
      await remove()
    },
  })
  await until('Requests 2 problems')
  const lines = texts('li').map((line) => /^(\S+).* (Requests? .*)/.exec(line)?.slice(1))
  await press('Clear requests')
  await until('No requests here')

  expect(lines).toEqual([
    ['swallowed-delete', 'Requests 22, 23, 24, 35, and 21 more'],
    ['repeated-refusal', 'Requests 31, 32, 33, 34, and 6 more'],
  ])
})

test.each([
  ['dropped', '9'],
  ['FAULT', '9'],
  ['ignored', '3'],
  ['changed', '32'],
  [' 4xx patch', '4'],
  ['none', '8'],
])('the filter %j finds the requests %s', async (filter, ids) => {
  const { texts, until } = await openDashboard(`#/?filter=${filter}`, { arrange: sendRequests })
  await until(`${ids.length} shown`)

  expect(texts('tr').flatMap((row) => /^\d/.exec(row) ?? [])).toEqual([...ids])
})

test('fifty requests are shown at a time, and the address names the page', async () => {
  const { enter, press, texts, until, hash } = await openDashboard('#/?page=2', {
    async arrange(simulator) {
      for (let index = 0; index < 102; index += 1) await simulator.fetch('/api/projects/')
    },
  })
  await until('102 shown')
  const first = texts('tr').map((row) => row.slice(0, 3))
  await press('Next')

  await expect.poll(() => texts('tr').length).toBe(3)
  expect([first.length, first[1], hash()]).toEqual([51, '524', '#/?page=3'])
  await enter('Filter', 'GET')
  await expect.poll(hash).toBe('#/?filter=GET')
})

test('requests appear as they arrive, are filtered, downloaded and cleared', async () => {
  const page = await openDashboard()
  const { simulator, until, texts, press, enter } = page
  await until('No requests here')
  await until('Connected')
  await until('curl -H')
  const [, curl] = texts('code')
  await simulator.fetch(list, initOf('GET', {}))
  await simulator.fetch(`${list}1/`, initOf('PATCH', { body: { content: 'Ö', scop: '' } }))
  await until('2 shown')
  const rows = texts('tr').map((row) => row.replace(/[<\d. ]+ ms/, ' '))
  await enter('Filter', 'PATCH 2xx changed')
  await until('1 shown')
  await press('Save as scenario')
  await until('Downloaded recorded.json, with keys and personal data replaced.')
  const files = await Promise.all(page.downloaded.map((blob) => blob.text()))
  await press('Clear requests')
  await until('No requests here')

  expect(curl).toBe(`curl -H 'Authorization: Bearer phx_all' http://shop.test${list}`)
  expect(rows).toEqual([
    'No.StatusRequest and reasonKeyDurationTime',
    `2200PATCH ${list}1/ 1 row changedIgnored: body.scop, did you mean scope?all 12:00:00`,
    `1200GET ${list} all 12:00:00`,
  ])
  expect(files.map((text) => JSON.parse(text))).toMatchObject([
    { steps: [{ method: 'PATCH', body: { content: 'Ö' } }] },
  ])
  expect(page.hash()).toBe('#/?filter=PATCH+2xx+changed')
})

test('a request has its reason, its change and a curl command, whose key is that of its label', async () => {
  const page = await openDashboard('#/requests/1')
  const { simulator, until, press, copied, texts } = page
  const headers = { origin: 'http://shop.test' }
  await simulator.fetch(list, initOf('POST', { body: { content: "It's live", scop: '' }, headers }))
  await until('201: createAnnotation succeeded and changed 1 row.')
  await until('annotations 9 createdid  9')
  expect(texts('.why .warn')).toEqual(['Ignored: body.scop, did you mean scope?'])
  await press('Copy as curl')
  await expect.poll(() => copied.length).toBe(1)
  // The journal shows no more of it than `phx_…`.
  const key = simulator.keys.issue({ value: 'phx_mine' })
  await simulator.fetch(`${list}1/`, initOf('DELETE', { key }))
  page.go('#/requests/2')
  await until('405: annotations cannot be deleted; send PATCH with {"deleted": true}.')
  await until('unknown key (phx_…)')
  await press('Copy as curl')
  await expect.poll(() => copied.length).toBe(2)
  expect(texts('tr.current')).toEqual([expect.stringMatching(/^2405DELETE/)])
  await simulator.fetch(list, initOf('GET', { key: 'phx_unknown' }))
  page.go('#/requests/3')
  await expect.poll(() => texts('p.sentence')).toEqual(['401: no key matches phx_u…'])

  expect(copied).toEqual([
    `curl -X POST -H 'authorization: Bearer phx_all' -H 'content-type: application/json' --data-raw '{"content":"It'\\''s live","scop":""}' http://shop.test${list}`,
    `curl -X DELETE -H 'authorization: Bearer YOUR_KEY' http://shop.test${list}1/`,
  ])
})

test('in a page, a request is copied as a call of fetch, and its evidence is unfolded', async () => {
  const { copied, find, press, texts, until } = await openDashboard('#/requests/1', {
    arrange: (simulator) => simulator.fetch(list),
    isInPage: true,
  })
  await until(`GET ${list}401listAnnotationsno key`)
  await press('Copy as fetch')
  Object.assign(await find('details', 'Evidence'), { open: true })
  await until('With the rows and settings of now, this request succeeds: GET /api/projects/')
  await until('Copied the call of fetch.')

  const init = JSON.stringify({ method: 'GET', headers: {} }, null, 2)
  expect(copied).toEqual([`await fetch("http://shop.test${list}", ${init})`])
  expect(texts('a').filter((text) => text.startsWith('API'))).toEqual([])
})

test('a hidden tab, which draws nothing, keeps the latest thousand requests, and then loads what they changed', async () => {
  const { simulator, go, until } = await openDashboard('#/rows', { journal: { entries: 2_000 } })
  await until('1–8 of 8')
  const frames: (() => void)[] = []
  vi.stubGlobal('requestAnimationFrame', (draw: () => void) => frames.push(draw))
  await simulator.fetch(list, initOf('POST', { body: { content: 'First' } }))
  for (let sent = 0; sent < 1_000; sent++) await simulator.fetch('/api/projects/')
  await expect.poll(() => frames.length).toBeGreaterThan(0)
  await nextTurn()

  vi.stubGlobal('requestAnimationFrame', setImmediate)
  for (const draw of frames) draw()

  await until('1–9 of 9')
  go('#/?filter=POST')
  await until('The filter searches the latest 1,000.')
})
