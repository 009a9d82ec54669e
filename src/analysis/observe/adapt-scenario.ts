import { findReferences, savedNames } from '../../scenarios/format/check-scenario.ts'
import {
  isRequestStep,
  type RequestStep,
  type Scenario,
  type Step,
} from '../../scenarios/format/scenario.ts'
import type { StepDifference } from '../../scenarios/run/differences.ts'
import { isWrite } from '../../scenarios/run/target.ts'
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

/** Why each step is not run, as a clause. Null if it is run. Rows that the scenario does not create stay as they are. */
export function findStepsNotRun(
  { steps }: Scenario,
  keys: Readonly<Record<string, string>>,
  allowWrites: boolean,
): (string | null)[] {
  const unsaved = new Set<string>()
  const created = createdNames(steps)
  /** Why the first write that is not run is not, by the words of its step and of those after it */
  let write: readonly [own: string, later: string] | null = null
  return steps.map((step) => {
    const earlier = write
    const writes = isRequestStep(step) && isWrite(step)
    if (writes && !allowWrites) {
      write ??= ['it writes. Pass --allow-writes', 'an earlier step writes. Pass --allow-writes']
    } else if (writes && namesOtherRow(step, created)) {
      const row = 'a row that the scenario does not create'
      write ??= [`it changes ${row}`, `an earlier step changes ${row}`]
    }
    const label = isRequestStep(step) ? step.as : undefined
    const missing = findReferences(step, []).find(({ name }) => unsaved.has(name))
    const reason = earlier
      ? earlier[1]
      : write
        ? write[0]
        : label !== undefined && findKeyFor(label, keys) === undefined
          ? `pass --key ${/\s/.test(label) ? `"${label}=KEY"` : `${label}=KEY`}`
          : missing
            ? `it needs {${missing.name}} of a step that is not run`
            : null
    if (reason !== null) for (const name of savedNames(step)) unsaved.add(name)
    return reason
  })
}

/**
 * Whether the differences of a step may come from other rows than those of the scenario, or from another time. Then no
 * policy can be blamed. `isDoubtful`: an earlier step, whose rows the step shows, differs without a reason.
 *
 * @param marker a word that only rows of the scenario contain
 */
export function hasOtherRows({ steps, clock }: Scenario, marker: string) {
  const created = createdNames(steps)
  const sent = new Set(
    steps.flatMap((step) => ('body' in step ? Object.keys(step.body ?? {}) : [])),
  )
  return (index: number, differences: readonly StepDifference[], isDoubtful: boolean): boolean => {
    const step = steps[index]
    if (!step || !isRequestStep(step)) return false
    if (clock !== undefined && differences.every((each) => isOtherTime(each, sent))) return true
    const status = differences.find(({ where }) => where === 'status')
    const { status: expected = 200 } = step.expect ?? {}
    const isOther = isDoubtful || namesOtherRow(step, created)
    if (status) return isOther && (status.got === 404 || status.expected === 404)
    if (!differences.every(({ where }) => where === 'body' || where.startsWith('body.')))
      return false
    // The body of an error shows no row.
    if (/^[45]/.test(`${expected}`)) return false
    return isOther || (step.method === 'GET' && isPage(differences) && !isSearch(step, marker))
  }
}

/** The names of the ids of the rows that a scenario creates. */
function createdNames(steps: readonly Step[]): ReadonlySet<string> {
  const creates = steps.filter((step) => isRequestStep(step) && step.method === 'POST')
  return new Set(creates.flatMap(savedNames))
}

/** Whether the path of a request has the id of a row that the scenario does not create. */
function namesOtherRow(step: Step, created: ReadonlySet<string>): boolean {
  if (!isRequestStep(step)) return false
  const [, row = ''] = /\/(?:annotations|plugins)\/([^/?]+)/.exec(step.path) ?? []
  const [, name] = /^\{(.+)\}$/.exec(row) ?? []
  return name === undefined ? /^\d+$/.test(row) : !created.has(name)
}

/** @param sent the fields that the scenario sends, so that no clock decides them */
function isOtherTime({ path, expected, got }: StepDifference, sent: ReadonlySet<string>): boolean {
  const isTime = (value: unknown): boolean =>
    typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)
  return isTime(expected) && isTime(got) && !sent.has(String(path.at(-1)))
}

function isPage(differences: readonly StepDifference[]): boolean {
  const fields = ['count', 'next', 'previous', 'results']
  return differences.every(({ path }) => fields.includes(String(path[2])))
}

function isSearch(step: RequestStep, marker: string): boolean {
  return `${step.path} ${searchOf(step)}`.includes(marker)
}
