import { waitOfThrottled } from '../../http/throttle.ts'
import type { FaultRequest } from '../../simulator/faults/schema.ts'
import { describeRows, type ExpectedRows } from '../expected-rows.ts'
import { indentLines, javascript, toCode } from './source-code.ts'
import {
  clientComment,
  faultsCode,
  fileComment,
  mainKey,
  phasesComment,
  setupFields,
  type TestSource,
  writeExpectations,
} from './test-source.ts'

const { quote } = javascript

/** Writes that a value is the expected one. A runner shows the message if it is not, or else both values. */
type Assert = (value: string, expected: string, message?: string) => string

const withExpect: Assert = (value, expected, ...message) =>
  `expect(${[value, ...message].join(', ')}).toEqual(${expected})`
const withAssert: Assert = (...values) => `assert.deepEqual(${values.join(', ')})`

/** A test with the fixtures of `understudy-api/vitest`. */
export function writeVitestTest(source: TestSource): string {
  const setup = setupFields(source.scenario).join(', ')
  return `${fileComment(source, javascript)}
${importOf('{ readScenario }', 'understudy-api/node')}
import { test${setup && ' as base'} } from 'understudy-api/vitest'
import { expect } from 'vitest'

// A variable, because Vitest rewrites new URL('…', import.meta.url) in jsdom.
const file = ${quote(`./${source.scenarioFile}`)}
const scenario = await ${readCode(source, 'new URL(file, import.meta.url)')}
${setup && `const { ${setup} } = scenario\nconst test = base.extend('simulatorOptions', { ${setup} })\n`}
${inPhases(
  source,
  (title) => `test(${title}, ${timeoutCode(source)}async ({ simulator }) => {
${bodyOf(source, howToCall(source), 'scenario', withExpect, '  ')}
})`,
  asConst,
)}
`
}

/** A test of `node:test`, with `withSimulator`. */
export function writeNodeTest(source: TestSource): string {
  const setup = setupFields(source.scenario).join(', ')
  const pathCode = `new URL(${quote(`./${source.scenarioFile}`)}, import.meta.url)`
  return `${fileComment(source, javascript)}
${importOf('assert', 'node:assert/strict')}
${importOf('test', 'node:test')}
${importOf('{ readScenario, withSimulator }', 'understudy-api/node')}

const scenario = await ${readCode(source, pathCode)}
${setup && `const { ${setup} } = scenario\n`}
${inPhases(
  source,
  (title) => `test(${title}, () =>
  withSimulator(${setup && `{ ${setup} }, `}async ({ simulator }) => {
${bodyOf(source, howToCall(source), 'scenario', withAssert, '    ')}
  }))`,
)}
`
}

/** A test with the fixtures of `understudy-api/playwright`. */
export function writePlaywrightTest(source: TestSource): string {
  const setup = setupFields(source.scenario).join(', ')
  const how = "open your page with await page.goto('/'). The simulator answers its requests."
  // Playwright compiles it to CommonJS in a package of that type, where `import.meta` is an error.
  const pathCode = `join(dirname(base.info().file), ${quote(source.scenarioFile)})`
  return `${fileComment(source, javascript)}
${importOf('{ dirname, join }', 'node:path')}
import { test as base, expect } from '@playwright/test'
import { readScenario } from 'understudy-api/node'
import { type SimulatorFixtures, simulatorFixtures } from 'understudy-api/playwright'

const readIncident = () => ${readCode(source, pathCode)}
const test = base.extend<SimulatorFixtures>(simulatorFixtures)
${
  setup &&
  `test.use({
  simulatorOptions: async ({}, use) => {
    const { ${setup} } = await readIncident()
    await use({ ${setup} })
  },
})
`
}${timeoutOf(source) && `test.describe.configure({ timeout: ${timeoutOf(source)} })\n`}
${inPhases(
  source,
  (title) => `test(${title}, async ({ page, simulator }) => {
${bodyOf(source, how, 'await readIncident()', withExpect, '  ')}
})`,
  asConst,
)}
`
}

const asConst = ' as const'

