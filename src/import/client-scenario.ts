import type { OperationId } from '../http/operation-id.ts'
import type { ClientRequest } from '../mistakes/client-request.ts'
import { findReferences } from '../scenarios/format/check-scenario.ts'
import {
  type ChangeStep,
  isRequestStep,
  type RequestStep,
  type Scenario,
  type Step,
} from '../scenarios/format/scenario.ts'
import { resolveSetup } from '../scenarios/run/options.ts'
import { type PlayedStep, play } from '../scenarios/run/play.ts'
import { openRun } from '../scenarios/run/run-scenario.ts'
import { createLocalSender } from '../scenarios/run/simulator-sender.ts'
import { toProfile } from '../settings/resolve.ts'
import type { JournalChange } from '../simulator/journal/entry.ts'
import type { Simulator } from '../simulator/simulator.ts'
import { UsageError } from '../utils/errors.ts'
import type { RowEdit } from '../world/edit/edit-rows.ts'
import type { PlayedScenario } from './played-scenario.ts'

interface OwnRequest {
  readonly step: RequestStep
  readonly index: number
  readonly request: ClientRequest | undefined
  /** Changes of the clock and others, which stay before it */
  readonly changes: readonly Step[]
  /** What others did to rows since the request before it */
  readonly edits: readonly RowEdit[]
  /** Whether no fault answers it, nor one that gives a recorded response */
  readonly isFree: boolean
}

/** The requests of one client, and their new indexes. What others did between them becomes faults that edit rows. */
export function toClientScenario(
  scenario: Scenario,
  played: PlayedScenario,
  isOwn: (step: RequestStep) => boolean,
) {
  const { requests, rest } = splitSteps(scenario.steps, played, isOwn)
  const isAlone = scenario.steps.filter(isRequestStep).length === requests.length
  if (isAlone && requests.every(({ edits }) => edits.length === 0))
    return { scenario, stepOf: (step: number) => step }
  const others = stepsOfEdits(requests)
  const steps: Step[] = []
  const indexes = new Map<number, number>()
  for (const [at, { step, index, changes }] of requests.entries()) {
    steps.push(...changes, ...(others.get(at) ?? []))
    indexes.set(index, steps.push(step) - 1)
  }
  return {
    scenario: { ...scenario, steps: [...steps, ...rest] },
    stepOf: (step: number) => indexes.get(step) ?? null,
  }
}

/** @returns also the changes after the last request of the client */
function splitSteps(
  steps: readonly Step[],
  { requests: sent, played }: PlayedScenario,
  isOwn: (step: RequestStep) => boolean,
) {
  const requestOf = new Map(sent.map((request) => [request.index, request]))
  const requests: OwnRequest[] = []
  /** The values that requests of others saved, by name */
  const saved = new Map<string, unknown>()
  const keepSaved = (index: number) => {
    const { step, savedNow } = played[index] as PlayedStep
    for (const name of Object.keys(('save' in step && step.save) || {}))
      if (savedNow.has(name)) saved.set(name, savedNow.get(name))
  }
  let changes: Step[] = []
  let edits: RowEdit[] = []
  for (const [index, recorded] of steps.entries()) {
    const step = withValues(recorded, saved)
    const request = requestOf.get(index)
    if (!isRequestStep(step)) {
      const edit = toRowEdit(withValues(recorded, played[index]?.saved.all() ?? saved))
      if (edit) edits.push(edit)
      else changes.push(step)
      if (edit) keepSaved(index)
    } else if (isOwn(step)) {
      const { differences = [] } = played[index]?.result ?? {}
      const isAsRecorded = differences.every(({ path }) => path[0] !== 'expect')
      const isFree = request?.isServed === true && isAsRecorded
      requests.push({ step, index, request, changes, edits, isFree })
      changes = []
      edits = []
    } else {
      edits.push(...(request?.edits.flatMap(toEdits) ?? []))
      // A fault was that of the request.
      changes = changes.filter((change) => !('fault' in change))
      keepSaved(index)
    }
  }
  return { requests, rest: changes }
}

/** A step that edits rows as others do. Null for one that refers to an earlier request, too. */
function toRowEdit(step: Step): RowEdit | null {
  const isEdit = 'rows' in step || 'update' in step || 'delete' in step
  if (!isEdit || addsKeys(step) || findReferences(step, []).length > 0) return null
  const { title: _, save: __, ...edit } = step as ChangeStep & { readonly save?: unknown }
  return edit as RowEdit
}

/** Whether a step adds keys, which the client gets before its first request. */
function addsKeys(step: Step) {
  return 'rows' in step && 'keys' in step.rows
}

