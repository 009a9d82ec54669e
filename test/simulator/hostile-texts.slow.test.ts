import { basename } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openRecording, verifyTest } from '../../src/import/scenario-simulator.ts'
import { connect, createSimulator, type Scenario } from '../../src/index.ts'
import { runTool, tools } from '../../src/mcp/serve-tools.ts'
import { listen } from '../../src/node.ts'
import { parseScenario } from '../../src/scenarios/format/check-scenario.ts'
import { createHider } from '../../src/scenarios/recording/recorder.ts'
import { guessBaseUrl, toStep } from '../../src/scenarios/recording/to-step.ts'
import { toLine } from '../../src/simulator/journal/written-entry.ts'
import { issuesOf } from '../../src/utils/errors.ts'
import { percentEncode } from '../../src/utils/query.ts'
import { Aliases } from '../../src/utils/redaction/aliases.ts'
import { KeyRedactor, Redactor } from '../../src/utils/redaction/redactor.ts'
import { randomFraction } from '../../src/utils/seeded-random.ts'
import { annotationsPath as list } from '../support/api/paths.ts'
import { run } from '../support/cli/command.ts'
import { temporaryFile, temporaryFolder } from '../support/files.ts'
import { isLong } from '../support/long.ts'
import { archive, createExchange, entry } from '../support/traffic.ts'

// Time grows as a text does, wherever it comes in. LONG=1 npm run slow -- --project slow hostile-texts reads 1 MB, too.

/** What an expression with two ways to match could read again and again, and what becomes a long chain of short texts. */
const units = [
  ...['a', '_eyJaaaaaaaa', '://u:p@', '://a:', 'Bearer ', 'Authorization: a ', '://a:/', 'a@a.'],
  ...['token=', "token='", 'token=\\"', 'password: ', '&key=b', 'token==', 'Bearer+++++++++'],
  ...['authorization:ab+a=', '%40://<', '//u:p', '%2525', '\\"', '[[{', '\\u0061', ' ', '\r\n'],
  ...['-----BEGIN PRIVATE KEY-----', 'form-data; name="token"\n\n', 'replaced-key-1 ', '<otp>'],
  ...['content-disposition: form-data; name=', ';key=', 'tokens: [', "'otp': {'a': ", '"otp", "'],
]

const sizes = isLong ? [24_576, 98_304, 1_048_576] : [8_192, 32_768]

/** How much more than the text the time may grow, and below how many milliseconds it is not looked at. */
const [factor, floor] = [1.3, 40]

type Doors = Readonly<Record<string, () => unknown>>

type Sent = { target?: string; headers?: Readonly<Record<string, string>>; body?: string }

function doorsOfRequest({ target = list, headers, body }: Sent): Doors {
  const simulator = createSimulator({ profile: 'live', journal: { body: 4_000_000 } })
  const method = body === undefined ? 'GET' : 'POST'
  const all = { authorization: 'Bearer phx_all', ...headers }
  const init = { method, headers: all, body: body ?? null }
  const exchange = {
    ...createExchange({ method, url: target }),
    request: { headers: Object.entries(all), body: body === undefined ? null : { text: body } },
  }
  return {
    send: async () => (await simulator.fetch(target, init)).text(),
    journal: () => simulator.journal.find(),
    archive: () => simulator.journal.toHar(),
    recording: () => simulator.record(),
    mistakes: () => simulator.journal.mistakes(),
    reasons: () => simulator.explain(1),
    verify: () => simulator.journal.verify({ operation: 'createAnnotation', body: { a: 1 } }),
    record: async () => {
      const hider = createHider({})
      hider.collect(exchange)
      const { step } = toStep(hider.exchange(exchange), guessBaseUrl(exchange.url))
      return [hider.url(exchange.url), step]
    },
  }
}

async function doorsOfServer(target: string, init: RequestInit): Promise<Doors> {
  const simulator = createSimulator({ profile: 'live', journal: { body: 4_000_000 } })
  const { url, close } = await listen(simulator)
  onTestFinished(() => close())
  const remote = connect(url)
  const callTool = (name: string, args: object) => {
    const tool = tools.find((tool) => tool.name === name) as (typeof tools)[number]
    return runTool(tool, remote, args, '1')
  }
  return {
    send: () => fetch(url + target, init),
    'tool explain': () => callTool('explain', { entry: 1 }),
    'tool journal': () => callTool('journal', { id: 1 }),
    'tool report': () => callTool('report', {}),
    'tool scenario': () => callTool('scenario', { record: true }),
  }
}

function doorsOfFile(content: object | string, ...commands: readonly string[]): Doors {
  const file = temporaryFile(content)
  const open = (command: string) => {
    const [name = '', ...flags] = command.split(' ')
    return () => run([name, file, ...flags])
  }
  // Each size has a folder of its own, and the same doors.
  return Object.fromEntries(commands.map((command) => [basename(command), open(command)]))
}

