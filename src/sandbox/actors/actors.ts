import { unexpectedValue } from '../../utils/usage-error.ts'
import { createDefaults } from '../../world/defaults.ts'
import { WorldAccess } from '../../world/edit/world-access.ts'
import type { OrderedRows } from '../../world/sorted-list.ts'
import {
  globalPlugins,
  globalPluginsOf,
  nextRevision,
  ofOrganization,
  ofPlugin,
  ofProject,
  withDeleted,
} from '../../world/tables.ts'
import { directEdit } from '../history/history.ts'
import type { RequestEvent, Stage } from '../pipeline.ts'
import { unmatchableReason } from '../request-pattern.ts'
import { Rule, RuleList } from '../rule-list.ts'
import type { Sandbox } from '../sandbox.ts'
import {
  type ActorError,
  type ActorInfo,
  type ActorRequest,
  type ActorStep,
  type AnnotationReference,
  type PluginReference,
  parseActor,
} from './actor-request.ts'

/**
 * The second actors of a sandbox. They write between the requests of a client, like another user does. Their writes are
 * not requests, so the journal does not contain them, but `simulator.why` names the actor. Restoring a snapshot keeps
 * the actors and their counters.
 *
 * @example
 * simulator.actors.add({
 *   after: { operation: 'listAnnotations', requests: 1 },
 *   steps: [{ create: 'annotations', row: { content: 'By another user' } }],
 * })
 */
export class Actors {
  readonly #sandbox: Sandbox
  /** @internal */
  readonly rules: RuleList<Actor, ActorInfo>

  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox
    this.rules = new RuleList(sandbox, {
      kind: 'actor',
      task: 'add an actor',
      plural: 'actors',
      newRules: 'last',
      toInfo: ({ id, pattern: after, steps, applied: runs, remaining, errors }: Actor) => {
        const reason = unmatchableReason(after, sandbox)
        const warning = reason && `It can never run: ${reason}`
        return structuredClone({ id, after, steps, runs, remaining, errors, warning })
      },
      onChange: () => this.#update(),
    })
  }

  /**
   * Adds a second actor.
   *
   * @returns the actor. Its `warning` says why it can never run. It is also printed, once
   * @throws UsageError with every issue; then nothing is added
   * @throws LimitError if there are 1,000 actors; then nothing is added
   */
  add(request: ActorRequest): ActorInfo {
    const create = (id: string, parsed: ActorRequest): Actor => new Actor(id, parsed)
    return this.rules.add([parseActor(request)], create)[0] as ActorInfo
  }

  /** Lists the actors in the order in which they were added, including those that are done. */
  list(): ActorInfo[] {
    return this.rules.list()
  }

  /** Removes an actor. @returns false for an unknown id */
  remove(id: string): boolean {
    return this.rules.remove(id)
  }

  /** Removes all actors. Ids are not reused. */
  clear(): void {
    this.rules.clear()
  }

  #update(): void {
    const isDone = this.rules.rules.every((actor) => actor.isDone)
    this.#sandbox.pipeline.use('actors', isDone ? null : this.#respond)
  }

  /** Runs the actors that a request triggers, before its response is sent. */
  readonly #respond: Stage = (event, next) => {
    const response = next(event)
    // A fault responds in place of the endpoint.
    if (event.context || event.authorize) return response
    const due = this.rules.count(event)
    for (const actor of due) actor.applied += 1
    if (due.length > 0) this.#update()
    for (const actor of due) this.#run(actor)
    return response
  }

  #run({ id, steps, applied: runs, errors }: Actor): void {
    const { history, report } = this.#sandbox
    history.cause = { actor: id }
    const thrown = steps.flatMap((step, index) => {
      try {
        runStep(step, this.#sandbox)
        return []
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error)
        errors.push({ run: runs, step: `steps[${index}]`, message })
        return [error]
      }
    })
    errors.splice(0, Math.max(0, errors.length - maxErrors))
    history.cause = directEdit
    for (const error of thrown) report(error)
  }
}

/** How many errors of an actor are stored: the latest ones. */
const maxErrors = 10