function toEdits({ list, id, kind, fields }: JournalChange) {
  if (kind === 'removed') return [{ delete: { [list]: [id] } } as RowEdit]
  if (list !== 'annotations' && list !== 'plugins') return []
  const changed = Object.fromEntries(Object.entries(fields).map(([name, [, now]]) => [name, now]))
  if (kind === 'created') return [{ rows: { [list]: [{ id, ...changed }] } } as RowEdit]
  return [{ update: { [list]: [{ id, ...changed }] } } as RowEdit]
}

/** The steps that edit rows: faults of the request before them, or if a fault answers that, of the next one. */
function stepsOfEdits(requests: readonly OwnRequest[]): ReadonlyMap<number, readonly Step[]> {
  const steps = new Map<number, readonly Step[]>()
  const isFree = (at: number) => requests[at]?.isFree === true && !steps.has(at)
  const add = (at: number, phase: 'before' | 'after-commit', edit: readonly RowEdit[]) => {
    const operation = operationsOf((requests[at] as OwnRequest).request, edit)
    const when = { times: 1 }
    steps.set(at, [{ fault: { ...(operation && { operation }), when, phase, effect: { edit } } }])
  }
  for (const [at, { edits }] of requests.entries()) {
    if (edits.length === 0) continue
    if (isFree(at - 1)) add(at - 1, 'after-commit', edits)
    else if (isFree(at)) add(at, 'before', edits)
    else steps.set(at, edits)
  }
  return steps
}

/** The operations that edits come with. A changed row can be read in two ways, or be changed without a look. */
function operationsOf(
  request: ClientRequest | undefined,
  edits: readonly RowEdit[],
): OperationId | readonly OperationId[] | null {
  const operation = request?.record.operation ?? null
  const { list, verb } = request ?? {}
  const isUpdate = edits.every(
    (edit) => 'update' in edit && !JSON.stringify(edit).includes('"deleted":true'),
  )
  const isRead = verb === 'list' || verb === 'retrieve'
  if (!isUpdate || !isRead || list === 'projects') return operation
  return list === 'plugins'
    ? ['retrievePlugin', 'listPlugins', 'updatePlugin']
    : ['retrieveAnnotation', 'listAnnotations', 'updateAnnotation']
}

/** A scenario that expects no bodies: a test compares what is in the world afterwards. */
export function withoutBodies(scenario: Scenario): Scenario {
  const steps = scenario.steps.map((step): Step => {
    if (!isRequestStep(step) || !step.expect) return step
    const { status, broken } = step.expect
    const expected = { ...(status !== undefined && { status }), ...(broken && { broken }) }
    const { expect: _, ...sent } = step
    return Object.keys(expected).length === 0 ? sent : { ...sent, expect: expected }
  })
  return { ...scenario, steps }
}

/** A step with the values of names that no step saves any more. */
function withValues(step: Step, values: ReadonlyMap<string, unknown>): Step {
  if (values.size === 0) return step
  let text = JSON.stringify(step)
  for (const [name, value] of values) {
    const inText = JSON.stringify(String(value)).slice(1, -1)
    text = text
      .replaceAll(JSON.stringify({ $saved: name }), () => JSON.stringify(value))
      .replaceAll(new RegExp(`(?<!\\{)\\{${name}\\}(?!\\})`, 'g'), () => inText)
  }
  return JSON.parse(text)
}

/** A scenario whose world, settings and clock have the changes before its first request. @throws UsageError */
export async function withStart(scenario: Scenario, simulator: Simulator): Promise<Scenario> {
  const { title, steps } = scenario
  const first = steps.findIndex(isRequestStep)
  if (first < 0)
    throw new UsageError(
      `Failed to open the recording ${JSON.stringify(title)}: expected a scenario with a request, got none.`,
    )
  const lastKeys = steps.findLastIndex(addsKeys)
  const isStart = (step: Step, index: number) =>
    index < first ? !('fault' in step) : index <= lastKeys && 'rows' in step
  const changes = steps.filter(isStart) as readonly ChangeStep[]
  if (changes.length === 0) return scenario
  const copy = openRun(resolveSetup(scenario), simulator)
  let values = new Map<string, unknown>()
  for await (const { step, result, savedNow } of play(
    { steps: changes },
    await createLocalSender(copy),
  )) {
    const [refused] = result.differences
    if (refused)
      throw new UsageError(`steps[${steps.indexOf(step)}].${refused.where}: ${refused.got}`)
    values = savedNow.all()
  }
  values.delete('base_url')
  const { mode } = copy.clock
  return {
    ...scenario,
    world: copy.world.toJSON(),
    ...toProfile(copy.settings.values),
    clock: mode === 'real' ? mode : copy.clock.read(),
    steps: steps
      .filter((step, index) => !isStart(step, index))
      .map((step) => withValues(step, values)),
  }
}
