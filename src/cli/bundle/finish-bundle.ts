import { readScenario } from '../../scenarios/read-scenario.ts'
import type { StepResult } from '../../scenarios/run/result.ts'
import { createSimulator } from '../../simulator.ts'
import type { BundleFile } from './bundle-file.ts'

/** How many of a kind are named. */
const maxListed = 10

/**
 * Ends a bundle: tries whether it carries all that its answers come from, and says in it what it does not.
 *
 * @param lost what no step could say
 * @returns what is said of it
 */
export async function finishBundle(bundle: BundleFile, lost: readonly string[]): Promise<string[]> {
  const { file, requests } = bundle
  if (requests === 0) {
    bundle.discard()
    return [`${file}: nothing was asked, and so no bundle was written.`]
  }
  const missing = [...new Set(lost)]
    .slice(0, maxListed)
    .map((what) => `It could not carry ${what}.`)
  bundle.complete(describeBundle(bundle, missing))
  const doubts = bundle.hasWorld
    ? verificationNotes(await checkBundle(bundle.partialFile, bundle.bytes), bundle)
    : []
  if (doubts.length > 0) bundle.complete(describeBundle(bundle, [...missing, ...doubts]))
  bundle.publish()
  const count = requests === 1 ? 'a request' : `${requests} requests`
  return [
    `${file}: ${count}, with what they were answered. Replay: understudy replay ${file}`,
    ...[...missing, ...doubts].map((line) => `${file}: ${line}`),
  ]
}

function describeBundle({ requests, steps }: BundleFile, notes: readonly string[]): string {
  const what = `Requests: ${requests}. Changes: ${steps - requests}. In the order in which they were carried out.`
  return [what, ...notes].join(' ')
}

function verificationNotes({ checked, differing }: BundleCheck, { steps }: BundleFile): string[] {
  const numbers = differing.slice(0, maxListed).join(', ')
  const more = differing.length > maxListed ? ' …' : ''
  return [
    ...(differing.length > 0
      ? [
          `Replayed one after another, ${differing.length} of ${steps} steps are answered otherwise (${numbers}${more}): ` +
            'they were carried out at the same time as others, or by more than is in the bundle.',
        ]
      : []),
    ...(checked < steps ? [`Only the first ${checked} of ${steps} steps were tried.`] : []),
  ]
}

/** Longer than that nobody waits for a check: milliseconds. */
const timeLimit = 10_000
/** A larger file would not be read whole to be checked. */
const maxBundleBytes = 64 * 1024 * 1024

/** What came of it. */
interface BundleCheck {
  /** How many steps were tried */
  readonly checked: number
  /** The numbers of those that were answered otherwise, from 1 on */
  readonly differing: readonly number[]
}

/** Replays a bundle in this process, to know whether it carries all that its answers come from. */
async function checkBundle(file: string, bytes: number): Promise<BundleCheck> {
  const results: StepResult[] = []
  if (bytes > maxBundleBytes) return { checked: 0, differing: [] }
  const scenario = await readScenario(file)
  const began = performance.now()
  const enough = new Error('Enough was checked.')
  try {
    await createSimulator().replay(scenario, {
      decide: false,
      onStep(result) {
        results.push(result)
        if (performance.now() - began > timeLimit) throw enough
      },
    })
  } catch (error) {
    if (error !== enough) throw error
  }
  const otherwise = results.filter(({ outcome }) => outcome !== 'held').map(({ step }) => step)
  return { checked: results.length, differing: otherwise }
}
