import type { Actors } from '../actors/actors.ts'
import type { Faults } from '../faults/faults.ts'
import type { JournalAccess } from '../journal/access.ts'
import type { Keys } from '../keys.ts'
import type { Policies } from '../policies/running.ts'
import { settle } from '../policies/settings.ts'
import type { AddedIds, NewRows } from '../rows/new-rows.ts'
import type { Snapshots } from '../snapshots/snapshots.ts'
import { unexpected } from '../usage-error.ts'
import type { Clock } from '../world/clock.ts'
import type { WorldJson } from '../world/world-json.ts'
import { deleteRows, type RowEditor, updateRows } from './edit-rows.ts'
import { hear } from './hear.ts'
import type { Change } from './scenario.ts'
import type { Sent, Target } from './target.ts'

/** The same methods, at once or with a promise. */
type Steered<T> = {
  readonly [Name in keyof T]: T[Name] extends (...given: infer Given) => infer Result
    ? (...given: Given) => Result | Promise<Result>
    : never
}

/** A simulator of ours, in this process or in another one: what it takes to replay there. */
export interface Stage {
  fetch(url: string, init: RequestInit): Promise<Response>
  addRows(rows: NewRows): AddedIds | Promise<AddedIds>
  reset(): void | Promise<void>
  replaceWorld(world: WorldJson): unknown
  readonly clock: Steered<Pick<Clock, 'read' | 'set' | 'advance'>>
  readonly faults: Steered<Pick<Faults, 'add' | 'remove' | 'clear'>>
  readonly actors: Steered<Pick<Actors, 'add' | 'remove' | 'clear'>>
  readonly policies: Steered<Pick<Policies, 'set' | 'list'>>
  readonly snapshots: Steered<Pick<Snapshots, 'save' | 'restore'>>
  readonly keys: Steered<Pick<Keys, 'list' | 'revoke'>>
  readonly journal: Steered<Pick<JournalAccess, 'find'>>
}

/** Where the API of such a simulator begins, how its world is read and its rows are edited, and what frees it. */
export interface StagePlace {
  readonly baseUrl: string
  readonly world: () => Promise<Iterable<string>>
  readonly editor: RowEditor
  readonly end?: () => Promise<unknown>
}

/** A world of ours that was made for one replay. */
export async function ownTarget(
  stage: Stage,
  { baseUrl, world, editor, end }: StagePlace,
): Promise<Target> {
  const readKeys = async (): Promise<Map<string, string>> =>
    new Map((await stage.keys.list()).map(({ label, value }) => [label, value]))
  let keys = await readKeys()
  return {
    baseUrl,
    key: (label) => keys.get(label),
    send: ({ url, ...init }: Sent) => hear(url, stage.fetch(url, init)),
    async change(change) {
      const added = await carryOut(change, stage, editor)
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

async function carryOut(change: Change, stage: Stage, editor: RowEditor): Promise<AddedIds> {
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
  else if ('profile' in change) await stage.policies.set(settle(change.profile))
  else if ('policies' in change) await stage.policies.set(change.policies)
  else if ('snapshot' in change) await stage.snapshots.save(change.snapshot)
  else if ('restore' in change) await stage.snapshots.restore(change.restore)
  else await stage.reset()
  return {}
}

/** @throws UsageError for an id that nothing has */
async function remove(id: string, { faults, actors }: Stage): Promise<void> {
  const isGone = await (id.startsWith('actor') ? actors : faults).remove(id)
  if (!isGone) throw unexpected('remove', 'the id of a fault or of a second actor', id)
}

/** @throws UsageError for a label that no key has */
async function revoke(label: string, { keys }: Stage): Promise<void> {
  const key = (await keys.list()).find((one) => one.label === label)
  if (!key) throw unexpected('revoke a key', 'the label of a key', label)
  await keys.revoke(key.value)
}
