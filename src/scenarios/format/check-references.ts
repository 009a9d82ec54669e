import { didYouMean } from '../../utils/did-you-mean.ts'
import { isRequestStep, type Step } from './scenario.ts'
import { findNames, findNamesInText } from './values.ts'

/** What every target gives. */
const predefined = ['base_url']

/** A use of a saved value, or of a snapshot. */
interface Reference {
  readonly name: string
  readonly path: string
}

/** Values that are used before they are saved, or never; circles; snapshots that no step has made. */
export function findReferenceIssues(steps: readonly Step[]): string[] {
  const known = new Set(predefined)
  const snapshots = new Set<string>()
  return steps.flatMap((step, index) => {
    const faults = findReferences(step, `steps[${index}]`).flatMap(({ name, path }) =>
      known.has(name) ? [] : [`${path}: ${describeMissing(name, index, steps, [...known])}`],
    )
    for (const name of savedNames(step)) known.add(name)
    if ('snapshot' in step) snapshots.add(step.snapshot)
    if ('restore' in step && !snapshots.has(step.restore)) {
      faults.push(
        `steps[${index}].restore: expected a snapshot of a step before, got ${JSON.stringify(step.restore)}`,
      )
    }
    return faults
  })
}

/** The saved values that a step uses, each with where. */
export function findReferences(step: Step, path: string): Reference[] {
  // The rows of a world stand for themselves.
  if ('world' in step) return []
  if (!isRequestStep(step)) return findNames(step, path)
  const { headers = {}, query = {}, body, text, expect } = step
  const texts: [string, unknown][] = [
    [`${path}.path`, step.path],
    ...Object.entries(query).map(([name, value]): [string, unknown] => [
      `${path}.query.${name}`,
      value,
    ]),
    ...Object.entries(headers).map(([name, value]): [string, unknown] => [
      `${path}.headers.${name}`,
      value,
    ]),
  ]
  return [
    ...texts.flatMap(([place, text]) =>
      findNamesInText(String(text)).map((name) => ({ name, path: place })),
    ),
    ...findNames(body, `${path}.body`),
    ...findNames(text, `${path}.text`),
    ...findNames(expect, `${path}.expect`),
  ]
}

/** The names of what a step saves. */
export function savedNames(step: Step): string[] {
  return 'save' in step ? Object.keys(step.save ?? {}) : []
}

function describeMissing(
  name: string,
  index: number,
  steps: readonly Step[],
  known: string[],
): string {
  const expected = `expected a value that a step before has saved, got {${name}}`
  const later = steps.findIndex((step) => savedNames(step).includes(name))
  if (later === index) return `${expected}, which this step itself saves: a circle`
  if (later >= 0) {
    const isCircle = dependsOn(later, index, steps)
    return `${expected}, which steps[${later}] saves${isCircle ? ' from what this step saves: a circle' : ' later'}`
  }
  const meant = didYouMean(name, known)
  return `${expected}, which no step saves${meant === undefined ? '' : `. Did you mean ${meant}?`}`
}

/** Whether what a step needs comes, over however many steps, from another one. */
function dependsOn(
  from: number,
  to: number,
  steps: readonly Step[],
  seen = new Set<number>(),
): boolean {
  if (from === to) return true
  if (seen.has(from)) return false
  seen.add(from)
  const step = steps[from] as Step
  return findReferences(step, '').some(({ name }) =>
    steps.some(
      (other, index) => savedNames(other).includes(name) && dependsOn(index, to, steps, seen),
    ),
  )
}
