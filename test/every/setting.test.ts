import { expect, test } from 'vitest'
import { createSimulator } from '../../src/index.ts'
import type { SettingOverrides } from '../../src/settings/resolve.ts'
import {
  type SettingId,
  SettingReads,
  settingIds,
  settingsById,
} from '../../src/settings/setting.ts'
import { spendRequests } from '../support/api/rate-limit.ts'
import { start } from '../support/transports/start.ts'
import { world } from './planted-client.ts'
import { probes } from './setting-probes.ts'

test.each(settingIds)('each value of %s changes a response', async (id) => {
  const { steps, requires = {}, integers } = probes[id]
  const settings = integers ?? Object.keys(settingsById[id].values)
  const transcripts: string[][] = []

  for (const value of settings) {
    transcripts.push(await transcript(id, { ...requires, [id]: value } as SettingOverrides))
  }

  const settingsByTranscript = new Map(
    transcripts.map((lines, index) => [lines.join('\n'), settings[index]]),
  )
  const cure = 'Add a client that depends on it to test/every/planted-clients.ts.'
  expect(steps.length, `No request shows ${id}. ${cure}`).toBeGreaterThan(0)
  expect([...settingsByTranscript.values()]).toEqual(settings)
})

// Reads are bits of two numbers, in which a setting too many would be another one.
test.each(settingIds)('that %s was read says nothing of other settings', (id) => {
  expect(new SettingReads().addAll([id]).ids).toEqual([id])
})

test.each(settingIds)('the values of both profiles exist: %s', (id) => {
  const { values, default: usual, live } = settingsById[id]

  expect(live).not.toBe(usual)
  const known = Object.keys(values)
  if (known.includes('integer')) return
  expect(known.length).toBeGreaterThan(1)
  expect(known).toEqual(expect.arrayContaining([usual, live ?? usual]))
})

/** Returns a line for each step: the request, the status, the headers that settings set, and the body. */
async function transcript(id: SettingId, settings: SettingOverrides): Promise<string[]> {
  const client = await start({ world, settings: settings })
  const lines: string[] = []
  const { steps, spent } = probes[id]
  if (spent) spendRequests(client.simulator)
  for (const [method, path, options = {}] of steps) {
    const response = await client.send(method, path, options)
    const headers = ['allow', 'location', 'www-authenticate', 'retry-after'].map((name) => {
      const value = response.headers.get(name)
      return value && `${name}: ${value}`
    })
    const text = (await response.text()).replaceAll(client.origin, '')
    const { body, key } = options
    const request = [
      method,
      path,
      ...(body === undefined ? [] : [JSON.stringify(body)]),
      ...(key === undefined ? [] : [key === null ? 'without a key' : `by ${key}`]),
    ]
    lines.push([...request, '→', response.status, ...headers.filter(Boolean), text].join(' '))
  }
  // What clients could write, the world loads.
  const written = client.simulator.world.toJSON()
  expect(createSimulator({ world: written, settings }).world.toJSON()).toEqual(written)
  return lines
}
