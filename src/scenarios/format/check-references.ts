import { didYouMean } from '../../utils/usage-error.ts'
import { isRequestStep, type Step } from './scenario.ts'
import { findNames, findNamesInText, type NameReference } from './values.ts'

/** The saved values that every target provides. */
const predefinedNames = ['base_url']

/** Finds references to values that are never saved, or saved too late, and to snapshots that do not exist. */
export function findReferenceIssues(steps: readonly Step[]): string[] {
  const known = new Set(predefinedNames)
  const snapshots = new Set<string>()
  return steps.flatMap((step, index) => {
    const issues = findReferences(step, `steps[${index}]`).flatMap(({ name, path }) =>
      known.has(name) ? [] : [`${path}: ${describeUnknownName(name, index, steps, [...known])}`],
    )
    for (const name of savedNames(step)) known.add(name)
    if ('snapshot' in step) snapshots.add(step.snapshot)
    if ('restore' in step && !snapshots.has(step.restore)) {
      issues.push(
        `steps[${index}].restore: expected a snapshot of an earlier step, got ${JSON.stringify(step.restore)}`,
      )
    }
    return issues
  })
}

/** The saved values that a step uses. @param path the path of the step */
export function findReferences(step: Step, path: string): NameReference[] {
  // The rows of a world are plain JSON.
  if ('world' in step) return []
  if (!isRequestStep(step)) return findNames(step, path)
  const { headers = {}, query = {}, body, text, expect } = step
  const inTexts = (texts: object, parent: string): NameReference[] =>
    Object.entries(texts).flatMap(([field, value]) =>
      findNamesInText(String(value)).map((name) => ({ name, path: `${parent}.${field}` })),
    )
  return [
    ...inTexts({ path: step.path }, path),
    ...inTexts(query, `${path}.query`),
    ...inTexts(headers, `${path}.headers`),
    ...findNames(body, `${path}.body`),
    ...findNames(text, `${path}.text`),
    ...findNames(expect, `${path}.expect`),
  ]
}

/** The names of the values that a step saves. */
export function savedNames(step: Step): string[] {
  return 'save' in step ? Object.keys(step.save ?? {}) : []
}

function describeUnknownName(
  name: string,
  index: number,
  steps: readonly Step[],
  known: readonly string[],
): string {
  const expected = `expected a value that an earlier step saves, got {${name}}`
  const savedBy = steps.findIndex((step) => savedNames(step).includes(name))
  if (savedBy < 0) {
    const suggestion = didYouMean(name, known)
    const hint = suggestion === undefined ? '' : `. Did you mean ${suggestion}?`
    return `${expected}, which no step saves${hint}`
  }
  if (savedBy === index) return `${expected}, which only this step saves`
  return dependsOn(savedBy, index, steps)
    ? `${expected}. Circular reference: steps[${savedBy}] saves it, but needs a value of this step`
    : `${expected}, which steps[${savedBy}] saves later`
}

/** Whether a step needs a value of another step, directly or through other steps. */
function dependsOn(
  from: number,
  to: number,
  steps: readonly Step[],
  visited = new Set<number>(),
): boolean {
  if (from === to) return true
  if (visited.has(from)) return false
  visited.add(from)
  return findReferences(steps[from] as Step, '').some(({ name }) =>
    steps.some(
      (step, index) => savedNames(step).includes(name) && dependsOn(index, to, steps, visited),
    ),
  )
}
