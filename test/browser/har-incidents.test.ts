import { readFileSync, writeFileSync } from 'node:fs'
import type { Entry } from 'har-format'
import { expect } from 'vitest'
import type { ReplayResult, RequestStep, Scenario, Step } from '../../src/index.ts'
import { withChromium } from '../support/browser/chromium.ts'
import { recordSessions } from '../support/browser/incidents/record-sessions.ts'
import { sessions } from '../support/browser/incidents/sessions.ts'
import { run } from '../support/cli/command.ts'
import { temporaryFolder } from '../support/files.ts'

withChromium(
  'archives of Chromium, of pages whose service answers well or badly, replay without editing',
  async () => {
    const folder = temporaryFolder()
    const ofPlaywright = `${folder}/playwright.har`
    const recorded = await recordSessions(sessions, ofPlaywright)

    const rows: Row[] = []
    for (const [index, { name, base, har, lost }] of recorded.entries()) {
      const ofTools = `${folder}/${index}.har`
      writeFileSync(ofTools, har)
      rows.push(await replayed(`${name} (tools)`, ofTools, base, lost))
      rows.push(await replayed(`${name} (Playwright)`, ofPlaywright, base, lost))
    }

    console.log(formatTable(rows))
    const sum = (of: (row: Row) => number): number => rows.reduce((all, row) => all + of(row), 0)
    expect(rows.filter(({ unnamed }) => unnamed.length > 0)).toEqual([])
    expect(rows.filter(({ unaccounted }) => unaccounted !== 0)).toEqual([])
    expect(rows.filter(({ missing }) => missing !== 0)).toEqual([])
    expect(sum(({ passed }) => passed) / sum(({ steps }) => steps)).toBeGreaterThanOrEqual(0.95)
  },
  120_000,
)

/** What became of one session in one archive. */
interface Row {
  readonly name: string
  /** The steps that are requests, and how many of them passed */
  readonly steps: number
  readonly passed: number
  /** The steps that get no complete response */
  readonly lost: number
  /** Counted, but not in the scenario: entries of the API without a complete response */
  readonly leftOut: number
  /** Failed requests of the archive that are neither in the scenario nor counted */
  readonly unaccounted: number
  /** Lost responses of the session that are not in the scenario */
  readonly missing: number
  /** The differences that a policy explains, and those that are named as unknown */
  readonly explained: number
  readonly unknown: number
  /** The titles of steps whose differences nothing is said about */
  readonly unnamed: readonly string[]
}

async function replayed(name: string, har: string, base: string, expected: number): Promise<Row> {
  const out = `${temporaryFolder()}/scenario.json`
  const imported = await run(['import', har, '--base', base, '--out', out, '--json'])
  expect([name, imported.code, imported.stderr]).toEqual([name, 0, expect.any(String)])
  const { left_out }: { left_out: Record<string, number> } = JSON.parse(imported.stdout)
  const scenario: Scenario = JSON.parse(readFileSync(out, 'utf8'))
  const { stdout } = await run(['replay', out, '--json'])
  const [{ result }]: [{ result: ReplayResult }] = JSON.parse(stdout)

  const results = result.steps.filter((_, index) => isRequest(scenario.steps[index]))
  const failed = results.filter(({ outcome }) => outcome !== 'passed')
  const isExplained = (step: (typeof failed)[number]): boolean => step.decided_by.length > 0
  const unexplained = failed.filter((step) => !isExplained(step))
  const unnamed = unexplained.filter(({ undecided, outcome }) => !undecided && outcome === 'failed')
  const lost = scenario.steps.filter((step) => isRequest(step) && step.expect?.broken).length
  const notSent = Object.entries(left_out).filter(([reason]) => !whole.includes(reason))
  const leftOut = notSent.reduce((sum, [, count]) => sum + count, 0)
  return {
    name,
    steps: results.length,
    passed: results.length - failed.length,
    lost,
    leftOut,
    unaccounted: failuresIn(har, base) - lost - leftOut,
    missing: Math.max(0, expected - lost),
    explained: failed.length - unexplained.length,
    unknown: unexplained.length,
    unnamed: unnamed.map(({ title }) => title),
  }
}

/** Why entries with a complete response, or of other URLs, are left out. */
const whole = ['elsewhere', 'socket', 'preflight', 'cached']

function isRequest(step: Step | undefined): step is RequestStep {
  return step !== undefined && 'method' in step
}

/** The requests to the API in an archive that failed: status 0 or -1, or an error beside the status. */
function failuresIn(har: string, base: string): number {
  const { entries }: { entries: Entry[] } = JSON.parse(readFileSync(har, 'utf8')).log
  return entries.filter(({ request, response }) => {
    const failure = Object.assign({ _error: '', _failureText: '' }, response)
    const isFailed = response.status <= 0 || failure._error || failure._failureText
    return isFailed && request.url.startsWith(`${base}/api/`)
  }).length
}

function formatTable(rows: readonly Row[]): string {
  const columns = ['steps', 'passed', 'explained', 'unknown', 'lost', 'leftOut'] as const
  const width = Math.max(...rows.map(({ name }) => name.length))
  const line = (name: string, cells: readonly unknown[]): string =>
    [
      name.padEnd(width),
      ...cells.map((cell, i) => `${cell}`.padStart(columns[i]?.length ?? 0)),
    ].join('  ')
  const total = columns.map((column) => rows.reduce((sum, row) => sum + row[column], 0))
  return [
    line('', columns),
    ...rows.map((row) =>
      line(
        row.name,
        columns.map((column) => row[column]),
      ),
    ),
    line('all', total),
  ].join('\n')
}
