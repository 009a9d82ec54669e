import {
  countIssues,
  didYouMean,
  findIssues,
  type Issue,
  inspectValue,
  issuesError,
  listWords,
  maxIssues,
  type Path,
  type UsageError,
  unknownWord,
} from '../../utils/errors.ts'
import { isDeeperThan, isObject } from '../../utils/json.ts'
import { schemaIssues } from '../../utils/schema-issues.ts'
import { version } from '../../utils/version.ts'
import { maxJsonDepth } from '../../world/world-format.ts'
import { isRequestStep, type Scenario, type Step, scenarioVersion } from './scenario.ts'
import { scenarioSchema } from './schema.ts'
import { findNames, findNamesInText, type NameReference } from './values.ts'

const parsed: unique symbol = Symbol('parsed scenario')

/** A scenario that was checked. */
export type ParsedScenario = Scenario & { readonly [parsed]: true }

/**
 * Checks a scenario, unless it is marked.
 *
 * @param name that of its file, for messages
 * @throws UsageError with up to 100 issues, each with its path. References to saved values are checked if each step is valid
 */
export function parseScenario(value: unknown, name = ''): ParsedScenario {
  if (isParsed(value)) return value
  const issues = findScenarioIssues(value)
  if (issues.length === 0) return value as ParsedScenario
  throw issuesOfRun(`Failed to read the scenario${name && ` ${name}`}`, issues)
}

function isParsed(value: unknown): value is ParsedScenario {
  return isObject(value) && parsed in value
}

/** Freezes and marks a scenario without issues that no caller can change, such as the content of a file. */
export function freezeParsed(scenario: Scenario): ParsedScenario {
  const marked = markParsed(scenario)
  freeze(marked)
  return marked
}

/** Marks a scenario without issues as checked. It is not frozen, which would take half as much memory again: do not change it. */
export function markParsed(scenario: Scenario): ParsedScenario {
  return Object.defineProperty(scenario, parsed, { value: true }) as ParsedScenario
}

function freeze(value: unknown) {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return
  Object.freeze(value)
  for (const inner of Object.values(value)) freeze(inner)
}

export function runError(issues: readonly Issue[]): UsageError {
  return issuesOfRun('Failed to run the scenario', issues)
}

function issuesOfRun(task: string, issues: readonly Issue[]) {
  return issuesError(`${task}: ${countIssues(issues)}. Nothing was run.`, issues)
}

function findScenarioIssues(value: unknown): readonly Issue[] {
  if (!isObject(value)) {
    return ofScenario(`expected an object with title and steps, got ${inspectValue(value)}`)
  }
  if (isDeeperThan(maxJsonDepth, value)) {
    return ofScenario(`expected at most ${maxJsonDepth} nested levels`)
  }
  const { format_version: format } = value
  if (typeof format === 'number' && format > scenarioVersion) {
    const text =
      `expected at most ${scenarioVersion}, got ${format}. A later version of understudy-api wrote ` +
      `this file. Update understudy-api ${version}.`
    return [{ path: ['format_version'], text }]
  }
  const issues = schemaIssues(scenarioSchema, value)
  // An invalid step may not say what it saves.
  const areValid = issues.every(({ path: [field] }) => field !== 'steps')
  return areValid ? [...issues, ...findReferenceIssues(value.steps as Scenario['steps'])] : issues
}

function ofScenario(text: string): Issue[] {
  return [{ path: [], text }]
}

/** Checks that the target has the key of each step, or an earlier step adds it. @param labels null for any @throws UsageError */
export function checkKeys(steps: readonly Step[], labels: readonly string[] | null): void {
  const all = new Set(labels)
  const issues = findIssues(steps, (step, index) => {
    for (const label of labelsAddedBy(step)) all.add(label)
    const label = isRequestStep(step) ? step.as : undefined
    if (label === undefined || labels === null || all.has(label)) return []
    const words = [...all]
    const expected = `the label of a key (${listWords(words) || 'none'}) in step ${index + 1}`
    return [
      {
        path: ['steps', index, 'as'],
        text: unknownWord('run', words, label, null, expected).reason,
      },
    ]
  })
  if (issues.length > 0) throw runError(issues)
}

function labelsAddedBy(step: Step) {
  const keys = 'rows' in step ? step.rows.keys : 'world' in step ? step.world.keys : []
  return (keys ?? []).map((key) => key.label ?? key.value ?? '')
}

function findReferenceIssues(steps: readonly Step[]) {
  // Every target provides its base URL.
  const names = new Set(['base_url'])
  return findIssues(steps, (step, index) => {
    const unknown = findReferences(step, ['steps', index]).filter(({ name }) => !names.has(name))
    const issues = unknown
      .slice(0, maxIssues)
      .map(({ name, path }) => ({ path, text: describeUnknownName(name, [...names]) }))
    for (const name of Object.keys(('save' in step && step.save) || {})) names.add(name)
    return issues
  })
}

export function findReferences(step: Step, path: Path): NameReference[] {
  // The rows of a world are plain JSON.
  if ('world' in step) return []
  if (!isRequestStep(step)) return findNames(step, path)
  const { headers = {}, query = {}, body, text, expect } = step
  const inTexts = (texts: object, parent: Path): NameReference[] =>
    Object.entries(texts).flatMap(([field, value]) =>
      findNamesInText(String(value)).map((name) => ({ name, path: [...parent, field] })),
    )
  return [
    ...inTexts({ path: step.path }, path),
    ...inTexts(query, [...path, 'query']),
    ...inTexts(headers, [...path, 'headers']),
    ...findNames(body, [...path, 'body']),
    ...findNames(text, [...path, 'text']),
    ...findNames(expect, [...path, 'expect']),
  ]
}

function describeUnknownName(name: string, known: readonly string[]) {
  const meant = didYouMean(name, known)
  const hint = meant === undefined ? '' : `. Did you mean ${meant}?`
  return `expected a value that an earlier step saves, got {${name}}${hint}`
}
