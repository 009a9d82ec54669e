import { describeRows, type ExpectedRows } from '../expected-rows.ts'
import type { Incident } from '../incident.ts'
import { indentLines, javascript, toCode } from './source-code.ts'
import {
  clientComment,
  fileComment,
  mainKey,
  neverMetMessage,
  setupFields,
  type TestSource,
  toLines,
  totalDelay,
  withoutWait,
} from './write-test.ts'

const { quote } = javascript

/** A test with the fixtures of `understudy-api/vitest`. */
export function writeVitestTest(source: TestSource): string {
  const { incident } = source
  const setup = setupFields(source.scenario).join(', ')
  const how = howToCall(incident)
  const timeout = timeoutOf(source)
  const expectations = expectWith(source, expectCode)
  return `${fileComment(source, javascript)}
import { readScenario } from 'understudy-api/node'
import { test${setup && ' as base'} } from 'understudy-api/vitest'
import { expect } from 'vitest'

// A variable, because Vitest rewrites new URL('…', import.meta.url) in jsdom.
const file = ${quote(`./${source.scenarioFile}`)}
const scenario = await ${readCode(source, 'new URL(file, import.meta.url)')}
${setup && `const { ${setup} } = scenario\nconst test = base.extend('simulatorOptions', { ${setup} })\n`}
test(${quote(incident.title)}, ${timeout && `{ timeout: ${timeout} }, `}async ({ simulator }) => {
${indentLines(bodyOf(source, how, 'scenario', expectations), '  ')}
})
`
}

/** A test of `node:test`, with `withSimulator`. */
export function writeNodeTest(source: TestSource): string {
  const { incident } = source
  const setup = setupFields(source.scenario).join(', ')
  const how = howToCall(incident)
  const place = `new URL(${quote(`./${source.scenarioFile}`)}, import.meta.url)`
  const expectations = expectWith(
    source,
    (condition, message) => `assert.ok(${condition}, ${message})`,
  )
  return `${fileComment(source, javascript)}
${importOf('assert', 'node:assert/strict')}
${importOf('test', 'node:test')}
${importOf('{ readScenario, withSimulator }', 'understudy-api/node')}

const scenario = await ${readCode(source, place)}
${setup && `const { ${setup} } = scenario\n`}
test(${quote(incident.title)}, () =>
  withSimulator(${setup && `{ ${setup} }, `}async ({ simulator }) => {
${indentLines(bodyOf(source, how, 'scenario', expectations), '    ')}
  }))
`
}

/** A test with the fixtures of `understudy-api/playwright`. */
export function writePlaywrightTest(source: TestSource): string {
  const { incident } = source
  const setup = setupFields(source.scenario).join(', ')
  const timeout = timeoutOf(source)
  const expectations = expectWith(source, expectCode)
  const how = "open your page with await page.goto('/'). The simulator answers its requests."
  const body = bodyOf(source, how, 'await readIncident()', expectations)
  // Playwright compiles it to CommonJS in a package of that type, where `import.meta` is an error.
  const place = `join(dirname(base.info().file), ${quote(source.scenarioFile)})`
  return `${fileComment(source, javascript)}
${importOf('{ dirname, join }', 'node:path')}
import { test as base, expect } from '@playwright/test'
import { readScenario } from 'understudy-api/node'
import { type SimulatorFixtures, simulatorFixtures } from 'understudy-api/playwright'

const readIncident = () => ${readCode(source, place)}
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
}
${timeout && `test.describe.configure({ timeout: ${timeout} })\n`}
test(${quote(incident.title)}, async ({ page, simulator }) => {
${indentLines(body, '  ')}
})
`
}

/** Of Vitest and Playwright. */
function expectCode(condition: string, message: string): string {
  return `expect(${condition}, ${message}).toBe(true)`
}

/** An import of the test, not of this module. */
function importOf(names: string, module: string): string {
  return `import ${names} from ${quote(module)}`
}

function howToCall(incident: Incident): string {
  const key = mainKey(incident)
  if (key === undefined) return 'it can use any base URL.'
  return `it can use any base URL. Its key is as(${quote(key)}).key, if you write ({ simulator, as }) for ({ simulator }).`
}

/** Faults, requests and expectations. */
function bodyOf(
  source: TestSource,
  how: string,
  scenario: string,
  expectations: readonly string[],
): string {
  const { faults: all, met } = source.incident
  const faults = all.map((fault, index) => {
    const name = index === met?.index ? 'const recorded = ' : ''
    const code = toCode(withoutWait(fault), javascript, '', 30 + name.length)
    return `${name}simulator.faults.add(${code})`
  })
  const requests = [
    clientComment(source, javascript, how),
    `await simulator.replay(${scenario}, { in_place: true })`,
  ]
  return [faults, requests, expectations]
    .filter(({ length }) => length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')
}

/** @param place the code of its path or URL. The world that it names is read, because a simulator knows few names */
function readCode({ scenario: { world } }: TestSource, place: string): string {
  return `readScenario(${place}${world === undefined ? '' : ', { inlineWorld: true }'})`
}

/** A test that waits gets more time than the runners give by default. */
function timeoutOf({ incident }: TestSource): string {
  const delay = totalDelay(incident.faults.map(withoutWait))
  return delay < 2_000 ? '' : String(delay + 30_000)
}

/** What shows that the client met the named failure. A refused request meets a fault, too, but changes nothing. */
function expectMet(
  { incident: { met } }: TestSource,
  assert: (condition: string, message: string) => string,
): string[] {
  if (!met) return []
  const entry = met.changes ? '{ fault, changes }' : '{ fault }'
  const isCarriedOut = met.changes ? 'changes.length > 0 && ' : ''
  return [
    `const isMet = simulator.journal
  .find()
  .some((${entry}) => ${isCarriedOut}recorded.some(({ id }) => id === fault?.id))`,
    assert('isMet', quote(neverMetMessage(met))),
  ]
}

/** The rows with the values, by direct access to the world. */
function rowsCode({ list, where }: ExpectedRows): string {
  const conditions = Object.entries(where).map(
    ([name, value]) => `row.${name} === ${toCode(value, javascript, '', 0)}`,
  )
  return `simulator.world.${list}
  .list()
  .filter((row) => ${conditions.join(' && ')})`
}

/** @param assert writes that a condition holds, else a message is shown */
function expectWith(
  source: TestSource,
  assert: (condition: string, message: string) => string,
): string[] {
  const { incident } = source
  let count = 0
  const lines = toLines(
    incident,
    javascript,
    assert('simulator.journal.find().length > 0', quote('The client sent no request.')),
    (expectation) => {
      count += 1
      const name = count === 1 ? 'result' : `result${count}`
      if ('rows' in expectation) {
        const { rows } = expectation
        return [
          `const ${name} = ${rowsCode(rows)}`,
          assert(`${name}.length === ${rows.count}`, quote(describeRows(rows))),
        ].join('\n')
      }
      if ('received' in expectation) {
        const received = toCode(expectation.received, javascript, '', 46)
        return [
          `const ${name} = simulator.journal.verify(${received})`,
          assert(`${name}.passed`, `${name}.message`),
        ].join('\n')
      }
      const rule = quote(expectation.no_mistake)
      return [
        `const ${name} = simulator.journal.mistakes().find(({ rule }) => rule === ${rule})`,
        assert(`${name} === undefined`, `\`\${${name}?.message} \${${name}?.cure}\``),
      ].join('\n')
    },
  )
  return [...expectMet(source, assert), ...lines]
}