/** A test, or one for each phase of its faults. @param suffix what TypeScript needs after a list of texts */
function inPhases(
  { incident: { title, faultsAfterCommit } }: TestSource,
  write: (title: string) => string,
  suffix = '',
): string {
  if (!faultsAfterCommit) return write(quote(title))
  const text = quote(title).slice(1, -1).replaceAll("\\'", "'").replace(/[`$]/g, '\\$&')
  return `// ${phasesComment}
for (const phase of ['before', 'after-commit']${suffix}) {
${indentLines(write(`\`${text} (\${phase})\``), '  ')}
}`
}

/** An import of the test, not of this module. */
function importOf(names: string, module: string): string {
  return `import ${names} from ${quote(module)}`
}

function howToCall({ incident }: TestSource): string {
  const key = mainKey(incident)
  if (key === undefined) return 'it can use any base URL.'
  return `it can use any base URL. Its key is as(${quote(key)}).key, if you write ({ simulator, as }) for ({ simulator }).`
}

/** @param place the code of its path or URL. The world that it names is read, because a simulator knows few names */
function readCode({ scenario: { world } }: TestSource, pathCode: string): string {
  return `readScenario(${pathCode}${world === undefined ? '' : ', { inlineWorld: true }'})`
}

/** A client that waits as a 429 says needs more time than the runners give by default. Empty if none does */
function timeoutOf({ incident }: TestSource): string {
  const seconds = incident.faults.reduce((sum, fault) => sum + waitOf(fault), 0)
  return seconds === 0 ? '' : String(Math.ceil(seconds + 30) * 1_000)
}

/** How long a client waits because of a fault, in seconds: as the fault says, or as it lasts. */
function waitOf(fault: FaultRequest): number {
  if (!('effect' in fault)) return 0
  const { headers = {} } = fault.effect as { headers?: Readonly<Record<string, string>> }
  const wait = waitOfThrottled({ headers: new Headers(headers), text: '' }) ?? 0
  const { times = 1, for_s = 0 } = fault.when ?? {}
  return Math.max(wait * times, for_s)
}

function timeoutCode(source: TestSource): string {
  return timeoutOf(source) && `{ timeout: ${timeoutOf(source)} }, `
}

/** Faults, requests and expectations. */
function bodyOf(
  source: TestSource,
  how: string,
  scenario: string,
  assert: Assert,
  indent: string,
): string {
  const { incident } = source
  const faults = faultsCode(incident, javascript, 30).map(
    (fault) => `simulator.faults.add(${fault})`,
  )
  const requests = [
    clientComment(source, javascript, how),
    `await simulator.run(${scenario}, { in_place: true })`,
  ]
  const expectations = [
    assert(
      'simulator.journal.find().length > 0',
      'true',
      quote('No request of the client has a response.'),
    ),
    ...writeExpectations(incident, javascript, (expectation, number) => {
      const name = number === 1 ? 'result' : `result${number}`
      if ('rows' in expectation) {
        const { rows } = expectation
        return `const ${name} = ${rowsCode(rows)}
${assert(`${name}.length`, String(rows.count), quote(describeRows(rows)))}`
      }
      if ('received' in expectation) {
        const received = toCode(expectation.received, javascript, 46)
        return `const ${name} = simulator.journal.verify(${received})
${assert(`${name}.passed`, 'true', `${name}.message`)}`
      }
      const rule = quote(expectation.no_mistake)
      return `const ${name} = simulator.journal.mistakes().filter(({ rule }) => rule === ${rule})
${assert(name, '[]')}`
    }),
  ]
  const parts = [faults, requests, expectations].filter(({ length }) => length > 0)
  return indentLines(parts.map((lines) => lines.join('\n')).join('\n\n'), indent)
}

/** The rows with the values, by direct access to the world. */
function rowsCode({ list, where }: ExpectedRows): string {
  const conditions = Object.entries(where).map(
    ([name, value]) => `row.${name} === ${toCode(value, javascript)}`,
  )
  return `simulator.world.${list}
  .list()
  .filter((row) => ${conditions.join(' && ')})`
}
