import { type ApiRequest, type ApiResponse, dropped } from './request.ts'
import type { Annotation, AnnotationFields, Key, Rows } from './rows.ts'
import { keyValue } from './rules/access.ts'
import { answer, refuse } from './rules/answer.ts'
import { reply, serverError, throttled } from './rules/answers.ts'
import { formatTime } from './rules/dates.ts'
import { findRoute, operationOf } from './rules/routes.ts'
import { noon, startRows } from './world.ts'

/** A fault: which requests it applies to, and what it does. The names are those of the simulator. */
export interface Fault {
  readonly operation?: string
  readonly method?: string
  readonly when: { readonly skip?: number; readonly every?: number; readonly times?: number }
  readonly phase: 'before' | 'after-commit'
  readonly effect:
    | { readonly error: 'throttled' | 'server_error' }
    | { readonly status: number; readonly body: { readonly told: string } }
    | { readonly drop: true }
}

/** A second actor: after which requests it writes, and what. */
export interface Actor {
  readonly after: { readonly operation: string; readonly requests: number; readonly every: boolean }
  readonly step:
    | { readonly create: NewAnnotation }
    | { readonly update: number; readonly changes: Partial<AnnotationFields> }
    | { readonly delete: number }
}

export type NewAnnotation = Pick<
  Annotation,
  | 'content'
  | 'date_marker'
  | 'scope'
  | 'project'
  | 'created_by'
  | 'dashboard_item'
  | 'creation_type'
> & { readonly deleted: boolean }

/** One isolated world: the simulator itself, or a sandbox. */
interface World {
  rows: Rows
  /** What a reset restores. */
  start: Rows
  /** Milliseconds. The clock is always frozen. */
  now: number
  faults: { readonly rule: Fault; matched: number; applied: number }[]
  actors: { readonly actor: Actor; remaining: number | null }[]
  snapshots: Record<string, Rows>
}

/** The name of the world that is no sandbox. */
export const main = 'main'

/** What the simulator should do, in memory and in the simplest way: rows in lists, and no index, cache or parser. */
export class Model {
  #worlds: Record<string, World> = { [main]: newWorld(startRows(), Date.parse(noon)) }
  /** How many requests and control calls there were. */
  steps = 0

  /** An independent copy, to try an order of requests. */
  copy(): Model {
    const copy = new Model()
    copy.#worlds = structuredClone(this.#worlds)
    return copy
  }

  /** Takes over the state of a copy. */
  become(copy: Model): void {
    this.#worlds = copy.#worlds
  }

  get worlds(): readonly string[] {
    return Object.keys(this.#worlds)
  }

  rows(world: string): Rows {
    return this.#world(world).rows
  }

  /** The rows and the time of the clock. */
  state(name: string): Rows & { readonly now: string } {
    const { rows, now } = this.#world(name)
    return { ...rows, now: formatTime(now) }
  }

  /** The values of the keys that a sandbox starts with. */
  keysOf(from: string | null): string[] {
    const { start, snapshots } = this.#world(main)
    return (from === null ? start : (snapshots[from] as Rows)).keys.map(({ value }) => value)
  }

  snapshots(world: string): readonly string[] {
    return Object.keys(this.#world(world).snapshots)
  }

  /** Answers a request, and remembers what it changed. */
  send(request: ApiRequest): ApiResponse {
    const world = this.#world(request.sandbox ?? this.#sandboxOf(keyValue(request)) ?? main)
    const route = findRoute(request.path)
    const operation = route ? operationOf(route, request.method) : undefined
    const fault = route ? applicableFault(world, operation, request.method) : null
    if (fault?.phase === 'before') return faulty(fault, request)
    const response = answer(world.rows, request, world.now)
    runActors(world, operation)
    return fault ? faulty(fault, request) : response
  }

  #sandboxOf(value: string | null): string | undefined {
    return this.worlds.find(
      (name) => name !== main && this.rows(name).keys.some((key) => key.value === value),
    )
  }

  #world(name: string): World {
    return this.#worlds[name] as World
  }

  setClock(world: string, time: string): void {
    this.#world(world).now = Date.parse(time)
  }