/** A second actor and its counters. It applies to the requests that it runs after. */
export class Actor extends Rule<ActorInfo['after']> {
  readonly steps: readonly ActorStep[]
  readonly errors: ActorError[] = []

  constructor(id: string, { after, steps }: ActorRequest) {
    const { requests = 1, every = false } = after
    super(id, { ...after, requests, every }, { every: requests, ...(!every && { times: 1 }) })
    this.steps = steps
  }

  /** Matching requests until the next run. Null if it will never run again */
  get remaining(): number | null {
    const { requests } = this.pattern
    return this.isDone ? null : requests - (this.matched % requests)
  }

  override matches(event: RequestEvent, sandbox: Sandbox): boolean {
    return !this.isDone && super.matches(event, sandbox)
  }
}

/** Runs a step, validated like a write through `simulator.world`. @throws UsageError; then nothing is changed */
function runStep(step: ActorStep, sandbox: Sandbox): void {
  const { tables, clock } = sandbox
  const access = new WorldAccess(sandbox, createDefaults(sandbox))
  if ('create' in step) {
    if (step.create === 'annotations') access.annotations.create(step.row)
    else access.plugins.create(step.row)
  } else if ('update' in step) {
    if (step.update === 'annotations') {
      const changes = { ...step.changes, updated_at: clock.iso() }
      access.annotations.update(resolveAnnotationId(step.id, sandbox), changes)
    } else {
      const changes = { ...step.changes, revision: nextRevision(tables) }
      access.plugins.update(resolvePluginId(step.id, sandbox), changes)
    }
  } else if (step.delete === 'annotations') {
    const id = resolveAnnotationId(step.id, sandbox)
    if (!tables.annotations.get(id)) {
      throw unexpectedValue('delete an annotation', 'the id of an annotation', id)
    }
    access.annotations.update(id, { deleted: true, updated_at: clock.iso() })
  } else {
    const id = resolvePluginId(step.id, sandbox)
    // The service removes the configurations of a plugin, too.
    for (const config of [...tables.plugin_configs.listed(ofPlugin(id))]) {
      access.plugin_configs.delete(config.id)
    }
    if (!access.plugins.delete(id)) {
      throw unexpectedValue('delete a plugin', 'the id of a plugin', id)
    }
  }
}

/** @throws UsageError for an unknown project, and for a position outside the list */
function resolveAnnotationId(reference: AnnotationReference, sandbox: Sandbox): number {
  if (typeof reference === 'number') return reference
  const { tables } = sandbox
  const project = tables.projects.get(reference.project ?? createDefaults(sandbox).project_id)
  if (!project) throw unexpectedValue('find a row', 'the id of a project', reference.project)
  // Untracked, since the response to the request does not depend on what an actor reads.
  const listsDeleted =
    sandbox.policyTracker.untracked['annotations.deleted.visibility'] === 'listed'
  const [own, shared] = [ofProject(project.id), ofOrganization(project.organization)].map(
    (index) => (listsDeleted ? withDeleted(index) : index),
  ) as [string, string]
  return idAt(reference.at, tables.annotations.listed(own, shared))
}

/** @throws UsageError for a position outside the list */
function resolvePluginId(reference: PluginReference, sandbox: Sandbox): number {
  if (typeof reference === 'number') return reference
  const organization = reference.organization ?? createDefaults(sandbox).organization_id
  const visibility = sandbox.policyTracker.untracked['plugins.global.visibility']
  const others = visibility === 'every_organization' ? globalPlugins : globalPluginsOf(organization)
  return idAt(reference.at, sandbox.tables.plugins.listed(ofOrganization(organization), others))
}

function idAt(at: number, list: OrderedRows<{ readonly id: number }>): number {
  const index = at < 0 ? list.size + at : at
  const [row] = index < 0 ? [] : list.slice(index, 1)
  if (row) return row.id
  const rows = list.size === 1 ? '1 row' : `${list.size} rows`
  throw unexpectedValue('find a row', `a position in a list of ${rows}`, at)
}