const json = { 'content-type': 'application/json' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const inLine = (text: string): string => text.replace(/[\r\n]/g, ' ')

function hostileArchive(text: string): string {
  const request = { url: `https://a.test${list}?${new URLSearchParams({ search: text })}` }
  const headers = [{ name: 'x-trace', value: inLine(text) }]
  const response = { status: 400, headers, content: { text } }
  return archive(entry({ request, response }))
}

const places: Readonly<Record<string, (text: string) => Doors | Promise<Doors>>> = {
  'the name of a field': (text) =>
    doorsOfRequest({ headers: json, body: JSON.stringify({ content: 'x', [text]: 1 }) }),
  'the value of a field': (text) =>
    doorsOfRequest({
      headers: json,
      body: JSON.stringify({ content: text, date_marker: text, password: text }),
    }),
  'a body that is no JSON': (text) => doorsOfRequest({ headers: json, body: text }),
  'a form': (text) => doorsOfRequest({ headers: form, body: `content=${text}` }),
  'a query': (text) =>
    doorsOfRequest({ target: `${list}?${new URLSearchParams({ search: text, [text]: '1' })}` }),
  'a path': (text) => doorsOfRequest({ target: `${list}${encodeURIComponent(text)}/` }),
  headers: (text) => {
    const line = inLine(text)
    const headers = { authorization: `Bearer ${line}`, cookie: line, 'understudy-test': line }
    return doorsOfRequest({ headers })
  },
  'what a server shows': (text) =>
    // Node refuses a longer head.
    doorsOfServer(`${list}?${new URLSearchParams({ search: text.slice(0, 4_000) })}`, {
      method: 'POST',
      headers: { authorization: 'Bearer phx_all', ...json },
      body: JSON.stringify({ content: text, scope: text, [text]: text }),
    }),
  'an archive': (text) => doorsOfFile(hostileArchive(text), 'import', 'validate'),
  'a file that is no JSON': (text) => doorsOfFile(`{"log": ${text}`, 'import', 'validate'),
  'a scenario': (text) =>
    doorsOfFile(
      {
        title: text,
        steps: [
          { as: 'all', method: 'GET', path: `${list}?${new URLSearchParams({ search: text })}` },
          { as: 'all', method: 'GET', path: list, expect: { status: 200, body: { next: text } } },
        ],
      },
      'validate',
      ...['txt', 'xml', 'json'].map(
        (type) => `replay --report ${temporaryFolder()}/report.${type}`,
      ),
    ),
  'a world': (text) =>
    doorsOfFile({ format_version: 1, users: [{ id: 1, email: text }] }, 'validate'),
  'names of a simulator': (text) => {
    const simulator = createSimulator()
    return {
      fault: () => simulator.faults.add({ path: `/api/${inLine(text)}`, effect: { status: 503 } }),
      'label of a key': () => simulator.keys.issue({ label: text }),
      'name of a sandbox': () => simulator.sandboxes.create({ name: text }),
      request: async () => (await simulator.fetch(list)).text(),
    }
  },
}

/**
 * The CPU time of doors in milliseconds. One that refuses the text has read it.
 *
 * @param again those that are measured again, behind the first one, which prepares the others. Null for all
 */
async function measure(doors: Doors, again: object | null): Promise<Record<string, number>> {
  const times: Record<string, number> = {}
  for (const [at, [door, open]] of Object.entries(doors).entries()) {
    if (at > 0 && again && !(door in again)) continue
    const start = process.cpuUsage()
    try {
      await open()
    } catch {}
    const { user, system } = process.cpuUsage(start)
    times[door] = (user + system) / 1_000
  }
  return times
}

/** The doors whose time grows more than the text: by the least of several times, since others use the machine. */
async function findSlow(place: (typeof places)[string], unit: string): Promise<string[]> {
  const textOf = (size: number) => unit.repeat(size / unit.length)
  const least: Record<string, number>[] = sizes.map(() => ({}))
  let slow: Record<string, string> | null = null
  for (let tries = 0; tries < 5; tries++) {
    for (const [index, size] of sizes.entries()) {
      const times = least[index] as Record<string, number>
      const measured = await measure(await place(textOf(size)), slow)
      for (const [door, time] of Object.entries(measured)) {
        times[door] = Math.min(times[door] ?? Number.POSITIVE_INFINITY, time)
      }
    }
    slow = Object.fromEntries(
      sizes.slice(1).flatMap((size, at) => {
        const [before = {}, after = {}] = [least[at], least[at + 1]]
        const growth = (size / (sizes[at] as number)) * factor
        return Object.entries(after)
          .filter(([door, time]) => time > Math.max(before[door] ?? 0, floor / growth) * growth)
          .map(([door, time]) => [door, `${door}: ${before[door]} ms, then ${time} ms`])
      }),
    )
    if (Object.keys(slow).length === 0) return []
  }
  return Object.values(slow ?? {})
}

test.each(Object.entries(places))('time grows as a text does: %s', async (_, place) => {
  for (const unit of units) expect.soft([unit, await findSlow(place, unit)]).toEqual([unit, []])
})

/** More units, of which three at random make a text: what was thought of found less. SEED=7 takes others. */
const pieces = [
  ...units,
  ...['+', '=', '==', ':', '://', '/', '?', '&', '#', '%', '%20', '%40', '%3A', '%22', '@', '.'],
  ...[',', '"', "'", '`', '\\', '\\n', '&quot;', '&#39;', '<', '>', '(', ')', '[', ']', '{', '}'],
  ...[';', '-', '_', 'Basic ', 'basic+', 'bearer%20', 'authorization: ', 'Authorization:ab+'],
  ...['Digest a="b", ', 'key=', 'key="', 'key: ', 'api_key', 'x-api-key: ', 'password'],
  ...['secret: "', 'cookie: a=b; ', 'name="token" value="', '"name": "token", "value": "', 'phx_'],
  ...['phx_aaaaaaaaaaaaaaaaaaaa', 'ghp_', 'AKIA', 'xoxb-', 'glpat-', 'sk-', 'SG.', 'pypi-'],
  ...['ya29.', '1//0', 'whsec_', 'eyJ', 'a1b2c3d4e5f6', '-----BEGIN', '-----', 'value="a" '],
  ...['hooks.slack.com/services/', 'name=', 'type="a" ', 'a@b.cc', 'é', '日本', '\ud83d\ude00'],
  ...['0', '12345678', 'tokens: [', '"otp": ', '"otp": {', '", "', '\\&quot;', 'value: ['],
]

function pickerOf(seed: number): () => string {
  let count = 0
  const pick = () => Math.floor(randomFraction(seed, 'pieces', ++count) * pieces.length)
  return () => pieces[pick()] as string
}

/** Ways in: what reads a text that was sent, without all that is around it. */
const ways: Readonly<Record<string, (text: string) => unknown>> = {
  text: (text) => new KeyRedactor(['phx_all', text.slice(0, 40)]).text(text),
  form: (text) => new KeyRedactor([]).form(text),
  url: (text) => new KeyRedactor([]).url(`https://a.test/${text}?${text}`),
  header: (text) => new KeyRedactor([]).header('x-trace', text),
  'name of a field': (text) => new KeyRedactor([]).json({ [text]: 1 }),
  'value of a field': (text) =>
    new KeyRedactor([]).json({ key: text, a: { name: 'key', value: text } }),
  'encoded text': (text) => new KeyRedactor([]).text(percentEncode(text)),
  file: (text) => [false, true].map((keep) => new Redactor(new Aliases(keep)).text(text)),
  'what a file learns': (text) => new Redactor(new Aliases().learner).body(text, true),
  line: (text) => toLine(text, new KeyRedactor([])),
  refusal: (text) => {
    const steps = Array.from({ length: text.length / 120 }, (_, at) => {
      return { method: 'GET', path: `/{unsaved${at}}`, save: { [`saved${at}`]: '/id' } }
    })
    return issuesOf(() => parseScenario({ title: text, steps }))
  },
  recording: (text) => {
    const step = { as: 'all', method: 'POST', path: list, expect: { status: 500 } } as const
    const steps = Array.from({ length: text.length / 600 }, () => step)
    return openRecording(createSimulator(), { title: text, steps })
  },
  'deep body': ({ length }) => {
    const [deep, wide] = [length / 300, length / 3].map(Math.floor) as [number, number]
    const body = JSON.parse(`${'['.repeat(deep)}[]${',[]'.repeat(wide)}${']'.repeat(deep)}`)
    return parseScenario({ title: '', steps: [{ method: 'POST', path: list, body }] })
  },
  'mistakes in a test': async ({ length }) => {
    const simulator = createSimulator()
    const [count, failure] = [Math.floor(length / 1_000), '']
    const expect = Array(count).fill({ failure, no_mistake: 'swallowed-delete' })
    for (let sent = 0; sent < count; sent++) await simulator.fetch(`${list}${sent}`)
    const scenario = { title: '', steps: [{ method: 'GET', path: list }] }
    verifyTest(simulator, { ...scenario, test: { faults: [], expect } } as Scenario)
  },
}

test.each(Object.entries(ways))('time grows as random texts do: %s', async (_, read) => {
  const pick = pickerOf(Number(process.env.SEED ?? 1))
  const cpu = async (text: string): Promise<number> => {
    const start = process.cpuUsage()
    await read(text)
    const { user, system } = process.cpuUsage(start)
    return (user + system) / 1_000
  }
  const [small, large] = [60_000, 240_000]
  const growth = (large / small) * 1.5
  for (let count = 0; count < (isLong ? 1_000 : 60); count++) {
    const unit = pick() + pick() + pick()
    const textOf = (size: number) => unit.repeat(Math.ceil(size / unit.length))
    let [least, most] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
    for (let tries = 0; tries < 12; tries++) {
      least = Math.min(least, await cpu(textOf(small)))
      most = Math.min(most, await cpu(textOf(large)))
      if (most <= Math.max(least, floor / growth) * growth) break
    }
    expect.soft(most, unit).toBeLessThanOrEqual(Math.max(least, floor / growth) * growth)
  }
})
