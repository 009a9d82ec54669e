import { expect, test } from 'vitest'
import { exchangesToHar } from '../../../src/adapters/har/write-har.ts'
import { createSimulator, recordingOf } from '../../../src/index.ts'
import { annotationsPath as list } from '../../support/api/paths.ts'
import { createExchange } from '../../support/scenarios/exchanges.ts'

/** What an expression with two ways to match could read again and again. */
const units = [
  'a',
  '_eyJaaaaaaaa',
  '://u:p@',
  '://a:',
  'Bearer ',
  'a@a.',
  'token=',
  "token='",
  'token=\\"',
  'password: ',
  '&key=b',
  '%2525',
  '\\"',
  '[[{',
  '\\u0061',
  ' ',
  '\r\n',
  '-----BEGIN PRIVATE KEY-----',
  'form-data; name="token"\n\n',
  'replaced-key-1 ',
]

interface Sent {
  readonly target?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

const json = { 'content-type': 'application/json' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const inHeader = (text: string): string => text.replace(/[\r\n]/g, ' ')

/** Where a client can put a text. */
const places: Readonly<Record<string, (text: string) => Sent>> = {
  'name of a field': (text) => ({
    headers: json,
    body: JSON.stringify({ content: 'x', [text]: 1 }),
  }),
  'value of a field': (text) => ({
    headers: json,
    body: JSON.stringify({ content: text, date_marker: text, password: text }),
  }),
  text: (text) => ({ headers: json, body: text }),
  form: (text) => ({ headers: form, body: `content=${text}` }),
  query: (text) => ({ target: `${list}?${new URLSearchParams({ search: text, [text]: '1' })}` }),
  path: (text) => ({ target: `${list}${encodeURIComponent(text)}/` }),
  headers: (text) => ({
    headers: { authorization: `Bearer ${inHeader(text)}`, cookie: inHeader(text) },
  }),
}

const sizes = [32_768, 131_072]

/** How much more than the growth of the text the time may grow, above a floor in milliseconds. */
const [factor, floor] = [1.3, 50]

async function timeOf(run: () => unknown): Promise<number> {
  const start = process.cpuUsage()
  await run()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1_000
}

/** The CPU time of each door, for one request. */
async function measure({ target = list, headers, body }: Sent): Promise<Record<string, number>> {
  const simulator = createSimulator({
    profile: 'live',
    journal: { body: 4_000_000 },
  })
  const method = body === undefined ? 'GET' : 'POST'
  const all = { authorization: 'Bearer phx_all', ...headers }
  const init = { method, headers: all, ...(body !== undefined && { body }) }
  const exchange = {
    ...createExchange({ method, url: target }),
    request: { headers: Object.entries(all), body: body === undefined ? null : { text: body } },
  }
  const doors: Readonly<Record<string, () => unknown>> = {
    send: async () => (await simulator.fetch(target, init)).text(),
    journal: () => simulator.journal.find(),
    archive: () => simulator.journal.toHar(),
    recording: () => simulator.record(),
    mistakes: () => simulator.journal.mistakes(),
    reasons: () => simulator.explain(1),
    verify: () => simulator.journal.verify({ operation: 'createAnnotation', body: { a: 1 } }),
    'recording of traffic': () => recordingOf([exchange]),
    'archive of traffic': () => exchangesToHar([exchange]),
  }
  const times: Record<string, number> = {}
  for (const [door, run] of Object.entries(doors)) times[door] = await timeOf(run)
  return times
}

/** The doors whose time grows more than the text. A busy machine makes any of them slow, but not three times. */
async function findSlow(place: (text: string) => Sent, unit: string): Promise<string[]> {
  const [small, large] = sizes.map((size) => place(unit.repeat(size / unit.length))) as [Sent, Sent]
  const least: Record<string, number>[] = [{}, {}]
  let slow: string[] = []
  for (let tries = 0; tries < 4; tries++) {
    for (const [index, sent] of [small, large].entries()) {
      for (const [door, time] of Object.entries(await measure(sent))) {
        const times = least[index] as Record<string, number>
        times[door] = Math.min(times[door] ?? Number.POSITIVE_INFINITY, time)
      }
    }
    const [before, after] = least as [Record<string, number>, Record<string, number>]
    slow = Object.keys(after).filter((door) => {
      const growth = ((sizes[1] as number) / (sizes[0] as number)) * factor
      return (after[door] as number) > Math.max(before[door] as number, floor / growth) * growth
    })
    if (slow.length === 0) return []
  }
  return slow
}

test.each(Object.entries(places))('time grows as a text does: %s', async (_, place) => {
  for (const unit of units) expect.soft([unit, await findSlow(place, unit)]).toEqual([unit, []])
})
