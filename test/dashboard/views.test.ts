import type { HTMLInputElement, HTMLTextAreaElement } from 'happy-dom'
import { expect, test, vi } from 'vitest'
import { annotationsPath as list } from '../support/api/paths.ts'
import { initOf } from '../support/transports/client.ts'
import { openDashboard } from './page.ts'

test('rows are searched page by page, edited as JSON, added and removed', async () => {
  const { go, hash, ...page } = await openDashboard('#/rows/nowhere', {
    arrange({ world }) {
      for (let index = 0; index < 92; index++) world.annotations.add({ content: `Batch ${index}` })
    },
  })
  const { annotations } = page.simulator.world
  const { until, press, enter, follow, texts } = page
  await until('1–50 of 100')
  await press('Last')
  // The last page of exactly two pages has rows.
  await until('51–100 of 100')
  const isLast = (await page.find('button', 'Next')).hasAttribute('disabled')
  await until('Relaese 1.0')
  const deleted = texts('tr.deleted').map((row) => row.slice(0, 1))
  await press('First')
  await until('1–50 of 100')
  await press('Next')
  await until('51–100 of 100')
  await enter('Search', 'batch 59')
  await until('1–1 of 1')
  await follow('68')
  const field = async () => (await page.find('textarea', '')) as HTMLTextAreaElement
  const { value } = await field()
  annotations.update(68, { date_marker: '2024-06-01T00:00:00Z' })
  await enter('JSON', value.replace('Batch 59', 'Batch 59, edited'))
  await press('Save')
  await until('Row saved.')
  annotations.update(68, { date_marker: '2024-06-02T00:00:00Z', content: 'By a client' })
  await press('Save')
  await expect.poll(async () => (await field()).value).toContain('By a client')
  const edited = annotations.get(68)
  await enter('JSON', '3')
  await press('Save')
  await until('Enter a JSON object.')
  await press('Remove')
  await until('Row removed.')
  await until('No annotations match the search.')
  await enter('List', 'users')
  await until('noor@example.com')
  await follow('Add')
  await enter('JSON', '{ "email": "nope" }')
  await press('Save')
  await until('an e-mail address, got "nope"')

  // What a client changed meanwhile is kept.
  expect(edited).toMatchObject({ content: 'By a client', date_marker: '2024-06-02T00:00:00Z' })
  expect([annotations.get(68), isLast, hash()]).toEqual([undefined, true, '#/rows/users/new'])
  expect(deleted).toEqual(['6'])
  expect(texts('option')).toContain('Plugin configs')
  go('#/rows/organizations/018f2b6e-0000-7000-8000-00000000000a')
  await until('Organizations 018f2b6e-0000-7000-8000-00000000000a')
  await press('Save')
  await until('Row saved.')
})

test('a value of more than 40,000 characters is cut', async () => {
  const { simulator, until } = await openDashboard('#/requests/1')

  await simulator.fetch(list, initOf('POST', { body: { content: 'x'.repeat(40_000) } }))

  await until('… cut off: it has 40,019 characters')
})

test('keys are issued and revoked', async () => {
  const { simulator, until, enter, press, texts } = await openDashboard('#/keys')
  await until('no scopes')
  const key = { label: 'mine', value: 'phx_mine', projects: [1, 2] }
  await enter('JSON', JSON.stringify({ ...key, scopes: ['annotation:read', 'plugin:read'] }))
  await press('Issue')
  await until('Key phx_mine issued.')
  vi.stubGlobal('confirm', (text: string) => text.startsWith('Revoke the key all?'))
  await press('Revoke key old')
  await press('Revoke key all')
  await until('Key all revoked.')

  const keys = simulator.keys.list()
  expect(keys.map(({ label }) => label)).not.toContain('all')
  expect(keys.map(({ label }) => label)).toContain('old')
  expect(keys.at(-1)).toMatchObject({ value: 'phx_mine', label: 'mine', projects: [1, 2] })
  expect(texts('td').slice(-3)).toEqual([
    'minephx_mine',
    'annotation:read, plugin:read, only in project 1, project 2',
    'CopyRevoke',
  ])
})

