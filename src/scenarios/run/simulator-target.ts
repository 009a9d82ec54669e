import type { Policies } from '../../policies/settings.ts'
import { resolvePolicies } from '../../policies/settings.ts'
import type { Actors } from '../../sandbox/actors/actors.ts'
import type { Faults } from '../../sandbox/faults/faults.ts'
import type { JournalAccess } from '../../sandbox/journal/journal-access.ts'
import type { SimulatorBase } from '../../sandbox/simulator-base.ts'
import type { Snapshots } from '../../sandbox/snapshots.ts'
import { unexpectedValue } from '../../utils/usage-error.ts'
import type { Clock } from '../../world/clock/clock.ts'
import type { AccessibleRows } from '../../world/defaults.ts'
import type { AddedIds, DeletedRows, NewRows, UpdatedRows } from '../../world/edit/add-rows.ts'
import type { Keys } from '../../world/keys.ts'
import type { WorldJson } from '../../world/world-json.ts'
import type { Change } from '../format/scenario.ts'
import { readResponse } from './read-response.ts'
import type { SentRequest, Target } from './target.ts'

/** The same methods, at once or with a promise. */
type MaybeAsync<T> = {
  readonly [Name in keyof T]: T[Name] extends (...given: infer Given) => infer Result
    ? (...given: Given) => Result | Promise<Result>
    : never
}

/** A simulator of ours, in this process or in another one: what it takes to replay there. */
export interface ReplayableSimulator {
  fetch(url: string, init: RequestInit): Promise<Response>
  addRows(rows: NewRows): AddedIds | Promise<AddedIds>
  reset(): void | Promise<void>
  replaceWorld(world: WorldJson): unknown
  readonly clock: MaybeAsync<Pick<Clock, 'read' | 'set' | 'advance'>>
  readonly faults: MaybeAsync<Pick<Faults, 'add' | 'remove' | 'clear'>>
  readonly actors: MaybeAsync<Pick<Actors, 'add' | 'remove' | 'clear'>>
  readonly policies: MaybeAsync<Pick<Policies, 'set' | 'list'>>
  readonly snapshots: MaybeAsync<Pick<Snapshots, 'save' | 'restore'>>
  readonly keys: MaybeAsync<Pick<Keys, 'list' | 'revoke'>>
  readonly journal: MaybeAsync<Pick<JournalAccess, 'find'>>
}

/** Where the API of such a simulator begins, how its world is read and its rows are edited, and what frees it. */
export interface SimulatorTargetOptions {
  readonly baseUrl: string
  readonly world: () => Promise<Iterable<string>>
  readonly editor: RowEditor
  readonly end?: () => Promise<unknown>
}

/** A world of ours that was made for one replay. */
export async function createSimulatorTarget(
  stage: ReplayableSimulator,
  { baseUrl, world, editor, end }: SimulatorTargetOptions,
): Promise<Target> {
  const readKeys = async (): Promise<Map<string, string>> =>
    new Map((await stage.keys.list()).map(({ label, value }) => [label, value]))
  let keys = await readKeys()
  return {
    baseUrl,
    key: (label) => keys.get(label),
    send: ({ url, ...init }: SentRequest) => readResponse(url, stage.fetch(url, init)),
    async change(change) {
      const added = await dispatchChange(change, stage, editor)
      keys = await readKeys()
      return added
    },
    policies: async () => (await stage.journal.find({ limit: 1 }))[0]?.policies ?? [],
    settings: async () =>
      Object.fromEntries((await stage.policies.list()).map(({ id, setting }) => [id, setting])),
    world,
    clock: async () => stage.clock.read(),
    close: async () => void (await end?.()),
  }
}

async function dispatchChange(
  change: Change,
  stage: ReplayableSimulator,
  editor: RowEditor,
): Promise<AddedIds> {
  if ('rows' in change) return stage.addRows(change.rows)
  if ('update' in change) await updateRows(change.update, editor)
  else if ('delete' in change) await deleteRows(change.delete, editor)
  else if ('world' in change) await stage.replaceWorld(change.world)
  else if ('remove' in change) await remove(change.remove, stage)
  else if ('clear' in change) await stage[change.clear].clear()
  else if ('revoke' in change) await revoke(change.revoke, stage)
  else if ('clock' in change) await stage.clock.set(change.clock)
  else if ('advance' in change) await stage.clock.advance(change.advance)
  else if ('fault' in change) await stage.faults.add(change.fault)
  else if ('actor' in change) await stage.actors.add(change.actor)
  else if ('profile' in change) await stage.policies.set(resolvePolicies(change.profile))
  else if ('policies' in change) await stage.policies.set(change.policies)
  else if ('snapshot' in change) await stage.snapshots.save(change.snapshot)
  else if ('restore' in change) await stage.snapshots.restore(change.restore)
  else await stage.reset()
  return {}
}

/** @throws UsageError for an id that nothing has */
async function remove(id: string, { faults, actors }: ReplayableSimulator): Promise<void> {
  const isGone = await (id.startsWith('actor') ? actors : faults).remove(id)
  if (!isGone) throw unexpectedValue('remove', 'the id of a fault or of a second actor', id)
}

/** @throws UsageError for a label that no key has */
async function revoke(label: string, { keys }: ReplayableSimulator): Promise<void> {
  const key = (await keys.list()).find((one) => one.label === label)
  if (!key) throw unexpectedValue('revoke a key', 'the label of a key', label)
  await keys.revoke(key.value)
}

type List = keyof AccessibleRows
type Id = number | string

/** Updates rows one by one, and deletes them, without a request: at once or with a promise. */
interface RowEditor {
  update(list: List, id: Id, changes: object): unknown
  /** @returns false for a row that is not there */
  delete(list: List, id: Id): boolean | Promise<boolean>
}

/** Updates rows, one after the other. @throws UsageError for the first that cannot be */
async function updateRows(rows: UpdatedRows, editor: RowEditor): Promise<void> {
  for (const [list, updated] of Object.entries(rows) as [List, { readonly id: Id }[]][]) {
    for (const { id, ...changes } of updated) await editor.update(list, id, changes)
  }
}

/** Deletes rows for good, one after the other. @throws UsageError for the first that cannot be */
async function deleteRows(rows: DeletedRows, editor: RowEditor): Promise<void> {
  for (const [list, ids] of Object.entries(rows) as [List, Id[]][]) {
    for (const id of ids) {
      if (await editor.delete(list, id)) continue
      throw unexpectedValue(`delete a row of ${list}`, 'the id of one', id)
    }
  }
}

/** A simulator in this process that was made for one replay. */
export function createLocalTarget(simulator: SimulatorBase, baseUrl: string): Promise<Target> {
  const { world } = simulator
  return createSimulatorTarget(simulator, {
    baseUrl,
    world: async () => world.toTexts(),
    editor: {
      update: (list, id, changes) => world[list].update(id as never, changes as never),
      delete: (list, id) => world[list].delete(id as never),
    },
  })
}