  advanceClock(world: string, milliseconds: number): void {
    this.#world(world).now += milliseconds
  }

  save(world: string, name: string): void {
    const { snapshots, rows } = this.#world(world)
    snapshots[name] = structuredClone(rows)
  }

  restore(world: string, name: string): void {
    const saved = this.#world(world).snapshots[name]
    this.#world(world).rows = structuredClone(saved as Rows)
  }

  reset(world: string): void {
    this.#world(world).rows = structuredClone(this.#world(world).start)
  }

  addFault(world: string, rule: Fault): void {
    this.#world(world).faults.unshift({ rule, matched: 0, applied: 0 })
  }

  clearFaults(world: string): void {
    this.#world(world).faults = []
  }

  addActor(world: string, actor: Actor): void {
    this.#world(world).actors.push({ actor, remaining: actor.after.requests })
  }

  clearActors(world: string): void {
    this.#world(world).actors = []
  }

  issueKey(world: string, key: Key): void {
    this.rows(world).keys.push(key)
  }

  revokeKey(world: string, value: string): void {
    const rows = this.rows(world)
    rows.keys = rows.keys.filter((key) => key.value !== value)
  }

  /** A sandbox starts with the first rows of the main world, or with a snapshot of it, and with its clock. */
  createSandbox(id: string, from: string | null, values: Readonly<Record<string, string>>): void {
    const { start, snapshots, now } = this.#world(main)
    const rows = structuredClone(from === null ? start : (snapshots[from] as Rows))
    rows.keys = rows.keys.map((key) => {
      const value = values[key.value] as string
      // A key without a label has its value as its label.
      return { ...key, value, label: key.label === key.value ? value : key.label }
    })
    this.#worlds[id] = newWorld(rows, now)
  }

  deleteSandbox(id: string): void {
    delete this.#worlds[id]
  }

  /** Only the rows of the main world survive. */
  restart(): void {
    const { rows, start } = this.#world(main)
    this.#worlds = { [main]: { ...newWorld(start, Date.parse(noon)), rows } }
  }
}

function newWorld(rows: Rows, now: number): World {
  return { rows: structuredClone(rows), start: rows, now, faults: [], actors: [], snapshots: {} }
}

/** Every rule that matches counts the request. The latest of those whose turn it is applies. */
function applicableFault(
  world: World,
  operation: string | undefined,
  method: string,
): Fault | null {
  const due = world.faults.filter((fault) => {
    const { rule } = fault
    if (rule.operation !== undefined && rule.operation !== operation) return false
    if (rule.method !== undefined && rule.method !== method) return false
    fault.matched += 1
    const { skip = 0, every = 1, times = Number.POSITIVE_INFINITY } = rule.when
    const count = fault.matched - skip
    return count > 0 && count % every === 0 && fault.applied < times
  })
  if (!due[0]) return null
  due[0].applied += 1
  return due[0].rule
}

function faulty({ effect }: Fault, request: ApiRequest): ApiResponse {
  if ('drop' in effect) return dropped
  if ('error' in effect) return refuse(request, errors[effect.error]())
  return reply(effect.status, request.method === 'HEAD' ? undefined : effect.body)
}

const errors = { throttled, server_error: serverError }

function runActors(world: World, operation: string | undefined): void {
  for (const entry of world.actors) {
    const { after, step } = entry.actor
    if (entry.remaining === null || after.operation !== operation) continue
    entry.remaining -= 1
    if (entry.remaining > 0) continue
    entry.remaining = after.every ? after.requests : null
    runStep(world, step)
  }
}

/** A step that refers to a missing row does nothing. */
function runStep({ rows, now }: World, step: Actor['step']): void {
  const time = formatTime(now)
  if ('create' in step) {
    const id = rows.nextAnnotation
    rows.annotations.push({ id, ...step.create, created_at: time, updated_at: time })
    rows.nextAnnotation += 1
    return
  }
  const id = 'update' in step ? step.update : step.delete
  const row = rows.annotations.find((one) => one.id === id)
  if (!row) return
  Object.assign(row, 'update' in step ? step.changes : { deleted: true }, { updated_at: time })
}
