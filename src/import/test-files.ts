import { readFileSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative } from 'node:path'
import process from 'node:process'
import { waitOfThrottled } from '../http/throttle.ts'
import type { FaultRequest } from '../simulator/faults/schema.ts'
import { UsageError } from '../utils/errors.ts'
import { statsOf, unreadableFileError } from '../utils/files.ts'
import { isObject, isSameJson, tryParseJson } from '../utils/json.ts'
import { escapeControls, quoteForShell } from '../utils/text.ts'
import { isDevice, writeNamedFile } from '../world/persistence/atomic-write.ts'
import { describeTested } from './failures.ts'
import type { Incident } from './incident.ts'
import { phasesOf, type TestPhase } from './scenario-simulator.ts'

export const testRunners = ['vitest', 'playwright', 'pytest', 'node'] as const

/** A runner that a test can be written for: `vitest`, `playwright`, `pytest` or `node`. */
export type TestRunner = (typeof testRunners)[number]

export interface PreparedTest {
  /** Its path, beside the scenario, such as `incident.test.ts` */
  readonly file: string
  readonly text: string
  /** The command that runs it, quoted for a shell */
  readonly command: string
  /** The folder in which the command runs. Null for the working directory */
  readonly folder: string | null
  readonly incident: Incident
}

interface TestFacts {
  /** The name of the scenario's file: a text in JavaScript and Python, as `url` and `title` are */
  readonly file: string
  readonly url: string
  readonly title: string
  readonly phases: readonly TestPhase[]
  /** In milliseconds, for a client that waits as a 429 says. Null for the default */
  readonly timeout: number | null
}

interface Runner {
  readonly name: (stem: string) => string
  /** The command line before the name of the file */
  readonly command: string
  readonly comment: '//' | '#'
  readonly write: (facts: TestFacts) => string
}

const callYours = 'Call your client here instead. It can use any base URL, and this key.'

/** An import of the test, not of this module. */
const importOf = (names: string, module: string) => `import ${names} from '${module}'`

const runners: Readonly<Record<TestRunner, Runner>> = {
  vitest: {
    name: (stem) => `${stem}.test.ts`,
    command: 'npx vitest run',
    comment: '//',
    write: ({
      url,
      title,
      timeout,
    }) => `import { readScenario, rehearse } from 'understudy-api/node'
import { test } from 'understudy-api/vitest'

const file = ${url} // a variable, because Vitest rewrites new URL('…', import.meta.url) in jsdom
const scenario = await readScenario(new URL(file, import.meta.url), { inlineWorld: true })

test(${title}, ${timeout === null ? '' : `{ timeout: ${timeout} }, `}({ simulator }) =>
  rehearse(simulator, scenario, async ({ key }) => {
    // ${callYours}
    await simulator.run(scenario, { in_place: true })
  }))
`,
  },
  playwright: {
    name: (stem) => `${stem}.spec.ts`,
    command: 'npx playwright test',
    comment: '//',
    // Playwright compiles it to CommonJS in a package of that type, where `import.meta` is an error.
    write: ({ file, title, timeout }) => `${importOf('{ dirname, join }', 'node:path')}
import { test as base } from '@playwright/test'
import { readScenario, rehearse } from 'understudy-api/node'
import { type SimulatorFixtures, simulatorFixtures } from 'understudy-api/playwright'

const test = base.extend<SimulatorFixtures>(simulatorFixtures)
${timeout === null ? '' : `test.describe.configure({ timeout: ${timeout} })\n`}test(${title}, async ({ page, simulator }, info) => {
  const scenario = await readScenario(join(dirname(info.file), ${file}), { inlineWorld: true })
  await rehearse(simulator, scenario, async () => {
    // Open your page here instead: await page.goto('/'). The simulator answers its requests.
    await simulator.run(scenario, { in_place: true })
  })
})
`,
  },
  pytest: {
    name: (stem) => `test_${stem.replace(/[^A-Za-z0-9]+/g, '_')}.py`,
    command: 'npx understudy-api exec -- pytest',
    comment: '#',
    write: ({ file, title, phases }) => `import json, os, pathlib, urllib.request as http


def admin(url, method, path, **body):
    headers = {"Content-Type": "application/json", "Authorization": "Bearer " + os.environ.get("UNDERSTUDY_TOKEN", "")}
    return json.load(http.urlopen(http.Request(f"{url}/__admin{path}", json.dumps(body).encode(), headers, method=method)))


def ${functionName(title)}():
    scenario = json.loads(pathlib.Path(__file__).with_name(${file}).read_text("utf-8"))
    for phase in ${JSON.stringify(phases).replaceAll(',', ', ')}:
        url = admin(os.environ["UNDERSTUDY_URL"], "POST", "/sandboxes")["url"]
        key = admin(url, "PUT", "/recording", scenario=scenario, phase=phase)["key"]
        # Call your client here instead, with this base URL and this key.
        admin(url, "POST", "/runs", scenario=scenario, in_place=True)
        result = admin(url, "POST", "/recording/verify", scenario=scenario)
        assert result["passed"], result["message"]
`,
  },
  node: {
    name: (stem) => `${stem}.test.mjs`,
    command: 'node --test',
    comment: '//',
    write: ({ url, title }) => `${importOf('test', 'node:test')}
import { readScenario, rehearse, withSimulator } from 'understudy-api/node'

const scenario = await readScenario(new URL(${url}, import.meta.url), { inlineWorld: true })

test(${title}, () =>
  withSimulator(({ simulator }) =>
    rehearse(simulator, scenario, async ({ key }) => {
      // ${callYours}
      await simulator.run(scenario, { in_place: true })
    })))
`,
  },
}

