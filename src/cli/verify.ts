import { isDeepStrictEqual } from 'node:util'
import { defaultWorld } from '../remote/client.ts'
import { readScenario, readScenarioText } from '../scenarios/library.ts'
import { escapeControls } from '../utils/escape.ts'
import { inspectValue } from '../utils/usage-error.ts'
import { version } from '../utils/version.ts'
import { fixtureNames, readWorld } from '../world/load/read-world.ts'
import { defineCommand } from './command.ts'
import { exitCodes } from './command-context.ts'
import { formatCount } from './output.ts'
import { type Receipt, type ReceiptRun, RunWitness, readReceipt, resolveBeside } from './receipt.ts'
import { simulatorFor } from './scenario-simulator.ts'

const help = `
Replays the scenarios of the receipt in the same way, and compares: each scenario file, the world it starts with, the
version of understudy-api, and the outcome. Paths in a receipt are relative to its folder.

Examples:
  npx understudy-api replay story.json --receipt receipt.json
  npx understudy-api verify receipt.json

Exit codes: 0 if everything is equal, 1 if something differs, 2 for an invalid receipt or a missing file.`

export default defineCommand({
  name: 'verify',
  summary: 'Run the scenarios of a receipt again, and compare.',
  args: [['<receipt>', 'file that replay --receipt has written']],
  flags: { '--json': 'print the comparison as JSON' },
  help,
  async run([file]) {
    const receipt = await readReceipt(file)
    const runs = []
    for (const run of receipt.runs) runs.push(await verifyRun(run, receipt, file))
    const isSameVersion = receipt.understudy === version
    const isEqual = isSameVersion && runs.every(({ differences }) => differences.length === 0)
    const lines = runs.flatMap(({ scenario, outcome, differences }) => {
      const counts = `${outcome.passed} of ${formatCount(countSteps(outcome), 'step')} passed`
      return differences.length === 0
        ? [`${scenario}: equal, ${counts}.`]
        : [`${scenario}: differs, ${counts}.`, ...differences.map((text) => `  ${text}`)]
    })
    const versions = { before: receipt.understudy, now: version }
    const note = `The receipt is of understudy-api ${versions.before}. This is ${versions.now}.`
    return {
      // A receipt can come from another person.
      text: [...lines, ...(isSameVersion ? [] : [note])].map(escapeControls).join('\n'),
      json: { equal: isEqual, version: versions, runs },
      exitCode: isEqual ? exitCodes.ok : exitCodes.failed,
    }
  },
})

interface VerifiedRun {
  /** The file of the scenario, relative to the working directory */
  readonly scenario: string
  readonly outcome: ReceiptRun['outcome']
  /** What differs from the receipt, in sentences. Empty if nothing does */
  readonly differences: readonly string[]
}

/** @throws UsageError for a file that does not exist or is invalid */
async function verifyRun(run: ReceiptRun, receipt: Receipt, file: string): Promise<VerifiedRun> {
  const path = resolveBeside(file, run.scenario.file)
  const { world = defaultWorld, profile, only, until } = receipt.settings
  const scenario = await readScenario(path)
  const witness = new RunWitness(path, await readScenarioText(path), scenario)
  const isFixture = fixtureNames.includes(world)
  const simulator = await simulatorFor(scenario, isFixture ? world : undefined)
  const result = await simulator.replay(scenario, {
    decide: false,
    world: isFixture ? world : await readWorld(resolveBeside(file, world)),
    ...(profile !== undefined && { profile }),
    ...(only !== undefined && { only }),
    ...(until !== undefined && { until }),
    async wrapTarget(target) {
      await witness.start(target)
      return target
    },
  })
  const now = witness.finish(result)
  return { scenario: path, outcome: now.outcome, differences: compare(run, now) }
}

function compare(then: ReceiptRun, now: ReceiptRun): string[] {
  const differences = [
    then.scenario.sha256 === now.scenario.sha256 ? [] : 'The scenario file has changed.',
    then.world.sha256 === now.world.sha256 ? [] : 'The world has changed.',
    compareOutcomes(then.outcome, now.outcome),
  ].flat()
  return differences
}

/** Names the steps with another outcome. The hash does not vouch for the other fields, which can be edited. */
function compareOutcomes(then: ReceiptRun['outcome'], now: ReceiptRun['outcome']): string[] {
  if (isDeepStrictEqual(then, now)) return []
  const known = new Map(then.differences.map((step) => [step.step, step]))
  const found = new Map(now.differences.map((step) => [step.step, step]))
  const changes = [...new Set([...known.keys(), ...found.keys()])].sort((a, b) => a - b)
  const lines = changes.flatMap((number) => {
    const [before, after] = [known.get(number), found.get(number)]
    if (JSON.stringify(before) === JSON.stringify(after)) return []
    const title = (after ?? before)?.title
    const [was, is] = [describe(before), describe(after)]
    return was === is
      ? `Step ${number}, ${title}: its title was ${inspectValue(before?.title)} then, and is ${inspectValue(title)} now.`
      : `Step ${number}, ${title}: ${was} then, ${is} now.`
  })
  if (lines.length > 0) return lines
  if (then.sha256 !== now.sha256) return ['The responses differ.']
  return [`The receipt lists other steps: ${summarize(then)} then, ${summarize(now)} now.`]
}

function summarize({ passed, failed, skipped }: ReceiptRun['outcome']): string {
  return `${passed} passed, ${failed} failed and ${skipped} skipped`
}

function describe(step: ReceiptRun['outcome']['differences'][number] | undefined): string {
  if (!step) return 'passed'
  const status = step.status === null ? '' : ` with ${step.status || 'a broken connection'}`
  return `${step.outcome}${status} (${step.where.join(', ')})`
}

function countSteps({ passed, failed, skipped }: ReceiptRun['outcome']): number {
  return passed + failed + skipped
}
