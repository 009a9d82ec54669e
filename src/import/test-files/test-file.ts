import type { Scenario } from '../../scenarios/format/scenario.ts'
import { quoteForShell } from '../../utils/text.ts'
import type { Incident } from '../incident.ts'
import { writeNodeTest, writePlaywrightTest, writeVitestTest } from './javascript.ts'
import { writePytestTest } from './python.ts'
import type { TestSource } from './test-source.ts'

/** The runners that a test can be written for. */
export const testRunners = ['vitest', 'playwright', 'pytest', 'node'] as const

/** A runner that a test can be written for: `vitest`, `playwright`, `pytest` or `node`. */
export type TestRunner = (typeof testRunners)[number]

/** A test that replays an incident, as the text of a file. */
export interface TestFile {
  /** Such as `incident.test.ts` */
  readonly name: string
  readonly text: string
  /** The command that runs it, quoted for a shell */
  readonly command: string
}

interface Runner {
  readonly name: (stem: string) => string
  /** The command line before the name of the file */
  readonly command: string
  readonly write: (source: TestSource) => string
}

const runners: Readonly<Record<TestRunner, Runner>> = {
  vitest: {
    name: (stem) => `${stem}.test.ts`,
    command: 'npx vitest run',
    write: writeVitestTest,
  },
  playwright: {
    name: (stem) => `${stem}.spec.ts`,
    command: 'npx playwright test',
    write: writePlaywrightTest,
  },
  pytest: {
    name: (stem) => `test_${stem.replace(/[^A-Za-z0-9]+/g, '_')}.py`,
    command: 'npx understudy-api exec -- pytest',
    write: writePytestTest,
  },
  node: {
    name: (stem) => `${stem}.test.mjs`,
    command: 'node --test',
    write: writeNodeTest,
  },
}

/**
 * Writes a test of a scenario. It starts in the world of the scenario, adds its faults, sends the recorded requests, and
 * expects what should have happened: it fails on the recorded failure, and its title names it. A comment marks the place
 * where the call of a client replaces the recorded requests.
 *
 * @param scenarioFile the name of the scenario's file, which the test reads from its own folder
 * @param folder the path from where the command runs to that folder. By default the command runs in it
 */
export function writeTestFile(
  incident: Incident,
  scenario: Scenario,
  runner: TestRunner,
  scenarioFile: string,
  folder = '',
): TestFile {
  const { name: nameOf, command: words, write } = runners[runner]
  const name = nameOf(scenarioFile.replace(/\.json$/i, ''))
  const path = folder === '' ? name : `${folder}/${name}`
  const command = `${words} ${quoteForShell(path)}`
  return { name, command, text: write({ incident, scenario, scenarioFile, command }) }
}
