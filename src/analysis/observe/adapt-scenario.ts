import { findReferences, savedNames } from '../../scenarios/format/check-scenario.ts'
import {
  isRequestStep,
  type RequestStep,
  type Scenario,
  type Step,
} from '../../scenarios/format/scenario.ts'
import { scopesOf } from './keys.ts'
import { type Observer, pathSegment } from './observer.ts'

/** Replaces the project 1 and the organization of the default world in all texts, and writes paths as the server has them. */
export function replaceParents(
  steps: Scenario['steps'],
  { project, organization, hasSlash }: Pick<Observer, 'project' | 'organization' | 'hasSlash'>,
): Scenario['steps'] {
  return replaceTexts(steps, (text, name) =>
    (name === 'path' && !hasSlash ? text.replace(/\/(?=\?|$)/, '') : text)
      .replaceAll('/api/projects/1/', () => `/api/projects/${pathSegment(project)}/`)
      .replaceAll(/(?<=\/api\/organizations\/)018f2b6e-0000-7000-8000-00000000000a/g, () =>
        pathSegment(organization),
      ),
  )
}

/**
 * Adds a marker to the words of created rows that the scenario searches for, so that a search finds no other rows.
 *
 * @param marker a word that no other row contains
 */
export function markSearchedRows(scenario: Scenario, marker: string): Scenario {
  const requests = scenario.steps.filter(isRequestStep)
  const created = requests.map(({ method, body }) => (method === 'POST' ? bodyText(body) : ''))
  const words = requests
    .flatMap((step) => searchOf(step).split(/[\s,]+/))
    .filter((word) => /^\w{3,}$/.test(word) && created.some((text) => text.includes(word)))
  const pattern = new RegExp(`\\b(${words.join('|')})\\b`, 'g')
  const mark = (text: string): string => text.replaceAll(pattern, `$1${marker}`)
  if (words.length === 0) return scenario
  const steps = replaceTexts(scenario.steps, (text, name) => {
    const [path = '', ...query] = text.split('?')
    if (name === 'path') return [path, ...query.map(mark)].join('?')
    return name === 'title' ? text : mark(text)
  })
  return { ...scenario, steps }
}

function bodyText(body: unknown): string {
  return JSON.stringify(body) ?? ''
}

function searchOf({ path, query }: RequestStep): string {
  return String(query?.search ?? new URLSearchParams(path.split('?')[1]).get('search') ?? '')
}

function replaceTexts(
  steps: Scenario['steps'],
  replace: (text: string, name: string) => string,
): Scenario['steps'] {
  const text = JSON.stringify(steps)
  return JSON.parse(text, (name, value) =>
    typeof value === 'string' ? replace(value, name) : value,
  )
}

/** The key with the label of a step, or with the same scopes. Undefined if there is neither */
export function findKeyFor(
  label: string,
  keys: Readonly<Record<string, string>>,
): string | undefined {
  const normalize = (name: string): string => scopesOf(name)?.toSorted().join() ?? name
  const same = Object.keys(keys).find((name) => normalize(name) === normalize(label))
  return Object.hasOwn(keys, label) ? keys[label] : keys[same ?? '']
}

/** Why each step is not run, as a clause. Null if it is run */
export function findStepsNotRun(
  { steps }: Scenario,
  keys: Readonly<Record<string, string>>,
  allowWrites: boolean,
): (string | null)[] {
  const unsaved = new Set<string>()
  let hasWrite = false
  return steps.map((step) => {
    const isAfterWrite = hasWrite
    hasWrite ||= !allowWrites && isWrite(step)
    const label = isRequestStep(step) ? step.as : undefined
    const missing = findReferences(step, '').find(({ name }) => unsaved.has(name))
    const reason = isAfterWrite
      ? 'an earlier step writes. Pass --allow-writes'
      : hasWrite
        ? 'it writes. Pass --allow-writes'
        : label !== undefined && findKeyFor(label, keys) === undefined
          ? `pass --key ${/\s/.test(label) ? `"${label}=KEY"` : `${label}=KEY`}`
          : missing
            ? `it needs {${missing.name}} of a step that is not run`
            : null
    if (reason !== null) for (const name of savedNames(step)) unsaved.add(name)
    return reason
  })
}

function isWrite(step: Step): boolean {
  return isRequestStep(step) && !['GET', 'HEAD', 'OPTIONS'].includes(step.method)
}