/** Prepares a test of a scenario, whose file says what it expects. It fails with the recorded requests. */
export function prepareTest(
  incident: Incident,
  scenarioFile: string,
  runner: TestRunner,
): PreparedTest {
  const { title, test, broken } = incident
  const { name: nameOf, command: words, comment, write } = runners[runner]
  const [folder, scenario] = [dirname(scenarioFile), basename(scenarioFile)]
  const name = nameOf(scenario.replace(/\.json$/i, ''))
  const path = relative(process.cwd(), folder)
  // Runners find tests in their working directory only.
  const isOutside = isAbsolute(path) || /^\.\.(?![^/\\])/.test(path)
  const command = `${words} ${quoteForShell(isOutside || path === '' ? name : `${path}/${name}`)}`
  const lines = [
    `Written by understudy-api import. Run it: ${command}`,
    broken.length === 0
      ? `It passes: ${title}. Add what should have been different to test.expect of the scenario.`
      : 'It fails with the recorded requests, and passes with a client that does better. It expects:',
    ...test.expect.map((expectation) => `${expectation.failure} → ${describeTested(expectation)}`),
  ]
  const facts = {
    file: quote(scenario),
    url: quote(`./${scenario}`),
    title: quote(title),
    phases: phasesOf(test),
    timeout: timeoutOf(test.faults),
  }
  // The name of a file or a recorded text must not end the comment.
  const head = lines.map((line) => `${comment} ${escapeControls(line)}`).join('\n')
  const text = `${head}\n${write(facts)}`
  return { file: join(folder, name), text, command, folder: isOutside ? folder : null, incident }
}

/** A text in JavaScript and in Python. */
function quote(text: string) {
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")
  return `'${escapeControls(inner)}'`
}

/** @example functionName('Create annotation: throttled') // 'test_create_annotation_throttled' */
function functionName(title: string) {
  const words = title.toLowerCase().match(/[a-z0-9]+/g) ?? ['incident']
  const end = words.findIndex((_, index) => words.slice(0, index + 1).join('_').length > 80)
  return `test_${words.slice(0, end < 0 ? undefined : Math.max(end, 1)).join('_')}`
}

function timeoutOf(faults: readonly FaultRequest[]): number | null {
  const seconds = faults.reduce((sum, fault) => sum + waitOf(fault), 0)
  return seconds === 0 ? null : Math.ceil(seconds + 30) * 1_000
}

/** How long a client waits because of a fault, in seconds. */
function waitOf(fault: FaultRequest) {
  if (!('effect' in fault)) return 0
  const { headers = {} } = fault.effect as { headers?: Readonly<Record<string, string>> }
  const wait = waitOfThrottled({ headers: new Headers(headers), text: '' }) ?? 0
  const { times = 1, for_s = 0 } = fault.when ?? {}
  return Math.max(wait * times, for_s)
}

/** Writes a scenario, and its test. @throws UsageError if a file has another content, unless `force` is set */
export async function writeImported(
  scenarioFile: string,
  scenario: Iterable<string>,
  test: PreparedTest | undefined,
  force = false,
): Promise<void> {
  const files = [
    { file: scenarioFile, parts: scenario },
    ...(test ? [{ ...test, parts: [test.text] }] : []),
  ]
  const changed = files.filter(({ file, parts }) => {
    if (force) return true
    const stats = statsOf(file)
    const earlier = stats && !isDevice(stats) ? readEarlier(file) : ''
    if (earlier === '') return true
    const text = [...parts].join('')
    if (earlier === text.trim()) return false
    if (isWithoutTest(earlier, text)) return true
    const choice = test
      ? 'Name another scenario, and so its test, with --out other.json'
      : 'Choose another file with --out'
    throw new UsageError(
      `${file} already exists, and may have your changes. ${choice}, or overwrite it with --force.`,
    )
  })
  for (const { file, parts } of changed) await writeNamedFile(file, parts)
}

function readEarlier(file: string) {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw unreadableFileError(file, error)
  }
}

/** Whether a file has the same scenario, but for the test. */
function isWithoutTest(file: string, scenario: string) {
  const before = tryParseJson(file)?.value
  const after = tryParseJson(scenario)?.value
  if (!isObject(before) || !isObject(after) || 'test' in before) return false
  return isSameJson({ ...before, test: after.test }, after)
}
