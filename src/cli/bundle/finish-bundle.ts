import { readScenario } from '../../scenarios/read-scenario.ts'
import type { StepResult } from '../../scenarios/run/result.ts'
import { createSimulator } from '../../simulator.ts'
import { formatCount } from '../output/format-count.ts'
import type { BundleFile } from './bundle-file.ts'

/** The number of steps, or of missing parts, that a message lists. */
const maxListed = 10

/**
 * Finishes a bundle. Replays it once, and notes in its description what it cannot reproduce.
 *
 * @param omitted what could not be expressed as a step
 * @returns messages for the user
 */
export async function finishBundle(
  bundle: BundleFile,
  omitted: readonly string[],
): Promise<string[]> {
  const { file, requests } = bundle
  if (requests === 0) {
    bundle.discard()
    return [`${file} was not written, because there were no requests.`]
  }
  const missing = [...new Set(omitted)]
    .slice(0, maxListed)
    .map((part) => `The bundle does not contain ${part}.`)
  bundle.complete(describeBundle(bundle, missing))
  const doubts = bundle.hasWorld
    ? describeCheck(await checkBundle(bundle.partialFile, bundle.bytes), bundle)
    : []
  if (doubts.length > 0) bundle.complete(describeBundle(bundle, [...missing, ...doubts]))
  bundle.publish()
  return [
    `Wrote ${formatCount(requests, 'request')} with responses to ${file}. Replay them with: understudy replay ${file}`,
    ...[...missing, ...doubts].map((note) => `${file}: ${note}`),
  ]
}

function describeBundle({ requests, steps }: BundleFile, notes: readonly string[]): string {
  const counts = `Requests: ${requests}. Changes: ${steps - requests}. In the order in which they ran.`
  return [counts, ...notes].join(' ')
}

function describeCheck({ checked, differing }: BundleCheck, { steps }: BundleFile): string[] {
  const numbers = differing.slice(0, maxListed).join(', ')
  const more = differing.length > maxListed ? ' …' : ''
  return [
    ...(differing.length > 0
      ? [
          `Replayed one after another, ${differing.length} of ${steps} steps get other responses (${numbers}${more}). ` +
            'They ran at the same time as others, or depend on something that is not in the bundle.',
        ]
      : []),
    ...(checked < steps ? [`Only the first ${checked} of ${steps} steps were checked.`] : []),
  ]
}

/** The longest time that a check takes, in milliseconds. */
const timeLimit = 10_000
/** The largest bundle that is checked, because it is read into memory. */
const maxBundleBytes = 64 * 1024 * 1024

interface BundleCheck {
  /** The number of steps that were replayed */
  readonly checked: number
  /** The numbers of steps with other responses, from 1 */
  readonly differing: readonly number[]
}

/** Replays a bundle in this process. */
async function checkBundle(file: string, bytes: number): Promise<BundleCheck> {
  const results: StepResult[] = []
  if (bytes > maxBundleBytes) return { checked: 0, differing: [] }
  const scenario = await readScenario(file)
  const startedAt = performance.now()
  const timeout = new Error('The time limit is reached.')
  try {
    await createSimulator().replay(scenario, {
      decide: false,
      onStep(result) {
        results.push(result)
        if (performance.now() - startedAt > timeLimit) throw timeout
      },
    })
  } catch (error) {
    if (error !== timeout) throw error
  }
  const differing = results.filter(({ outcome }) => outcome !== 'passed').map(({ step }) => step)
  return { checked: results.length, differing }
}