test('presets are switched on and off, and a sentence says what a new fault will do', async () => {
  const { simulator, until, find, ...page } = await openDashboard('#/faults')
  const { enter, press, texts } = page
  await until('No faults.')
  await enter('lost-create', true)
  await until('The preset lost-create is on.')
  await enter('read-only', true)
  await until('The preset read-only is on.')
  await press('Remove fault-3')
  await until('The fault fault-3 is removed.')
  await simulator.fetch(list, initOf('POST', { body: {} })).catch(() => {})
  await until('Used up: it applies to no further request.')
  const label = await find('label', 'lost-create')
  const box = label.querySelector('input') as HTMLInputElement
  const isPartial = [box.checked, box.indeterminate]
  const badges = texts('a').slice(-2)
  const effect = { error: 'authentication_failed' }
  const rule = { operation: 'listAnnotations', when: { times: 1 }, effect }
  await enter('JSON', JSON.stringify(rule))
  const [sentence] = texts('p.sentence')
  await press('Add fault')
  await until('The fault is added.')
  await enter('JSON', '{ "effect": {} }')
  await until('This is not a fault yet.')
  await press('Add fault')
  await until('effect: expected one of')
  await enter('lost-create', false)
  await until('The preset lost-create is off.')
  const faults = simulator.faults.list()
  await press('Remove all')
  await until('All faults are removed.')

  expect(isPartial).toEqual([false, true])
  expect(badges).toEqual(['1 fault', 'clock frozen'])
  expect(sentence).toBe(
    'The first listAnnotations request: the response is a 401 (authentication failed).',
  )
  expect(faults).toMatchObject([
    { operation: 'listAnnotations', effect: { error: 'authentication_failed' }, preset: null },
  ])
})

test('settings begin with those in which the profiles differ, and changed ones are found', async () => {
  const { simulator, until, enter, follow, press, texts } = await openDashboard('#/settings')
  await until('Different in the profiles')
  const titles = texts('h2')
  await enter('Search settings', 'what does DELETE')
  await enter('404', true)
  await until('1 setting changed')
  vi.stubGlobal('prompt', () => null)
  await enter('Search settings', 'limits.body')
  await press('Another number')
  await until('limits.body is ')
  await enter('Search settings', '')
  await follow('1 setting changed')
  await expect.poll(() => texts('li')).toHaveLength(1)
  const changed = [texts('h2')[0], texts('li'), texts('option')]
  await enter('Profile', 'live')
  await until('All settings are those of the profile live.')

  expect(titles.slice(0, 3)).toEqual(['Different in the profiles', 'Annotations', 'Plugins'])
  expect(changed).toEqual([
    'Different in the profiles',
    [
      expect.stringMatching(
        /\? 404 annotations.delete.status documented: 405, live: 405_emptyDocu/,
      ),
    ],
    ['documented, 1 changed', 'documented', 'live'],
  ])
  expect(texts('a')).toContain('profile live')
  expect(simulator.settings.list().every(({ value, live }) => value === live)).toBe(true)
})

test('clock, sandboxes and the world are set', async () => {
  const { simulator, until, ...page } = await openDashboard('#/state', {
    arrange: ({ sandboxes }) => sandboxes.create({ name: 'checkout', ttl_s: 1e9 }),
  })
  const { enter, press, follow, texts } = page
  await until('2024-06-15 12:00:00 UTC')
  await press('+1 day')
  await until('2024-06-16 12:00:00 UTC')
  await press('Run from here')
  await until('clock set')
  await press('Real time')
  await until('The clock: real time.')
  const badges = texts('a').filter((text) => text.startsWith('clock'))
  await enter('Freeze at', '2024-01-02T03:04:05')
  await press('Set')
  await until('2024-01-02 03:04:05 UTC')
  await press('New sandbox')
  await until('The sandbox sandbox-2 is created.')
  const items = texts('li')
  await follow('Open sandbox-2')
  await follow('State')
  await enter('World', 'empty')
  await press('Load')
  await until('The world empty is loaded.')
  await follow('Rows')
  await until('This world has no annotations.')
  const options = ['none (main world)', 'sandbox-1: checkout', 'sandbox-2']
  await expect.poll(() => texts('option').slice(0, 3)).toEqual(options)
  page.go('#/rows/plugins/1?in=sandbox-2')
  await until('This row does not exist.')
  await enter('Sandbox', '')
  await until('1–8 of 8')
  page.go('#/requests/99?in=sandbox-2')
  await until('The journal does not have this request.')
  simulator.sandboxes.delete('sandbox-2')
  await until('Sandbox sandbox-2 not found')

  expect(badges).toEqual([])
  expect(items).toEqual([
    expect.stringMatching(
      /^sandbox-1 checkout, ends \d{4}-.* [\d:]+http:\/\/shop\.test\/__sandbox\/sandbox-1CopyOpenDelete$/,
    ),
    'sandbox-2 http://shop.test/__sandbox/sandbox-2CopyOpenDelete',
  ])
})
